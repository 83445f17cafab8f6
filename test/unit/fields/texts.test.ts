import { createTextVideo } from '../../../nodes/Videogen/fields/createTextVideo';
import { checkTexts } from '../../../nodes/Videogen/fields/texts';
import { planned, refusalOf } from './planned';

/** A text as it is written in the node, what it has become, and what its parts give. */
type Text = [written: unknown, value: string, gives: Record<string, unknown>];

const check = (prompt: Text, key: Text = ['', '', {}]) =>
	checkTexts({ prompt: prompt[1] }, key[1], {
		written: { prompt: String(prompt[0]), options: { idempotencyKey: String(key[0]) } },
		evaluate: (part) => ({ ...prompt[2], ...key[2] })[part],
	});

const PLAIN: Text = ['A fox', 'A fox', {}];

describe('a prompt', () => {
	test.each<[...Text, hole: string]>([
		['=A {{ $json.a }}', 'A ', { '{{ $json.a }}': undefined }, '{{ $json.a }} gave undefined'],
		['=A {{ $json.a }}', 'A ', { '{{ $json.a }}': null }, '{{ $json.a }} gave null'],
		[
			'={{ $json.a }}{{ $json.b }}',
			'A [object Object]',
			{ '{{ $json.a }}': 'A ', '{{ $json.b }}': { c: 1 } },
			'{{ $json.b }} gave [object Object]',
		],
		['={{ $json.a }}', 'A [object Object]', {}, '{{ $json.a }} gave [object Object]'],
	])('has no hole: %s, which is %s', (written, value, gives, hole) => {
		const { message } = refusalOf(() => check([written, value, gives]));
		expect(message).toBe(`Prompt: ${hole} for this item.`);
	});

	test.each<Text>([
		PLAIN,
		['undefined', 'undefined', {}],
		['A [object Object]', 'A [object Object]', {}],
		['=A {{ $json.a', 'A {{ $json.a', {}],
		['={{ $json.a }}', 'undefined', {}],
		['=A {{ $json.a }} fox', 'A  fox', { '{{ $json.a }}': '' }],
		['=A {{ $json.a }}, {{ $json.a }}', 'A 0, 0', { '{{ $json.a }}': 0 }],
	])('may be %s, which is %s', (...text) => expect(() => check(text)).not.toThrow());
});

describe('an idempotency key', () => {
	test.each<[...Text, hole: string]>([
		['=row-{{ $json.id }}', 'row-', {}, ': {{ $json.id }} gave undefined for this item.'],
		['={{ $json.id }}', '', {}, ': {{ $json.id }} gave undefined for this item.'],
		["={{ 'row' + $json.id }}", 'rowundefined', {}, ': "rowundefined" has undefined in it.'],
		["={{ 'row_' + $json.id }}", 'row_null', {}, ': "row_null" has null in it.'],
		[
			"={{ 'row-' + $json }}-{{ 1 }}",
			'row-[object Object]-1',
			{ "{{ 'row-' + $json }}": 'row-', '{{ 1 }}': 1 },
			': "row-[object Object]-1" has [object Object] in it.',
		],
	])('has no hole: %s, which is %s', (written, value, gives, hole) => {
		const { message } = refusalOf(() => check(PLAIN, [written, value, gives]));
		expect(message).toBe(`Idempotency Key${hole}`);
	});

	test.each<Text>([
		['=row-{{ $json.id }}', 'row-7', { '{{ $json.id }}': 7 }],
		['=nullable-{{ $json.id }}', 'nullable-0', { '{{ $json.id }}': 0 }],
		['={{ $json.id }}', '', { '{{ $json.id }}': '' }],
		['undefined', 'undefined', {}],
	])('may be %s, which is %s', (...text) => expect(() => check(PLAIN, text)).not.toThrow());
});

describe('a text without letters, digits and emoji', () => {
	test.each([{ prompt: '…!' }, { prompt: ' - ' }, { options: { idempotencyKey: '--' } }])(
		'%j is refused',
		async (values) => {
			await expect(planned(createTextVideo, values)).rejects.toThrow('is not allowed.');
		},
	);

	test.each([
		{ prompt: '🦊' },
		{ prompt: '狐' },
		{ prompt: '🇫🇷' },
		{ options: { idempotencyKey: '7' } },
	])('%j has one', async (values) => {
		await expect(planned(createTextVideo, values)).resolves.toBeDefined();
	});
});
