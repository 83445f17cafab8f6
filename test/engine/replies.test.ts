import { type Fault, DEFAULT_API_KEY } from '../../tools/simulator';
import { type RunRequest, type RunResult, errorOf } from '../support/engine';
import { CONTINUE, type Given, status, turns, useEngine } from '../support/useEngine';

/** What each answer means stands in the unit tests of `service/`. */
const { simulator, run, runNode, startClick, createsOf, startHeld } = useEngine({
	taskDurationMs: 3_000,
});

/** A create that gives up soon when it is to be sent again. */
const create = async (given: Given = {}): Promise<RunResult> =>
	await run(['a red fox'], { more: { options: { timeoutMinutes: 0.2 } }, ...given });

/** Reads a task that exists, so that nothing but the reply can be what goes wrong. */
async function read(more: Partial<RunRequest> = {}): Promise<{ id: string; result: RunResult }> {
	const { id } = simulator.addTask({ outcome: 'never' });
	const parameters = { operation: 'getTask', taskId: id };
	return { id, result: await runNode({ parameters, ...more }) };
}

/** Everything that n8n keeps of a run and shows of it. */
const allOf = ({ data, error }: RunResult): string =>
	`${JSON.stringify(data)} ${error?.message} ${error?.description} ${error?.stack}`;

test.each([301, 308])('a redirect is not followed, and its target is named: %i', async (code) => {
	const location = `${simulator.baseUrl}/v1/elsewhere`;
	simulator.script({ on: 'any', times: 2, fault: { kind: 'redirect', status: code, location } });
	const created = await create();
	const { id, result } = await read();
	for (const error of [errorOf(created), errorOf(result)]) {
		expect(error.context.kind).toBe('address');
		expect(`${error.message} ${error.description}`).toContain(location);
	}
	expect(errorOf(result).context.taskId).toBe(id);
	expect(simulator.requests).toHaveLength(2);
});

test('an answer that is cut off behind the ID of a task does not lose it', async () => {
	simulator.script({ on: 'create', fault: { kind: 'cutOff' } });
	const cut = await create();
	const [task] = [...simulator.tasks.keys()];
	expect(errorOf(cut).context).toMatchObject({ kind: 'noAnswer', taskId: task });
	const retried = await create({ retryOf: cut });
	expect([retried.status, simulator.tasks.size]).toEqual(['success', 1]);
});

test('after a 429, other executions wait for the end of its pause, too', async () => {
	// While a request is under way, time stands still.
	const other = await startHeld(['other']);
	simulator.script({ on: 'create', fault: status(429) });
	const first = startClick(['one']);
	await simulator.waitForRequest((request) => request.status === 429);
	await turns();
	const second = startClick(['two']);
	await turns();
	expect(createsOf('two')).toEqual([]);
	other.answer();
	const results = await Promise.all([other.result, first.result, second.result]);
	expect(results.map((result) => result.status)).toEqual(Array(3).fill('success'));
});

const KEY = DEFAULT_API_KEY;
test.each<[what: string, fault: Fault]>([
	['a refusal', status(401, { error: { message: `The key ${KEY} is not known` } })],
	['plain text', status(500, `Authorization: Bearer ${KEY}`)],
	['JSON that is no task record', { kind: 'json', body: { key: KEY } }],
	['escaped JSON', status(401, `{"message":"no ${KEY.replace('s', '\\u0073')}"}`)],
	['the target of a redirect', { kind: 'redirect', location: `https://e.com/?key=${KEY}` }],
	['a task', { kind: 'merge', fields: { request: { key: KEY } } }],
])('the API key is nowhere in what a run shows when %s repeats it', async (_what, fault) => {
	simulator.script({ on: 'any', times: Infinity, fault });
	for (const settings of [{}, CONTINUE]) {
		for (const result of [await create({ settings }), (await read({ settings })).result]) {
			expect(allOf(result)).toContain('[API key]');
			expect(allOf(result)).not.toContain(KEY);
		}
	}
});
