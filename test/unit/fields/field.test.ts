import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import {
	collectionField,
	type Field,
	menuField,
	numberField,
	switchField,
	textField,
	valueIn,
} from '../../../nodes/Videogen/fields/field';
import { taskId } from '../../../nodes/Videogen/operations/getTask';
import { isEmpty, shown } from '../../../nodes/Videogen/shared/messages';
import { asTask } from '../../../nodes/Videogen/service/task';
import { operationFrom, operations } from '../../../nodes/Videogen/operations';
import { fieldsOf } from '../../../nodes/Videogen/operations/operation';
import { labelOf, planned, invalidOf } from './planned';

const LABEL = 'Some Field';
const FIELD = { displayName: LABEL, name: 'some' };

/** Cells of sheets and answers of forms are empty in these ways. */
const EMPTY = ['', ' \n', '\u200b', null, undefined];

/** Those that are empty are said to be so, the others are shown. */
function expectRefused({ read }: Pick<Field<unknown>, 'read'>, label: string, value: unknown) {
	const { field, message } = invalidOf(() => read(value));
	expect(field.displayName).toBe(label);
	expect(message).toContain(isEmpty(value) ? 'empty' : shown(value));
}

describe('task IDs', () => {
	const recordedAs = (id: string) => asTask({ id, status: 'pending' })?.id;

	test('are as long as a URL can be', () => {
		const longest = 'a'.repeat(8_192);
		expect([taskId.read(longest), recordedAs(longest)]).toEqual([longest, longest]);
		expect(labelOf(() => taskId.read(`${longest}a`))).toBe('Task ID');
		expect(recordedAs(`${longest}a`)).toBeUndefined();
	});

	test('a number is an ID too', () => expect(taskId.read(12)).toBe('12'));

	test.each([
		...['a/b/1', '/a', 'Zm9v/YmFy+A==', '50%25-1', '%2e%2e', 't?x=1', 'a#b', 'a\\b', 'a b'],
		...['.task', 'task.', '...a', 'a..b', '..a/b..', 'httpx'],
		...['a\u0000b', 'eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl'],
	])('%j, which a service may have given, is taken as it is', (value) => {
		expect([taskId.read(` ${value}\n\u200b`), recordedAs(value)]).toEqual([value, value]);
	});

	// A proxy may decode the path before it resolves the dots in it.
	test.each(['.', '..', '...', '../x', 'x/..', 'a/../b', 'a\\..\\b', 'a/./b', 'a\ufffd', '\ud800'])(
		'%j, which a path cannot hold, is refused, in records too',
		(value) => {
			expect(labelOf(() => taskId.read(value))).toBe('Task ID');
			expect(recordedAs(value)).toBeUndefined();
		},
	);

	test.each([
		...['https://e.com/v1/tasks/1', ' HTTP://e.com/1'],
		...[true, 1.5, 2 ** 53, {}, { id: 'task_1' }, ['task_1'], undefined, null, '', ' \n'],
	])('%j is refused', (value) => expectRefused(taskId, 'Task ID', value));
});

describe('a required field that is empty', () => {
	const told = (given: unknown, written: IDataObject) => {
		const parameters = { get: () => given, written, evaluate: () => undefined };
		return invalidOf(() => valueIn(parameters, taskId));
	};

	test.each(EMPTY)('says that its expression gave nothing: %j', (given) => {
		const { message, advice } = told(given, { taskId: '={{ $json.ID }}' });
		expect(message).toBe("'Task ID' is empty: its expression gave nothing for this item.");
		expect(advice).toContain('drag it into the field again');
	});

	test('says how to fill it where it holds no expression', () => {
		for (const written of [{}, { taskId: '' }])
			expect(told('', written).message).toBe("'Task ID' is empty.");
	});
});

describe('values from expressions', () => {
	const required = { ...FIELD, required: true };
	const number = numberField({ ...required, default: 5 }, z.number().max(20), 'a number');
	const toggle = switchField({ ...required, default: false });
	const text = textField({ ...required, default: '' }, z.string(), 'Write something.');
	const collection = collectionField(FIELD);
	const menu = menuField<'adaptive' | '720p'>(
		{ ...required, default: 'adaptive' },
		['adaptive', '720p'],
		{ adaptive: { name: 'Adaptive' }, '720p': { name: '720p' } },
	);

	test.each([
		['number', number, ['7', ' 4.5 ', '-1', '+12', 7, '\u200e8'], [7, 4.5, -1, 12, 7, 8]],
		['switch', toggle, ['true', ' FALSE ', true, false], [true, false, true, false]],
		['text', text, [' fox\n', 7, false, '\u2060a\u200b '], ['fox', '7', 'false', 'a']],
		['choice', menu, ['720P ', ' Adaptive', '720p\u200b'], ['720p', 'adaptive', '720p']],
		['collection', collection, [{ a: 1 }, undefined, null, ''], [{ a: 1 }, {}, {}, {}]],
	])('are read as a %s', (_kind, field, values, expected) => {
		expect(values.map((value) => field.read(value))).toEqual(expected);
	});

	test.each([
		['number', number, ['4,5', '5s', '7.', '0x7', 21, true, NaN, [7], ...EMPTY]],
		['switch', toggle, ['yes', 0, 1, {}, ...EMPTY]],
		['text', text, [{}, ['fox'], ...EMPTY]],
		['choice', menu, ['720', '4K', 720, ['720p'], {}, ...EMPTY]],
		['collection', collection, ['a', ['a'], 7, true]],
	])('a %s is refused by the label of its field', (_kind, field, wrong) => {
		for (const value of wrong) expectRefused(field, LABEL, value);
	});

	test.each([
		['A {{ $json.a }}', '{{ $json.a }}'],
		[['a', { b: ' {{ $json.b }}' }], '{{ $json.b }}'],
	])('%j has an expression that is sent as text', (value, part) => {
		const { message, advice } = invalidOf(() => text.read(value));
		expect(message).toContain(part);
		expect(advice).toContain('from Fixed to Expression');
	});

	test.each(['A }} fox {{', '{ fox }', '{{ fox'])('%j has none', (value) => {
		expect(text.read(value)).toBe(value);
	});
});

describe.each(operations)('an empty value of $value', (operation) => {
	// A reference is required, whichever field it is in.
	const optional = fieldsOf(operation).filter(
		({ name, required }) => !required && name !== 'imageUrls',
	);

	test.each(optional)('is the default of $name', async ({ name, default: value }) => {
		const expected = await planned(operation, { [name]: value });
		for (const empty of EMPTY) {
			expect(await planned(operation, { [name]: empty })).toEqual(expected);
		}
	});

	test.each(operation.options)('of $name is as if it was not added', async ({ name }) => {
		const expected = await planned(operation, {});
		for (const empty of EMPTY) {
			expect(await planned(operation, { options: { [name]: empty } })).toEqual(expected);
		}
	});
});

describe('the operation', () => {
	test('that n8n adds to every menu leads to the HTTP Request node', () => {
		const { message, advice } = invalidOf(() => operationFrom('__CUSTOM_API_CALL__'));
		expect(message).not.toContain('__');
		expect(advice).toMatch(/HTTP Request node.*Videogen Tasks API/);
	});

	test.each([undefined, null, '', 'createVideo', 7])('is not %j', (value) =>
		expect(labelOf(() => operationFrom(value))).toBe('Operation'),
	);
});
