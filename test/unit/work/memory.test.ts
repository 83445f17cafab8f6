import { Timer } from '../../../nodes/Videogen/ground/clock';
import { Ledger } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import {
	type Draft,
	type Order,
	type State,
	taskIdOf,
	TOOL_RUN,
} from '../../../nodes/Videogen/work/order';
import { nextKey } from '../../../nodes/Videogen/work/orderKey';
import { VirtualClock } from '../../programs/support/clocks';
import { draftOf, endOf, orderOf, runningAs, taskOf } from '../../programs/support/orders';

const SECOND = 1_000;
const HOUR = 60 * 60 * SECOND;

let clock: VirtualClock;
let memory: Memory;
beforeEach(() => {
	clock = new VirtualClock();
	memory = new Memory(clock.now);
});

const running = (id = 'task_1'): State => runningAs(taskOf(id));
const completed = (id = 'task_1'): State => ({
	...{ is: 'completed', taskId: id },
	task: taskOf(id, 'completed', { results: ['x'] }),
});
const failed = (id = 'task_1', error?: object): State => ({
	...{ is: 'failed', taskId: id, hadVideo: false },
	task: taskOf(id, 'failed', { error }),
});
const refused: State = { is: 'error', fault: { kind: 'refused', message: '', description: '' } };

/** An execution in the editor, with one run of the node. */
class Execution {
	readonly ledger: Ledger;

	readonly ending = new AbortController();

	readonly timer = new Timer(clock, this.ending.signal);

	/** The executions that it was said to wait for. */
	readonly waitedFor: string[] = [];

	constructor(
		readonly id: string,
		run = 'run 0',
		context = {},
	) {
		this.ledger = new Ledger({ context, run, executionId: id, memory, node: 'node' });
	}

	async begin(...drafts: Draft[]): Promise<Order[]> {
		await this.ledger.begin(drafts, this.timer, (by) => void this.waitedFor.push(by));
		return drafts.map(({ order }) => order);
	}

	/** Its item has come so far. */
	told(order: Order | undefined, state: State, more: Partial<Order> = {}): void {
		if (order === undefined) throw new Error('There is no order');
		Object.assign(order, { state, ...more });
		this.ledger.note(order);
	}

	/** An execution whose only item came to this. */
	static async with(id: string, state: State, more: Partial<Order> = {}): Promise<Execution> {
		const execution = new Execution(id);
		const [order] = await execution.begin(draftOf('fox'));
		execution.told(order, state, more);
		execution.ledger.close();
		return execution;
	}
}

describe('what another execution has ordered', () => {
	test('is read, with who and when', async () => {
		await clock.sleep(5_000);
		await Execution.with('A', running());
		const draft = draftOf('fox');
		const [order] = await new Execution('B').begin(draft);
		expect(order?.state).toEqual({ is: 'running', taskId: 'task_1' });
		expect(draft).toMatchObject({
			...{ isTaken: true, isAskedAgain: true },
			orderedBy: { executionId: 'A', atMs: 5_000 },
		});
	});
});

/** Time in which the other execution does something. */
const later = async (act: () => unknown): Promise<void> => {
	await clock.sleep(SECOND);
	act();
};

