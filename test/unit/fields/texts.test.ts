import { createTextVideo } from '../../../nodes/Videogen/fields/createTextVideo';
import { checkTexts } from '../../../nodes/Videogen/fields/texts';
import { planned, refusalOf, refusalOfPlan } from './planned';

/** A text as it is written in the node, what it has become, and what its parts give. */
type Text = [written: unknown, value: string, gives: Record<string, unknown>];

const check = (prompt: Text, key: Text = ['', '', {}]) =>
	checkTexts({ prompt: prompt[1] }, key[1], {
		written: { prompt: String(prompt[0]), options: { idempotencyKey: String(key[0]) } },
		evaluate: (part) => ({ ...prompt[2], ...key[2] })[part],
	});

const PLAIN: Text = ['A fox', 'A fox', {}];

const OBJECT = '[object Object]';

test.each<[label: string, hole: string, prompt: Text, key?: Text]>([
	['Prompt', '{{ a }} is undefined', ['=A {{ a }}', 'A ', { '{{ a }}': undefined }]],
	['Prompt', '{{ a }} is null', ['=A {{ a }}', 'A ', { '{{ a }}': null }]],
	[
		'Prompt',
		`{{ b }} is ${OBJECT}`,
		['={{ a }}{{ b }}', `A ${OBJECT}`, { '{{ a }}': 'A ', '{{ b }}': {} }],
	],
	['Prompt', `{{ a }} is ${OBJECT}`, ['={{ a }}', `A ${OBJECT}`, {}]],
	['Idempotency Key', '{{ a }} is undefined', PLAIN, ['=row-{{ a }}', 'row-', {}]],
	['Idempotency Key', '{{ a }} is undefined', PLAIN, ['={{ a }}', '', {}]],
	['Idempotency Key', '"rowundefined"', PLAIN, ["={{ 'row' + a }}", 'rowundefined', {}]],
	['Idempotency Key', '"row_null"', PLAIN, ["={{ 'row_' + a }}", 'row_null', {}]],
	[
		'Idempotency Key',
		`"row-${OBJECT}"`,
		PLAIN,
		['={{ a }}-{{ 1 }}', `row-${OBJECT}`, { '{{ a }}': '', '{{ 1 }}': 1 }],
	],
])('%s with a hole is refused: %s', (label, hole, ...texts) => {
	const { field, message } = refusalOf(() => check(...texts));
	expect([field.displayName, message]).toEqual([label, expect.stringContaining(hole)]);
});

test.each<Text>([
	PLAIN,
	['undefined', 'undefined', {}],
	['A [object Object]', 'A [object Object]', {}],
	['=A {{ a', 'A {{ a', {}],
	['={{ a }}', 'undefined', {}],
	['=A {{ a }} fox', 'A  fox', { '{{ a }}': '' }],
	['=A {{ a }}, {{ a }}', 'A 0, 0', { '{{ a }}': 0 }],
])('a prompt may be %s, which is %s', (...text) => expect(() => check(text)).not.toThrow());

test.each<Text>([
	['=row-{{ a }}', 'row-7', { '{{ a }}': 7 }],
	['=nullable-{{ a }}', 'nullable-0', { '{{ a }}': 0 }],
	['={{ a }}', '', { '{{ a }}': '' }],
	['undefined', 'undefined', {}],
])('a key may be %s, which is %s', (...text) => expect(() => check(PLAIN, text)).not.toThrow());

test('a text has a letter, a digit or an emoji', async () => {
	for (const values of [{ prompt: '…!' }, { prompt: ' - ' }, { options: { idempotencyKey: '--' } }])
		await refusalOfPlan(planned(createTextVideo, values));
	for (const prompt of ['🦊', '狐', '🇫🇷']) await planned(createTextVideo, { prompt });
	expect(await planned(createTextVideo, { options: { idempotencyKey: '7' } })).toBeDefined();
});
