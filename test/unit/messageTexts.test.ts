import { holeMessage } from '../../nodes/Videogen/fields/prompt';
import { nearest } from '../../nodes/Videogen/ground/text';
import { nthOf } from '../../nodes/Videogen/ground/words';

describe('an expression in a prompt', () => {
	/** What n8n gives for the owners of fields. */
	const values: Record<string, unknown> = {
		'{{ $json }}': { prompt: null, 'First Name': 'Ada', city: '', body: { title: 'x' }, list: 7 },
		'{{ $json.body }}': { title: 'x' },
		'{{ $json.list }}': 7,
		"{{ $('A.b.c').item.json }}": { title: 'x' },
		"{{ $('A').first().json }}": { d: undefined },
	};
	const evaluate = (part: string) => values[part];
	const FIELDS = 'Fields: prompt, First Name, city, body, list.';

	test.each([
		['{{ $json.promt }}', `There is no field promt. ${FIELDS} promt → prompt?`],
		['{{ $json.Prompt2.trim() }}', `There is no field Prompt2. ${FIELDS} Prompt2 → prompt?`],
		[
			'{{ $json["first name"] }}',
			`There is no field first name. ${FIELDS} first name → First Name?`,
		],
		['{{ $json.weather }}', `There is no field weather. ${FIELDS}`],
		['{{ $json.boddy.title }}', `There is no field boddy. ${FIELDS} boddy → body?`],
		['{{ $json.body.titel }}', 'There is no field titel. Fields: title. titel → title?'],
		['{{ $json.prompt }}', 'The field prompt is empty in this row.'],
		['{{ $json.city.trim() }}', 'The field city is empty in this row.'],
		['{{ $json.prompt.text.de }}', 'The field prompt is empty in this row.'],
		["{{ $('A.b.c').item.json.d }}", 'There is no field d. Fields: title.'],
		["{{ $('A').first().json.d }}", 'The field d is empty in this row.'],
		['{{ $json.list.a }}', 'Check the names in it.'],
		['{{ $json.a || $json.b }}', 'Check the names in it.'],
		['{{ $jmespath($json, "a") }}', 'Check the names in it.'],
	])('that gave nothing is told why: %s', (part, why) => {
		const { message, description } = holeMessage(part, 'undefined', evaluate);
		expect(message).toBe(`: ${part} gave undefined for this item`);
		expect(description.split(' If it may be')[0]).toBe(why);
	});

	test.each([
		['{{ $json.a }}', "{{ $json.a ?? '' }}"],
		['{{ $json.a.b.c }}', "{{ $json.a?.b?.c ?? '' }}"],
		['{{ $json.a2._b.$c }}', "{{ $json.a2?._b?.$c ?? '' }}"],
		['{{ $json.a || $json.b }}', "{{ ($json.a || $json.b) ?? '' }}"],
		['{{ $json.a & 1 }}', "{{ ($json.a & 1) ?? '' }}"],
		["{{ $('A.b.c').item.json.d }}", "{{ $('A.b.c').item.json.d ?? '' }}"],
	])('that gave nothing is told how to write it: %s', (part, cure) =>
		expect(holeMessage(part, 'null', () => undefined).description).toBe(
			`Check the names in it. If it may be missing, write ${cure}.`,
		),
	);

	test('of an agent, or that gave an object, is told what to do', () => {
		expect(holeMessage('{{ $fromAI("prompt") }}', 'undefined', evaluate).description).toBe(
			'Give it in the call of the tool.',
		);
		expect(holeMessage('{{ $json.a }}', '[object Object]', evaluate).description).toBe(
			'It is an object: add the name of one of its fields, such as .name.',
		);
	});
});

describe('the name that is meant by another', () => {
	test.each([
		['citty', ['country', 'city'], 'city'],
		['IMAGE', ['img', 'image '], 'image '],
		['ab', ['abc', 'xyz'], 'abc'],
		['prompt', ['text', 'title'], undefined],
		['a', [], undefined],
		['bpromt', ['prompts', 'prompt'], 'prompt'],
	])('%s among %j', (written, names, expected) => expect(nearest(written, names)).toBe(expected));
});

test('an item is counted as people do, alone or among many', () => {
	expect(nthOf(0, 1)).toBe('the item');
	expect([0, 1, 2, 3, 10, 20, 111].map((index) => nthOf(index, 200))).toEqual(
		['1st', '2nd', '3rd', '4th', '11th', '21st', '112th'].map((nth) => `the ${nth} of 200 items`),
	);
});
