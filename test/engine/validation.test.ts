import type { IDataObject } from 'n8n-workflow';
import { Videogen } from '../../nodes/Videogen/Videogen.node';
import { errorOf, type RunRequest } from '../support/engine';
import { CONTINUE, ERROR_OUTPUT, NO_WAIT, useEngine } from '../support/useEngine';

const { simulator, runNode } = useEngine({ taskDurationMs: 3_000 });

const IMAGE = 'https://example.com/a.png';
const WORDS = 'a red fox';

const textVideo: IDataObject = { operation: 'createTextVideo', prompt: WORDS };
const imageVideo = { ...textVideo, operation: 'createImageVideo', firstFrameUrl: IMAGE };
const getTask: IDataObject = { operation: 'getTask' };
/** The field's name as a person sees it, taken from what the editor is told. */
const labelOf = (path: string): string =>
	Object(
		new Videogen().description.properties
			.flatMap((field) => [field, ...(field.options ?? [])])
			.find(({ name }) => name === path.split('.').at(-1)),
	).displayName;

/** The error of a node that stops before anything is sent. */
async function refusalOf(request: Omit<RunRequest, 'clock'>) {
	const { name, message, context } = errorOf(await runNode(request));
	expect([name, context.kind]).toEqual(['NodeOperationError', 'invalid']);
	expect(simulator.requests).toEqual([]);
	return { message, item: context.item };
}

const VALUE = '={{ $json.value }}';

/** The parameters with an expression in one field, as values reach it from other nodes. */
const withExpression = (parameters: IDataObject, path: string): IDataObject => {
	const [name = '', entry] = path.split('.');
	return { ...parameters, [name]: entry === undefined ? VALUE : { [entry]: VALUE } };
};

const waiting: IDataObject = { ...textVideo, waitForCompletion: true };
const PAGE = 'https://drive.google.com/file/d/1AbC/view';
const MAYBE = 'maybe';

/** What is refused of each kind of field, and how it is put, stands in the unit tests of `fields/`. */
test.each<[path: string, value: IDataObject[string], parameters?: IDataObject]>([
	['prompt', ''],
	['duration', 5.5],
	['quality', '4K'],
	['aspectRatio', '2:1'],
	['downloadResults', 'no', waiting],
	['waitForCompletion', MAYBE],
	['firstFrameUrl', PAGE, imageVideo],
	['lastFrameUrl', [IMAGE, { url: IMAGE }], imageVideo],
	['imageUrls', ['', '  '], { operation: 'createReferenceVideo', prompt: WORDS }],
	['taskId', 'https://x.example/v1/1', getTask],
	...['generateAudio', 'contentFilter', 'webSearch', 'resendAfterNoReply'].map(
		(name): [string, string] => [`options.${name}`, MAYBE],
	),
	['options.idempotencyKey', null],
	['options.callbackUrl', `${IMAGE} ${IMAGE}`],
	['options.maxConcurrentTasks', 0],
	['options.binaryPropertyOutput', 'a'.repeat(1_001), { ...waiting, downloadResults: true }],
	['options.pollIntervalSeconds', 0.5, waiting],
	['options.timeoutMinutes', 0, waiting],
])(
	'a value that is not allowed stops the node before anything is sent: %s, %j',
	async (path, value, base = textVideo) => {
		const parameters = withExpression(base, path);
		expect(await refusalOf({ parameters, items: [{ value }] })).toEqual({
			message: expect.stringContaining(labelOf(path)),
			item: 1,
		});
	},
);

test.each<[named: string, credential: Record<string, string>]>([
	['API Key', { apiKey: '' }],
	['API Key', { apiKey: 'secret-word key' }],
	['API Key', { apiKey: 'schlüssel-secret-word' }],
	['Base URL', { baseUrl: 'https://e.com?key=secret-word' }],
])('a credential that cannot work is refused by its %s: %j', async (named, credential) => {
	const result = await runNode({ parameters: textVideo, credential });
	const error = errorOf(result);
	expect(JSON.stringify(result.data)).not.toContain('secret-word');
	expect(error.name).toBe('NodeOperationError');
	expect(error.message).toContain(named);
	expect(simulator.requests).toEqual([]);
});

const BLANK = 'https://e.com/a b.png';
test.each<[path: string, value: IDataObject[string], sent: IDataObject, IDataObject?]>([
	['duration', ' 7 ', { duration: 7 }],
	['options.generateAudio', ' False ', { generate_audio: false }],
	['options.modelParams', '{"a": {"b": []}}', { model_params: { a: { b: [] } } }],
	['aspectRatio', ' 9:16', { aspect_ratio: '9:16' }],
	['lastFrameUrl', '', { image_urls: [IMAGE] }, imageVideo],
	['firstFrameUrl', BLANK, { image_urls: ['https://e.com/a%20b.png'] }, imageVideo],
])(
	'a value that is allowed is sent, and the service takes it: %s, %j',
	async (path, value, sent, parameters = textVideo) => {
		await runNode({
			parameters: { ...withExpression(parameters, path), ...NO_WAIT },
			items: [{ value }],
		});
		expect(simulator.creates()).toMatchObject([{ status: 200, json: sent }]);
	},
);

