import { EventEmitter } from 'node:events';
import type { IDataObject, IHttpRequestOptions, IWebhookFunctions } from 'n8n-workflow';
import { onCallback } from '../../../nodes/Videogen/run/onCallback';
import { FOLLOW_MS, RestWorkers } from '../../../nodes/Videogen/run/restWorker';
import {
	answerWith,
	bodyOf,
	openBody,
	START_MS,
	storePiecewise,
	StreamClock,
} from '../../programs/support/downloadScene';
import { RESTING, taskOf } from '../../programs/support/entries';

/** n8n goes on with the rest by itself after this. */
const REST_MS = 610_000;

const VIDEO = 'https://files.example.com/fox.mp4';

/** What n8n answers to a callback, as express tells it. */
class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	readonly atMs: number[] = [];
	readonly texts: unknown[] = [];

	constructor(private readonly now: () => number) {
		super();
	}

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body?: unknown): this {
		this.texts.push(body);
		if (this.headersSent) throw new Error('Answered twice');
		this.headersSent = true;
		this.atMs.push(this.now());
		this.emit('finish');
		return this;
	}
}

/** A node that rests for these tasks, the service, and n8n around the callbacks. */
function resting(taskIds: string[], { more = {}, download = false, status = 'pending' } = {}) {
	const clock = new StreamClock();
	const workers = new RestWorkers(clock);
	/** When a task is completed, unless that is at once. */
	const finalAtMs = new Map<string, number>();
	/** When a completed task has its results, if that is later. */
	const filledAtMs = new Map<string, number>();
	const reads: Array<[id: string, atMs: number]> = [];
	const warnings: string[] = [];
	const files = { body: () => bodyOf('video') };
	/** What a read of a task is answered instead of its record. */
	const refusals = new Map<string, number>();
	const rest = { run: 'run 0', executionId: '42', endsAt: START_MS + REST_MS, ...more };
	const saved = {
		rest,
		runs: {
			'run 0': taskIds.map((id, item) => ({
				item,
				wishes: [],
				request: { model: 'model', prompt: 'A fox' },
				wait: RESTING,
				task: taskOf(id, status),
				...(download && { download: { binaryProperty: 'data' } }),
			})),
		},
	};

	const record = (id: string): IDataObject => {
		const isFinal = clock.now() >= (finalAtMs.get(id) ?? 0);
		return {
			id,
			status: isFinal ? 'completed' : 'processing',
			...(isFinal && clock.now() >= (filledAtMs.get(id) ?? 0) && { results: [VIDEO] }),
		};
	};
	const helpers = {
		httpRequestWithAuthentication: async (_type: string, { url }: IHttpRequestOptions) => {
			const id = url.split('/').at(-1) ?? '';
			reads.push([id, clock.now()]);
			const body = JSON.stringify(record(id));
			return { statusCode: refusals.get(id) ?? 200, headers: {}, body };
		},
		httpRequest: async () => answerWith(files.body()),
		prepareBinaryData: async (...file: Parameters<typeof storePiecewise>) =>
			Buffer.isBuffer(file[0]) ? { id: 'on disk' } : await storePiecewise(...file),
	};
	const call = (body: IDataObject = {}) => {
		const response = new FakeResponse(clock.now);
		const context: IWebhookFunctions = Object.assign(Object.create(null), {
			helpers,
			logger: { warn: (text: string) => warnings.push(text) },
			getNode: () => ({ name: 'Videogen' }),
			getBodyData: () => body,
			getResponseObject: () => response,
			getCredentials: async () => ({ apiKey: 'key-1234567', baseUrl: 'https://api.example.com' }),
			evaluateExpression: (text: string) =>
				text.includes('.context.videogen)') ? JSON.stringify(saved) : undefined,
		});
		return { response, returned: onCallback(context, workers) };
	};
	return { clock, call, finalAtMs, filledAtMs, refusals, rest, reads, warnings, files };
}

/** A callback, and the item that comes of it. */
const completed = (id: string) => ({ id, status: 'completed' });
const done = (id: string, item: number) => ({
	json: { id, status: 'completed', results: [VIDEO] },
	pairedItem: { item },
});

