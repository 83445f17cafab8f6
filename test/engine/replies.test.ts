import type { IDataObject } from 'n8n-workflow';
import { freePort } from '../n8n/ports';
import type { Fault } from '../simulator';
import { DEFAULT_API_KEY, startSimulator } from '../simulator';
import type { RunRequest, RunResult } from './engine';
import { errorOf } from './engine';
import { CONTINUE, status, useEngine } from './useEngine';

const { simulator, runNode } = useEngine({ taskDurationMs: 3_000 });

const NOTHING_CREATED = 'Nothing was created for this item.';
const NOT_KNOWN = ', so it is not known whether a task was created';
const MAY_EXIST = 'The service may have created a task and may charge for it';
const LOOK_FIRST = "Check the provider's console before you create it again";

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

interface Case {
	what: string;
	fault: Fault;
	/** The whole message of a create; of a read too, unless that has its own. */
	message: string;
	readMessage?: string;
	/** A part of the description: what the user does next. */
	next: string;
	readNext?: string;
	/** What the service itself says. */
	quote?: string;
}

const CHECK_BASE_URL = 'Check Base URL in the Videogen credential';
const RUN_LATER = 'again later';

const serverError = (code: number): Case => ({
	what: `${code}`,
	fault: status(code),
	message: `The service returned a server error (${code})`,
	next: `${RUN_LATER}: the node does not send it again by itself`,
	readNext: `${RUN_LATER}.`,
	quote: 'The service is not available right now.',
});

/** Answers that say no: no task was created, and nothing is sent again. */
const refusals: Case[] = [
	{
		what: '400',
		fault: status(400),
		message: 'Request not accepted (400)',
		readMessage: 'Task ID not accepted (400)',
		next: 'Check the prompt, the URLs and the options of this item',
		readNext: 'Use the "id" of a create operation as Task ID',
		quote: 'The request is not valid.',
	},
	{
		what: '401',
		fault: status(401),
		message: 'API key not accepted (401)',
		next: 'Paste the key again',
		quote: 'The API key is missing or not valid.',
	},
	{
		what: '402',
		fault: status(402),
		message: 'Balance too low (402)',
		next: 'Top up your account',
		quote: 'The balance of the account is too low.',
	},
	{
		what: '403',
		fault: status(403),
		message: 'API key without access (403)',
		next: "Check in the provider's console what this key may use",
		quote: 'The API key has no access to this model.',
	},
	{
		what: '404',
		fault: status(404),
		message: 'Endpoint not found (404)',
		readMessage: 'Task not found (404)',
		next: CHECK_BASE_URL,
		readNext: 'Check Task ID',
		quote: 'Not found.',
	},
	{
		what: '413',
		fault: status(413),
		message: 'Request too large (413)',
		next: 'Shorten the prompt or give fewer references',
		quote: 'The request is too large.',
	},
	{
		what: 'another 4XX',
		fault: { kind: 'status', status: 418, body: { error: { message: 'I am a teapot' } } },
		message: 'The service refused the request (418)',
		next: 'Check the fields of this item and the credential',
		quote: 'I am a teapot',
	},
	...[501, 503, 521].map(serverError),
	{
		what: 'a redirect without a target',
		fault: { kind: 'status', status: 308, body: '' },
		message: 'The URL of the service redirects (308)',
		next: 'Use the final URL, up to where /v1 begins, as Base URL',
	},
];

/** Answers of success that name no task: one may exist, and nobody can tell which. */
const unreadables: Case[] = [
	{
		what: 'an empty 200',
		fault: { kind: 'empty' },
		message: 'The answer of the service is empty',
		next: CHECK_BASE_URL,
	},
	{
		what: 'a web page as 200',
		fault: { kind: 'html' },
		message: 'A web page came instead of an answer of the service',
		next: CHECK_BASE_URL,
	},
	{
		what: 'broken JSON',
		fault: { kind: 'invalidJson' },
		message: 'The answer of the service is not JSON',
		next: 'It begins with “{"id":"task_',
	},
	{
		what: 'JSON that is no task record',
		fault: { kind: 'json', body: { id: 'req_1', error: { code: 'x' } } },
		message: 'The answer of the service is not a task record',
		next: 'It begins with “{"id":"req_1",',
	},
	{
		what: 'JSON with bytes that are no UTF-8',
		fault: { kind: 'invalidUtf8' },
		message: 'The answer of the service is not a task record',
		next: 'It begins with “{"id":"task_',
	},
];

