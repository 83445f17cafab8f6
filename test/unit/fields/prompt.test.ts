import {
	type Evaluate,
	partsOf,
	refuseHoles,
	refusePlainExpression,
} from '../../../nodes/Videogen/fields/prompt';
import { refusalOf } from '../../programs/support/itemFilesScene';

describe('the parts of a prompt that are asked for once more', () => {
	test.each([
		['a plain text', 'A red fox {{ $json.a }}'],
		['a text without expressions', '=A red fox'],
		['no text at all', undefined],
		['an expression without an end', '=A {{ $json.a'],
	])('are none in %s', (_what, written) => expect(partsOf(written)).toEqual([]));

	test.each([
		['=A {{ $json.a }}, {{ $json.b }} and {{ $json.a }}', ['{{ $json.a }}', '{{ $json.b }}']],
		['={{ $json.a }}{{ $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
		['= {{ $json.a }}', ['{{ $json.a }}']],
		['={{ $json.a }},{{ $json.b }}', ['{{ $json.a }}', '{{ $json.b }}']],
	])('are all in %p', (written, parts) => expect(partsOf(written)).toEqual(parts));
});

const FIELD = { displayName: 'Some Field' };

test('a text that is one expression is not evaluated again', () => {
	const text = { field: FIELD, written: '={{ $json.a }}', value: 'A fox' };
	const evaluate = jest.fn();
	refuseHoles(text, evaluate);
	expect(evaluate).not.toHaveBeenCalled();
	const { message } = refusalOf(() =>
		refuseHoles({ ...text, value: 'A [object Object]' }, () => undefined),
	);
	expect(message).toBe('Some Field: {{ $json.a }} gave [object Object] for this item');
});

describe('a text that is to differ by item', () => {
	test.each<[written: string, value: string | undefined, gives: unknown, hole: string]>([
		['=row-{{ $json.id }}', 'row-', undefined, '{{ $json.id }} gave undefined for this item'],
		['=row-{{ $json.id }}', 'row-', ' ', '{{ $json.id }} gave nothing for this item'],
		['={{ $json.id }}', undefined, undefined, '{{ $json.id }} gave undefined for this item'],
		[
			"={{ 'row' + $json.id }}",
			'rowundefined',
			'rowundefined',
			'"rowundefined" has undefined in it.',
		],
		["={{ 'row-' + $json.id }}", 'row-null', 'row-null', '"row-null" has null in it.'],
	])('has no hole: %s, which is %s', (written, value, gives, hole) => {
		const evaluate: Evaluate = (part) => (part === '{{ $json }}' ? { name: 1 } : gives);
		const { message } = refusalOf(() =>
			refuseHoles({ field: FIELD, written, value }, evaluate, true),
		);
		expect(message).toBe(`Some Field: ${hole}`);
	});

	test.each([
		['=row-{{ $json.id }}', 'row-7', 7],
		['=nullable-{{ $json.id }}', 'nullable-0', 0],
		['undefined', 'undefined', undefined],
		['', undefined, undefined],
	])('may be what a person writes: %s, which is %s', (written, value, gives) => {
		expect(() => refuseHoles({ field: FIELD, written, value }, () => gives, true)).not.toThrow();
	});
});

/** Where one is found and refused stands in `engine/validation.test.ts`. */
test.each(['A fox', 'A }} fox {{', '{ fox }', '', undefined])(
	'no expression that is sent as text is found in %p',
	(value) => {
		expect(() => refusePlainExpression({ field: FIELD, written: value, value })).not.toThrow();
	},
);
