import type { IDataObject } from 'n8n-workflow';
import type { RunResult } from '../support/engine';
import {
	ERROR_OUTPUT,
	type Given,
	idsOf,
	kindOf,
	NO_WAIT,
	NOW,
	numbered,
	RESEND,
	status,
	statusesOf,
	TOOL,
	tries,
	turns,
	useEngine,
} from '../support/useEngine';

/**
 * Sequences in which rules that sound right paid twice, lost a video or gave out that of another item.
 * The service's count of tasks decides.
 */
const engine = useEngine();
const { simulator, run, click, startClick, startHeld, produce, tasksOf, taskOf, createsOf } =
	engine;

describe('stopped by a person or by the time limit of n8n while a create is under way, then Retry', () => {
	async function stoppedRun(more: IDataObject = {}) {
		const stopped = await startHeld(['one'], { mode: 'trigger', more });
		stopped.cancel();
		return { ...stopped, saved: await stopped.result };
	}

	test.each<[string, IDataObject]>([
		['', {}],
		[', also with $now', NOW],
		[', also with $now where it may be sent again', { ...NOW, ...RESEND }],
	])('before the answer: it is waited for, and its video comes%s', async (_what, more) => {
		const { answer, saved } = await stoppedRun(more);
		const retry = startClick(['one'], { mode: 'trigger', retryOf: saved, more });
		await turns();
		answer();
		expect(idsOf(await retry.result)).toEqual([taskOf(/^one/).id]);
		expect(simulator.creates()).toHaveLength(1);
	});

	async function answeredRun() {
		const { answer, isOver, saved } = await stoppedRun();
		answer();
		await isOver();
		return saved;
	}

	test('after the answer: in another process it is not sent again, and in the same one its video comes', async () => {
		const saved = await answeredRun();
		expect(kindOf(await run(['one'], { retryOf: saved }))).toBe('noAnswer');
		expect(idsOf(await produce(['one'], { retryOf: saved }))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});

	test('after the answer, sent again by a person and answered 400: it is not sent a third time', async () => {
		const saved = await answeredRun();
		simulator.script({ on: 'create', fault: status(400) });
		const second = await run(['one'], { more: RESEND, retryOf: saved });
		const third = await run(['one'], { retryOf: second });
		expect([second, third].map(kindOf)).toEqual(['noAnswer', 'noAnswer']);
		expect(tasksOf('one')).toHaveLength(1);
		expect(createsOf('one')).toHaveLength(2);
	});
});

test('429, then a lost answer, then 400 under the same key: a task may exist, and nothing is sent again until a person allows it', async () => {
	simulator.takeIdempotencyKeys('honoured');
	simulator.script({ on: 'create', fault: status(429) });
	engine.loseAnswer();
	simulator.script({ on: 'create', fault: status(400) });
	const first = await run(['one'], { settings: tries(3) });
	expect(createsOf('one')).toHaveLength(2);
	const second = await run(['one'], { settings: tries(3), more: RESEND, retryOf: first });
	const third = await run(['one'], { retryOf: second });
	expect([first, second, third].map(kindOf)).toEqual(['noAnswer', 'noAnswer', 'noAnswer']);
	expect(createsOf('one')).toHaveLength(3);
	const fourth = await run(['one'], { more: RESEND, retryOf: third });
	expect(idsOf(fourth)).toEqual([taskOf('one').id]);
	expect(new Set(engine.keys()).size).toBe(1);
});

const CALLBACK_URL = '=https://example.com/{{ Math.random() }}';

test.each<[string, IDataObject, IDataObject]>([
	['a prompt with $now', NOW, {}],
	['a Callback URL', {}, { callbackUrl: CALLBACK_URL }],
])(
	'%s, which is another one on every try, has one task under Retry On Fail after a timeout, and Retry',
	async (_what, more, options) => {
		simulator.planTask({ outcome: 'never' });
		const given = { ...more, options: { ...options, timeoutMinutes: 0.1 } };
		const first = await run(['one', 'two'], { settings: tries(3), more: given });
		simulator.finish(taskOf(/^one/).id);
		const second = await run(['one', 'two'], { more: { ...more, options }, retryOf: first });
		expect(idsOf(second)).toEqual([taskOf(/^one/).id, taskOf(/^two/).id]);
	},
);

test('a new Callback URL is no other request when an agent asks again', async () => {
	const more = { ...NO_WAIT, options: { callbackUrl: CALLBACK_URL } };
	const call = { settings: TOOL, executionId: 'agent', more };
	const first = await run(['one'], call);
	const second = await run(['one'], { ...call, retryOf: first, earlierRuns: 1 });
	expect([first, second].map(idsOf)).toEqual([[taskOf('one').id], [taskOf('one').id]]);
});

test.each(['timeout', 'error', 'failed'])(
	'a create that is answered 200 with the status %s while its task runs has not failed before a read says so, in a later Retry, too',
	async (word) => {
		const fault = { kind: 'merge', fields: { status: word } } as const;
		simulator.script({ on: 'create', prompt: 'one', fault });
		expect(statusesOf(await run(['one'], { settings: tries(3) }))).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(1);
		simulator.script({ on: 'create', prompt: 'two', fault });
		simulator.script({ on: 'create', prompt: 'three', fault: status(400) });
		const first = await run(['two', 'three'], { more: NO_WAIT });
		await run(['two', 'three'], { retryOf: first });
		expect(tasksOf('two')).toHaveLength(1);
	},
);

test('three rows with one prompt in a loop have three videos, a second click takes all three, and production has three more', async () => {
	async function loop(executionId: string, given: Given = {}) {
		const ids: unknown[] = [];
		// n8n keeps the node's context from one run of an execution to the next.
		let retryOf: RunResult | undefined;
		for (const earlierRuns of [0, 1, 2]) {
			retryOf = await click(['one'], { ...given, executionId, earlierRuns, retryOf });
			ids.push(...idsOf(retryOf));
		}
		return ids;
	}
	const first = await loop('first');
	expect(new Set(first).size).toBe(3);
	expect(new Set(await loop('second'))).toEqual(new Set(first));
	expect(tasksOf('one')).toHaveLength(3);
	await loop('third', { mode: 'trigger' });
	expect(tasksOf('one')).toHaveLength(6);
});

describe('clicks at once', () => {
	const twoClicks = async (prompts: string[], given: Given = {}) =>
		(await Promise.all([click(prompts, given), click(prompts, given)])).map(idsOf);

	test.each([
		['who wait', {}],
		['who do not', NO_WAIT],
	])('two %s have one task for each row, and both get it', async (_what, more) => {
		const [one, other] = await twoClicks(['one', 'two', 'one'], { more });
		expect(new Set(one)).toEqual(new Set(other));
		expect(tasksOf('one')).toHaveLength(2);
		expect(tasksOf('two')).toHaveLength(1);
	});

	test.each([503, 402])('two Retries of what was answered %d create one task', async (code) => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(code) });
		const first = await produce(['one', 'two']);
		const retry = async () => idsOf(await produce(['one', 'two'], { retryOf: first }));
		const [one, other] = await Promise.all([retry(), retry()]);
		expect(one).toEqual([taskOf('one').id, taskOf('two').id]);
		expect(other).toEqual(one);
	});

	test('two of them put one task in the place of one that has failed', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' }, durationMs: 1_000 });
		expect(kindOf(await click(['one']))).toBe('failed');
		const [one, other] = await twoClicks(['one']);
		expect(one).toEqual(other);
		expect(tasksOf('one')).toHaveLength(2);
	});
});

test('items refused by the limit that come back with their errors, within the limit, have a video each', async () => {
	const again = (items: IDataObject[], turn: number) => (turn === 1 ? items.slice(1) : []);
	const result = await click(numbered(11), { again, settings: ERROR_OUTPUT });
	expect(idsOf(result)).toEqual(
		numbered(11)
			.slice(1)
			.map((prompt) => taskOf(prompt).id),
	);
	expect(simulator.tasks.size).toBe(10);
});

test('completed without results, a task is read once more, and not created again, by Retry On Fail, Retry and the next click', async () => {
	const results: string[] = [];
	simulator.planTask({ results });
	const first = await click(['one'], { settings: tries(3) });
	const others = [await run(['one'], { retryOf: first }), await click(['one'])];
	expect([first, ...others].map(kindOf)).toEqual(['download', 'download', 'download']);
	results.push('https://example.com/late.mp4');
	expect(idsOf(await run(['one'], { retryOf: first }))).toEqual([taskOf('one').id]);
	expect(idsOf(await click(['one']))).toEqual([taskOf('one').id]);
	expect(createsOf('one')).toHaveLength(1);
});
