import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { type Host, startHost } from '../../tools/n8n/hosts';
import { VirtualClock } from '../../tools/virtualClock';
import { collectWarnings } from '../support/warnings';
import { Engine, errorOf, type RunRequest } from '../support/engine';

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
	warnings.clear();
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

const CREATE = { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false };
const READ = { operation: 'getTask', taskId: 'task_1' };

const warnings = collectWarnings();
const { lines, onWarning } = warnings;
const start = (
	parameters: IDataObject = CREATE,
	items?: IDataObject[],
	retryOf?: RunRequest['retryOf'],
) => engine.start({ parameters, items, retryOf, clock: new VirtualClock(), onWarning });

/** Resolves when the service has got so many requests. */
const allAsked = async (count: number): Promise<void> =>
	await new Promise((resolve) => {
		take = () => responses.length === count && resolve();
	});

test('a read whose time is up leaves no connection behind', async () => {
	const limit = limitsByHand();
	const run = start(READ);
	const response = await asked;
	limit.abort();
	await once(response, 'close');
	expect(errorOf(await run.result).context).toMatchObject({ taskId: 'task_1' });
});

test('creates whose time is up leave none either, however their answers trickle, and are not sent again', async () => {
	const limit = limitsByHand();
	const prompts = Array.from({ length: 10 }, (_, index) => ({ prompt: `fox ${index}` }));
	const creates = { ...CREATE, prompt: '={{ $json.prompt }}' };
	const all = allAsked(prompts.length);
	const run = start(creates, prompts);
	await all;
	const closed = responses.map(async (response) => await once(response, 'close'));
	for (const response of responses) response.write('"task');
	limit.abort();
	const result = await run.result;
	await Promise.all(closed);
	expect(errorOf(result).context.kind).toBe('noAnswer');
	expect(errorOf(result).context.data).toMatchObject({
		unansweredItems: prompts.map((_, index) => index),
	});
	expect(lines).toEqual([]);
	await start(creates, prompts, result.data).result;
	expect(responses).toHaveLength(prompts.length);
});

test('an answer of more than 1 MB is left before its end', async () => {
	limitsByHand();
	take = (response) => response.write('x'.repeat(1_500_000));
	const { message, description } = errorOf(await start(READ).result);
	expect(`${message} ${description}`).toContain('larger than 1 MB');
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
	const stopped = async () => {
		limitsByHand();
		const run = start();
		const response = await asked;
		run.cancel();
		expect((await run.result).status).toBe('canceled');
		expect(lines.join()).toContain('item 1: sent, not confirmed');
		expect(response.closed).toBe(false);
		warnings.clear();
		return response;
	};

	test.each([
		[200, '"task_1","status":"pending"}'],
		[500, '"task_1","status":"pending"}'],
	])('is let finish: of status %i and …%s, the log names the task', async (code, rest) => {
		statusCode = code;
		const response = await stopped();
		response.end(rest);
		expect(await warnings.next()).toContain('task_1');
		expect(lines).toHaveLength(1);
	});
});
