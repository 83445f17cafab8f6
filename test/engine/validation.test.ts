import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../../nodes/Videogen/shared/json';
import { itemOf } from '../../nodes/Videogen/shared/messages';
import { Videogen } from '../../nodes/Videogen/Videogen.node';
import { ASPECT_RATIOS, QUALITIES } from '../../nodes/Videogen/service/contract/limits';
import { errorOf } from '../support/engine';
import { CONTINUE, ERROR_OUTPUT, useEngine } from '../support/useEngine';

const { simulator, runNode } = useEngine({ taskDurationMs: 3_000 });

const IMAGE = 'https://example.com/a.png';
const OTHER_IMAGE = 'https://example.com/b.png';
const WORDS = 'a red fox';

const textVideo: IDataObject = { operation: 'createTextVideo', prompt: WORDS };
const imageVideo: IDataObject = {
	operation: 'createImageVideo',
	prompt: WORDS,
	firstFrameUrl: IMAGE,
};
const referenceVideo: IDataObject = { operation: 'createReferenceVideo', prompt: WORDS };
const getTask: IDataObject = { operation: 'getTask' };
const waiting: IDataObject = { ...textVideo, waitForCompletion: true };

/** The field's name as a person sees it, taken from what the editor is told. */
function labelOf(path: string): string {
	const [name, entryName] = path.split('.');
	const field = new Videogen().description.properties.find((one) => one.name === name);
	if (field === undefined) throw new Error(`The node has no field ${path}`);
	if (entryName === undefined) return field.displayName;
	const entry = field.options?.find((one) => one.name === entryName);
	if (entry === undefined || !('displayName' in entry)) throw new Error(`No option ${path}`);
	return entry.displayName;
}

const VALUE = '={{ $json.value }}';

/** The parameters with an expression in one field, as values reach it from other nodes. */
function withExpression(parameters: IDataObject, path: string): IDataObject {
	const [name = '', entryName] = path.split('.');
	if (entryName === undefined) return { ...parameters, [name]: VALUE };
	const entries = parameters[name];
	const others = isJsonObject(entries) ? entries : {};
	return { ...parameters, [name]: { ...others, [entryName]: VALUE } };
}

/** The field, what the message shows of the value, what is allowed, the value, what else is set. */
type Refused = [
	path: string,
	given: string,
	allowed: string,
	value: IDataObject[string],
	parameters?: IDataObject,
];

const WORDS_RULE = 'Describe the video in words';
const WHOLE_SECONDS = 'a whole number from 4 to 30';
const URL_RULE = 'begins with http:// or https://';
const EITHER = 'true or false';
const MINUTES_RULE = 'greater than 0, and at most 10080 (7 days)';

const DRIVE_PAGE = 'https://drive.google.com/file/d/1AbC/view';
const notUrls = [IMAGE, { url: OTHER_IMAGE }];
const NOT_URLS = `entry 2, {"url":"${OTHER_IMAGE}"}`;
const downloading = { ...waiting, downloadResults: true };

const refused: Refused[] = [
	['prompt', 'is empty', WORDS_RULE, ''],
	['prompt', 'is empty', WORDS_RULE, null],
	['prompt', '{"text":"fox"}', WORDS_RULE, { text: 'fox' }],
	...[3, 5.5].map((value): Refused => ['duration', `${value}`, WHOLE_SECONDS, value]),
	['quality', '"4K"', QUALITIES.join(', '), '4K'],
	['downloadResults', '"no"', EITHER, 'no', waiting],
	['duration', '"5s"', 'such as 5', '5s'],
	['firstFrameUrl', 'leads to a page', 'Google Drive node', DRIVE_PAGE, imageVideo],
	...[undefined, null].map((value): Refused => [
		'options.idempotencyKey',
		`gave ${value}`,
		'expression',
		value,
	]),
	['aspectRatio', '"2:1"', ASPECT_RATIOS.join(', '), '2:1'],
	...['generateAudio', 'contentFilter', 'webSearch', 'resendAfterNoReply'].map((name): Refused => [
		`options.${name}`,
		'"maybe"',
		EITHER,
		'maybe',
	]),
	['options.callbackUrl', `"${IMAGE} ${OTHER_IMAGE}"`, URL_RULE, `${IMAGE} ${OTHER_IMAGE}`],
	['options.modelParams', '[1,2]', 'names and values in braces', [1, 2]],
	['options.modelParams', '"{"seed": 7"', 'in braces', '{"seed": 7'],
	['options.modelParams', '"yes"', 'true or false', { web_search: 'yes' }],
	['options.maxConcurrentTasks', '0', 'a whole number, at least 1', 0],
	['firstFrameUrl', 'is empty', URL_RULE, '', { ...imageVideo, lastFrameUrl: IMAGE }],
	['lastFrameUrl', NOT_URLS, URL_RULE, notUrls, imageVideo],
	['firstFrameUrl', '3 were given', 'up to 2 images', Array(3).fill(IMAGE), imageVideo],
	['options.binaryPropertyOutput', '"aaa', 'a name of letters', 'a'.repeat(1_001), downloading],
	['imageUrls', 'are all empty', 'at least one image, video or audio', ['', '  '], referenceVideo],
	['taskId', 'https://x.example', 'a create operation returned', 'https://x.example/v1/1', getTask],
	['waitForCompletion', '"maybe"', EITHER, 'maybe'],
	['options.pollIntervalSeconds', '0.5', 'at least 1', 0.5, waiting],
	...[0, 10_081].map((value): Refused => [
		'options.timeoutMinutes',
		`${value}`,
		MINUTES_RULE,
		value,
		waiting,
	]),
];

