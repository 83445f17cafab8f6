import type { Entry } from '../../../nodes/Videogen/work/entry';
import { MAX_ORDERS_OF_NODE, Orders } from '../../../nodes/Videogen/work/orders';
import { taskOf } from '../../programs/support/entries';

const DAY_MS = 24 * 60 * 60_000;
const NODE = 'a node with its service';
const HASH = 'a request';

/** Orders at a time that the test sets. */
class Scene {
	nowMs = 1_000_000;

	readonly orders = new Orders(() => this.nowMs);

	/** Orders in an execution, and gives what came of it to the order. */
	order(executionId: string, result: Partial<Entry> = {}, hash = HASH, node = NODE) {
		const order = this.orders.add(node, hash, executionId);
		this.settle(order, result, node);
		return order;
	}

	settle(order: ReturnType<Orders['add']>, result: Partial<Entry>, node = NODE) {
		this.orders.settle(node, order, entry(result));
	}

	tasksFor(executionId: string, { hash = HASH, node = NODE } = {}) {
		return this.orders.matching(node, hash, executionId).map(({ taskId }) => taskId);
	}
}

const entry = (more: Partial<Entry>): Entry => ({ item: 0, wishes: [], ...more });
const withTask = (id: string) => ({ task: taskOf(id) });

test('an order matches the same request of the same node, in other executions only', () => {
	const scene = new Scene();
	scene.order('1', withTask('a'));
	expect(scene.tasksFor('2')).toEqual(['a']);
	expect(scene.tasksFor('1')).toEqual([]);
	expect(scene.tasksFor('2', { hash: 'another' })).toEqual([]);
	expect(scene.tasksFor('2', { node: 'another' })).toEqual([]);
});

test('those of the latest execution come first, as they were ordered; then the newest', () => {
	const scene = new Scene();
	const [oldest] = ['a', 'b'].map((id) => scene.order('1', withTask(id)));
	for (const id of ['c', 'd']) scene.order('2', withTask(id));
	for (const id of ['e', 'f']) scene.order('3', withTask(id));
	expect(scene.tasksFor('4')).toEqual(['e', 'f', 'd', 'c', 'b', 'a']);
	if (oldest) scene.orders.use(oldest, '5');
	expect(scene.tasksFor('4')).toEqual(['a', 'f', 'e', 'd', 'c', 'b']);
	expect(scene.tasksFor('5')).toEqual(['e', 'f', 'd', 'c', 'b']);
});

test('one that is used is no longer refused', () => {
	const scene = new Scene();
	const order = scene.order('1', { unanswered: 1, orderKey: 'key' });
	order.refusedTo = '2';
	scene.orders.use(order, '3');
	expect(order).toMatchObject({ orderedBy: '1', usedBy: '3' });
	expect(order).not.toHaveProperty('refusedTo');
});

test('an order is forgotten after a day', () => {
	const scene = new Scene();
	scene.order('1', withTask('a'));
	scene.nowMs += DAY_MS - 1;
	expect(scene.tasksFor('2')).toEqual(['a']);
	scene.nowMs += 1;
	expect(scene.tasksFor('2')).toEqual([]);
});

test('of each node, only the last are kept', () => {
	const scene = new Scene();
	scene.order('1', withTask('of another'), HASH, 'another');
	const ids = Array.from({ length: MAX_ORDERS_OF_NODE + 1 }, (_, index) => `${index}`);
	for (const id of ids) scene.order('1', withTask(id));
	expect(scene.tasksFor('2')).toEqual(ids.slice(1));
	expect(scene.tasksFor('2', { node: 'another' })).toEqual(['of another']);
});