describe('an order that another execution has in hand', () => {
	const twoAtOnce = async () => {
		const [first, second] = [new Execution('A'), new Execution('B')];
		const [order] = await first.begin(draftOf('fox'));
		const draft = draftOf('fox');
		return { first, second, order, draft, done: second.begin(draft) };
	};

	test.each<[what: string, State, Partial<Order>, State['is'], isOfFirst: boolean]>([
		['and has a task then is read', running(), {}, 'running', true],
		['and may have a task then is not sent', refused, { mayExist: {} }, 'error', true],
		['and is refused then is ordered here', refused, {}, 'new', false],
		['and fails then has a successor here', failed(), {}, 'new', false],
	])('%s', async (_what, state, more, expected, isOfFirst) => {
		const { first, second, order, draft, done } = await twoAtOnce();
		void later(() => first.told(order, state, more));
		await done;
		expect([clock.now(), second.waitedFor]).toEqual([SECOND, ['A']]);
		expect(draft.order.state.is).toBe(expected);
		expect(draft.order.id === order?.id).toBe(isOfFirst);
	});

	test('whose run throws is ordered here', async () => {
		const { first, order, draft, done } = await twoAtOnce();
		void later(() => first.ledger.close());
		await done;
		expect(clock.now()).toBe(SECOND);
		expect(draft.order.state).toEqual({ is: 'new' });
		expect(draft.order.id).not.toBe(order?.id);
	});

	test('is waited for a minute at most: then nothing is ordered here', async () => {
		const { second, draft, done } = await twoAtOnce();
		await done;
		expect(clock.now()).toBe(60 * SECOND);
		expect(endOf(draft)).toBe('stopped');
		expect(draft.order.state).toMatchObject({
			fault: { message: 'Execution A is ordering this video now' },
		});
		expect(second.ledger.tasks()).toEqual([]);
		const [own] = await second.begin(draftOf('owl'));
		expect(own?.state).toEqual({ is: 'new' });
	});

	test('is waited for no longer than the run goes on, and told of once', async () => {
		const { first, second, draft, done } = await twoAtOnce();
		void later(() => void first.begin(draftOf('owl')));
		void later(() => second.ending.abort());
		await done;
		expect(clock.now()).toBe(SECOND);
		expect(endOf(draft)).toBe('stopped');
		expect(second.waitedFor).toEqual(['A']);
	});

	test('lets nothing be reserved meanwhile: others need not wait for who waits', async () => {
		const first = new Execution('A');
		const [order] = await first.begin(draftOf('fox'));
		const drafts = [draftOf('owl'), draftOf('fox', { index: 1 })];
		const done = new Execution('B').begin(...drafts);
		const third = new Execution('C');
		const [owl] = await third.begin(draftOf('owl'));
		void later(() => {
			first.told(order, running());
			third.told(owl, running('task_2'));
		});
		await done;
		expect([third.waitedFor, clock.now()]).toEqual([[], SECOND]);
		expect(drafts.map(endOf)).toEqual(['running', 'running']);
	});

	test.each<[what: string, before: State, Partial<Order>, end: string]>([
		['may exist, and was not sent', { is: 'new' }, { mayExist: {} }, 'noAnswer'],
		['has a task, and is read', running(), {}, 'running'],
	])('%s, is not under way for others', async (_what, before, more, end) => {
		await Execution.with('A', before, more);
		await new Execution('B').begin(draftOf('fox'));
		const draft = draftOf('fox');
		await new Execution('C').begin(draft);
		expect([clock.now(), endOf(draft)]).toEqual([0, end]);
	});
});

describe('an order that has ended', () => {
	const successor = async (id: string, draft = draftOf('fox')) => {
		const execution = new Execution(id);
		const [order] = await execution.begin(draft);
		return { execution, order, draft };
	};

	test('is continued with its successor by the execution that held it', async () => {
		const first = new Execution('A');
		const item = draftOf('fox');
		const [order] = await first.begin(item);
		first.told(order, failed());
		const { execution, order: next } = await successor('B');
		execution.told(next, running('task_2'));
		const second = draftOf('fox');
		await first.begin(second);
		expect(second).toMatchObject({ isTaken: true, orderedBy: { executionId: 'B' } });
		expect(taskIdOf(second.order)).toBe('task_2');
	});

	test('is not ordered by who held it while its successor is being sent', async () => {
		const context = {};
		const first = new Execution('A', 'run 0', context);
		const [order] = await first.begin(draftOf('fox'));
		first.told(order, failed());
		const { execution, order: next } = await successor('B');
		void later(() => execution.told(next, running('task_2')));
		const again = new Execution('A', 'run 0', context);
		const draft = draftOf('fox');
		await again.begin(draft);
		expect([clock.now(), again.waitedFor]).toEqual([SECOND, ['B']]);
		expect(taskIdOf(draft.order)).toBe('task_2');
	});

	test.each<[what: string, State, Partial<Order>, end: string, isOfOther: boolean]>([
		['read, where that has a task', running('task_2'), {}, 'running', true],
		['not sent, where that may have one', refused, { mayExist: {} }, 'noAnswer', true],
		['ordered, where that was refused', refused, {}, 'new', false],
		['ordered, where that has failed, too', failed('task_2'), {}, 'new', false],
	])('and is replaced in the run is %s', async (_what, state, more, end, isOfOther) => {
		const first = new Execution('A');
		const item = draftOf('fox');
		const [order] = await first.begin(item);
		first.told(order, failed());
		const { execution, order: next } = await successor('B');
		void later(() => execution.told(next, state, more));
		await first.ledger.replace(item, first.timer);
		expect(clock.now()).toBe(SECOND);
		expect(endOf(item)).toBe(end);
		expect(item.order.id === next?.id).toBe(isOfOther);
		expect(item.ended).toBe(order);
	});

	test('and whose successor takes longer than a minute is not ordered a second time', async () => {
		const first = new Execution('A');
		const item = draftOf('fox');
		const [order] = await first.begin(item);
		first.told(order, failed());
		await successor('B');
		await first.ledger.replace(item, first.timer);
		expect(clock.now()).toBe(60 * SECOND);
		expect(item.order.state).toMatchObject({
			fault: { kind: 'stopped', message: 'Execution B is ordering this video now' },
		});
	});

	test('gives its video to one item: a second equal one is ordered', async () => {
		await Execution.with('A', failed());
		const { execution, order } = await successor('B');
		execution.told(order, completed('task_2'));
		const [one, other] = await new Execution('C').begin(draftOf('fox'), draftOf('fox'));
		expect(one && taskIdOf(one)).toBe('task_2');
		expect(other?.state).toEqual({ is: 'new' });
	});

	test('with a no keeps a derived key, which every process finds', async () => {
		const derived = () => {
			const draft = draftOf('fox', { keyAfter: () => 'derived' });
			if (draft.create) draft.create.hasDerivedKey = true;
			return draft;
		};
		const { execution, order } = await successor('A', derived());
		const fault = { kind: 'moderation', message: '', description: '' } as const;
		execution.told(order, { is: 'error', fault });
		const { order: next, draft } = await successor('B', derived());
		expect(next).toMatchObject({ key: 'derived', state: { is: 'new' } });
		expect([next?.id, draft.ended?.id]).toEqual([
			expect.not.stringMatching(order?.id ?? ''),
			order?.id,
		]);
	});

	test('is followed by the key that follows from the last of them', async () => {
		const derived = () => {
			const draft = draftOf('fox', { keyAfter: (before) => `after ${before}` });
			if (draft.create) draft.create.hasDerivedKey = true;
			return draft;
		};
		const first = await successor('A', derived());
		first.execution.told(first.order, failed());
		const second = await successor('B', derived());
		expect(second.order?.key).toBe(nextKey('after 0', 'task_1'));
		second.execution.told(second.order, failed('task_2'));
		const third = await successor('C', derived());
		expect(third.order?.key).toBe(nextKey(second.order?.key ?? '', 'task_2'));
		third.execution.told(third.order, failed('task_3'));
		const fourth = derived();
		await first.execution.begin(fourth);
		expect(fourth.order.key).toBe(nextKey(third.order?.key ?? '', 'task_3'));
	});
});

