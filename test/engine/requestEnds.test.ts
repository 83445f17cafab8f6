/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { type Host, startHost } from '../../tools/n8n/hosts';
import { VirtualClock } from '../../tools/virtualClock';
import { Engine, errorOf, type RunRequest } from '../support/engine';
import { kindOf, NO_WAIT, numbered } from '../support/useEngine';

/** A service whose answers begin and never end. */
let service: Host;
let statusCode: number;
let engine: Engine;
let asked: Promise<ServerResponse>;
let take: (response: ServerResponse) => void;
/** To every request of a test. */
const responses: ServerResponse[] = [];

beforeAll(async () => {
	service = await startHost((_request, response) => {
		response.writeHead(statusCode, { 'content-type': 'application/json' });
		response.write('{"id":');
		responses.push(response);
		take(response);
	});
	engine = await Engine.start(service.baseUrl);
});
beforeEach(() => {
	statusCode = 200;
	responses.splice(0);
	asked = new Promise((resolve) => (take = resolve));
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => await service.close());

/** Time limits of requests that are over when the test says so. */
function limitsByHand(): AbortController {
	const limit = new AbortController();
	jest.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.any([limit.signal]));
	return limit;
}

const CREATE = { operation: 'createTextVideo', prompt: '={{ $json.prompt }}', ...NO_WAIT };
const READ = { operation: 'getTask', taskId: 'task_1' };

const start = (
	parameters: IDataObject = CREATE,
	prompts = ['fox'],
	retryOf?: RunRequest['retryOf'],
) => {
	const items = prompts.map((prompt) => ({ prompt }));
	return engine.start({ parameters, items, retryOf, clock: new VirtualClock() });
};

/** Resolves when the service has got so many requests. */
const allAsked = async (count: number): Promise<void> =>
	await new Promise((resolve) => {
		take = () => responses.length === count && resolve();
	});

test.each([
	['whose time is up', 'error'],
	['of an execution that is stopped', 'canceled'],
])('a read %s leaves no connection behind', async (_what, status) => {
	const limit = limitsByHand();
	const run = start(READ);
	const response = await asked;
	if (status === 'error') limit.abort();
	else run.cancel();
	await once(response, 'close');
	expect((await run.result).status).toBe(status);
});

test('creates whose time is up leave none either, however their answers trickle, and are not sent again', async () => {
	const limit = limitsByHand();
	const prompts = numbered(10);
	const all = allAsked(prompts.length);
	const run = start(CREATE, prompts);
	await all;
	const closed = responses.map(async (response) => await once(response, 'close'));
	for (const response of responses) response.write('"task');
	limit.abort();
	const result = await run.result;
	await Promise.all(closed);
	expect(kindOf(result)).toBe('noAnswer');
	expect(errorOf(result).context.data).toMatchObject({
		unansweredItems: prompts.map((_, index) => index),
	});
	expect(result.log).toEqual([]);
	await start(CREATE, prompts, result.data).result;
	expect(responses).toHaveLength(prompts.length);
});

test.each([200, 500])(
	'a create of an execution that is stopped is let finish: of status %i, the log names the task',
	async (code) => {
		limitsByHand();
		statusCode = code;
		const { result, cancel, log, isOver } = start();
		const response = await asked;
		cancel();
		expect((await result).status).toBe('canceled');
		expect(response.closed).toBe(false);
		response.end('"task_1","status":"pending"}');
		await isOver();
		for (const line of log) expect(line).toContain('task_1');
		expect(log.join()).toContain('Get Task');
	},
);