/** Answers that do not say no: the service may have made a task before them. */
const unclear: Case[] = [
	...[408, 425, 460, 499].map((code) => ({
		what: `${code}`,
		fault: status(code),
		message: `The service gave no clear answer (${code})`,
		next: 'Try again later',
	})),
	serverError(500),
	{
		...serverError(503),
		what: '503 of a proxy',
		fault: status(503, 'upstream connect error'),
		quote: 'upstream connect error',
	},
	serverError(599),
	{
		what: '303',
		fault: { kind: 'redirect', status: 303, location: '/v1/elsewhere' },
		message: 'The URL of the service redirects to /v1/elsewhere (303)',
		next: 'Use the final URL, up to where /v1 begins, as Base URL',
	},
];

/** The connection ended before a whole answer: the create may have arrived. */
const lost: Case[] = [
	{
		what: 'a connection that breaks before the answer',
		fault: { kind: 'reset' },
		message: 'The connection to the service was lost before an answer came',
		next: RUN_LATER,
	},
	{
		what: 'a connection that breaks within the answer',
		fault: { kind: 'cutOff' },
		message: 'The connection to the service was lost before an answer came',
		next: RUN_LATER,
	},
];

const named = (cases: Case[]): Array<[string, Case]> => cases.map((one) => [one.what, one]);

describe('a create is answered', () => {
	test.each(named(refusals))('%s: it says that no task came of it', async (_what, row) => {
		simulator.script({ on: 'create', times: Infinity, fault: row.fault });
		const result = await create();
		const error = errorOf(result);
		expect(error.name).toBe('NodeApiError');
		expect(error.message).toBe(row.message);
		expect(error.description).toContain(row.next);
		expect(error.description).toContain(NOTHING_CREATED);
		expect(error.description).not.toContain(MAY_EXIST);
		if (row.quote) expect(error.description).toContain(`The service says: “${row.quote}”`);
		expect(error.context.itemIndex).toBe(0);
		expect(error).toMatchObject({ httpCode: String(simulator.requests[0]?.status) });
		expect(simulator.requests).toHaveLength(1);
		expectNoKeyIn(result);
	});

	test.each(named([...unclear, ...unreadables, ...lost]))(
		'%s: it says that a task may exist, and does not send it again',
		async (_what, row) => {
			simulator.script({ on: 'create', times: Infinity, fault: row.fault });
			const result = await create();
			const error = errorOf(result);
			expect(error.message).toBe(`${row.message}${NOT_KNOWN}`);
			expect(error.description).toContain(MAY_EXIST);
			expect(error.description).toContain(LOOK_FIRST);
			expect(error.description).not.toMatch(/(?:run|try) again/i);
			expect(error.description).not.toContain(NOTHING_CREATED);
			if (row.quote) expect(error.description).toContain(`The service says: “${row.quote}”`);
			expect(simulator.requests).toHaveLength(1);
			expectNoKeyIn(result);
		},
	);

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

	test('429: it is sent again until the time is up', async () => {
		simulator.script({ on: 'create', times: Infinity, fault: status(429) });
		const result = await create();
		const error = errorOf(result);
		expect(error.message).toBe('Rate limit reached (429)');
		expect(error.description).toContain('“Too many requests.”');
		expect(error.description).toContain('lower Max Concurrent Tasks in Options');
		expect(error.description).toContain(NOTHING_CREATED);
		expect(simulator.creates().length).toBeGreaterThan(1);
		expect(simulator.tasks.size).toBe(0);
		expectNoKeyIn(result);
	});

	test('429 with a date in Retry-After: it is sent again after that moment', async () => {
		const retryAfter = new Date(Date.now() + 90_000);
		simulator.script({ on: 'create', fault: { kind: 'status', status: 429, retryAfter } });
		const result = await create({ parameters: { ...createParameters, waitOptions: {} } });
		expect(result.status).toBe('success');
		const [first, second] = simulator.creates();
		const pauseMs = (second?.at ?? 0) - (first?.at ?? 0);
		// A date has whole seconds, and the machine may take some before it reads it.
		expect(pauseMs).toBeGreaterThan(30_000);
		expect(pauseMs).toBeLessThanOrEqual(90_000);
	});
});

