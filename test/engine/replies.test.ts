import type { IDataObject } from 'n8n-workflow';
import { refusingPort } from '../n8n/ports';
import type { Fault } from '../simulator';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import { urlOfUnknownHost } from '../support/unknownHost';
import type { RunRequest, RunResult } from './engine';
import { errorOf } from './engine';
import { CONTINUE, status, statusesOf, useEngine } from './useEngine';

const { simulator, clock, run, runNode } = useEngine({ taskDurationMs: 3_000 });

const NOTHING_CREATED = 'Nothing was created for this item.';

/** A create that gives up soon when it is to be sent again. */
const createParameters: IDataObject = {
	operation: 'createTextVideo',
	prompt: 'a red fox',
	waitForCompletion: true,
	waitOptions: { timeoutMinutes: 0.2 },
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

/** An answer, how a message says it, and what the service itself said. */
interface Case {
	what: string;
	fault: Fault;
	create: string;
	read?: string;
	quote?: string;
}

/** Answers that say no: no task was created. All words stand in `messages.test.ts`. */
const refusals: Case[] = [
	{
		what: '400',
		fault: status(400),
		create: 'Request not accepted (400)',
		read: 'Task ID not accepted (400)',
		quote: 'The request is not valid.',
	},
	{
		what: '503',
		fault: status(503),
		create: 'The service returned a server error (503)',
		quote: 'The service is not available right now.',
	},
];

/** The service may have made a task before these. */
const unclear: Case[] = [
	{
		what: '503 of a proxy',
		fault: status(503, 'upstream connect error'),
		create: 'The service returned a server error (503)',
		quote: 'upstream connect error',
	},
	{
		what: 'a web page as 200',
		fault: { kind: 'html' },
		create: 'A web page came instead of an answer of the service',
	},
	{
		what: 'JSON with bytes that are no UTF-8',
		fault: { kind: 'invalidUtf8' },
		create: 'The answer of the service is not a task record',
	},
	{
		what: 'a connection that breaks within the answer',
		fault: { kind: 'cutOff' },
		create: 'The connection to the service was lost before an answer came',
	},
];

const named = (cases: Case[]): Array<[string, Case]> => cases.map((one) => [one.what, one]);

describe('a create is answered', () => {
	test.each(named(refusals))('%s: it says that no task came of it', async (_what, row) => {
		simulator.script({ on: 'create', times: Infinity, fault: row.fault });
		const result = await create();
		const error = errorOf(result);
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: row.create,
			httpCode: String(simulator.requests[0]?.status),
			context: { itemIndex: 0 },
		});
		expect(error.description).toContain(`The service says: “${row.quote}”`);
		expect(error.description).toContain(NOTHING_CREATED);
		expectNoKeyIn(result);
	});

	test.each(named(unclear))('%s: it says that a task may exist', async (_what, row) => {
		simulator.script({ on: 'create', times: Infinity, fault: row.fault });
		const result = await create();
		const error = errorOf(result);
		expect(error.message).toBe(`${row.create}, so it is not known whether a task was created`);
		expect(error.description).toContain('may have created a task and may charge for it');
		expect(error.description).not.toMatch(/(?:run|try) again/i);
		if (row.quote) expect(error.description).toContain(`The service says: “${row.quote}”`);
		expectNoKeyIn(result);
	});

	test('a name of a system error in a reply does not change the message', async () => {
		const location = 'https://example.com/ENOENT';
		simulator.script({ on: 'create', fault: { kind: 'redirect', location } });
		const error = errorOf(await create());
		expect(error.message).toBe(`The URL of the service redirects to ${location} (302)`);
	});

	test('400 for a model of another family: it points to the credential', async () => {
		const result = await create({ credential: { modelFamily: 'other-1' } });
		const { message, description } = errorOf(result);
		expect(message).toBe('Request not accepted (400)');
		expect(description).toContain('Check Model Family in the Videogen credential');
		expect(simulator.tasks.size).toBe(0);
	});
});

describe('a read is answered', () => {
	test.each(named([...refusals, ...unclear]))(
		'%s: it names the task and makes none',
		async (_what, row) => {
			simulator.script({ on: 'task', times: Infinity, fault: row.fault });
			const { id, result } = await read();
			const error = errorOf(result);
			expect(error.name).toBe('NodeApiError');
			expect(error.message).toBe(notRead(id, row.read ?? row.create));
			if (row.quote) expect(error.description).toContain(`“${row.quote}”`);
			expect(error.context).toMatchObject({ itemIndex: 0, taskId: id });
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

describe('a service that cannot be reached', () => {
	let refusing: Awaited<ReturnType<typeof refusingPort>>;
	beforeAll(async () => {
		refusing = await refusingPort();
	});
	afterAll(async () => await refusing.close());

	test.each<[string, () => string, string]>([
		[
			'nothing listens at its port',
			() => `http://127.0.0.1:${refusing.port}`,
			'No connection to the service',
		],
		['its host does not exist', urlOfUnknownHost, 'Host name of the service not found'],
	])('%s', async (_what, baseUrl, message) => {
		const credential = { baseUrl: baseUrl() };
		const created = await create({ credential });
		expect(errorOf(created).message).toBe(message);
		expect(errorOf(created).description).toContain(NOTHING_CREATED);
		const { id, result } = await read({ credential });
		expect(errorOf(result).message).toBe(notRead(id, message));
		for (const run of [created, result]) expectNoKeyIn(run);
	});
});

test('a service that is down for four minutes gives every video within a Timeout of ten', async () => {
	const outageMs = 4 * 60_000;
	const untilMs = clock.now() + outageMs;
	simulator.script({ on: 'task', times: Infinity, untilMs, fault: status(503) });
	const result = await run(['one', 'two', 'three'], {
		more: { waitOptions: { timeoutMinutes: 10 } },
	});
	expect(statusesOf(result)).toEqual(Array(3).fill('completed'));
	expect(simulator.creates()).toHaveLength(3);
	const failedAt = simulator.reads().flatMap((read) => (read.status === 503 ? [read.at] : []));
	expect(untilMs - Math.max(...failedAt)).toBeLessThan(outageMs / 2);
});

describe('the API key', () => {
	const echoes: Array<[what: string, fault: Fault]> = [
		[
			'a refusal',
			{
				kind: 'status',
				status: 401,
				body: { error: { message: `The key ${DEFAULT_API_KEY} is not known` } },
			},
		],
		[
			'plain text',
			{ kind: 'status', status: 500, body: `Authorization: Bearer ${DEFAULT_API_KEY}` },
		],
		['JSON that is no task record', { kind: 'json', body: { key: DEFAULT_API_KEY } }],
		['escaped JSON', status(401, `{"message":"no ${DEFAULT_API_KEY.replace('s', '\\u0073')}"}`)],
		[
			'the target of a redirect',
			{ kind: 'redirect', location: `https://e.com/?key=${DEFAULT_API_KEY}` },
		],
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
			fault: { kind: 'merge', fields: { request: { key: DEFAULT_API_KEY }, status: 'completed' } },
		});
		const result = await create();
		expect(result.output[0]?.json.request).toEqual({ key: '[API key]' });
		expectNoKeyIn(result);
	});
});
