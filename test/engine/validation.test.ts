import type { ICredentialDataDecryptedObject, IDataObject, INodeProperties } from 'n8n-workflow';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { Videogen } from '../../nodes/Videogen/Videogen.node';
import {
	ASPECT_RATIOS,
	DURATION_SECONDS,
	FRAME_IMAGES,
	QUALITIES,
	REFERENCE_AUDIOS,
	REFERENCE_IMAGES,
	REFERENCE_VIDEOS,
} from '../../nodes/Videogen/service/contract/limits';
import { errorOf } from './engine';
import { CONTINUE, ERROR_OUTPUT, useEngine } from './useEngine';

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

const urls = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `https://example.com/${index + 1}`);

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
	return { ...parameters, [name]: entryName === undefined ? VALUE : { [entryName]: VALUE } };
}

interface Refused {
	what: string;
	parameters: IDataObject;
	path: string;
	value: IDataObject[string];
	/** What the message shows of the value. */
	given: string;
	/** What the description allows. */
	allowed: string;
}

const refuse = (
	parameters: IDataObject,
	path: string,
	allowed: string,
	rows: Array<[what: string, value: IDataObject[string], given: string]>,
): Refused[] =>
	rows.map(([what, value, given]) => ({ what, parameters, path, value, given, allowed }));

const WHOLE_SECONDS = `a whole number of seconds from ${DURATION_SECONDS.min} to ${DURATION_SECONDS.max}`;
const URL_RULE = 'begins with http:// or https://';
const EITHER = 'either true or false';

const notUrls = (parameters: IDataObject, path: string): Refused[] =>
	refuse(parameters, path, URL_RULE, [
		['an object', [IMAGE, { url: OTHER_IMAGE }], `entry 2, {"url":"${OTHER_IMAGE}"}`],
	]);

const refused: Refused[] = [
	...refuse(textVideo, 'prompt', 'Describe the video in words', [
		['empty', '', 'gave nothing'],
		['an object', { text: 'fox' }, '{"text":"fox"}'],
	]),
	...[textVideo, imageVideo, referenceVideo].flatMap((parameters) =>
		refuse({ ...parameters, imageUrls: IMAGE }, 'duration', WHOLE_SECONDS, [
			['below the least', 3, '3'],
			['above the most', 31, '31'],
		]),
	),
	...refuse(textVideo, 'duration', WHOLE_SECONDS, [['not whole', 5.5, '5.5']]),
	...refuse(textVideo, 'quality', QUALITIES.join(', '), [['other letters', '720P', '"720P"']]),
	...refuse(textVideo, 'aspectRatio', ASPECT_RATIOS.join(', '), [
		['a ratio that is not offered', '2:1', '"2:1"'],
	]),
	...[
		'options.generateAudio',
		'options.contentFilter',
		'options.webSearch',
		'options.resendAfterNoReply',
	].flatMap((path) => refuse(textVideo, path, EITHER, [['a word', 'maybe', '"maybe"']])),
	...refuse(textVideo, 'options.callbackUrl', URL_RULE, [
		['two URLs', `${IMAGE} ${OTHER_IMAGE}`, `"${IMAGE} ${OTHER_IMAGE}"`],
	]),
	...refuse(textVideo, 'options.modelParams', 'names and values in braces', [
		['an array', [1, 2], '[1,2] is not a JSON object'],
		['broken JSON', '{"seed": 7', '"{"seed": 7" is not a JSON object'],
	]),
	...refuse(textVideo, 'options.modelParams', 'true or false', [
		['web_search that is a word', { web_search: 'yes' }, 'web_search is "yes"'],
	]),
	...refuse(textVideo, 'options.maxConcurrentTasks', 'a whole number, at least 1', [
		['zero', 0, '0'],
	]),
	...refuse(imageVideo, 'firstFrameUrl', 'the image that the video begins with', [
		['an empty list', [], 'gave nothing'],
	]),
	...refuse(
		{ ...imageVideo, lastFrameUrl: OTHER_IMAGE },
		'firstFrameUrl',
		'the image that the video begins with',
		[['empty beside a last frame', '', 'gave nothing']],
	),
	...notUrls(imageVideo, 'firstFrameUrl'),
	...notUrls(imageVideo, 'lastFrameUrl'),
	...refuse(imageVideo, 'firstFrameUrl', `up to ${FRAME_IMAGES.max} images`, [
		['three frames', urls(FRAME_IMAGES.max + 1), '3 were given'],
	]),
	...['imageUrls', 'videoUrls', 'audioUrls'].flatMap((path) => notUrls(referenceVideo, path)),
	...refuse(referenceVideo, 'imageUrls', `up to ${REFERENCE_IMAGES.max} images`, [
		['one too many', urls(REFERENCE_IMAGES.max + 1), '31 were given'],
	]),
	...refuse(referenceVideo, 'videoUrls', `up to ${REFERENCE_VIDEOS.max} videos`, [
		['one too many', urls(REFERENCE_VIDEOS.max + 1), '11 were given'],
	]),
	...refuse(referenceVideo, 'audioUrls', `up to ${REFERENCE_AUDIOS.max} audio files`, [
		['one too many', urls(REFERENCE_AUDIOS.max + 1), '11 were given'],
	]),
	...refuse(referenceVideo, 'imageUrls', 'at least one image, video or audio file', [
		['a list of empty entries', ['', '  '], 'are all empty'],
	]),
	...refuse(getTask, 'taskId', 'a create operation returned', [
		['a whole URL', 'https://x.example/v1/tasks/1', 'is not a task ID'],
	]),
	...[textVideo, getTask].flatMap((parameters) =>
		refuse({ ...parameters, taskId: 'task_1' }, 'waitForCompletion', EITHER, [
			['a word', 'maybe', '"maybe"'],
		]),
	),
	...refuse(waiting, 'waitOptions.pollIntervalSeconds', 'at least 1', [
		['less than one', 0.5, '0.5'],
	]),
	...[
		waiting,
		{ ...waiting, waitOptions: { waitMethod: 'callback' } },
		{ ...getTask, taskId: 'task_1', waitForCompletion: true },
	].flatMap((parameters) =>
		refuse(parameters, 'waitOptions.timeoutMinutes', 'greater than 0, and at most 10080 (7 days)', [
			['zero', 0, '0'],
			['more than seven days', 10_081, '10081'],
			['a moment in place of a length', 1_790_000_000_000, '1790000000000'],
		]),
	),
	...['waitOptions.onTimeout', 'waitOptions.onFailure'].flatMap((path) =>
		refuse(waiting, path, 'error, returnTask', [
			['a word that is not offered', 'ignore', '"ignore"'],
		]),
	),
];