describe('what is remembered', () => {
	const hold = (id: string, more: Partial<Order> = {}, isUnderWay = false) => {
		const order = orderOf('fox', { id, executionId: `of ${id}`, ...more });
		memory.hold('node', order, 'fox');
		memory.note('node', order, isUnderWay);
	};
	const ids = () => memory.matching('node', 'fox', 'me').map(({ id }) => id);

	test('has nothing of an item or its settings, and never its request', () => {
		hold('a', { state: running(), mayExist: {}, itemHash: 'its source' });
		expect(Object.keys(memory.find('node', 'a') ?? {}).sort()).toEqual([
			...['contentHash', 'heldBy', 'id', 'isOver', 'key', 'known', 'mayExist'],
			...['orderedAtMs', 'orderedBy', 'taskId', 'use'],
		]);
		expect(JSON.stringify(memory.find('node', 'a'))).not.toContain('prompt');
	});

	test('is sorted by how far it has come, then by who used it last', () => {
		hold('ended', { state: failed() });
		hold('mayExist', { mayExist: {} });
		hold('underWay', {}, true);
		hold('task', { state: running() });
		hold('later task', { state: running('task_2') });
		expect(ids()).toEqual(['later task', 'task', 'underWay', 'mayExist', 'ended']);
	});
	test('is nothing of what was not sent', () => {
		hold('refused', { state: refused });
		expect([ids(), memory.count('node')]).toEqual([[], 0]);
	});

	test('is forgotten a day after the task was made, and not before', async () => {
		hold('a', {}, true);
		await clock.sleep(HOUR);
		const order = orderOf('fox', { id: 'a', executionId: 'of a', state: running() });
		memory.note('node', order, false);
		await clock.sleep(24 * HOUR - 1);
		expect(ids()).toEqual(['a']);
		memory.hold('node', { ...order, executionId: 'another' }, 'fox');
		await clock.sleep(1);
		expect(ids()).toEqual([]);
		expect(memory.find('node', 'a')).toBeUndefined();
	});

	test('is at most 200 a node: the oldest that are over go first', () => {
		hold('0', { state: failed() });
		hold('1', { state: failed('task_1', { code: 'policy' }) });
		for (let index = 2; index < 199; index += 1) hold(`${index}`, { state: completed() });
		hold('open', { state: running() });
		hold('new', { state: failed() });
		expect(memory.count('node')).toBe(200);
		expect(ids()).not.toContain('0');
		expect(ids()).toContain('1');
		hold('newer', { state: completed() });
		expect(ids()).not.toContain('1');
		expect(ids()).toContain('open');
	});

	test('is all that is unfinished, unanswered or being sent, however many', () => {
		for (let index = 0; index < 100; index += 1) {
			hold(`open ${index}`, { state: running() });
			hold(`unanswered ${index}`, { mayExist: {} });
			hold(`underWay ${index}`, {}, true);
		}
		hold('over', { state: completed() });
		hold('last', {}, true);
		expect(memory.count('node')).toBe(301);
		expect(ids()).not.toContain('over');
	});

	test('is forgotten for each node by itself', async () => {
		hold('a', { state: running() });
		const other = orderOf('fox', { id: 'b', executionId: '2', state: running() });
		memory.hold('other', other, 'fox');
		expect([memory.count('node'), memory.count('other')]).toEqual([1, 1]);
		memory.forget('node', 'a');
		expect([memory.count('node'), memory.count('other')]).toEqual([0, 1]);
	});
	test('is of a tool only while its call runs', async () => {
		const context = {};
		const call = () =>
			new Ledger({ context, run: TOOL_RUN, executionId: '1', memory, node: 'node' });
		const draft = draftOf('fox');
		const first = call();
		const { timer } = new Execution('1');
		await first.begin([draft], timer, () => undefined);
		const second = draftOf('fox');
		void later(() => {
			draft.order.state = running();
			first.note(draft.order);
		});
		await call().begin([second], timer, () => undefined);
		expect(clock.now()).toBe(SECOND);
		expect(second.order).toBe(draft.order);
		first.close();
		expect(memory.count('node')).toBe(0);
	});
});

