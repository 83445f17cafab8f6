import { errorOf, type RunResult } from '../programs/support/engine';
import { type Given, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/**
 * Sequences in which rules that sound right would pay twice or lose a video. The service's count of
 * tasks decides.
 */
const { simulator, start, run, runNode, tasksOf, newProcess } = useEngine();

let process: ReturnType<typeof newProcess>;
beforeEach(() => (process = newProcess()));
const click = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
	await run(prompts, { mode: 'manual', process, ...given });

const NO_WAIT = { waitForCompletion: false, downloadResults: false };
const RESEND = { options: { resendAfterNoReply: true } };
const lost = () => simulator.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
const never = (times = 1) => simulator.planTask({ outcome: 'never', times });
const finishAll = () => [...simulator.tasks.keys()].forEach((id) => simulator.finish(id));

test('stopped while a create is under way, then Retry: it is not sent again', async () => {
	const stopped = start(['one'], { more: NO_WAIT });
	await simulator.waitForRequest(({ route }) => route === 'create');
	stopped.cancel();
	const first = await stopped.result;
	await run(['one'], { more: NO_WAIT, retryOf: first });
	expect(tasksOf('one')).toHaveLength(1);
});

test('429, then a lost answer, then 400 under the same order: it may exist, and is not sent again', async () => {
	simulator.script({ on: 'create', fault: status(429) });
	lost();
	simulator.script({ on: 'create', fault: status(400) });
	const first = await run(['one']);
	const second = await run(['one'], { more: RESEND, retryOf: first });
	expect(errorOf(second).context.kind).toBe('noAnswer');
	const third = await run(['one'], { retryOf: second });
	expect(errorOf(third).context.kind).toBe('noAnswer');
	expect(tasksOf('one')).toHaveLength(1);
	expect(simulator.creates()).toHaveLength(3);
});

describe('a request that is another one on every try, whose task is unfinished, has one task', () => {
	const NOW = { prompt: '={{ $json.prompt }} {{ Math.random() }}' };
	const SHORT = { options: { timeoutMinutes: 0.1 } };

	test('under Retry On Fail, and Retry with a longer Timeout', async () => {
		never();
		const first = await run(['one'], { settings: tries(3), more: { ...NOW, ...SHORT } });
		finishAll();
		const second = await run(['one'], { more: NOW, retryOf: first });
		expect(statusesOf(second)).toEqual(['completed']);
		expect(simulator.tasks.size).toBe(1);
	});

	test('with a new Callback URL', async () => {
		never();
		const withCallback = (url: string) => ({
			options: { timeoutMinutes: 0.1, callbackUrl: `https://example.com/${url}` },
		});
		const first = await run(['one'], { more: withCallback('one') });
		finishAll();
		await run(['one'], { more: withCallback('two'), retryOf: first });
		expect(simulator.tasks.size).toBe(1);
	});
});

test.each(['timeout', 'error', 'failed'])(
	'a create answered with the status %s has not failed before a read says so',
	async (word) => {
		simulator.script({ on: 'create', fault: { kind: 'merge', fields: { status: word } } });
		const result = await run(['one'], { settings: tries(2) });
		expect(statusesOf(result)).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(1);
	},
);

describe('three rows with one prompt in a loop of one', () => {
	const rows = async (given: Given, executionId: string) => {
		const ids: unknown[] = [];
		for (let row = 0; row < 3; row += 1) {
			ids.push(...idsOf(await run(['one'], { ...given, executionId, earlierRuns: row })));
		}
		return ids;
	};

	test('have three videos in production', async () => {
		expect(new Set(await rows({}, 'first')).size).toBe(3);
		expect(tasksOf('one')).toHaveLength(3);
	});

	test('have three videos in the editor, which a second click takes', async () => {
		const first = await rows({ mode: 'manual', process }, 'first');
		expect(new Set(first).size).toBe(3);
		expect(new Set(await rows({ mode: 'manual', process }, 'second'))).toEqual(new Set(first));
		expect(tasksOf('one')).toHaveLength(3);
	});
});

test('two clicks at once while a failed task is replaced have one successor', async () => {
	simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' }, durationMs: 0 });
	await click(['one'], { more: NO_WAIT });
	const both = await Promise.all([click(['one']), click(['one'])]);
	const [one, other] = both.map(idsOf);
	expect(one).toEqual(other);
	expect(tasksOf('one')).toHaveLength(2);
});

test('completed without any result: an error, repeated by an automatic try, ordered anew by Retry', async () => {
	simulator.planTask({ results: [] });
	const first = await run(['one'], { settings: tries(2) });
	expect(errorOf(first).context.kind).toBe('download');
	expect(tasksOf('one')).toHaveLength(1);
	expect(statusesOf(await run(['one'], { retryOf: first }))).toEqual(['completed']);
	expect(tasksOf('one')).toHaveLength(2);
});

test('what throws in the middle of a run leaves nothing that a later click waits for', async () => {
	const parameters = { operation: 'createTextVideo', prompt: 'one', ...NO_WAIT };
	const broken = { baseUrl: 'http://127.0.0.1:9' };
	await runNode({ parameters, mode: 'manual', process, credential: broken });
	const stopped = start(['one'], { mode: 'manual', process });
	stopped.cancel();
	await stopped.result;
	expect(statusesOf(await click(['one']))).toEqual(['completed']);
	expect(tasksOf('one')).toHaveLength(1);
});