describe('a value that is not allowed stops the node before anything is sent', () => {
	test.each(refused.map((row) => [row.parameters.operation, row.path, row.what, row] as const))(
		'%s, %s: %s',
		async (_operation, path, _what, { parameters, value, given, allowed }) => {
			const result = await runNode({
				parameters: withExpression(parameters, path),
				items: [{ value }],
			});
			const error = errorOf(result);
			expect(error.name).toBe('NodeOperationError');
			expect(error.context.itemIndex).toBe(0);
			expect(error.message.startsWith(labelOf(path))).toBe(true);
			expect(error.message).toContain(given);
			expect(error.description).toContain(allowed);
			expect(simulator.requests).toEqual([]);
		},
	);
});

describe('an operation that does not exist', () => {
	test.each(['createMovie', VALUE])('%p is refused with the ones there are', async (value) => {
		const parameters = { ...textVideo, operation: value };
		const error = errorOf(await runNode({ parameters }));
		const menu = new Videogen().description.properties.find(({ name }) => name === 'operation');
		expect(error.name).toBe('NodeOperationError');
		expect(error.message).toContain(labelOf('operation'));
		expect(error.message).toContain(value.replace(/^=/, ''));
		const names = menu?.options?.map(({ name }) => name) ?? [];
		expect(error.description).toBe(`Choose one of: ${names.join(', ')}.`);
		expect(simulator.requests).toEqual([]);
	});
});

describe('a credential that cannot work', () => {
	/** The others stand in `credential.test.ts` and `connection.test.ts`. */
	const rows: Array<[string, ICredentialDataDecryptedObject, named: string, given: string]> = [
		['an empty API key', { apiKey: '' }, 'API Key', 'is empty'],
		['a key in the Base URL', { baseUrl: 'https://e.com?key=secret-word' }, 'Base URL', ''],
	];

	test.each(rows)('%s is named, and nothing is sent', async (_what, credential, named, given) => {
		const fields: INodeProperties[] = new VideogenApi().properties;
		expect(fields.map(({ displayName }) => displayName)).toContain(named);
		const result = await runNode({ parameters: textVideo, credential });
		const error = errorOf(result);
		expect(JSON.stringify(result.data)).not.toContain('secret-word');
		expect(error.name).toBe('NodeOperationError');
		expect(error.message.startsWith(named)).toBe(true);
		expect(error.message).toContain(given);
		expect(error.description).toContain('Open the Videogen credential');
		expect(simulator.requests).toEqual([]);
	});
});

