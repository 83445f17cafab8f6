import type { Fault } from '../../tools/simulator';
import { errorOf, type RunResult } from '../support/engine';
import {
	CONTINUE,
	ERROR_OUTPUT,
	type Given,
	hintsOf,
	idsOf,
	kindOf,
	NO_WAIT,
	numbered,
	RESEND,
	RESET,
	status,
	tries,
	turns,
	useEngine,
} from '../support/useEngine';

/**
 * What n8n saved, what one process remembers and what another one does may differ. There is one truth
 * about an order all the same, and the service's count of tasks shows it.
 */
const engine = useEngine();
const { simulator, clock, run, click, startClick, produce, tasksOf, taskOf, createsOf } = engine;

const DAY_MS = 24 * 60 * 60_000;
const BRIEFLY = { options: { timeoutMinutes: 0.1 } };
const POLICY = { code: 'content_policy_violation' };

const never = (prompt: string) => simulator.planTask({ prompt, outcome: 'never' });
const refuse = (prompt: string) => simulator.script({ on: 'create', prompt, fault: status(402) });
const finish = (prompt: string) => simulator.finish(taskOf(prompt).id);
const times = async (count: number, work: () => Promise<unknown>) => {
	for (let time = 0; time < count; time += 1) await work();
};

test('with two workers, of which each remembers what it did itself, a Retry reads what the Retry before it created on the other worker', async () => {
	const prompts = ['one', 'two'];
	refuse('two');
	never('two');
	const first = await produce(prompts);
	const second = await run(prompts, { retryOf: first, more: BRIEFLY });
	expect(kindOf(second)).toBe('timeout');
	finish('two');
	expect(idsOf(await produce(prompts, { retryOf: second }))).toEqual([
		taskOf('one').id,
		taskOf('two').id,
	]);
});

test('with two workers, a loop whose Wait node resumes on one, the other and the first again creates one task', async () => {
	const given: Given = { executionId: 'loop', settings: ERROR_OUTPUT, more: BRIEFLY };
	const back = (from: RunResult, earlierRuns: number): Given => ({
		...{ ...given, retryOf: from, earlierRuns },
		items: from.errorOutput.map(({ json }) => json),
	});
	refuse('one');
	never('one');
	const first = await produce(['one'], given);
	const second = await run([], back(first, 1));
	finish('one');
	expect(idsOf(await produce([], back(second, 2)))).toEqual([taskOf('one').id]);
});