describe('a read is answered', () => {
	test.each(named([...refusals, ...unclear, ...unreadables, ...lost]))(
		'%s: it names the task and makes none',
		async (_what, row) => {
			simulator.script({ on: 'task', times: Infinity, fault: row.fault });
			const { id, result } = await read();
			const error = errorOf(result);
			expect(error.name).toBe('NodeApiError');
			expect(error.message).toBe(notRead(id, row.readMessage ?? row.message));
			expect(error.description).toContain(row.readNext ?? row.next);
			// With an ID that the service does not know, looking again is no advice.
			const isUnknown = /\(40[04]\)$/.test(row.readMessage ?? row.message);
			expect(error.description?.includes('without paying again')).toBe(!isUnknown);
			if (row.quote) expect(error.description).toContain(`“${row.quote}”`);
			expect(error.context).toMatchObject({ itemIndex: 0, taskId: id });
			expect(simulator.creates()).toEqual([]);
			expectNoKeyIn(result);
		},
	);

	test('429: it is read again until the time is up', async () => {
		simulator.script({ on: 'task', times: Infinity, fault: status(429) });
		const { id, result } = await read();
		const error = errorOf(result);
		expect(error.message).toBe(notRead(id, 'Rate limit reached (429)'));
		expect(error.context).toMatchObject({ taskId: id });
		expect(error.description).not.toContain('Max Concurrent Tasks');
		expect(simulator.reads().length).toBeGreaterThan(1);
	});

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
	test.each([301, 302, 307, 308])('%i is not followed, and its target is named', async (status) => {
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
		for (const { description } of [errorOf(created), errorOf(result)]) {
			expect(description).toContain('Use the final URL, up to where /v1 begins, as Base URL');
		}
		expect(target.requests).toEqual([]);
		expect(simulator.requests).toHaveLength(2);
	});
});

describe('a service that cannot be reached', () => {
	interface Unreachable {
		what: string;
		baseUrl: () => Promise<string> | string;
		message: string;
		next: string;
	}

	const rows: Unreachable[] = [
		{
			what: 'nothing listens at its port',
			baseUrl: async () => `http://127.0.0.1:${await freePort()}`,
			message: 'No connection to the service',
			next: `${CHECK_BASE_URL}, and that the service is running`,
		},
		{
			what: 'its host does not exist',
			baseUrl: () => 'http://does-not-exist.invalid',
			message: 'Host name of the service not found',
			next: `${CHECK_BASE_URL} for typing mistakes`,
		},
		{
			what: 'it does not speak TLS',
			baseUrl: () => `https://127.0.0.1:${simulator.port}`,
			message: 'No secure connection to the service',
			next: '(https:// or http://)',
		},
	];

	test.each(rows.map((row) => [row.what, row] as const))('%s', async (_what, row) => {
		const credential = { baseUrl: await row.baseUrl() };
		const created = await create({ credential });
		expect(errorOf(created).message).toBe(row.message);
		expect(errorOf(created).description).toContain(row.next);
		expect(errorOf(created).description).toContain(NOTHING_CREATED);
		const { id, result } = await read({ credential });
		expect(errorOf(result).message).toBe(notRead(id, row.message));
		expect(errorOf(result).description).toContain(row.next);
		expect(errorOf(result).context).toMatchObject({ taskId: id });
		for (const run of [created, result]) expectNoKeyIn(run);
		expect(simulator.requests).toEqual([]);
	});
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
