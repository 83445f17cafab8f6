import { z } from 'zod';
import { checkRequest } from '../../nodes/Videogen/input/checkRequest';
import { refusalOf } from '../support/itemFilesScene';

const schema = z
	.strictObject({
		count: z.number().min(2).optional(),
		list: z.array(z.string()).min(2).max(3).optional(),
		words: z.string().min(2).max(3).optional(),
		deep: z.object({ list: z.array(z.object({ size: z.number() })) }).optional(),
	})
	.refine(({ count, words }) => count === undefined || words === undefined, 'Only one of both');

const guides = { list: { label: 'Image URLs', allowed: 'Give two or three.' } };

/** What is said of a request that does not fit. */
const said = (request: unknown) => {
	const { field, message, advice } = refusalOf(() => checkRequest(schema, request, guides));
	return { field, message, advice };
};

test('a request that fits is returned as it was given', () => {
	const request = { list: ['a', 'b'] };
	expect(checkRequest(schema, request, guides)).toBe(request);
});

test.each([
	[['a'], 1],
	[['a', 'b', 'c', 'd'], 4],
])('a list of the wrong length, %j, is told by its number of entries', (list, count) => {
	expect(said({ list })).toEqual({
		field: 'Image URLs',
		message: `Image URLs: ${count} were given.`,
		advice: 'Give two or three.',
	});
});

test.each([
	[{ words: 'a' }, 'words: "a" is not allowed.'],
	[{ words: 'abcd' }, 'words: "abcd" is not allowed.'],
	[{ words: '' }, 'words: is empty.'],
	[{ count: 1 }, 'count: 1 is not allowed.'],
	[{ list: 'ab' }, 'Image URLs: "ab" is not allowed.'],
	[{ list: ['a', 7] }, 'Image URLs: 1 is 7, which is not allowed.'],
	[{ deep: { list: [{ size: 1 }, { size: 'x' }] } }, 'deep: list.1.size is "x", which is'],
	[{ deep: { list: [null] } }, 'deep: list.0 is nothing, which is not allowed.'],
	[{ deep: {} }, 'deep: list is nothing, which is not allowed.'],
	[{ image_urls: [] }, 'Request: Unrecognized key(s) in object: '],
])('%j is told by the place and the value', (request, beginning) => {
	expect(said(request).message.slice(0, beginning.length)).toBe(beginning);
});

test('what is wrong with the request as a whole is told in the words of the contract', () => {
	expect(said({ count: 2, words: 'ab' })).toEqual({
		field: 'Request',
		message: 'Request: Only one of both.',
		advice: '',
	});
});

test('a property that the editor has no name for goes by its own', () => {
	expect(said({ count: 1 })).toMatchObject({ field: 'count', advice: '' });
});
