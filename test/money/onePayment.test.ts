import type { IDataObject } from 'n8n-workflow';
import { useBinaryStorage } from '../support/binaryStorage';
import type { RunResult } from '../support/engine';
import { sampleMp4 } from '../../tools/simulator/sampleFiles';
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
const storage = useBinaryStorage();
const {
	simulator,
	run,
	click,
	startClick,
	produce,
	keys,
	tasksOf,
	taskOf,
	createsOf,
	loseAnswer,
	holdCreate,
} = useEngine();

const BRIEFLY = { options: { timeoutMinutes: 0.1 } };

const never = (times = 1) => simulator.planTask({ outcome: 'never', times });
const finishAll = () => [...simulator.tasks.keys()].forEach((id) => simulator.finish(id));
describe('stopped by a person or by the time limit of n8n while a create is under way, then Retry', () => {
	async function stoppedRun(more: IDataObject = {}) {
		const answer = holdCreate();
		const stopped = startClick(['one'], { mode: 'trigger', more });
		await simulator.waitForRequest(({ route }) => route === 'create');
		stopped.cancel();
		return { ...stopped, answer, saved: await stopped.result };
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

	test.each<[string, boolean, string]>([
		['in the same process: its video comes', true, 'success'],
		['in another process: it is not sent again', false, 'error'],
	])('after the answer, %s', async (_what, isSame, ends) => {
		const { answer, saved, isOver } = await stoppedRun();
		answer();
		await isOver();
		const { id } = taskOf('one');
		const retry = await (isSame ? produce : run)(['one'], { retryOf: saved });
		expect(retry.status).toBe(ends);
		if (isSame) expect(idsOf(retry)).toEqual([id]);
		else expect(kindOf(retry)).toBe('noAnswer');
		expect(createsOf('one')).toHaveLength(1);
	});
});

test('stopped before the answer, then 400 for a person who sends it again: it is not sent a third time', async () => {
	const answer = holdCreate();
	const stopped = startClick(['one'], { mode: 'trigger' });
	await simulator.waitForRequest(({ route }) => route === 'create');
	stopped.cancel();
	const first = await stopped.result;
	answer();
	await stopped.isOver();
	simulator.script({ on: 'create', fault: status(400) });
	const second = await run(['one'], { more: RESEND, retryOf: first });
	const third = await run(['one'], { retryOf: second });
	expect([second, third].map(kindOf)).toEqual(['noAnswer', 'noAnswer']);
	expect(tasksOf('one')).toHaveLength(1);
	expect(createsOf('one')).toHaveLength(2);
});

test('429, then a lost answer, then 400 under the same key: a task may exist, and nothing is sent again', async () => {
	simulator.script({ on: 'create', fault: status(429) });
	loseAnswer();
	simulator.script({ on: 'create', fault: status(400) });
	const first = await run(['one'], { settings: tries(3) });
	expect(createsOf('one')).toHaveLength(2);
	const second = await run(['one'], { more: RESEND, retryOf: first });
	expect([first, second].map(kindOf)).toEqual(['noAnswer', 'noAnswer']);
	const third = await run(['one'], { retryOf: second });
	expect(kindOf(third)).toBe('noAnswer');
	expect(tasksOf('one')).toHaveLength(1);
	expect(keys()).toHaveLength(3);
	expect(new Set(keys()).size).toBe(1);
});

describe('a prompt with $now, which is another one on every try, has one task', () => {
	test('under Retry On Fail after a timeout, and Retry', async () => {
		never();
		const more = { ...NOW, ...BRIEFLY };
		const first = await run(['one', 'two'], { settings: tries(3), more });
		finishAll();
		const second = await run(['one', 'two'], { more: NOW, retryOf: first });
		expect(idsOf(second)).toEqual([taskOf(/^one /).id, taskOf(/^two /).id]);
	});

	test('with a reference of 40 MB', async () => {
		const bytes = Buffer.concat([sampleMp4(), Buffer.alloc(40_000_000)]);
		const data = await storage.put(bytes, 'video/mp4', 'clip.mp4');
		const given = {
			binaries: [{ data }],
			more: {
				...{ ...NOW, operation: 'createReferenceVideo', referenceBinaryProperties: 'data' },
				...BRIEFLY,
			},
		};
		never();
		const first = await run(['one'], { ...given, settings: tries(3) });
		expect(kindOf(first)).toBe('timeout');
		finishAll();
		const second = await run(['one'], { ...given, retryOf: first });
		expect(idsOf(second)).toEqual([taskOf(/^one /).id]);
	});
});

describe('a new Callback URL', () => {
	const callbackUrl = '=https://example.com/{{ Math.random() }}';

	test('on every try is no other request under Retry On Fail, and Retry', async () => {
		never();
		const more = { options: { ...BRIEFLY.options, callbackUrl } };
		const first = await run(['one'], { more, settings: tries(3) });
		finishAll();
		expect(idsOf(await run(['one'], { more, retryOf: first }))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});

	test('is no other request when an agent asks again', async () => {
		const more = { ...NO_WAIT, options: { callbackUrl } };
		const call = { settings: TOOL, executionId: 'agent', more };
		const first = await run(['one'], call);
		const second = await run(['one'], { ...call, retryOf: first, earlierRuns: 1 });
		expect([first, second].map(idsOf)).toEqual([[taskOf('one').id], [taskOf('one').id]]);
	});

	test('in the next click is another request, and the same one is not', async () => {
		const callTo = (url: string) => ({ more: { ...NO_WAIT, options: { callbackUrl: url } } });
		const first = await click(['one'], callTo('https://example.com/1'));
		const second = await click(['one'], callTo('https://example.com/2'));
		expect(idsOf(second)).not.toEqual(idsOf(first));
		expect(idsOf(await click(['one'], callTo('https://example.com/1')))).toEqual(idsOf(first));
		expect(createsOf('one')).toHaveLength(2);
	});
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

describe('three rows with one prompt', () => {
	const ROWS = ['one', 'one', 'one'];
	const atOnce = async (given: Given) => idsOf(await click(ROWS, given));
	const inLoop = async (given: Given, executionId: string) => {
		const ids: unknown[] = [];
		// n8n keeps the node's context from one run of an execution to the next.
		let retryOf: RunResult | undefined;
		for (const [earlierRuns, prompt] of ROWS.entries()) {
			retryOf = await click([prompt], { ...given, executionId, earlierRuns, retryOf });
			ids.push(...idsOf(retryOf));
		}
		return ids;
	};

	test.each([
		['in one run', atOnce],
		['in a loop', inLoop],
	])(
		'have three videos %s, a second click takes all three, and production has three each time',
		async (_where, rows) => {
			const first = await rows({}, 'first');
			expect(new Set(first).size).toBe(3);
			expect(new Set(await rows({}, 'second'))).toEqual(new Set(first));
			expect(tasksOf('one')).toHaveLength(3);
			for (const executionId of ['third', 'fourth']) {
				first.push(...(await rows({ mode: 'trigger' }, executionId)));
			}
			expect(new Set(first).size).toBe(9);
		},
	);
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

	test('the second is stopped while it waits: the third waits for the first all the same', async () => {
		const answer = holdCreate();
		const given = { more: RESEND };
		const first = startClick(['one'], given);
		await simulator.waitForRequest(({ route }) => route === 'create');
		const second = startClick(['one'], given);
		await turns();
		second.cancel();
		await second.result;
		await second.isOver();
		expect(second.log.join()).toContain('not confirmed (item 1)');
		const third = startClick(['one'], given);
		await turns();
		answer();
		const [one, other] = await Promise.all([first.result, third.result]);
		expect(idsOf(other)).toEqual(idsOf(one));
		expect(createsOf('one')).toHaveLength(1);
	});

	test('two of them put one task in the place of one that has failed', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' }, durationMs: 1_000 });
		expect(kindOf(await click(['one']))).toBe('failed');
		const [one, other] = await twoClicks(['one']);
		expect(one).toEqual(other);
		expect(tasksOf('one')).toHaveLength(2);
	});
});

describe('11 items refused by the limit, then 10 of them', () => {
	const ELEVEN = numbered(11);
	const expectEachOnce = (prompts: string[], result: RunResult) => {
		expect(idsOf(result)).toEqual(prompts.map((prompt) => taskOf(prompt).id));
		expect(simulator.tasks.size).toBe(prompts.length);
	};

	test('in the next click, each has its own video', async () => {
		expect(kindOf(await click(ELEVEN))).toBe('limit');
		expect(simulator.creates()).toHaveLength(0);
		expectEachOnce(ELEVEN.slice(1), await click(ELEVEN.slice(1)));
	});

	test('in the same execution, where they come back with their errors, each has its own video', async () => {
		const again = (items: IDataObject[], turn: number) => (turn === 1 ? items.slice(1) : []);
		const result = await click(ELEVEN, { again, settings: ERROR_OUTPUT });
		expectEachOnce(ELEVEN.slice(1), result);
	});

	test('all of them by Retry with a higher limit, each has its own video', async () => {
		const limited = (maxNewTasks: number) => ({ options: { maxNewTasks } });
		const first = await produce(ELEVEN, { more: limited(10) });
		expect(kindOf(first)).toBe('limit');
		const second = await produce(ELEVEN, { more: limited(11), retryOf: first });
		expectEachOnce(ELEVEN, second);
	});
});

describe('completed without results', () => {
	test.each([
		['Retry', async (first: RunResult) => await run(['one'], { retryOf: first })],
		['the next click', async () => await click(['one'])],
	])('it is not created again by Retry On Fail nor by %s, and read once more', async (_, next) => {
		const results: string[] = [];
		simulator.planTask({ results });
		const first = await click(['one'], { settings: tries(3) });
		expect(kindOf(first)).toBe('download');
		expect(createsOf('one')).toHaveLength(1);
		expect(kindOf(await next(first))).toBe('download');
		results.push('https://example.com/late.mp4');
		expect(idsOf(await next(first))).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(1);
	});
});

test.each(['success', 'ok', 200])(
	'an envelope with an id of its own and the status %p: its task is the one inside',
	async (word) => {
		const beside = { id: 'req_1', status: word };
		simulator.script({
			on: 'create',
			fault: { kind: 'misplaced', status: 200, wrapper: 'data', beside },
		});
		const result = await run(['one'], { settings: tries(2) });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(simulator.reads('req_1')).toHaveLength(0);
		expect(createsOf('one')).toHaveLength(1);
	},
);
