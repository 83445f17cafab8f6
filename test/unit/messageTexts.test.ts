import { holeMessage, plainExpressionMessage } from '../../nodes/Videogen/fields/prompt';
import { nthOf } from '../../nodes/Videogen/ground/words';

describe('an expression in a prompt', () => {
	const CHECK = 'Check the name of the field. If it may be missing, write';

	test.each([
		['{{ $json.a }}', `${CHECK} {{ $json.a ?? '' }}.`],
		['{{ $json.a.b.c }}', `${CHECK} {{ $json.a?.b?.c ?? '' }}.`],
		['{{ $json.a2._b.$c }}', `${CHECK} {{ $json.a2?._b?.$c ?? '' }}.`],
		['{{ $json.a || $json.b }}', `${CHECK} {{ ($json.a || $json.b) ?? '' }}.`],
		['{{ $json.a & 1 }}', `${CHECK} {{ ($json.a & 1) ?? '' }}.`],
		["{{ $('A.b.c').item.json.d }}", `${CHECK} {{ $('A.b.c').item.json.d ?? '' }}.`],
		['{{ $fromAI("prompt") }}', 'Give it in the call of the tool.'],
	])('that gave nothing is told how to write it: %s', (part, advice) =>
		expect(holeMessage(part, 'undefined')).toEqual({
			message: `: ${part} gave undefined for this item`,
			description: advice,
		}),
	);

	test('that gave null, or an object, is told what that is', () => {
		expect(holeMessage('{{ $json.a }}', 'null').description).toBe(
			"It is empty there: fill it in. If it may be missing, write {{ $json.a ?? '' }}.",
		);
		expect(holeMessage('{{ $json.a }}', '[object Object]').description).toBe(
			'It is an object: add the name of one of its fields, such as .name.',
		);
	});

	test('in a fixed field is told to be text', () =>
		expect(plainExpressionMessage('{{ $json.a }}')).toEqual({
			message: ': {{ $json.a }} is only text here, so the video would be of these signs',
			description: 'Above the field, switch from Fixed to Expression; or remove the braces.',
		}));
});

test('an item is counted as people do, alone or among many', () => {
	expect(nthOf(0, 1)).toBe('the item');
	expect([0, 1, 2, 3, 10, 20, 111].map((index) => nthOf(index, 200))).toEqual(
		['1st', '2nd', '3rd', '4th', '11th', '21st', '112th'].map((nth) => `the ${nth} of 200 items`),
	);
});
