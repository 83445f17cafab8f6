import type { IDataObject } from 'n8n-workflow';
import { Timer } from '../../../nodes/Videogen/ground/clock';
import { CONTEXT_KEY, Ledger } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import {
	type Create,
	type Draft,
	fail,
	type Order,
	type State,
	TOOL_RUN,
} from '../../../nodes/Videogen/work/order';
import { NOT_STARTED } from '../../../nodes/Videogen/work/orderWords';
import { VirtualClock } from '../../programs/support/clocks';
import { draftOf, endOf, orderOf, runningAs, taskOf } from '../../programs/support/orders';

const clock = new VirtualClock();
const timer = new Timer(clock, new AbortController().signal);
const never = () => {
	throw new Error('Nothing is waited for');
};

interface Run {
	executionId?: string;
	run?: string;
	node?: string;
	memory?: Memory;
	context?: IDataObject;
}

/** The ledger of a run of the node, in production unless it has a node. */
function ledgerOf(given: Run = {}): Ledger {
	const { executionId = '1', run = 'run 0', node, context = {} } = given;
	const { memory = new Memory(clock.now) } = given;
	return new Ledger({ context, run, executionId, memory, node });
}

/** One to which these orders are known. */
const ledgerWith = (orders: Order[], given: Run = {}): Ledger =>
	ledgerOf({ context: { [CONTEXT_KEY]: { orders } }, ...given });

/** An order that an earlier try of this run has made. */
const known = (prompt: string, more: Partial<Order> = {}): Order =>
	orderOf(prompt, { executionId: '1', run: 'run 0', state: running(), ...more });

const running = (taskId = 'task_1'): State => runningAs(taskOf(taskId));
const failed = (error?: object): State => ({
	...{ is: 'failed', taskId: 'task_1', hadVideo: false },
	task: taskOf('task_1', 'failed', { error }),
});
const refused: State = {
	is: 'error',
	fault: { kind: 'refused', message: '', description: '' },
};

async function begin(ledger: Ledger, ...drafts: Draft[]): Promise<Order[]> {
	await ledger.begin(drafts, timer, never);
	return drafts.map(({ order }) => order);
}

describe('the order of this execution that an item continues', () => {
	const asked = { returned: {} };
	test.each<[what: string, order: Order, draft: Draft, isFound: boolean]>([
		['equal request', known('fox'), draftOf('fox'), true],
		['equal request, other source', known('fox', { itemHash: 'a' }), draftOf('fox', {}, 'b'), true],
		['other request, same source', known('fox', { itemHash: 'a' }), draftOf('owl', {}, 'a'), true],
		[
			'other request, other source',
			known('fox', { itemHash: 'a' }),
			draftOf('owl', {}, 'b'),
			false,
		],
		['other request, no source', known('fox'), draftOf('owl'), false],
		['of another item', known('fox', { item: 7 }), draftOf('fox'), true],
		['of an earlier run', known('fox', { run: 'run -1' }), draftOf('fox'), false],
		[
			'of an earlier run, brought back',
			known('fox', { run: 'run -1' }),
			draftOf('fox', asked),
			true,
		],
		[
			'of an earlier run, brought back with its task',
			known('fox', { run: 'run -1' }),
			draftOf('fox', { returned: { taskId: 'task_1' } }),
			true,
		],
		[
			'of an earlier run, brought back with the task that may exist',
			known('fox', { run: 'run -1', state: { is: 'new' }, mayExist: { taskId: 'task_1' } }),
			draftOf('fox', { returned: { taskId: 'task_1' } }),
			true,
		],
		[
			'of an earlier run, brought back with another task',
			known('fox', { run: 'run -1' }),
			draftOf('fox', { returned: { taskId: 'task_2' } }),
			false,
		],
		[
			'brought back, of another request',
			known('fox', { run: 'run -1' }),
			draftOf('owl', asked),
			false,
		],
		['of a tool', known('fox', { run: TOOL_RUN }), draftOf('fox', asked), false],
	])('%s', async (_what, order, draft, isFound) => {
		const [found] = await begin(ledgerWith([order]), draft);
		expect(found === order).toBe(isFound);
		if (isFound) expect(order).toMatchObject({ run: 'run 0', item: 0, executionId: '1' });
	});

	test('is one of this run before one that it is brought back for', async () => {
		const orders = [known('fox', { run: 'run -1' }), known('fox', { state: refused })];
		expect(await begin(ledgerWith(orders), draftOf('fox', asked))).toEqual([orders[1]]);
	});
});

