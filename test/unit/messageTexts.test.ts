import { holeMessage } from '../../nodes/Videogen/fields/prompt';
import { linksHint } from '../../nodes/Videogen/run/hints';
import { nearest } from '../../nodes/Videogen/ground/text';
import { nthOf } from '../../nodes/Videogen/ground/words';
import { tooManyInEditorMessage, tooManyMessage } from '../../nodes/Videogen/run/outcomeMessage';
import { reuseText } from '../../nodes/Videogen/run/reuseText';

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

describe('what was taken of earlier executions', () => {
	const minutesAgo = (minutes: number, orderedBy = '7') => ({
		orderedBy,
		orderedAtMs: 1_000_000_000 - minutes * 60_000,
	});
	const text = (taken: Array<ReturnType<typeof minutesAgo>>, orderedAgain = 0, creates = 2) =>
		reuseText({ taken, orderedAgain, creates, nowMs: 1_000_000_000 });

	test.each([
		[0.4, 'just now'],
		[1, 'a minute ago'],
		[2, '2 minutes ago'],
		[119, '119 minutes ago'],
		[120, '2 hours ago'],
		[600, '10 hours ago'],
	])('%d minutes later is said so', (minutes, ago) =>
		expect(text([minutesAgo(minutes)])).toBe(
			`Nothing was ordered for 1 of 2 videos: taken from execution 7 (${ago}). Files behind URLs were not compared. For another take, change something, or switch off 'Reuse in Editor' in 'Options'.`,
		),
	);

	test('names each execution once, and three of them', () => {
		const taken = ['7', '7', '8', '9', '10'].map((by) => minutesAgo(1, by));
		expect(text(taken, 0, 5)).toContain(
			'for 5 of 5 videos: taken from execution 7 (a minute ago), execution 8 (a minute ago), execution 9 (a minute ago) and 1 more.',
		);
		expect(text([minutesAgo(1)], 0, 1)).toContain('for 1 of 1 video: ');
	});

	test('says what was ordered again, also where nothing was taken', () => {
		const again = 'Ordered again: 2, because the service no longer knows the task, or it failed.';
		expect(text([], 2)).toBe(again);
		expect(text([minutesAgo(1)], 2)).toContain(`in 'Options'. ${again}`);
	});
});

test.each([
	[['task_1'], true, 'The link usually stops', 'with ID task_1', ', in a new workflow'],
	[['task_1'], false, 'The link usually stops', 'with ID task_1', ''],
	[['task_1', 'task_2'], true, 'Links usually stop', 'with the IDs', ', in a new workflow'],
])('what is said beside links to %j, created: %s', (taskIds, areCreated, what, which, where) =>
	expect(linksHint(taskIds, areCreated)).toBe(
		`${what} working after about a day: save what you want to keep, or use Get Task ${which} and 'Download Results' on${where}, which costs nothing more.`,
	),
);

describe('too many videos', () => {
	test('of a click are told with their seconds, none at the limit', () => {
		expect(tooManyInEditorMessage([5, undefined, 30], 0, 3)).toBeUndefined();
		expect(tooManyInEditorMessage([5, undefined, 30], 1, 3)).toEqual({
			message:
				'This would create 3 videos with 40 seconds together after 1 before, but an execution in the editor creates at most 3',
			description:
				"Nothing new was created. For more, add 'Max New Videos per Execution' in 'Options', or send fewer items.",
		});
		expect(tooManyInEditorMessage([4, 4], 0, 1)?.message).toContain('8 seconds together, but an');
	});

	test('of a run are those beyond the limit', () => {
		expect(tooManyMessage(2, 1, 3)).toBeUndefined();
		expect(tooManyMessage(3, 1, 3)).toBeDefined();
	});
});

test('an item is counted as people do, alone or among many', () => {
	expect(nthOf(0, 1)).toBe('the item');
	expect([0, 1, 2, 3, 10, 20, 111].map((index) => nthOf(index, 200))).toEqual(
		['1st', '2nd', '3rd', '4th', '11th', '21st', '112th'].map((nth) => `the ${nth} of 200 items`),
	);
});
