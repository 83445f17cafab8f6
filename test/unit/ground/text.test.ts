import { nearest, quotable, quoted, wholeId } from '../../../nodes/Videogen/ground/text';
import { downloadMessage } from '../../../nodes/Videogen/files/downloadWords';
import { nthOf, shown } from '../../../nodes/Videogen/ground/words';
import { completedTask } from '../../programs/support/downloadScene';

test.each([
	['No', '“No”.'],
	['No.', '“No.”'],
	['v1.2 is gone', '“v1.2 is gone”.'],
	['Why?', '“Why?”'],
])('%s is quoted as a sentence', (words, sentence) => expect(quoted(words)).toBe(sentence));

/** n8n shows descriptions and hints as HTML. */
test('no tag of another gets into what n8n shows', () => {
	const tag = '<a href="https://e.com">Sign in</a>';
	expect(quotable(tag)).toBe('‹a href="https://e.com"›Sign in‹/a›');
	expect(shown([tag])).not.toMatch(/[<>]/);
	expect(shown([tag])).toContain('‹a');
	expect(wholeId('<b>1')).toBe(String.raw`"\u003cb\u003e1"`);
	const url = 'https://e.com/<b>';
	const told = downloadMessage(
		completedTask([url], '<i>'),
		{ kind: 'notDownloaded', error: { kind: 'empty' }, url },
		true,
	);
	expect(Object.values(told).join()).not.toMatch(/[<>]/);
	expect(told.description).toContain('https://e.com/%3Cb%3E');
});

test('what comes after more than anybody reads is not looked at', () => {
	expect(quotable(`${' '.repeat(8_191)}ab`)).toBe('a');
});

test.each([
	['citty', ['country', 'city'], 'city'],
	['IMAGE', ['img', 'image '], 'image '],
	['ab', ['abc', 'xyz'], 'abc'],
	['prompt', ['text', 'title'], undefined],
	['a', [], undefined],
	['bpromt', ['prompts', 'prompt'], 'prompt'],
])('the name that is meant by %s, among %j, is %s', (written, names, expected) =>
	expect(nearest(written, names)).toBe(expected),
);

test('an item is counted as people do, alone or among many', () => {
	expect(nthOf(0, 1)).toBe('the item');
	expect([0, 1, 2, 3, 10, 20, 111].map((index) => nthOf(index, 200))).toEqual(
		['1st', '2nd', '3rd', '4th', '11th', '21st', '112th'].map((nth) => `the ${nth} of 200 items`),
	);
});

describe('a value in a message', () => {
	test.each([
		['a word', '"a word"'],
		[7, '7'],
		[true, 'true'],
		[['a'], '["a"]'],
		[{ a: 1 }, '{"a":1}'],
		['', 'nothing'],
		[null, 'nothing'],
		[undefined, 'nothing'],
	])('%j reads %s', (value, expected) => expect(shown(value)).toBe(expected));

	test('is whole up to its limit, and cut beyond', () => {
		expect(shown('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
		expect(shown('x'.repeat(79))).toBe(`"${'x'.repeat(79)}…`);
		expect(shown('🦊'.repeat(78))).toBe(`"${'🦊'.repeat(78)}"`);
		expect(shown('🦊'.repeat(90_000))).toBe(`"${'🦊'.repeat(79)}…`);
	});

	test('that no JSON can say is not shown', () => {
		const loop: Record<string, unknown> = {};
		loop.itself = loop;
		expect(shown(loop)).toBe('what was given');
		expect(shown(Symbol('x'))).toBe('Symbol(x)');
	});
});