describe('a callback', () => {
	test('ends the rest with one item for each, in order, when all tasks are final', async () => {
		const { call } = resting(['a', 'b']);
		const { response, returned } = call(completed('b'));
		expect(await returned).toEqual({ workflowData: [[done('a', 0), done('b', 1)]] });
		expect(response.headersSent).toBe(false);
	});

	test('leaves the execution waiting while another task is unfinished, in two reads', async () => {
		const { call, finalAtMs, reads } = resting(['a', 'b', 'c']);
		finalAtMs.set('a', Infinity).set('c', Infinity);
		const { response, returned } = call(completed('b'));
		expect(await returned).toEqual({});
		expect(response.headersSent).toBe(false);
		expect(reads).toEqual([
			['b', 0],
			['a', 0],
		]);
	});

	test('that tells of progress costs one read and is taken', async () => {
		const { call, finalAtMs, reads, clock } = resting(['a']);
		finalAtMs.set('a', Infinity);
		const { returned } = call({ id: 'a', status: 'processing' });
		expect(await returned).toEqual({});
		await clock.sleep(60_000);
		expect(reads).toHaveLength(1);
	});

	test('ahead of the service’s readers is asked for again, and read again meanwhile', async () => {
		const { call, finalAtMs, reads } = resting(['a']);
		finalAtMs.set('a', 6_000);
		const { response, returned } = call(completed('a'));
		expect(await returned).toEqual({
			noWebhookResponse: true,
			workflowData: [[done('a', 0)]],
		});
		expect([response.statusCode, response.atMs]).toEqual([503, [0]]);
		expect(reads.map(([, atMs]) => atMs)).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
	});

	test('ahead of the readers lets another one end the rest when n8n did not continue', async () => {
		const { call, finalAtMs, clock } = resting(['a']);
		finalAtMs.set('a', 500);
		expect((await call(completed('a')).returned).workflowData).toHaveLength(1);
		const soon = call(completed('a'));
		expect((await soon.returned).workflowData).toBeUndefined();
		expect(soon.response.statusCode).toBe(503);
		await clock.sleep(60_000);
		expect((await call(completed('a')).returned).workflowData).toEqual([[done('a', 0)]]);
	});

	test('that comes during a check is answered at once, and checked next', async () => {
		const { call, finalAtMs, clock, reads } = resting(['a', 'b']);
		finalAtMs.set('a', 1_500);
		const first = call(completed('a'));
		await clock.sleep(100);
		const second = call(completed('b'));
		expect(await second.returned).toEqual({ noWebhookResponse: true });
		expect([second.response.statusCode, second.response.atMs]).toEqual([503, [100]]);
		expect((await first.returned).workflowData).toEqual([[done('a', 0), done('b', 1)]]);
		expect(reads.slice(0, 3).map(([id]) => id)).toEqual(['a', 'a', 'a']);
	});

	test('that says nothing new during a check is taken', async () => {
		const { call, finalAtMs, clock } = resting(['a', 'b']);
		finalAtMs.set('a', Infinity);
		const first = call(completed('a'));
		await clock.sleep(100);
		expect(await call({ id: 'b', status: 'processing' }).returned).toEqual({});
		await first.returned;
	});

	test('says that the files did not come when the rest ends while they are downloaded', async () => {
		const { call, files, clock } = resting(['a'], { download: true });
		await clock.sleep(REST_MS - 30_000);
		files.body = openBody;
		const { workflowData } = await call().returned;
		expect(clock.now()).toBe(REST_MS - 5_000);
		expect(workflowData?.[0]?.[0]?.json.error).toMatchObject({
			message: expect.stringContaining('Task a is completed, but not downloaded'),
			task: expect.objectContaining({ results: [VIDEO] }),
		});
	});

	test('is used until shortly before n8n goes on by itself', async () => {
		const { call, clock, reads, warnings } = resting(['a']);
		await clock.sleep(REST_MS - 5_000);
		const { response, returned } = call();
		expect(await returned).toEqual({ noWebhookResponse: true });
		expect([response.statusCode, reads]).toEqual([503, []]);
		expect(warnings).toEqual(['A callback could not be used: Error: The rest is over']);

		const inTime = resting(['a']);
		await inTime.clock.sleep(REST_MS - 5_001);
		expect(await inTime.call().returned).toEqual({ workflowData: [[done('a', 0)]] });
	});

	test('ends a rest that an older version saved with a fraction of a millisecond', async () => {
		const { call } = resting(['a'], { more: { endsAt: START_MS + 201_818.18 } });
		expect(await call().returned).toEqual({ workflowData: [[done('a', 0)]] });
	});

	test('is asked for again while the service cannot say what became of a task', async () => {
		const { call, refusals, reads } = resting(['a', 'b']);
		refusals.set('b', 500);
		const { response, returned } = call(completed('a'));
		expect(await returned).toEqual({ noWebhookResponse: true, workflowData: undefined });
		expect([response.statusCode, response.atMs]).toEqual([503, [0]]);
		expect(response.texts).toEqual([{ message: 'Send this callback again later' }]);
		expect(reads.filter(([id]) => id === 'b').length).toBeGreaterThan(1);

		refusals.clear();
		expect(await call(completed('a')).returned).toEqual({
			workflowData: [[done('a', 0), done('b', 1)]],
		});
	});

	test.each([
		[403, 'could not be read'],
		[200, undefined],
	])('ends the rest, and says so, when the service answers %i for good', async (status, said) => {
		const { call, refusals } = resting(['a', 'b'], { download: true });
		refusals.set('b', status);
		const { workflowData } = await call(completed('a')).returned;
		const [first, second] = workflowData?.[0] ?? [];
		expect(first?.binary).toBeDefined();
		expect(Boolean(second?.binary)).toBe(said === undefined);
		if (said) expect(JSON.stringify(second?.json.error)).toContain(said);
	});

	test('goes on waiting for a task that the service does not know yet', async () => {
		const { call, refusals, reads } = resting(['a', 'b', 'c', 'd']);
		refusals.set('d', 404);
		expect(await call({ id: 'x', status: 'processing' }).returned).toMatchObject({
			noWebhookResponse: true,
		});
		expect(reads.slice(0, 4).map(([id]) => id)).toEqual(['a', 'b', 'c', 'd']);
	});

	test('of an execution whose tasks are not known is asked for again', async () => {
		const { call, warnings } = resting(['a'], { more: { run: 'another run' } });
		const { response, returned } = call();
		expect(await returned).toEqual({ noWebhookResponse: true });
		expect(response.statusCode).toBe(503);
		expect(warnings).toEqual([
			'A callback could not be used: Error: The tasks of this execution are not known',
		]);
	});

	test.each<[number, number]>([
		[500, 1],
		[200, 0],
	])('may end the rest again when n8n answered %i to the one that did', async (status, again) => {
		const { call } = resting(['a']);
		const { response, returned } = call();
		await returned;
		response.status(status).json();
		const { workflowData = [] } = await call().returned;
		expect(workflowData).toHaveLength(again);
	});

	test('brings the finished ones out when the service no longer knows another, after a while', async () => {
		const { call, refusals, clock } = resting(['a', 'b']);
		refusals.set('b', 404);
		const { workflowData } = await call(completed('a')).returned;
		expect(clock.now()).toBeLessThanOrEqual(FOLLOW_MS);
		const [first, second] = workflowData?.[0] ?? [];
		expect(first).toEqual(done('a', 0));
		expect(JSON.stringify(second?.json.error)).toContain('could not be read');
	});

	test('waits on for a task that the service knows again', async () => {
		const { call, finalAtMs, refusals, clock } = resting(['a', 'b']);
		finalAtMs.set('b', Infinity);
		/** For so long the service does not know the other task. */
		const callWhileGone = async (ms: number) => {
			refusals.set('b', 404);
			const { returned } = call(completed('a'));
			await clock.sleep(ms);
			refusals.clear();
			return (await returned).workflowData;
		};
		expect(await callWhileGone(10_000)).toBeUndefined();
		finalAtMs.clear();
		expect(await callWhileGone(15_000)).toEqual([[done('a', 0), done('b', 1)]]);
	});

	test.each([
		[5_000, [VIDEO], 10_000],
		[Infinity, undefined, FOLLOW_MS],
	])(
		'reads a completed task whose results come after %s ms again, for a moment',
		async (filledMs, results, latestMs) => {
			const { call, filledAtMs, clock } = resting(['a', 'b']);
			filledAtMs.set('b', filledMs);
			const { response, returned } = call(completed('b'));
			const { workflowData } = await returned;
			const last = { json: { id: 'b', status: 'completed', results }, pairedItem: { item: 1 } };
			expect(workflowData).toEqual([[done('a', 0), last]]);
			expect(clock.now()).toBeLessThanOrEqual(latestMs);
			expect(response.statusCode).toBe(503);
		},
	);

	test('gives a task to every item for which the service made it', async () => {
		const { call } = resting(['a', 'a']);
		const { workflowData } = await call(completed('a')).returned;
		expect(workflowData).toEqual([[done('a', 0), done('a', 1)]]);
	});

	test('ends the second rest of an execution for a task that an earlier one had', async () => {
		const { call, rest } = resting(['a']);
		expect((await call(completed('a')).returned).workflowData).toHaveLength(1);
		rest.endsAt += 60_000;
		expect((await call(completed('a')).returned).workflowData).toHaveLength(1);
	});

	test('reads a task again whose create was answered “failed”', async () => {
		const { call } = resting(['a'], { status: 'failed' });
		expect((await call(completed('a')).returned).workflowData).toEqual([[done('a', 0)]]);
	});
});