describe('of several orders', () => {
	const orders = (...states: State[]) =>
		states.map((state, item) => known('fox', { state, item, id: `${item}` }));
	const idsFor = async (given: Order[], count: number) => {
		const drafts = Array.from({ length: count }, (_, index) => draftOf('fox', { index }));
		return (await begin(ledgerWith(given), ...drafts)).map(({ id }) => id);
	};

	test('each of equal items keeps its own', async () => {
		const all = orders(running(), running(), running());
		for (const given of [all, [...all].reverse()]) {
			expect(await idsFor(given, 3)).toEqual(['0', '1', '2']);
		}
	});

	test('the one with a task comes first, whosever it is', async () => {
		expect(await idsFor(orders(refused, running()), 1)).toEqual(['1']);
		expect(await idsFor(orders(running(), refused), 2)).toEqual(['0', '1']);
	});

	test('one that may exist comes before one that has ended', async () => {
		const [ended, open] = orders(refused, { is: 'new' });
		const given = [...(ended ? [ended] : []), { ...known('fox'), ...open, mayExist: {} }];
		expect(await idsFor(given, 1)).toEqual(['1']);
	});

	test('the newest of an item counts', async () => {
		const all = orders(running(), running()).map((order) => ({ ...order, item: 0 }));
		expect(await idsFor(all, 1)).toEqual(['1']);
	});
});

describe('what is done with the order of an item', () => {
	const again = async (more: Partial<Order>, draft = draftOf('fox'), given: Run = {}) => {
		const before = known('fox', more);
		const copy = structuredClone(before);
		await begin(ledgerWith([before], given), draft);
		return { draft, order: draft.order, before: copy };
	};
	const retry: Run = { executionId: '2' };

	test('with a task: it is read', async () => {
		const { draft, order, before } = await again({});
		expect(order).toEqual(before);
		expect(draft).toMatchObject({ isTaken: true, isAskedAgain: false });
	});

	const unknown: State = { is: 'new' };
	const late: State = { ...refused, taskId: 'task_1' };
	const task = taskOf('task_1', 'completed', { results: ['x'] });
	const completed: State = { is: 'completed', taskId: 'task_1', task };
	const moderated = failed({ code: 'content_policy' });

	test.each<[what: string, Partial<Order>, Partial<Create>, Run, after: string]>([
		['completed: it is read', { state: completed }, {}, {}, 'running'],
		['not in time: it is read', { state: late }, {}, {}, 'running'],
		['unanswered: it is not sent', { state: unknown, mayExist: {} }, {}, {}, 'noAnswer'],
		['allowed to be sent again', { state: refused, mayExist: {} }, { mayResend: true }, {}, 'new'],
		['refused: it is sent again', { state: refused }, {}, {}, 'new'],
		['failed for good: it ends as before', { state: moderated }, {}, {}, 'failed'],
		['failed for good, for a person: it is ordered anew', { state: moderated }, {}, retry, 'new'],
	])('%s', async (_what, more, create, given, after) => {
		const draft = draftOf('fox');
		Object.assign(draft.create ?? {}, create);
		await again(more, draft, given);
		expect([endOf(draft), draft.isTaken]).toEqual([after, after === 'running']);
	});

	test('asked for by a person, it knows so, and who asks next automatically', async () => {
		const { draft, order } = await again({}, draftOf('fox'), retry);
		expect(draft.isAskedAgain).toBe(true);
		expect(order.executionId).toBe('2');
	});

	test('failed otherwise: another takes its place, and knows of it', async () => {
		const { draft, order, before } = await again({ state: failed() });
		expect(order).toMatchObject({ state: { is: 'new' }, item: 0, run: 'run 0', executionId: '1' });
		expect([order.id, order.key]).not.toContain(before.id);
		expect(order.key).not.toBe(before.key);
		expect(draft).toMatchObject({ isTaken: false, ended: before });
	});

	test('that is of no create, or ended before: nothing', async () => {
		const invalid = draftOf('fox');
		fail(invalid.order, NOT_STARTED);
		const read: Draft = { ...draftOf('fox'), order: { ...orderOf('fox'), request: undefined } };
		const shared: Draft = { ...draftOf('fox'), sharedWith: draftOf('fox') };
		const drafts = [invalid, read, shared];
		const orders = structuredClone(drafts.map(({ order }) => order));
		const ledger = ledgerWith([known('fox')]);
		expect(await begin(ledger, ...drafts)).toEqual(orders);
	});
});

