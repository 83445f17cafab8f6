import '../support/quietLogs';
import type { AddressInfo } from 'node:net';
import type { Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { getEventListeners, once } from 'node:events';
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

const start = () =>
	engine.start({
		parameters: { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false },
		clock: new VirtualClock(),
	});

test('a request whose time is up leaves no connection behind', async () => {
	const limit = limitsByHand();
	const run = start();
	const response = await asked;
	limit.abort();
	await once(response, 'close');
	expect(errorOf(await run.result).message).toContain('did not answer in time');
});

test('neither does one of an execution that is stopped', async () => {
	limitsByHand();
	const run = start();
	const response = await asked;
	run.cancel();
	await once(response, 'close');
	expect((await run.result).status).toBe('canceled');
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
