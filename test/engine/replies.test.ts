import type { IDataObject } from 'n8n-workflow';
import { refusingPort } from '../programs/realN8n/ports';
import type { Fault } from '../programs/simulator';
import { DEFAULT_API_KEY, startSimulator } from '../programs/simulator';
import type { RunRequest, RunResult } from '../programs/support/engine';
import { errorOf } from '../programs/support/engine';
import { CONTINUE, status, statusesOf, useEngine } from './useEngine';

const { simulator, clock, run, runNode } = useEngine({ taskDurationMs: 3_000 });

const NOTHING_CREATED = 'Nothing was created for this item.';

/** A create that gives up soon when it is to be sent again. */
const createParameters: IDataObject = {
	operation: 'createTextVideo',
	prompt: 'a red fox',
	waitForCompletion: true,
	downloadResults: false,
	options: { timeoutMinutes: 0.2 },
};

const create = async (more: Partial<RunRequest> = {}): Promise<RunResult> =>
	await runNode({ parameters: createParameters, ...more });

/** Reads a task that exists, so that nothing but the reply can be what goes wrong. */
async function read(more: Partial<RunRequest> = {}): Promise<{ id: string; result: RunResult }> {
	const { id } = simulator.addTask({ status: 'processing' });
	const parameters = { operation: 'getTask', taskId: id };
	return { id, result: await runNode({ parameters, ...more }) };
}

/** The message of a read that failed, whatever the reason. */
const notRead = (id: string, reason: string): string => `Task ${id} could not be read: ${reason}`;

/** Everything that n8n keeps of a run and shows of it. */
const allOf = ({ data, error }: RunResult): string =>
	`${JSON.stringify(data)} ${error?.message} ${error?.description} ${error?.stack}`;

const expectNoKeyIn = (result: RunResult): void =>
	expect(allOf(result)).not.toContain(DEFAULT_API_KEY);

/** What came, how a message says it, and what the service itself said. */
type Case = [what: string, fault: Fault, message: string, quote?: string, ofRead?: string];

const SERVER_ERROR = 'The service returned a server error (503)';
const PROXY_WORDS = 'upstream connect error';
const LOST = 'The connection to the service was lost before an answer came';

/** A record as it may be, but for what else is in it. */
const LARGE: Fault = {
	kind: 'json',
	body: { id: 'task_large', status: 'completed', more: 'x'.repeat(1_000_000) },
};

/** Answers that say no: no task was created. All words stand in `messages.test.ts`. */
const refusals: Case[] = [
	[
		...(['400', status(400), 'Request not accepted (400)'] as const),
		...(['The request is not valid.', 'Task ID not accepted (400)'] as const),
	],
	['503', status(503), SERVER_ERROR, 'The service is not available right now.'],
];

/** The service may have made a task before these. */
const unclear: Case[] = [
	['503 of a proxy', status(503, PROXY_WORDS), SERVER_ERROR, PROXY_WORDS],
	['a web page', { kind: 'html' }, 'A web page came instead of an answer of the service'],
	['no UTF-8', { kind: 'invalidUtf8' }, 'The answer of the service is not a task record'],
	['a connection that breaks within the answer', { kind: 'cutOff' }, LOST],
	['more than 1 MB', LARGE, 'The answer of the service is larger than 1 MB', 'task_large'],
];

describe('a create is answered', () => {
	test.each(refusals)('%s: it says that no task came of it', async (_, fault, message, quote) => {
		simulator.script({ on: 'create', times: Infinity, fault });
		const result = await create();
		const error = errorOf(result);
		const httpCode = String(simulator.requests[0]?.status);
		const context = { itemIndex: 0 };
		expect(error).toMatchObject({ name: 'NodeApiError', message, httpCode, context });
		expect(error.description).toContain(`The service says: “${quote}”`);
		expect(error.description).toContain(NOTHING_CREATED);
		expectNoKeyIn(result);
	});

	test.each(unclear)('%s: it says that a task may exist', async (_, fault, message, quote = '') => {
		simulator.script({ on: 'create', times: Infinity, fault });
		const result = await create();
		const error = errorOf(result);
		expect(error.message).toBe(`${message}, so it is not known whether a task was created`);
		expect(error.description).toContain('may have created a task and may charge for it');
		expect(error.description).toContain(quote);
		expectNoKeyIn(result);
	});

	test('a name of a system error in a reply does not change the message', async () => {
		const location = 'https://example.com/ENOENT';
		simulator.script({ on: 'create', fault: { kind: 'redirect', location } });
		const error = errorOf(await create());
		expect(error.message).toBe(`The URL of the service redirects to ${location} (302)`);
	});

	test('400 for a model of another family: it points to the credential', async () => {
		const { description } = errorOf(await create({ credential: { modelFamily: 'other-1' } }));
		expect(description).toContain('Check Model Family in the Videogen credential');
	});
});

