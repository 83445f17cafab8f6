import type { IDataObject } from 'n8n-workflow';
import { quotable } from '../../nodes/Videogen/common/quotable';
import { asTask } from '../../nodes/Videogen/service/task';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';
import type { Simulator } from '../simulator';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import { VirtualClock } from '../support/clocks';
import { Engine, errorOf } from './engine';

const clock = new VirtualClock();
let simulator: Simulator;
let engine: Engine;
beforeAll(async () => {
	simulator = await startSimulator({ now: clock.now });
	engine = await Engine.start(simulator.baseUrl);
});
beforeEach(() => simulator.reset());
afterAll(async () => await simulator.close());

const textVideo: IDataObject = {
	operation: 'createTextVideo',
	prompt: 'fox',
	waitForCompletion: false,
};
const VALUE = '={{ $json.value }}';

describe('ids that cannot be read', () => {
	test.each(['.', '..', 'task_\ufffd', '\ud800'])('%j makes no task record', (id) =>
		expect(asTask({ id, status: 'pending' })).toBeUndefined(),
	);
	test('bytes that are no UTF-8 leave it unknown whether a task was created', async () => {
		simulator.script({ on: 'create', fault: { kind: 'invalidUtf8' } });
		expect(errorOf(await engine.run({ parameters: textVideo, clock })).message).toContain(
			'so it is not known whether a task was created',
		);
	});
	test('a Task ID that no address can hold is refused by name', async () => {
		const parameters = { operation: 'getTask', taskId: VALUE };
		const items = [{ value: '\ud800' }];
		expect(errorOf(await engine.run({ parameters, items, clock })).message).toContain('Task ID: ');
	});
});

describe('the API key stays a secret', () => {
	test('in the target of a redirect', async () => {
		const location = `https://e.com/?key=${DEFAULT_API_KEY}`;
		simulator.script({ on: 'create', fault: { kind: 'redirect', location } });
		const result = await engine.run({ parameters: textVideo, clock });
		expect(JSON.stringify(result.data)).not.toContain(DEFAULT_API_KEY);
	});
	test('when the service escapes it in JSON', async () => {
		const body = `{"message":"no ${DEFAULT_API_KEY.replace('s', '\\u0073')}"}`;
		simulator.script({ on: 'create', fault: { kind: 'status', status: 401, body } });
		const result = await engine.run({ parameters: textVideo, clock });
		expect(JSON.stringify(result.data)).not.toContain(DEFAULT_API_KEY);
	});
});

describe('values from expressions', () => {
	test.each(['duration', 'quality'])('%s that an expression leaves undefined', async (name) => {
		await engine.run({ parameters: { ...textVideo, [name]: VALUE }, items: [{}], clock });
		expect(simulator.requests.map(({ json }) => json)).toEqual([]);
	});
	test.each([
		['duration', [5], '[5]'],
		['quality', ['720p'], '["720p"]'],
		['prompt', ['a', 'b'], '["a","b"]'],
	])('%s that is a list is shown as it was given', async (name, value, given) => {
		const parameters = { ...textVideo, [name]: VALUE };
		const error = errorOf(await engine.run({ parameters, items: [{ value }], clock }));
		expect(error.message).toContain(given);
	});
	test('Web Search is named as itself', async () => {
		const parameters = { ...textVideo, options: { webSearch: VALUE } };
		const error = errorOf(await engine.run({ parameters, items: [{ value: 'maybe' }], clock }));
		expect(error.message).toMatch(/^Web Search: "maybe"/);
	});
	test('Retry Unanswered Requests is either true or false', async () => {
		const parameters = { ...textVideo, options: { resendAfterNoReply: VALUE } };
		await engine.run({ parameters, items: [{ value: 'maybe' }], clock });
		expect(simulator.requests).toEqual([]);
	});
});

