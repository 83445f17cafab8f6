import type { AddressInfo } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { getEventListeners, once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { turnOfEventLoop, VirtualClock } from '../support/clocks';
import { Engine, errorOf } from './engine';

/** A service whose answers begin and never end. */
let service: Server;
let engine: Engine;
let asked: Promise<ServerResponse>;

beforeAll(async () => {
	service = createServer();
	await once(service.listen(0, '127.0.0.1'), 'listening');
	engine = await Engine.start(`http://127.0.0.1:${portOf(service)}`);
});
beforeEach(() => {
	lines = [];
	asked = new Promise((resolve) => {
		service.once('request', (_request, response: ServerResponse) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.write('{"id":');
			resolve(response);
		});
	});
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => service.close());

function portOf(server: Server): number {
	const address: AddressInfo | string | null = server.address();
	if (typeof address !== 'object' || address === null) throw new Error('No port');
	return address.port;
}

/** Time limits of requests that are over when the test says so. */
function limitsByHand(): AbortController {
	const limit = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
	return limit;
}

const CREATE = { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false };
const READ = { operation: 'getTask', taskId: 'task_1' };

/** What the node has written into n8n's log as a warning. */
let lines: string[];
const start = (parameters: IDataObject = CREATE) =>
	engine.start({
		parameters,
		clock: new VirtualClock(),
		onWarning: (text) => lines.push(text),
	});

test('a request whose time is up leaves no connection behind', async () => {
	const limit = limitsByHand();
	const run = start();
	const response = await asked;
	limit.abort();
	await once(response, 'close');
	expect(errorOf(await run.result).message).toContain('did not answer in time');
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
		expect(lines.join()).toContain('item 0: sent, no answer');
		for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
		expect(response.closed).toBe(false);
		lines = [];
		response.end('"task_1","status":"pending"}');
		while (lines.length === 0) await turnOfEventLoop();
		expect(lines).toEqual([
			expect.stringMatching(/^Task task_1 was created for item 0 .*Get Task/),
		]);
	});

	test('is given up when its own time is up', async () => {
		const limit = limitsByHand();
		const run = start();
		const response = await asked;
		run.cancel();
		await run.result;
		limit.abort();
		await once(response, 'close');
	});
});

test('one that is under way goes on otherwise, and leaves no listener behind', async () => {
	const limit = limitsByHand();
	const run = start();
	const response = await asked;
	for (let turn = 0; turn < 5; turn += 1) await turnOfEventLoop();
	expect(response.closed).toBe(false);
	response.end('"task_1","status":"pending"}');
	expect((await run.result).output[0]?.json).toEqual({ id: 'task_1', status: 'pending' });
	expect(getEventListeners(limit.signal, 'abort')).toEqual([]);
});
