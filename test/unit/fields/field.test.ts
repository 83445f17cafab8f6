import { z } from 'zod';
import {
	collectionField,
	menuField,
	numberField,
	switchField,
	textField,
} from '../../../nodes/Videogen/fields/field';
import { taskId } from '../../../nodes/Videogen/fields/getTask';
import { shown } from '../../../nodes/Videogen/ground/words';
import { asTask } from '../../../nodes/Videogen/service/task';
import { refusalOf } from '../../programs/support/itemFilesScene';

const LABEL = 'Some Field';
const FIELD = { displayName: LABEL, name: 'some' };

describe('task IDs', () => {
	test('are as long as a URL can be', () => {
		const longest = 'a'.repeat(8_192);
		expect(taskId.read(longest)).toBe(longest);
		expect(asTask({ id: longest, status: 'pending' })?.id).toBe(longest);
		expect(refusalOf(() => taskId.read(`${longest}a`)).message).toContain('is not a task ID.');
		expect(asTask({ id: `${longest}a`, status: 'pending' })).toBeUndefined();
	});

	test('a number is an ID too', () => expect(taskId.read(12)).toBe('12'));

	test.each([undefined, null, '', ' \n'])('%j is empty', (value) =>
		expect(refusalOf(() => taskId.read(value)).about).toBe('nothing'),
	);

	test.each([
		...['a/b/1', '/a', 'Zm9v/YmFy+A==', '50%25-1', '%2e%2e', 't?x=1', 'a#b', 'a\\b', 'a b'],
		...['.task', 'task.', '...a', 'a..b', '..a/b..', 'httpx'],
		...['a\u0000b', 'eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl'],
	])('%j, which a service may have given, is taken as it is', (value) => {
		expect(taskId.read(` ${value}\n`)).toBe(value);
		expect(asTask({ id: value, status: 'pending' })?.id).toBe(value);
	});

	// A proxy may decode the path before it resolves the dots in it.
	test.each(['.', '..', '...', '../x', 'x/..', 'a/../b', 'a\\..\\b', 'a/./b', 'a\ufffd', '\ud800'])(
		'%j, which a path cannot hold, is refused, in records too',
		(value) => {
			const { message } = refusalOf(() => taskId.read(value));
			expect(message).toMatch(/^Task ID: ".*" is not a task ID\.$/);
			expect(asTask({ id: value, status: 'pending' })).toBeUndefined();
		},
	);

	test.each([
		...['https://e.com/v1/tasks/1', ' HTTP://e.com/1'],
		...[true, 1.5, 2 ** 53, {}, { id: 'task_1' }, ['task_1']],
	])('%j is refused', (value) =>
		expect(() => taskId.read(value)).toThrow(`Task ID: ${JSON.stringify(value)} is not a task ID.`),
	);
});

describe('values from expressions', () => {
	const texts = FIELD;
	const number = numberField({ ...texts, default: 0 }, z.number().max(20), 'It is a number.');
	const toggle = switchField({ ...texts, default: false });
	const text = textField({ ...texts, default: '' }, z.string().min(1), 'Write something.');
	const collection = collectionField(texts);
	const names = {
		adaptive: { name: 'Adaptive' },
		'720p': { name: '720p' },
		returnTask: { name: 'Task' },
	};
	const choices = ['adaptive', '720p', 'returnTask'] as const;
	const menu = menuField<(typeof choices)[number]>(
		{ ...texts, default: 'adaptive' },
		choices,
		names,
	);

	test.each([
		['number', number, ['7', ' 4.5 ', '-1', '+12', 7], [7, 4.5, -1, 12, 7]],
		['switch', toggle, ['true', ' FALSE ', true, false], [true, false, true, false]],
		['text', text, ['fox', 7, false], ['fox', '7', 'false']],
		[
			'choice',
			menu,
			['720P ', ' Adaptive', 'RETURNTASK', '720p'],
			['720p', 'adaptive', 'returnTask', '720p'],
		],
		['collection', collection, [{ a: 1 }, undefined, null, ''], [{ a: 1 }, {}, {}, {}]],
	])('are read as a %s', (_kind, field, values, expected) => {
		expect(values.map((value) => field.read(value))).toEqual(expected);
	});

	test.each([
		['number', number, ['', ' ', null, undefined], ['7s', 's7', '7.', '0x7', 21, true, NaN, [7]]],
		['switch', toggle, ['', null, undefined], ['yes', 0, 1, {}]],
		['text', text, ['', null, undefined], [{}, ['fox']]],
		['choice', menu, ['', ' ', null, undefined], ['720', '4K', 720, ['720p'], {}]],
		['collection', collection, [], ['a', ['a'], 7, true]],
	])('a %s is refused by the label of its field', (_kind, field, empty, wrong) => {
		const saidOf = (value: unknown) => refusalOf(() => field.read(value)).message;
		for (const value of empty) expect(saidOf(value)).toBe(`${LABEL} is empty.`);
		for (const value of wrong) {
			expect(saidOf(value)).toBe(`${LABEL}: ${shown(value)} is not allowed.`);
		}
	});
});