describe('what is kept with the execution', () => {
	test.each<[unknown, isForgetful: boolean]>([
		[undefined, false],
		[{ orders: [] }, false],
		[{ orders: [{}] }, true],
		[{ orders: {} }, true],
		['text', true],
		[null, true],
	])('is forgotten where it cannot be read: %j', async (kept, isForgetful) => {
		const context: IDataObject = {};
		if (kept !== undefined) Object.assign(context, { [CONTEXT_KEY]: kept });
		const ledger = ledgerOf({ context });
		expect(ledger.isForgetful).toBe(isForgetful);
		const [order] = await begin(ledger, draftOf('fox'));
		expect(context[CONTEXT_KEY]).toEqual({ orders: [order] });
	});

	test('is empty until something may be found', async () => {
		const memory = new Memory(clock.now);
		const ledger = ledgerOf({ memory, node: 'node' });
		expect(ledger.isEmpty).toBe(true);
		await begin(ledger, draftOf('fox'));
		expect(ledger.isEmpty).toBe(false);
		expect(ledgerOf({ memory, node: 'node' }).isEmpty).toBe(false);
		expect(ledgerOf({ memory, node: 'other' }).isEmpty).toBe(true);
		expect(ledgerOf({ memory }).isEmpty).toBe(true);
	});

	test('is of large records no more than a read needs, at the end', async () => {
		const ledger = ledgerOf();
		const orders = await begin(ledger, draftOf('fox'), draftOf('owl'), draftOf('cat'));
		const large = { text: 'x'.repeat(9_000) };
		const states = [
			runningAs(taskOf('task_1', 'processing', large)),
			runningAs(taskOf('task_2', 'completed', { ...large, results: ['x'] })),
			running('task_3'),
		];
		states.forEach((state, index) => Object.assign(orders[index] ?? {}, { state }));
		ledger.close();
		expect(orders.map(({ state }) => 'task' in state && state.task?.record)).toEqual([
			{ id: 'task_1', status: 'processing' },
			{ id: 'task_2', status: 'completed', results: [true] },
			{ id: 'task_3', status: 'processing' },
		]);
	});

	test('is of a run that succeeded what ended in an error, and all of other runs', async () => {
		const orders = [known('fox'), known('owl'), known('cat', { run: 'run -1' })];
		const context = { [CONTEXT_KEY]: { orders } };
		ledgerOf({ context }).forgetAllBut(orders.slice(1, 2));
		expect(context[CONTEXT_KEY]).toEqual({ orders: orders.slice(1) });
	});
});

describe('how many tasks an execution has created', () => {
	test('is counted over its runs and tries, and never below none', () => {
		const context = {};
		const ledger = ledgerOf({ context });
		expect(ledger.newTasks).toBe(0);
		ledger.count(1);
		ledger.count(1);
		expect(ledgerOf({ context, run: 'run 1' }).newTasks).toBe(2);
		ledger.count(-1);
		expect(ledger.newTasks).toBe(1);
		ledger.count(-5);
		expect(ledger.newTasks).toBe(0);
	});

	test('begins anew with a Retry', () => {
		const context = {};
		ledgerOf({ context }).count(3);
		const retry = ledgerOf({ context, executionId: '2' });
		expect(retry.newTasks).toBe(0);
		retry.count(1);
		expect(retry.newTasks).toBe(1);
	});
});

describe('what is told of a run', () => {
	const orders = [
		known('fox', { item: 2 }),
		known('owl', { item: 1, state: { is: 'running', taskId: 'task_2' } }),
		known('cat', { item: 4, state: { is: 'new' }, mayExist: { taskId: 'task_3' } }),
		known('dog', { item: 5, state: { is: 'new' }, mayExist: {} }),
		known('cow', { item: 6, state: refused }),
		known('pig', { run: 'run -1' }),
	];

	test('are its tasks, those of earlier tries included, and those that may exist', () => {
		expect(ledgerWith(orders).tasks()).toEqual([
			{ itemIndex: 2, taskId: 'task_1', status: 'processing' },
			{ itemIndex: 1, taskId: 'task_2', status: undefined },
			{ itemIndex: 4, taskId: 'task_3', status: undefined },
		]);
	});

	test('are the items whose create was not answered', () =>
		expect(ledgerWith(orders).unansweredItems()).toEqual([4, 5]));

	test('are of a tool those of this call alone', async () => {
		const ofTool = orders.map((order) => ({ ...order, run: TOOL_RUN }));
		const ledger = ledgerWith(ofTool, { run: TOOL_RUN });
		expect(ledger.tasks()).toEqual([]);
		await begin(ledger, draftOf('fox'), draftOf('dog', { index: 1 }));
		expect(ledger.tasks().map(({ taskId }) => taskId)).toEqual(['task_1']);
		expect(ledger.unansweredItems()).toEqual([1]);
	});
});