test('with a credential that cannot work, items leave by the error output', async () => {
	const credential = { apiKey: '' };
	const result = await runNode({ parameters: textVideo, credential, settings: ERROR_OUTPUT });
	expect(result.output).toEqual([]);
	expect(result.errorOutput).toHaveLength(1);
});

interface Accepted {
	what: string;
	parameters: IDataObject;
	path: string;
	value: IDataObject[string];
	sent: IDataObject;
}

const accept = (
	parameters: IDataObject,
	path: string,
	rows: Array<[what: string, value: IDataObject[string], sent: IDataObject]>,
): Accepted[] => rows.map(([what, value, sent]) => ({ what, parameters, path, value, sent }));

/** Besides what `input.test.ts` says of values from expressions. */
const accepted: Accepted[] = [
	...accept(textVideo, 'duration', [['the text of a number', ' 7 ', { duration: 7 }]]),
	...accept(textVideo, 'prompt', [['spaces around words', ' fox ', { prompt: ' fox ' }]]),
	...accept(textVideo, 'options.generateAudio', [
		['the text False', ' False ', { generate_audio: false }],
	]),
	...accept(textVideo, 'options.modelParams', [
		['an object', { seed: 7, web_search: false }, { model_params: { seed: 7, web_search: false } }],
		['the text of an object', '{"a": {"b": []}}', { model_params: { a: { b: [] } } }],
	]),
	...accept(imageVideo, 'lastFrameUrl', [['empty', '', { image_urls: [IMAGE] }]]),
];

describe('a value that is allowed is sent, and the service takes it', () => {
	test.each(accepted.map((row) => [row.parameters.operation, row.path, row.what, row] as const))(
		'%s, %s: %s',
		async (_operation, path, _what, { parameters, value, sent }) => {
			const result = await runNode({
				parameters: { ...withExpression(parameters, path), waitForCompletion: false },
				items: [{ value }],
			});
			expect(result.status).toBe('success');
			expect(simulator.creates()).toHaveLength(1);
			expect(simulator.creates()[0]?.json).toMatchObject(sent);
			expect(simulator.creates()[0]?.status).toBe(200);
		},
	);

	test('waiting is switched by the text of a boolean, with numbers as text', async () => {
		const parameters = {
			...textVideo,
			waitForCompletion: VALUE,
			waitOptions: { pollIntervalSeconds: '={{ "1" }}', timeoutMinutes: '={{ "0.5" }}' },
			options: { maxConcurrentTasks: '={{ "1" }}' },
		};
		const waited = await runNode({ parameters, items: [{ value: 'true' }] });
		expect(waited.output[0]?.json.status).toBe('completed');
		simulator.reset();
		const created = await runNode({ parameters, items: [{ value: 'false' }] });
		expect(created.output[0]?.json.status).toBe('pending');
		expect(simulator.reads()).toEqual([]);
	});

	test('settings for waiting do not matter to an item that does not wait', async () => {
		const parameters = {
			...textVideo,
			waitForCompletion: false,
			waitOptions: { pollIntervalSeconds: 0, onTimeout: 'ignore' },
		};
		const result = await runNode({ parameters });
		expect(result.status).toBe('success');
	});
});

describe('a bad item among good ones', () => {
	const perItem = { ...textVideo, prompt: '={{ $json.prompt }}', waitForCompletion: false };
	const items = Array.from({ length: 12 }, (_, index) => ({
		prompt: index === 6 ? ' ' : `video ${index}`,
	}));
	const goodPrompts = items.map(({ prompt }) => prompt).filter((prompt) => prompt !== ' ');
	const message = `${labelOf('prompt')}: the expression {{ $json.prompt }} gave nothing for this item`;

	test('stops the node before anything is sent, and is named', async () => {
		const error = errorOf(await runNode({ parameters: perItem, items }));
		expect(error.message).toBe(message);
		expect(error.context.itemIndex).toBe(6);
		expect(error.description).toContain('Item 6 (of 12, counted from 0)');
		expect(simulator.requests).toEqual([]);
	});

	test.each([CONTINUE, ERROR_OUTPUT])('is the only one without a task: %j', async (settings) => {
		const result = await runNode({ parameters: perItem, items, settings });
		const errorItem = {
			json: {
				error: {
					message,
					description: expect.stringMatching(/^Fields of the item: prompt\. Describe/),
				},
			},
			pairedItem: { item: 6 },
		};
		expect(result.status).toBe('success');
		if (settings === CONTINUE) expect(result.output[6]).toEqual(errorItem);
		else expect(result.errorOutput).toMatchObject([errorItem]);
		const all = [...result.output, ...result.errorOutput];
		expect(all).toHaveLength(items.length);
		expect(all.filter(({ json }) => 'error' in json)).toHaveLength(1);
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(goodPrompts);
	});
});