test.each(refused)(
	'a value that is not allowed stops the node before anything is sent: %s, %s',
	async (path, given, allowed, value, base = textVideo) => {
		const parameters = withExpression(base, path);
		const error = errorOf(await runNode({ parameters, items: [{ value }] }));
		expect(error.name).toBe('NodeOperationError');
		expect(error.context.item).toBe(1);
		expect(error.message.startsWith(labelOf(path))).toBe(true);
		expect(error.message).toContain(given);
		expect(error.description).toContain(allowed);
		expect(simulator.requests).toEqual([]);
	},
);

test.each(['createMovie', VALUE])(
	'an operation that does not exist, %p, is refused by its name',
	async (value) => {
		const parameters = { ...textVideo, operation: value };
		const error = errorOf(await runNode({ parameters }));
		expect(error.name).toBe('NodeOperationError');
		expect(error.context.kind).toBe('invalid');
		expect(error.message).toContain(labelOf('operation'));
		expect(error.message).toContain(value.replace(/^=/, ''));
		expect(simulator.requests).toEqual([]);
	},
);

test('“Custom API Call”, which n8n adds to the menu, is refused with the node to use', async () => {
	const parameters = { ...textVideo, operation: '__CUSTOM_API_CALL__' };
	const { message, description } = errorOf(await runNode({ parameters }));
	expect(message).not.toContain('__');
	expect(description).toContain('HTTP Request node');
	expect(simulator.requests).toEqual([]);
});

/** The others stand in `credentialTest.test.ts` and `fields/credential.test.ts`. */
const rows: Array<[string, ICredentialDataDecryptedObject, named: string, given: string]> = [
	['an empty API key', { apiKey: '' }, 'API Key', 'is empty'],
	['a key in the Base URL', { baseUrl: 'https://e.com?key=secret-word' }, 'Base URL', ''],
];

test.each(rows)(
	'a credential that cannot work: %s is named, and nothing is sent',
	async (_what, credential, named, given) => {
		const result = await runNode({ parameters: textVideo, credential });
		const error = errorOf(result);
		expect(JSON.stringify(result.data)).not.toContain('secret-word');
		expect(error.name).toBe('NodeOperationError');
		expect(error.message.startsWith(named)).toBe(true);
		expect(error.message).toContain(given);
		expect(error.description).toContain('Open the Videogen credential');
		expect(simulator.requests).toEqual([]);
	},
);

test('with a credential that cannot work, items leave by the error output', async () => {
	const credential = { apiKey: '' };
	const result = await runNode({ parameters: textVideo, credential, settings: ERROR_OUTPUT });
	expect(result.output).toEqual([]);
	expect(result.errorOutput).toHaveLength(1);
});

describe('a value that is allowed is sent, and the service takes it', () => {
	const PARAMS = { seed: 7, web_search: false };
	/** Besides what `fields/field.test.ts` says of values from expressions. */
	test.each<[path: string, value: IDataObject[string], sent: IDataObject, IDataObject?]>([
		['duration', ' 7 ', { duration: 7 }],
		['prompt', ' fox\n', { prompt: 'fox' }],
		['options.generateAudio', ' False ', { generate_audio: false }],
		['options.modelParams', PARAMS, { model_params: PARAMS }],
		['options.modelParams', '{"a": {"b": []}}', { model_params: { a: { b: [] } } }],
		['quality', '480P ', { quality: '480p' }],
		['aspectRatio', ' 9:16', { aspect_ratio: '9:16' }],
		['lastFrameUrl', '', { image_urls: [IMAGE] }, imageVideo],
		[
			'firstFrameUrl',
			'https://e.com/a b.png',
			{ image_urls: ['https://e.com/a%20b.png'] },
			imageVideo,
		],
	])('%s: %j', async (path, value, sent, parameters = textVideo) => {
		const result = await runNode({
			parameters: { ...withExpression(parameters, path), waitForCompletion: false },
			items: [{ value }],
		});
		expect(result.status).toBe('success');
		expect(simulator.creates()).toMatchObject([{ status: 200, json: sent }]);
	});
});