describe('what came of a create', () => {
	test('is not known before', () => {
		const scene = new Scene();
		const order = scene.orders.add(NODE, HASH, '1');
		expect(order).toMatchObject({ underWay: true, orderedBy: '1', usedBy: '1' });
		expect(order.orderedAtMs).toBe(scene.nowMs);
	});

	test('a task, which is found by its id', () => {
		const scene = new Scene();
		scene.order('1', withTask('another'));
		const order = scene.order('1', withTask('a'));
		expect(order).toMatchObject({ underWay: false, taskId: 'a' });
		expect(scene.orders.orderOf(NODE, entry(withTask('a')))).toBe(order);
		expect(scene.orders.orderOf(NODE, entry(withTask('b')))).toBeUndefined();
	});

	test('no clear answer, which is found by its key', () => {
		const scene = new Scene();
		scene.order('1', { unanswered: 1 });
		const unclear = { taskId: 'named', unanswered: 2, orderKey: 'key' };
		const order = scene.order('1', unclear);
		expect(order).toMatchObject({ underWay: false, unclear });
		expect(order.taskId).toBeUndefined();
		expect(scene.orders.orderOf(NODE, entry({ orderKey: 'key' }))).toBe(order);
		expect(scene.orders.orderOf(NODE, entry({ orderKey: 'another' }))).toBeUndefined();
		expect(scene.orders.orderOf(NODE, entry({}))).toBeUndefined();
	});

	test('a task after no clear answer, and the other way after a task that failed', () => {
		const scene = new Scene();
		const order = scene.order('1', { unanswered: 1, orderKey: 'key' });
		scene.settle(order, { ...withTask('a'), unanswered: 1, orderKey: 'key' });
		expect(order.unclear).toBeUndefined();
		scene.settle(order, { unanswered: 1, orderKey: 'other key' });
		expect(order).toMatchObject({ taskId: undefined, unclear: { orderKey: 'other key' } });
	});

	test('nothing: only that order is forgotten', () => {
		const scene = new Scene();
		scene.order('1', withTask('a'));
		scene.order('1');
		expect(scene.orders.matching(NODE, HASH, '2')).toEqual([
			expect.objectContaining({ taskId: 'a' }),
		]);
	});

	test('another task counts as ordered then, and by the execution that uses it', () => {
		const scene = new Scene();
		const order = scene.order('1', withTask('a'));
		const { orderedAtMs } = order;
		scene.nowMs += 5;
		scene.orders.use(order, '2');
		scene.settle(order, withTask('a'));
		expect(order).toMatchObject({ orderedBy: '1', orderedAtMs });
		scene.settle(order, withTask('b'));
		expect(order).toMatchObject({ orderedBy: '2', orderedAtMs: orderedAtMs + 5 });
	});

	test('wakes those who wait for it, each time', () => {
		const scene = new Scene();
		const order = scene.order('1', withTask('a'));
		const first = scene.orders.nextSettled;
		expect([first.aborted, scene.orders.nextSettled === first]).toEqual([false, true]);
		scene.settle(order, withTask('a'));
		expect([first.aborted, scene.orders.nextSettled.aborted]).toEqual([true, false]);
	});
});

test('orders of one node are forgotten by what they are', () => {
	const scene = new Scene();
	for (const node of [NODE, 'another']) {
		for (const id of ['a', 'b']) scene.order('1', withTask(id), HASH, node);
	}
	scene.orders.forget(NODE, ({ taskId }) => taskId === 'a');
	expect(scene.tasksFor('2')).toEqual(['b']);
	expect(scene.tasksFor('2', { node: 'another' })).toEqual(['a', 'b']);
});

describe('the place of a link', () => {
	test('is that of the result of a task, however it is signed', () => {
		const { orders } = new Scene();
		orders.recordResults('a service', 'task', ['/v?sig=1', '/w?sig=1']);
		orders.recordResults('a service', 'task', ['/v?sig=2', '/w?sig=2']);
		orders.recordResults('a service', 'another task', ['/x']);
		const places = ['/v?sig=1', '/w?sig=1', '/v?sig=2', '/w?sig=2', '/x'].map((url) =>
			orders.placeOf('a service', url),
		);
		const [v, w, , , x] = places;
		expect(places).toEqual([v, w, v, w, x]);
		expect(new Set([v, w, x, undefined]).size).toBe(4);
		expect(orders.placeOf('another service', '/v?sig=1')).toBeUndefined();
	});

	test('is kept for the last 10,000', () => {
		const { orders } = new Scene();
		const urls = Array.from({ length: 10_001 }, (_, index) => `/${index}`);
		orders.recordResults('a service', 'task', urls);
		const isKept = ['/0', '/1', '/10000'].map(
			(url) => orders.placeOf('a service', url) !== undefined,
		);
		expect(isKept).toEqual([false, true, true]);
	});
});