describe('a bad item among good ones', () => {
	const perItem = { ...textVideo, prompt: '={{ $json.prompt }}', waitForCompletion: false };
	const items = [{ prompt: 'one' }, { prompt: ' ' }, { prompt: 'three' }];

	test.each([CONTINUE, ERROR_OUTPUT])('is the only one without a task: %j', async (settings) => {
		const { output, errorOutput } = await runNode({ parameters: perItem, items, settings });
		const [failed, ...others] = [...errorOutput, ...output].filter(({ json }) => json.error);
		expect(failed).toMatchObject({ json: { error: { kind: 'invalid' } }, pairedItem: { item: 1 } });
		expect(others).toEqual([]);
		expect([output.length, errorOutput.length]).toEqual(settings === CONTINUE ? [3, 0] : [2, 1]);
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(['one', 'three']);
	});
});

describe('a prompt or key with a hole', () => {
	const whole = { name: 'tea', x: { y: { z: 'now' } }, none: '', word: 'undefined' };
	const withPrompt = (prompt: string) => ({ ...textVideo, ...NO_WAIT, prompt });
	const withKey = (key: string) => ({ ...withPrompt('A'), options: { idempotencyKey: key } });
	const OBJECT = '[object Object]';

	/** What is written, an item without a value for it, and what n8n gets instead. */
	test.each<[label: string, written: string, item: IDataObject, says: string]>([
		['Prompt', '=A film about {{ $json.name }}', {}, '{{ $json.name }} is undefined'],
		['Prompt', '=A film about {{ $json.name }}', { name: null }, '{{ $json.name }} is null'],
		['Prompt', '={{ 1 }}{{ $json.name }}', { name: { a: 1 } }, `{{ $json.name }} is ${OBJECT}`],
		['Prompt', '=A {{ $json.name }}', { name: [{ a: 1 }] }, `{{ $json.name }} is ${OBJECT}`],
		['Prompt', '={{ $json.x.y.z }}, slow', {}, '{{ $json.x.y.z }} is undefined'],
		['Prompt', '=A {{ $json.none || $json.name }}', {}, '$json.name }} is undefined'],
		['Idempotency Key', '=row-{{ $json.name }}', {}, '{{ $json.name }} is undefined'],
		['Idempotency Key', '={{ $json.name }}', {}, '{{ $json.name }} is undefined'],
		['Idempotency Key', "={{ 'row-' + $json.name }}", { name: { a: 1 } }, `is ${OBJECT}`],
		['Idempotency Key', "={{ 'row' + $json.name }}", {}, '"rowundefined"'],
		['Idempotency Key', "={{ 'row_' + $json.name }}", { name: null }, '"row_null"'],
	])('is not sent: %s, %s, %j', async (label, written, item, says) => {
		const items = [whole, item];
		const parameters = label === 'Prompt' ? withPrompt(written) : withKey(written);
		const { message, item: refused } = await refusalOf({ parameters, items });
		for (const fact of [label, says]) expect(message).toContain(fact);
		expect(refused).toBe(2);
	});

	test.each([
		['an empty text', '=A film about {{ $json.none }}', 'A film about'],
		['a number and a switch', '={{ 0 }} films, {{ false }}', '0 films, false'],
		['a moment', '=On {{ $now.toISODate() }}', expect.stringMatching(/^On \d{4}-/)],
		['braces that open in a text', '={{ "a {{ b" }}', 'a {{ b'],
		['an emoji alone', '🇯🇵', '🇯🇵'],
		['a word of another script alone', '狐', '狐'],
		['the word for one in a value', '={{ $json.word }}', 'undefined'],
		['the words for one as text', `undefined ${OBJECT}`, `undefined ${OBJECT}`],
	])('is not a prompt with %s in it', async (_what, prompt, sent) => {
		await runNode({ parameters: withPrompt(prompt), items: [whole] });
		expect(simulator.creates().map((request) => request.prompt)).toEqual([sent]);
	});

	test.each(['=nullable-{{ 0 }}', '={{ $json.none }}', 'undefined', '7'])(
		'is not a key with %s in it',
		async (key) => {
			await runNode({ parameters: withKey(key), items: [whole] });
			expect(simulator.tasks.size).toBe(1);
		},
	);

	test('is no matter of Get Task, whose fields still hold one', async () => {
		await runNode({ parameters: { ...getTask, taskId: 'task_1', prompt: '=A {{ $json.name }}' } });
		expect(simulator.requests).toHaveLength(1);
	});
});

test.each<[label: string, IDataObject]>([
	// A mistake in the expression.
	['Prompt', { prompt: '=A {{ $json. }} fox' }],
	['Prompt', { prompt: "={{ $('Nowhere').item.json.x }}" }],
	['Duration (Seconds)', { duration: '={{ 4 + }}' }],
	['Callback URL', { options: { generateAudio: true, callbackUrl: '={{ $json. }}' } }],
	// Nothing but blanks and marks, or an expression that n8n did not evaluate.
	['Prompt', { prompt: '={{ $json.none }} - {{ $json.none }}' }],
	['Prompt', { prompt: '={{ $json.text }}' }],
	['Callback URL', { options: { callbackUrl: 'https://example.com/{{ $json.name }}' } }],
	['Model Parameters', { options: { modelParams: '{ "style": ["{{ $json.name }}"] }' } }],
])('nothing is sent where %s has an expression that gives no value: %j', async (label, more) => {
	const items = [{ none: '', text: 'Rain in {{ $json.citty }}' }];
	const { message } = await refusalOf({ parameters: { ...textVideo, ...more }, items });
	expect(message).toContain(label);
});