describe('what this process remembers', () => {
	test('outlasts ten clicks with 100 rows, each of which the limit refuses', async () => {
		const first = await click(['fox']);
		await times(10, async () => expect(kindOf(await click(numbered(100)))).toBe('limit'));
		expect(idsOf(await click(['fox']))).toEqual(idsOf(first));
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('of a Retry outlasts 1,000 calls of sub-workflows, which create a video or read a task', async () => {
		refuse('fox');
		const first = await produce(['fox']);
		const retried = await produce(['fox'], { retryOf: first });
		const call: Given = { mode: 'integrated', workflowId: 'sub', direct: simulator };
		const read = { ...NO_WAIT, operation: 'getTask', taskId: taskOf('fox').id };
		await times(500, async () => {
			await produce(['other'], { ...call, more: NO_WAIT });
			await produce([''], { ...call, more: read });
		});
		expect(idsOf(await produce(['fox'], { retryOf: first }))).toEqual(idsOf(retried));
		expect(tasksOf('fox')).toHaveLength(1);
	});
});

test('clicks find an order that waits for more than a day for its turn, and its video', async () => {
	const slow = ['one', 'two', 'three'];
	slow.forEach(never);
	const options = { maxConcurrentTasks: 1, pollIntervalSeconds: 300 };
	const queue: Given = { mode: 'trigger', settings: CONTINUE, more: { options } };
	const queued = startClick([...slow, 'fox'], { ...queue, direct: simulator });
	await clock.sleep(DAY_MS + 60_000);
	expect(createsOf('fox')).toEqual([]);
	const clicks = [await click(['fox']), await click(['fox'])];
	await queued.result;
	expect(clicks.map(idsOf)).toEqual([[taskOf('fox').id], [taskOf('fox').id]]);
});

test.each<[string, Given]>([
	['a Retry', {}],
	['a click', { mode: 'manual', retryOf: undefined }],
])('%s awaits a Retry that pauses, although another was stopped while it did', async (_, last) => {
	refuse('fox');
	const first = await produce(['fox']);
	const start = (given: Given = {}) =>
		startClick(['fox'], { mode: 'trigger', retryOf: first, ...given });
	// While a request is under way, time stands still.
	const other = await engine.startHeld(['other'], { mode: 'trigger' });
	simulator.script({ on: 'create', prompt: 'fox', fault: status(429) });
	const second = start();
	await simulator.waitForRequest((request) => request.status === 429);
	const third = start();
	await turns();
	third.cancel();
	await third.isOver();
	const fourth = start(last);
	await turns();
	other.answer();
	const results = await Promise.all([second.result, fourth.result, other.result]);
	expect(results.slice(0, 2).map(idsOf)).toEqual([[taskOf('fox').id], [taskOf('fox').id]]);
});

test('Retry On Fail finds what another Retry has created between its tries', async () => {
	refuse('fox');
	const first = await produce(['fox']);
	const rule = { on: 'create', prompt: 'fox' } as const;
	simulator.script({ ...rule, times: 3, fault: status(429) });
	simulator.script({ ...rule, fault: status(503, {}) });
	const settings = { ...tries(2), waitBetweenTries: 300 };
	const second = startClick(['fox'], { mode: 'trigger', settings, retryOf: first });
	await simulator.waitForRequest((request) => request.status === 503);
	await turns();
	const third = await produce(['fox'], { retryOf: first });
	expect(idsOf(await second.result)).toEqual(idsOf(third));
	expect(tasksOf('fox')).toHaveLength(1);
});

describe('in the editor', () => {
	test('a video that timed out in production, in a late Retry, is reused after Debug in editor, within a day of its create', async () => {
		refuse('fox');
		const first = await produce(['fox']);
		await clock.sleep(DAY_MS);
		never('fox');
		const given = { more: BRIEFLY, executionId: 'produced', retryOf: first };
		expect(kindOf(await produce(['fox'], given))).toBe('timeout');
		finish('fox');
		const debugged = await click(['fox']);
		expect(tasksOf('fox')).toHaveLength(1);
		expect(idsOf(debugged)).toEqual([taskOf('fox').id]);
		expect(hintsOf(debugged)).toContain('produced');
		await clock.sleep(DAY_MS);
		await click(['fox']);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('two rows with one prompt keep their own videos at every click', async () => {
		const first = await click(['fox', 'fox']);
		expect(new Set(idsOf(first)).size).toBe(2);
		await times(4, async () => {
			expect(idsOf(await click(['fox', 'fox']))).toEqual(idsOf(first));
		});
		expect(tasksOf('fox')).toHaveLength(2);
	});

	describe('with the resume URL of the execution as the Callback URL,', () => {
		const more = { ...NO_WAIT, options: { callbackUrl: '={{ $execution.resumeUrl }}' } };
		const calledBy = (prompt: string) =>
			tasksOf(prompt).map(({ request }) => request?.callback_url);
		beforeEach(() => simulator.planTask({ times: Infinity, loseCallback: true }));

		test('each click creates a video that calls its own execution', async () => {
			for (const executionId of ['first', 'second']) await click(['fox'], { more, executionId });
			expect(calledBy('fox')).toEqual([
				expect.stringContaining('first'),
				expect.stringContaining('second'),
			]);
		});

		test('a Retry reads the video that it continues', async () => {
			refuse('owl');
			const first = await click(['fox', 'owl'], { more });
			const second = await produce(['fox', 'owl'], { more, retryOf: first });
			expect(idsOf(second)).toEqual([taskOf('fox').id, taskOf('owl').id]);
		});
	});
});

describe('of several equal videos that production created, a click takes', () => {
	test('those of the newest execution first, in their order, each for one item alone', async () => {
		const oldest = await produce(['fox']);
		const newest = await produce(['fox', 'fox']);
		const clicked = await click(['fox', 'fox', 'fox']);
		expect(idsOf(clicked)).toEqual([...idsOf(newest), ...idsOf(oldest)]);
	});

	test('one that is under way before one that has failed since', async () => {
		never('fox');
		await produce(['fox'], { more: NO_WAIT });
		simulator.planTask({ prompt: 'fox', outcome: 'failed' });
		await produce(['fox']);
		const [open] = tasksOf('fox');
		expect(idsOf(await click(['fox'], { more: NO_WAIT }))).toEqual([open?.id]);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('one that is being created at this moment, once it is there', async () => {
		const produced = await engine.startHeld(['fox'], { mode: 'trigger' });
		const clicked = startClick(['fox']);
		await turns();
		produced.answer();
		expect(idsOf(await clicked.result)).toEqual(idsOf(await produced.result));
		expect(createsOf('fox')).toHaveLength(1);
	});
});

test('an Idempotency Key, where the error output comes back and the task has failed, keeps the ID of the next task through Retry On Fail and further turns', async () => {
	// Two tasks fail, so that the first try of the second turn creates the third, which is late.
	simulator.planTask({ outcome: 'failed', durationMs: 1_000, times: 2 });
	simulator.planTask({ outcome: 'never' });
	const lateId = () => tasksOf('one')[2]?.id;
	const errors: unknown[] = [];
	const result = await run(['one'], {
		settings: { ...ERROR_OUTPUT, ...tries(2) },
		more: { options: { idempotencyKey: 'row-1', timeoutMinutes: 1 } },
		again: (items, turn) => {
			errors.push(...items.map(({ error }) => error));
			if (turn === 3) simulator.finish(lateId() ?? '');
			return turn > 4 ? [] : items;
		},
	});
	const late = expect.objectContaining({ kind: 'timeout', taskId: lateId() });
	expect(errors.slice(1)).toEqual([late, late]);
	expect(idsOf(result)).toEqual([lateId()]);
	expect(tasksOf('one')).toHaveLength(3);
});

describe('what an unclear answer said', () => {
	const SUSPENDED = 'account suspended (request id: 2026-71f)';
	const TIMED_OUT = 'Timed out upstream';
	test.each<[Fault, string[]]>([
		[status(200, { code: -2001, message: 'Insufficient points, please top up' }), ['top up']],
		// An ID that may be that of a task.
		[status(200, { id: 'gen-71f', error: { message: TIMED_OUT } }), ['gen-71f', TIMED_OUT]],
		[status(500, { error: { message: SUSPENDED } }), ['500', SUSPENDED]],
		[{ kind: 'html', status: 504 }, ['504', 'Base URL']],
	])('is repeated by every refusal to send it again: %j', async (fault, facts) => {
		simulator.script({ on: 'create', fault });
		const first = await run(['one'], { settings: tries(3) });
		const second = await run(['one'], { settings: tries(3), retryOf: first });
		for (const { message, description, context } of [errorOf(first), errorOf(second)]) {
			expect(context.kind).toBe('noAnswer');
			for (const fact of facts) expect(`${message} ${description}`).toContain(fact);
		}
		expect(createsOf('one')).toHaveLength(1);
	});
});

describe.each(['clicks', 'Retries'])('two %s at once, each with Retry On Fail,', (who) => {
	async function two(given: Given): Promise<RunResult[]> {
		if (who === 'clicks') return await Promise.all([click(['fox'], given), click(['fox'], given)]);
		const retried = { ...given, retryOf: refused };
		return await Promise.all([produce(['fox'], retried), produce(['fox'], retried)]);
	}
	let refused: RunResult;
	beforeEach(async () => {
		refuse('fox');
		refused = await produce(['fox']);
	});
	/** So that both have found the end of a task before either tries again. */
	const TRIES: Given = { settings: { ...tries(4), waitBetweenTries: 50 } };

	test('make at most a task each of what may be sent again, though all answers are lost', async () => {
		simulator.script({ on: 'create', createTask: true, times: Infinity, fault: RESET });
		await two({ ...TRIES, more: RESEND });
		expect(tasksOf('fox').length).toBeLessThanOrEqual(2);
	});

	test.each([
		['moderation', 'failed'],
		['cancelled', 'cancelled'],
		['expired', 'expired'],
	] as const)('do not create a task again that ended as %s', async (kind, outcome) => {
		simulator.planTask({ outcome, error: POLICY, times: Infinity });
		expect((await two(TRIES)).map(kindOf)).toEqual([kind, kind]);
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('send at most once each what is rejected for its content', async () => {
		const fault = status(400, { error: { ...POLICY, message: 'Not this.' } });
		simulator.script({ on: 'create', times: Infinity, fault });
		expect((await two(TRIES)).map(kindOf)).toEqual(['moderation', 'moderation']);
		const rejected = createsOf('fox').filter((create) => create.status === 400);
		expect(rejected.length).toBeLessThanOrEqual(2);
	});
});