describe('what is remembered of a node', () => {
	const NODE = 'node';
	const held = (more: Partial<Order> = {}, hash = 'hash', inPlaceOf?: string): Order => {
		const order = orderOf('fox', { executionId: '1', state: running(), ...more });
		memory.hold(NODE, order, hash, inPlaceOf);
		return order;
	};

	test('are all others when one that was not sent is forgotten, with their successors', () => {
		const [first, second] = [held({ state: failed() }), held({ state: failed('task_2') })];
		const next = held({}, 'hash', first.id);
		const unsent = held({ state: { is: 'new' } }, 'hash', second.id);
		memory.note(NODE, unsent, false);
		expect(memory.count(NODE)).toBe(3);
		expect(memory.successorOf(NODE, first.id)?.id).toBe(next.id);
		expect(memory.successorOf(NODE, second.id)).toBeUndefined();
	});

	test('is whether a task may exist, and its ID where it is named, until it is known', () => {
		const order = held({ state: { is: 'new' }, mayExist: { taskId: 'task_7' } });
		expect(memory.find(NODE, order.id)?.mayExist).toEqual({ taskId: 'task_7' });
		memory.note(NODE, { ...order, mayExist: undefined, state: running() }, true);
		expect(memory.find(NODE, order.id)).toMatchObject({ mayExist: undefined, taskId: 'task_1' });
	});

	test('is when its task became known, however often it is read later', async () => {
		const order = held({ state: { is: 'new' } });
		const orderedAt = () => memory.find(NODE, order.id)?.orderedAtMs;
		await clock.sleep(5 * SECOND);
		memory.note(NODE, order, true);
		expect(orderedAt()).toBe(0);
		memory.note(NODE, { ...order, state: running() }, true);
		await clock.sleep(5 * SECOND);
		memory.note(NODE, { ...order, state: completed() }, false);
		expect(orderedAt()).toBe(5 * SECOND);
	});

	test('is how many equal orders each execution has', () => {
		held();
		held();
		held({}, 'another');
		held({ executionId: '2' });
		expect(memory.countHeld(NODE, 'hash', '1')).toBe(2);
		expect(memory.countHeld(NODE, 'hash', '2')).toBe(1);
	});

	test('is an execution once, however often it holds an order', () => {
		const order = held();
		memory.hold(NODE, order, 'hash');
		expect(memory.find(NODE, order.id)?.heldBy).toEqual(['1']);
	});
});

test('an order in the place of one that has ended names it in every try, and is saved once', async () => {
	const context: { videogen?: { orders: Order[] } } = {};
	const tryOf = async (id: string): Promise<Draft> => {
		const draft = draftOf('fox');
		await new Execution(id, 'run 0', context).begin(draft);
		return draft;
	};
	const ended = (await tryOf('1')).order;
	ended.state = failed();
	const replaced = await tryOf('2');
	expect(replaced.order).toMatchObject({ inPlaceOf: ended.id, state: { is: 'new' } });
	replaced.order.state = running('task_2');
	const again = await tryOf('3');
	expect(again.order.id).toBe(replaced.order.id);
	for (const draft of [replaced, again]) expect(draft.ended?.id).toBe(ended.id);
	expect(context.videogen?.orders).toHaveLength(2);
});
