import type { IDataObject } from 'n8n-workflow';
import { refusingPort } from '../programs/realN8n/ports';
import { type Fault, DEFAULT_API_KEY, startSimulator } from '../programs/simulator';
import { type RunRequest, type RunResult, errorOf } from '../programs/support/engine';
import { CONTINUE, status, useEngine } from './useEngine';

/** All words stand in `test/unit/messages.test.ts`, what each answer means in `retryPolicy.test.ts`. */
const { simulator, runNode } = useEngine({ taskDurationMs: 3_000 });

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

/** What came, how a message says it, what the service said, and whether a create may have made a task. */
type Case = [what: string, fault: Fault, message: string, quote: string, mayExist: boolean];

const SERVER_ERROR = 'The service returned a server error (503)';
const BETWEEN = 'A server between n8n and the service answered (503)';
const PROXY_WORDS = 'upstream connect error';
const LOST = 'The connection to the service was lost before an answer came';

/** A record as it may be, but for what else is in it. */
const LARGE: Fault = {
	kind: 'json',
	body: { id: 'task_large', status: 'completed', more: 'x'.repeat(1_000_000) },
};

const replies: Case[] = [
	['503', status(503), SERVER_ERROR, 'The service is not available right now.', false],
	['503 of a proxy', status(503, PROXY_WORDS), BETWEEN, PROXY_WORDS, true],
	['a web page', { kind: 'html' }, 'A web page came instead of an answer of the service', '', true],
	['no UTF-8', { kind: 'invalidUtf8' }, 'The answer of the service is not a task record', '', true],
	['a connection that breaks within the answer', { kind: 'cutOff' }, LOST, '', true],
	['more than 1 MB', LARGE, 'The answer of the service is larger than 1 MB', 'task_large', true],
];

test.each(replies)(
	'a create is answered %s: it says whether a task may exist, and a read names its task',
	async (_, fault, message, quote, mayExist) => {
		simulator.script({ on: 'any', times: Infinity, fault });
		const created = errorOf(await create());
		const open = mayExist ? ', so a task may exist' : '';
		expect(created).toMatchObject({ name: 'NodeApiError', message: `${message}${open}` });
		expect(created.description).toContain(quote);
		expect(created.description).toContain(mayExist ? 'may charge for both' : NOTHING_CREATED);
		expect(simulator.creates()).toHaveLength(1);

		const { id, result } = await read();
		const context = { item: 1, taskId: id };
		const expected = { name: 'NodeApiError', message: notRead(id, message), context };
		expect(errorOf(result)).toMatchObject(expected);
		expect(errorOf(result).description).toContain(quote);
		expect(simulator.creates()).toHaveLength(1);
	},
);

test.each([301, 308])('a redirect is not followed, and its target is named: %i', async (code) => {
	const target = await startSimulator();
	const location = `${target.baseUrl}/v1/elsewhere`;
	simulator.script({ on: 'any', times: 2, fault: { kind: 'redirect', status: code, location } });
	const created = await create();
	const { id, result } = await read();
	await target.close();
	const message = `The URL of the service redirects to ${location} (${code})`;
	expect(errorOf(created).message).toBe(message);
	expect(errorOf(created).description).toContain(NOTHING_CREATED);
	expect(errorOf(result).message).toBe(notRead(id, message));
	expect(target.requests).toEqual([]);
	expect(simulator.requests).toHaveLength(2);
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
});

describe('the API key', () => {
	const body = { error: { message: `The key ${DEFAULT_API_KEY} is not known` } };
	const escaped = `{"message":"no ${DEFAULT_API_KEY.replace('s', '\\u0073')}"}`;
	const location = `https://e.com/?key=${DEFAULT_API_KEY}`;

	test.each<[what: string, fault: Fault]>([
		['a refusal', status(401, body)],
		['plain text', status(500, `Authorization: Bearer ${DEFAULT_API_KEY}`)],
		['JSON that is no task record', { kind: 'json', body: { key: DEFAULT_API_KEY } }],
		['escaped JSON', status(401, escaped)],
		['the target of a redirect', { kind: 'redirect', location }],
		['a task', { kind: 'merge', fields: { request: { key: DEFAULT_API_KEY } } }],
	])('is nowhere in what a run shows when %s repeats it', async (_what, fault) => {
		simulator.script({ on: 'any', times: Infinity, fault });
		for (const settings of [{}, CONTINUE]) {
			for (const result of [await create({ settings }), (await read({ settings })).result]) {
				expect(allOf(result)).toContain('[API key]');
				expect(allOf(result)).not.toContain(DEFAULT_API_KEY);
			}
		}
	});
});