test.each([[{ apiKey: '' }], [{ baseUrl: 'x' }]])(
	'with the error output, items leave by it when the credential is bad: %j',
	async (credential) => {
		const settings = { onError: 'continueErrorOutput' } as const;
		const result = await engine.run({ parameters: textVideo, credential, settings, clock });
		expect(result.output).toEqual([]);
		expect(result.errorOutput).toHaveLength(1);
	},
);

test('what Get Task advises on 429 exists in Get Task', async () => {
	const { id } = simulator.addTask();
	simulator.script({ on: 'task', times: Infinity, fault: { kind: 'status', status: 429 } });
	const result = await engine.run({ parameters: { operation: 'getTask', taskId: id }, clock });
	expect(errorOf(result).description).not.toContain('Max Concurrent Tasks');
});

test('long text of pictograms is shortened', () =>
	expect(Array.from(quotable('😀'.repeat(5_000)))).toHaveLength(301));

test('a refusal of a credential has one full stop', async () => {
	const unused = () => undefined;
	const never = async () => await Promise.reject(new Error('Not part of these tests'));
	const { message } = await testVideogenCredential.call(
		{
			logger: { error: unused, warn: unused, info: unused, debug: unused },
			helpers: { request: never, getSSHClient: never, updateLastUsed: unused },
		},
		{ id: '1', name: 'x', type: 'videogenApi', data: { apiKey: '' } },
	);
	expect(message).not.toContain('..');
});

test.each(['/v1', '/v1/', '/'])('a Base URL that ends with %s works', async (ending) => {
	const credential = { baseUrl: `${simulator.baseUrl}${ending}` };
	const result = await engine.run({ parameters: textVideo, credential, clock });
	expect(result.status).toBe('success');
	expect(simulator.requests.map(({ path }) => path)).toEqual(['/v1/videos/generations']);
});

test.each(['abc\ndefgh', 'schlüssel'])(
	'the API key %j is refused before it is sent',
	async (apiKey) => {
		const { message } = errorOf(
			await engine.run({ parameters: textVideo, credential: { apiKey }, clock }),
		);
		expect(message).toBe('API Key: has characters in it that no key has.');
		expect(simulator.requests).toEqual([]);
	},
);

test('a password in the Base URL is not repeated', async () => {
	const credential = { baseUrl: 'https://user:secret-word@example.com' };
	const result = await engine.run({ parameters: textVideo, credential, clock });
	expect(errorOf(result).message).toMatch(/^Base URL: /);
	expect(JSON.stringify(result.data)).not.toContain('secret-word');
});

test.each([
	[['https://x.y/r/w_1,https://z.z/b.png'], ['https://x.y/r/w_1,https://z.z/b.png']],
	['https://x.y/r/w_1,https://z.z/b.png', ['https://x.y/r/w_1', 'https://z.z/b.png']],
])('the URLs %j are sent as %j', async (value, imageUrls) => {
	const parameters = {
		...textVideo,
		operation: 'createReferenceVideo',
		imageUrls: VALUE,
	};
	await engine.run({ parameters, items: [{ value }], clock });
	expect(simulator.creates()[0]?.json).toMatchObject({ image_urls: imageUrls });
});

test('a cleared Model Parameters field counts as not added', async () => {
	const parameters = { ...textVideo, options: { modelParams: ' ' } };
	await engine.run({ parameters, clock });
	expect(simulator.creates()[0]?.json).not.toHaveProperty('model_params');
});

test("another task's record is not taken for the one that was asked for", async () => {
	const { id } = simulator.addTask({ status: 'completed' });
	const other = { id: 'task_of_somebody_else', status: 'completed', results: ['https://e.com/x'] };
	simulator.script({ on: 'task', times: Infinity, fault: { kind: 'json', body: other } });
	const parameters = { operation: 'getTask', taskId: id };
	const error = errorOf(await engine.run({ parameters, clock }));
	expect(error.message).toBe(
		`Task ${id} could not be read: the service answered with the record of another task`,
	);
	expect(error.context.taskId).toBe(id);
});