test.each(['', ' ', null, undefined])(
	'an empty value, %j, of a field that is not required is its default, or leaves the option out',
	async (value) => {
		const parameters = {
			...imageVideo,
			...{ duration: VALUE, quality: VALUE, aspectRatio: VALUE, lastFrameUrl: VALUE },
			...{ waitForCompletion: VALUE, downloadResults: false, simplify: VALUE },
			options: {
				...{ generateAudio: VALUE, contentFilter: VALUE, callbackUrl: VALUE, modelFamily: VALUE },
				...{ resendAfterNoReply: VALUE, reuseInEditor: VALUE, maxNewTasks: VALUE },
				...{ maxConcurrentTasks: VALUE, pollIntervalSeconds: VALUE, timeoutMinutes: VALUE },
				binaryPropertyOutput: VALUE,
			},
		};
		const { output } = await runNode({ parameters, items: [{ value }] });
		expect(simulator.creates().map(({ json }) => json)).toEqual([
			{
				...{ model: 'videogen-2.5-image-to-video', prompt: WORDS, image_urls: [IMAGE] },
				...{ duration: 5, quality: '720p' },
			},
		]);
		expect(output).toMatchObject([{ json: { status: 'completed', prompt: WORDS } }]);
	},
);

test.each([
	'https://n8n.example.com/webhook-waiting/7',
	'http://e.com/webhook-waiting/7?signature=x',
])(
	'a Callback URL that resumes this execution is refused while the node waits: %s',
	async (callbackUrl) => {
		const withWait = { ...textVideo, waitForCompletion: true, options: { callbackUrl } };
		const { message, context } = errorOf(await runNode({ parameters: withWait }));
		expect(context.kind).toBe('invalid');
		expect(message).toContain(labelOf('options.callbackUrl'));
		expect(message).toContain(labelOf('waitForCompletion'));
		expect(simulator.requests).toEqual([]);
		await runNode({ parameters: { ...withWait, waitForCompletion: false } });
		expect(simulator.tasks.size).toBe(1);
	},
);

describe('a bad item among good ones', () => {
	const perItem = { ...textVideo, prompt: '={{ $json.prompt }}', waitForCompletion: false };
	const items = [{ prompt: 'one' }, { prompt: ' ' }, { prompt: 'three' }];
	const invalid = {
		kind: 'invalid',
		message: expect.stringContaining(labelOf('prompt')),
		description: expect.stringContaining(WORDS_RULE),
	};

	test('stops the node before anything is sent, and is named', async () => {
		const { message, description, context } = errorOf(
			await runNode({ parameters: perItem, items }),
		);
		expect({ message, description, kind: context.kind }).toEqual(invalid);
		expect(message).toContain(itemOf(1, items.length));
		expect(context.item).toBe(2);
		expect(simulator.requests).toEqual([]);
	});

	test.each([CONTINUE, ERROR_OUTPUT])('is the only one without a task: %j', async (settings) => {
		const result = await runNode({ parameters: perItem, items, settings });
		const errorItem = { json: { error: invalid }, pairedItem: { item: 1 } };
		expect(result.status).toBe('success');
		if (settings === CONTINUE) expect(result.output[1]).toEqual(errorItem);
		else expect(result.errorOutput).toMatchObject([errorItem]);
		const all = [...result.output, ...result.errorOutput];
		expect(all).toHaveLength(items.length);
		expect(all.filter(({ json }) => 'error' in json)).toHaveLength(1);
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(['one', 'three']);
	});
});

test.each<[named: string, parameters: IDataObject]>([
	['Prompt', { prompt: '=A {{ $json. }} fox' }],
	['Prompt', { prompt: "={{ $('Nowhere').item.json.x }}" }],
	['Duration (Seconds)', { duration: '={{ 4 + }}' }],
	['Callback URL', { options: { generateAudio: true, callbackUrl: '={{ $json. }}' } }],
])('an expression with a mistake in it is found in %s: %j', async (named, parameters) => {
	const error = errorOf(await runNode({ parameters: { ...textVideo, ...parameters } }));
	expect(error.message.startsWith(`${named}: `)).toBe(true);
	expect(error.description).toBe('Correct the expression in this field.');
	expect(simulator.requests).toEqual([]);
});

