import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { type Host, startHost } from '../e2e/hosts';
import { turnOfEventLoop, VirtualClock } from '../support/clocks';
import { RequestClock } from '../support/requestClock';
import { collectWarnings } from '../support/warnings';
import { Engine, errorOf, type RunResult } from './engine';

/** A service whose answers begin and never end. */
let service: Host;
let statusCode: number;
let engine: Engine;
let asked: Promise<ServerResponse>;
let take: (response: ServerResponse) => void;

beforeAll(async () => {
	service = await startHost((_request, response) => {
		response.writeHead(statusCode, { 'content-type': 'application/json' });
		response.write('{"id":');
		take(response);
	});
	engine = await Engine.start(service.baseUrl);
});
beforeEach(() => {
	statusCode = 200;
	warnings.clear();
	asked = new Promise((resolve) => (take = resolve));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

/** Time limits of requests that are over when the test says so. */
function limitsByHand(): AbortController {
	const limit = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
	return limit;
}

const CREATE = { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false };
const READ = { operation: 'getTask', taskId: 'task_1' };

const warnings = collectWarnings();
const { lines, onWarning } = warnings;
const start = (parameters: IDataObject = CREATE) =>
	engine.start({ parameters, clock: new VirtualClock(), onWarning });

const errorAndData = (result: RunResult) => ({ error: errorOf(result), data: result.data });

test('a read whose time is up leaves no connection behind', async () => {
	const limit = limitsByHand();
	const run = start(READ);
	const response = await asked;
	limit.abort();
	await once(response, 'close');
	expect(errorOf(await run.result).message).toContain('Task task_1 could not be read');
});

describe('a create whose time is up', () => {
	const startLate = async () => {
		const limit = limitsByHand();
		const run = start();
		const response = await asked;
		limit.abort();
		const { error, data } = errorAndData(await run.result);
		expect(error.message).toContain('No answer from the service in time');
		expect(error.description).toContain('may have created a task');
		for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
		expect(response.closed).toBe(false);
		expect(lines).toEqual([]);
		return { response, data };
	};

	test('is not given up: its answer is read, the log names the task, and a retry finds it', async () => {
		const { response, data } = await startLate();
		response.end('"task_1","status":"pending"}');
		expect(await warnings.next()).toBe(
			'Task task_1 was created for item 0 after the node had stopped waiting for an answer. Use Get Task with ID task_1 to get it without paying again.',
		);
		expect(JSON.stringify(data.executionData?.contextData)).toContain('task_1');
	});

	test('and whose answer is a server error that names a task leaves its ID', async () => {
		statusCode = 500;
		const { response, data } = await startLate();
		response.end('"task_1","status":"pending"}');
		expect(await warnings.next()).toContain('names task task_1, which may exist');
		expect(JSON.stringify(data.executionData?.contextData)).toContain('task_1');
	});

	test('and whose answer has no ID leaves in the log what it begins with', async () => {
		const { response } = await startLate();
		response.end('{"job":"a1"}}');
		expect(await warnings.next()).toContain(
			'no task ID that can be read. It begins with: {"id":{"job"',
		);
	});

	test('and whose answer never comes says nothing more', async () => {
		const { response } = await startLate();
		response.destroy();
		for (let turn = 0; turn < 20; turn += 1) await turnOfEventLoop();
		expect(lines).toEqual([]);
	});
});

test('neither does a read of an execution that is stopped', async () => {
	limitsByHand();
	const run = start(READ);
	const response = await asked;
	run.cancel();
	await once(response, 'close');
	expect((await run.result).status).toBe('canceled');
});

describe('a create of an execution that is stopped', () => {
	test('is let finish, and the log names its task with a way to get it', async () => {
		limitsByHand();
		const run = start();
		const response = await asked;
		run.cancel();
		expect((await run.result).status).toBe('canceled');
		expect(lines.join()).toContain('item 0: sent, no clear answer');
		for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
		expect(response.closed).toBe(false);
		warnings.clear();
		response.end('"task_1","status":"pending"}');
		await warnings.next();
		expect(lines).toEqual([
			expect.stringMatching(/^Task task_1 was created for item 0 .*Get Task/),
		]);
	});
});

describe('a create that the service answers', () => {
	const answeredAfter = async (ms: number) => {
		const requests = { asked: 0, ended: 0 };
		const clock = new RequestClock(
			() => 0.5,
			() => requests,
		);
		clock.install();
		const run = engine.start({ parameters: CREATE, clock, onWarning });
		const response = await asked;
		void clock.sleep(ms).then(() => {
			requests.ended = 1;
			response.end('"task_1","status":"pending"}');
		});
		requests.asked = 1;
		const result = await run.result;
		clock.remove();
		return { clock, result };
	};

	test('after 299 seconds gives its task', async () => {
		const { clock, result } = await answeredAfter(299_000);
		expect(result.output.map(({ json }) => json.id)).toEqual(['task_1']);
		expect(clock.now()).toBe(299_000);
		expect(lines).toEqual([]);
	});

	test('after 310 seconds was waited for 300, and leaves its ID in the log', async () => {
		const { clock, result } = await answeredAfter(310_000);
		expect(errorOf(result).message).toContain('No answer from the service in time');
		await warnings.next();
		expect(clock.now()).toBe(310_000);
		expect(lines).toEqual([expect.stringMatching(/^Task task_1 was created for item 0 after/)]);
	});
});