describe('a read is answered', () => {
	test.each([...refusals, ...unclear])(
		'%s: it names the task and makes none',
		async (_, fault, message, quote = '', ofRead = message) => {
			simulator.script({ on: 'task', times: Infinity, fault });
			const { id, result } = await read();
			const error = errorOf(result);
			const context = { itemIndex: 0, taskId: id };
			expect(error).toMatchObject({ name: 'NodeApiError', message: notRead(id, ofRead), context });
			expect(error.description).toContain(quote);
			expect(simulator.creates()).toEqual([]);
			expectNoKeyIn(result);
		},
	);

	test("another task's record is not taken for the one that was asked for", async () => {
		const body = { id: 'task_of_somebody_else', status: 'completed', results: ['https://e.com/x'] };
		simulator.script({ on: 'task', times: Infinity, fault: { kind: 'json', body } });
		const { id, result } = await read();
		expect(errorOf(result).message).toBe(
			notRead(id, 'The answer of the service is about another task'),
		);
		expect(errorOf(result).context.taskId).toBe(id);
	});
});

describe('a redirect', () => {
	test.each([301, 308])('%i is not followed, and its target is named', async (status) => {
		const target = await startSimulator();
		const location = `${target.baseUrl}/v1/elsewhere`;
		simulator.script({ on: 'any', times: 2, fault: { kind: 'redirect', status, location } });
		const created = await create();
		const { id, result } = await read();
		await target.close();
		const message = `The URL of the service redirects to ${location} (${status})`;
		expect(errorOf(created).message).toBe(message);
		expect(errorOf(created).description).toContain(NOTHING_CREATED);
		expect(errorOf(result).message).toBe(notRead(id, message));
		expect(target.requests).toEqual([]);
		expect(simulator.requests).toHaveLength(2);
	});
});

test('a service that cannot be reached has been sent nothing', async () => {
	const message = 'No connection to the service';
	const refusing = await refusingPort();
	const credential = { baseUrl: `http://127.0.0.1:${refusing.port}` };
	const created = await create({ credential });
	expect(errorOf(created).message).toBe(message);
	expect(errorOf(created).description).toContain(NOTHING_CREATED);
	const { id, result } = await read({ credential });
	expect(errorOf(result).message).toBe(notRead(id, message));
	await refusing.close();
	for (const run of [created, result]) expectNoKeyIn(run);
});

test('a service that is down for four minutes gives every video within a Timeout of ten', async () => {
	const outageMs = 4 * 60_000;
	const untilMs = clock.now() + outageMs;
	simulator.script({ on: 'task', times: Infinity, untilMs, fault: status(503) });
	const result = await run(['one', 'two', 'three'], {
		more: { options: { timeoutMinutes: 10 } },
	});
	expect(statusesOf(result)).toEqual(Array(3).fill('completed'));
	expect(simulator.creates()).toHaveLength(3);
	const failedAt = simulator.reads().flatMap((read) => (read.status === 503 ? [read.at] : []));
	expect(untilMs - Math.max(...failedAt)).toBeLessThan(outageMs / 2);
});

describe('the API key', () => {
	const body = { error: { message: `The key ${DEFAULT_API_KEY} is not known` } };
	const escaped = `{"message":"no ${DEFAULT_API_KEY.replace('s', '\\u0073')}"}`;
	const location = `https://e.com/?key=${DEFAULT_API_KEY}`;
	const echoes: Array<[what: string, fault: Fault]> = [
		['a refusal', status(401, body)],
		['plain text', status(500, `Authorization: Bearer ${DEFAULT_API_KEY}`)],
		['JSON that is no task record', { kind: 'json', body: { key: DEFAULT_API_KEY } }],
		['escaped JSON', status(401, escaped)],
		['the target of a redirect', { kind: 'redirect', location }],
	];

	test.each(echoes)('is nowhere in what a run shows when %s repeats it', async (_what, fault) => {
		simulator.script({ on: 'any', times: Infinity, fault });
		for (const settings of [{}, CONTINUE]) {
			for (const result of [await create({ settings }), (await read({ settings })).result]) {
				expect(allOf(result)).toContain('[API key]');
				expectNoKeyIn(result);
			}
		}
	});

	test('is nowhere in a task that repeats it', async () => {
		simulator.script({
			on: 'create',
			fault: {
				kind: 'merge',
				fields: {
					request: { key: DEFAULT_API_KEY },
					status: 'completed',
					results: ['https://files.example/1.mp4'],
				},
			},
		});
		const result = await create();
		expect(result.output[0]?.json.request).toEqual({ key: '[API key]' });
		expectNoKeyIn(result);
	});
});