describe('a prompt with a hole', () => {
	const parametersWith = (prompt: string) => ({ ...textVideo, waitForCompletion: false, prompt });
	const whole = { name: 'tea', x: { y: { z: 'now' } }, none: '' };
	const promptsSent = () => simulator.creates().map(({ prompt }) => prompt);

	/** The expression, an item without a value for it, and what n8n gets instead. */
	const holes: Array<[part: string, item: IDataObject, gave: string]> = [
		['$json.name', {}, 'undefined'],
		['$json.name', { name: null }, 'null'],
		['$json.name', { name: { first: 'Ada' } }, '[object Object]'],
		['$json.name', { name: ['tea', { a: 1 }] }, '[object Object]'],
		['$json.x.y.z', { x: {} }, 'undefined'],
		['$json.x.y.z', {}, 'undefined'],
		['$json.name || $json.none', { none: undefined }, 'undefined'],
	];

	test.each(holes)('%s of %j: nothing is sent', async (part, item, gave) => {
		const prompt = (code: string) => parametersWith(`=A film about {{ ${code} }}, slow`);
		const items = [whole, { name: 'b', x: { y: { z: '' } } }, item];
		const { message, context } = errorOf(await runNode({ parameters: prompt(part), items }));
		expect(message).toContain(`Prompt: {{ ${part} }} gave ${gave} for this item`);
		expect(context).toMatchObject({ kind: 'invalid', item: 3 });
		expect(simulator.requests).toEqual([]);
	});

	test.each([
		['an empty text', '=A film about {{ $json.none }}', 'A film about'],
		['a number and a switch', '={{ 0 }} films, {{ false }}', '0 films, false'],
		['a moment', '=On {{ $now.toISODate() }}', expect.stringMatching(/^On \d{4}-/)],
	])('is not one with %s in it', async (_what, prompt, sent) => {
		await runNode({ parameters: parametersWith(prompt), items: [whole] });
		expect(promptsSent()).toEqual([sent]);
	});

	test.each([' }}', '…', '={{ $json.none }} - {{ $json.none }}'])(
		'%p has no words',
		async (prompt) => {
			const error = errorOf(await runNode({ parameters: parametersWith(prompt), items: [whole] }));
			expect(error.description).toContain(WORDS_RULE);
			expect(simulator.requests).toEqual([]);
		},
	);

	test.each(['🦊', '4', 'é', '東京', '🇯🇵'])('%s is a prompt', async (prompt) => {
		await runNode({ parameters: parametersWith(prompt), items: [whole] });
		expect(promptsSent()).toEqual([prompt]);
	});

	test('that another node has left in a text is not sent either', async () => {
		const items = [{ prompt: 'A fox' }, { prompt: 'Rain in {{ $json.citty }}' }];
		const error = errorOf(
			await runNode({ parameters: parametersWith('={{ $json.prompt }}'), items }),
		);
		expect(error.message).toContain('Prompt: {{ $json.citty }} is plain text here');
		expect(error.context).toMatchObject({ kind: 'invalid', item: 2 });
		expect(simulator.requests).toEqual([]);
	});

	test.each<[string, IDataObject]>([
		['First Image URL', { firstFrameUrl: 'https://example.com/{{ $json.name }}.png' }],
		['Callback URL', { options: { callbackUrl: 'https://example.com/{{ $json.name }}' } }],
		['Model Family', { options: { modelFamily: '{{ $json.name }}' } }],
	])('nor is one in %s', async (label, more) => {
		const firstFrameUrl = 'https://example.com/a.png';
		const image = { ...parametersWith('A fox'), operation: 'createImageVideo', firstFrameUrl };
		const error = errorOf(await runNode({ parameters: { ...image, ...more }, items: [whole] }));
		expect(error.message).toContain(`${label}: {{ $json.name }} is plain text here`);
		expect(simulator.requests).toEqual([]);
	});

	test('nor is one in Model Parameters', async () => {
		const options = { modelParams: '{ "style": ["{{ $json.name }}"] }' };
		const parameters = { ...parametersWith('A fox'), options };
		const error = errorOf(await runNode({ parameters, items: [whole] }));
		expect(error.message).toContain('Model Parameters: {{ $json.name }} is plain text here');
		expect(simulator.requests).toEqual([]);
	});

	test('is no matter of Get Task, whose fields still hold one', async () => {
		const parameters = { ...getTask, taskId: 'task_1', prompt: '=A {{ $json.name }}' };
		await runNode({ parameters, items: [{}] });
		expect(simulator.requests).toHaveLength(1);
	});
});
