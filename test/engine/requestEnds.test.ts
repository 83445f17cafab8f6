/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import type { ServerResponse } from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { type Host, startHost } from '../../tools/n8n/hosts';
import { VirtualClock } from '../../tools/virtualClock';
import { Engine, errorOf, type RunRequest } from '../support/engine';
import { kindOf, NO_WAIT, numbered } from '../support/useEngine';

/** A service whose answers begin and never end. */
let service: Host;
let engine: Engine;
/** Time limits of requests are over when the test says so. */
let limit: AbortController;
/** To every request of a test. */
const responses: ServerResponse[] = [];
const requests = new EventEmitter();

beforeAll(async () => {
	service = await startHost((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('{"id":');
		responses.push(response);
		requests.emit('request');
	});
	engine = await Engine.start(service.baseUrl);
});
beforeEach(() => {
	responses.splice(0);
	limit = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.any([limit.signal]));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

const start = (parameters: IDataObject, items?: IDataObject[], retryOf?: RunRequest['retryOf']) =>
	engine.start({ parameters, items, retryOf, clock: new VirtualClock() });

/** Waits for so many requests. Each promise of the list resolves when the connection is closed. */
async function connections(count: number): Promise<Array<Promise<unknown>>> {
	while (responses.length < count) await once(requests, 'request');
	return responses.map(async (response) => await once(response, 'close'));
}

test.each([
	['whose time is up', 'error'],
	['of an execution that is stopped', 'canceled'],
])('a read %s leaves no connection behind', async (_what, status) => {
	const run = start({ operation: 'getTask', taskId: 'task_1' });
	const [closed] = await connections(1);
	if (status === 'error') limit.abort();
	else run.cancel();
	await closed;
	expect((await run.result).status).toBe(status);
});

test('creates whose time is up leave none either, however their answers trickle, and are not sent again', async () => {
	const create = { operation: 'createTextVideo', prompt: '={{ $json.prompt }}', ...NO_WAIT };
	const items = numbered(10).map((prompt) => ({ prompt }));
	const run = start(create, items);
	const closed = await connections(items.length);
	for (const response of responses) response.write('"task');
	limit.abort();
	const result = await run.result;
	await Promise.all(closed);
	expect(kindOf(result)).toBe('noAnswer');
	expect(errorOf(result).context.data).toMatchObject({
		unansweredItems: items.map((_, index) => index),
	});
	expect(result.log).toEqual([]);
	await start(create, items, result.data).result;
	expect(responses).toHaveLength(items.length);
});
