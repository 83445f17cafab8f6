import type { IDataObject } from 'n8n-workflow';
import { hashOf } from '../../../nodes/Videogen/shared/json';
import { CONTEXT_KEY, Ledger, type Scope } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import type { Item, Order, State, Wish } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, scopeOf, taskOf, wishOf } from '../../support/work';

const FAULT = { kind: 'failed', message: 'No', description: 'Again.' } as const;
const fox = (its: Partial<Wish> = {}): Wish => wishOf('A fox', its);
const [FOX, OWL, ROW_7] = [fox(), wishOf('An owl'), fox({ keyText: 'row 7' })];
/** Of another item, by another request or another item in the input. */
const OTHER = { requestHash: 'x', fieldsHash: 'x' };

/** What n8n and this process keep. */
let context: IDataObject;
let memory: Memory;
let nowMs = 0;
beforeEach(() => {
	context = {};
	nowMs = 1_000;
	memory = new Memory(() => nowMs);
});

/** The first execution, and another one in the editor, which has a context of its own. */
const ledgerOf = (its: Partial<Scope> = {}): Ledger =>
	new Ledger(scopeOf({ context, memory, ...its }));
const click = (executionId = '1'): Partial<Scope> => ({ context: {}, isManual: true, executionId });
const retry = { executionId: '2' };

function begin(items: Item[], scope: Partial<Scope> = {}, max = 100): Item[] {
	ledgerOf(scope).begin(items, { max, isAdded: false });
	return items;
}

/** What the ledger makes of items with these wishes. */
const itemsOf = (wishes: Wish[]) => wishes.map((wish, index) => itemWith({ wish, index }));
const askAll = (wishes: Wish[], scope?: Partial<Scope>, max?: number): Item[] =>
	begin(itemsOf(wishes), scope, max);

/** The same of one item. */
function ask(wish = FOX, scope: Partial<Scope> = {}, more: Partial<Item> = {}): Item {
	const item = itemWith({ ...more, wish });
	begin([item], scope);
	return item;
}

/** The order of an item, which has come so far since. */
function reach(state: State, { order }: Item = ask(), executionId = '1'): Order {
	if (!order) throw new Error('It has no order');
	return Object.assign(order, { state, taskId: 'task_1', executionId });
}

const decisionsOf = (items: Item[]): string =>
	items.map(({ decision, failure }) => decision ?? failure?.kind).join(' ');
const saved = (): IDataObject => JSON.parse(JSON.stringify(context[CONTEXT_KEY]));
const places = (): string[] => Object.keys(Object(saved().orders));

describe('an item continues', () => {
	test.each<[string, Partial<Wish>, Partial<Scope>, boolean]>([
		['an equal request', { fieldsHash: 'x' }, {}, true],
		['the same fields', { requestHash: 'x' }, {}, true],
		['neither', OTHER, {}, false],
		['another run', {}, { run: 1 }, false],
	])('the order at its place: %s', (_what, its, scope, isContinued) => {
		const order = reach('task');
		const item = ask(fox(its), scope);
		expect([item.order === order, item.decision]).toEqual([
			isContinued,
			isContinued ? 'read' : 'create',
		]);
	});

	test.each<[State, Partial<Wish>, isContinued: boolean]>([
		['task', OTHER, true],
		['sent', OTHER, true],
		['failed', OTHER, false],
		['final', OTHER, false],
		['new', OTHER, false],
		['task', { ...OTHER, parametersHash: 'x' }, false],
		['final', { fieldsHash: 'x', parametersHash: 'x' }, true],
		['new', { requestHash: 'x', parametersHash: 'x' }, true],
	])('the order with whose error it comes back, %s, other %j: %s', (state, its, isContinued) => {
		const order = reach(state);
		const item = ask(fox(its), {}, { index: 1, returned: { orderId: order.id } });
		expect(item.order === order).toBe(isContinued);
		expect(places()).toEqual(isContinued ? ['0:1'] : ['0:0', '0:1']);
	});

	test('no order of an error that names none, or another', () => {
		const order = reach('task');
		ask(FOX, {}, { index: 1, returned: {} });
		ask(FOX, {}, { index: 2, returned: { orderId: 'x' } });
		expect(ask().order).toBe(order);
	});

	test('as a tool the order of its request, which equal calls share', () => {
		const asTool = { isTool: true, isManual: true };
		const order = reach('task', ask(FOX, asTool));
		const laterCall = (wish: Wish, its: Partial<Item> = {}) =>
			ask(wish, { ...asTool, run: 5 }, its).order;
		expect(laterCall(fox({ fieldsHash: 'x' }))).toBe(order);
		expect(laterCall(FOX, { index: 1 })).not.toBe(order);
		expect(laterCall(OWL, { returned: { orderId: order.id } })).not.toBe(order);
		expect(memory.ordersOf('node')).toEqual([]);
	});
});

describe('an equal order of this process is continued', () => {
	test.each<[string, Partial<Scope>, Partial<Wish>, isReused: boolean]>([
		['the next click', {}, { fieldsHash: 'x' }, true],
		['another request', {}, { requestHash: 'x' }, false],
		['the option off', {}, { mayReuse: false }, false],
		['another node', { node: 'other' }, {}, false],
		['production', { isManual: false }, {}, false],
		['a tool', { isTool: true }, {}, false],
	])('by %s: %#', (_what, scope, its, isReused) => {
		const order = reach('task', ask(FOX, click()));
		nowMs += 500;
		const item = ask(fox(its), { ...click('2'), ...scope });
		expect(item.order === order).toBe(isReused);
		expect(item.reused).toEqual(isReused ? { executionId: '1', atMs: 1_000 } : undefined);
		// Nor is what these create reused by the next click.
		const first = reach('task', ask(fox({ ...its, ...OTHER }), { ...click('3'), ...scope }), '3');
		const again = ask(fox(OTHER), click('4'));
		expect(again.order === first).toBe(isReused || 'requestHash' in its);
	});

	test('by a Retry of what began in the editor', () => {
		const { context: kept = {} } = click();
		ask(OWL, { ...click(), context: kept });
		const order = reach('task', ask(FOX, click('2')));
		expect(ask(FOX, { context: kept, executionId: '3' }).order).toBe(order);
	});

	test('running ones before ended ones, then the newest, each by one item', () => {
		const foxes = [FOX, FOX, FOX, FOX, FOX];
		const states: State[] = ['sent', 'failed', 'task', 'new', 'final'];
		const orders = askAll(foxes, click()).map((item, nth) => reach(states[nth] ?? 'new', item));
		Object.assign(orders[0] ?? {}, { taskId: undefined });
		const items = askAll(foxes, click('2'));
		expect(decisionsOf(items)).toBe('read refuse create create create');
		expect(items.slice(0, 2).map(({ order }) => order)).toEqual([orders[2], orders[0]]);
		// What replaces another stands in its place; the last one replaces none.
		const [, , third, fourth, last] = items.map(({ order }) => order);
		expect(memory.ordersOf('node').map(({ order }) => order)).toEqual([
			...[last, third, orders[3], orders[2], fourth, orders[0]],
		]);
	});

	test('in place of one that was never sent, by no other item of its own', () => {
		const execution = click();
		ask(FOX, execution);
		const order = reach('task', ask(FOX, click('2')));
		expect(ask(FOX, execution).order).toBe(order);
		const newer = orderOf('task', { id: 'newer' });
		memory.remember('node', newer, '3');
		const items = askAll([FOX, FOX, FOX], { ...execution, executionId: '4' });
		expect(items.slice(0, 2).map((item) => item.order?.id)).toEqual([order.id, newer.id]);
		expect(decisionsOf(items)).toBe('read read create');
	});

	test('but not that of a later item', () => {
		const execution = click();
		const [, item] = askAll([OWL, FOX], execution);
		reach('task', item);
		const items = askAll([fox({ fieldsHash: 'x' }), FOX], { ...execution, ...retry });
		expect(decisionsOf(items)).toBe('create read');
	});
});

describe('an order that has ended', () => {
	test.each<[State, Partial<Scope>]>([
		['failed', {}],
		['final', retry],
	])('%s is replaced by one of another id and key', (state, scope) => {
		const [item, owl] = askAll([FOX, OWL]);
		const { id, key } = reach(state, item);
		const { order, decision } = ask(FOX, scope);
		expect([order?.state, order?.taskId, decision]).toEqual(['new', undefined, 'create']);
		expect([order?.id === id, order?.key === key]).toEqual([false, false]);
		const [again, other] = askAll([FOX, OWL], scope);
		expect([again?.order, other?.order]).toEqual([order, owl?.order]);
	});

	test('leaves its place when its item comes back elsewhere', () => {
		const { id } = reach('failed');
		ask(FOX, {}, { index: 1, returned: { orderId: id } });
		expect(places()).toEqual(['0:1']);
	});

	test('is replaced for the next click, too, by one as new as that', () => {
		reach('failed', ask(FOX, click()));
		nowMs += 500;
		const order = reach('task', ask(FOX, click('2')), '2');
		const item = ask(FOX, click('3'));
		expect([item.order, item.reused]).toEqual([order, { executionId: '2', atMs: 1_500 }]);
	});

	test('says what a read has found, and by whom', () => {
		const order = reach('task');
		ledgerOf(retry).ended(order, 'final', FAULT);
		expect(order).toMatchObject({ state: 'final', error: FAULT, executionId: '2' });
		expect([ask(FOX, retry).decision, ask().decision]).toEqual(['same', 'create']);
	});
});

test('a video of an earlier execution counts as reused, one of this execution does not', () => {
	reach('task');
	expect([ask().reused, ask(FOX, retry).reused]).toEqual([undefined, { executionId: '1' }]);
});

describe('the text of a person', () => {
	const keyOf = (wish = ROW_7, scope: Partial<Scope> = {}) => ask(wish, scope).order?.key;

	test('gives a key, and the next one for each task that has ended', () => {
		expect(keyOf()).toBe('row 7/0');
		ledgerOf().ended(reach('task', ask(ROW_7)), 'failed', FAULT);
		expect(keyOf()).toBe('row 7/1');
		reach('failed', ask(ROW_7));
		expect(keyOf(ROW_7, retry)).toBe('row 7/2');
		expect(keyOf(wishOf('Other', { keyText: 'row 8' }))).toBe('row 8/0');
	});

	test('gives the next key in the editor, too, and the same after a no for content', () => {
		reach('failed', ask(ROW_7, click()));
		expect(keyOf(ROW_7, click('2'))).toBe('row 7/1');
		reach('final', ask(ROW_7)).taskId = undefined;
		expect(keyOf(ROW_7, retry)).toBe('row 7/0');
	});

	test('counts no end twice, and forgets none', () => {
		const order = reach('task', ask(ROW_7));
		const ledger = ledgerOf();
		for (const ended of [order, order, { ...order, keyCount: 4 }, order, { ...order, keyText: '' }])
			ledger.ended(ended, 'failed', FAULT);
		expect(saved().ended).toEqual({ [hashOf('row 7')]: 5 });
	});

	test.each<[string, Partial<Item>, Partial<Scope>, kind?: string | null]>([
		['another item', {}, {}, 'invalid'],
		['another run of the node', { index: 0 }, { run: 1 }, 'invalid'],
		['one that comes back without an order', { returned: {} }, {}, 'invalid'],
		[
			'one that comes back with the order of another text',
			{ returned: { orderId: 'x' } },
			{},
			'invalid',
		],
		['a tool', {}, { isTool: true }, null],
		['the same place', { index: 0 }, retry, null],
	])('may be used again by %s: %j %j', (_what, its, scope, kind) => {
		ask(ROW_7);
		const { failure } = ask(ROW_7, scope, { index: 1, ...its });
		expect(failure?.kind ?? null).toBe(kind);
		if (!failure) return;
		expect(failure.message).toContain('Idempotency Key: "row 7" is used by another item');
		expect(failure.description).toContain('Nothing was created for this item.');
	});

	test.each(['', 'row 7'])(
		'of two that come back with one order, one continues it; key: %s',
		(keyText) => {
			const wish = fox({ keyText });
			const { order } = ask(wish);
			const returned = { orderId: order?.id };
			const twins = itemsOf([wish, wish]).map((item) => ({ ...item, returned }));
			const [first, second] = begin(twins, { run: 1 });
			expect([first?.order?.id, first?.failure]).toEqual([order?.id, undefined]);
			expect(second?.order?.id).not.toBe(order?.id);
			expect(second?.failure?.kind).toBe(keyText === '' ? undefined : 'invalid');
		},
	);

	test('is not free for another item beside one that comes back with it', () => {
		const { id } = Object.assign(reach('new'), { keyText: 'row 7' });
		const [first, second] = itemsOf([ROW_7, ROW_7]);
		const items = begin([{ ...itemWith(first), returned: { orderId: id } }, itemWith(second)], {
			run: 1,
		});
		expect(items.map(({ failure }) => failure?.kind)).toEqual([undefined, 'invalid']);
	});
});

test('an order of which no task exists asks for what its item asks for now', () => {
	const wishes = [{}, { requestHash: 'x' }, { keyText: 'row 7' }, { keyText: 'row 7' }].map(fox);
	const [first, ...keys] = wishes.map((wish) => {
		const { order } = ask(wish);
		expect(order).toMatchObject({ requestHash: wish.requestHash, keyText: wish.keyText });
		return order?.key;
	});
	expect(keys).toEqual([first, 'row 7/0', 'row 7/0']);
	const sent = reach('sent');
	ask(fox({ fieldsHash: 'x' }));
	expect(sent.fieldsHash).toBe(FOX.fieldsHash);
});

describe('the limit', () => {
	const five = [...[1, 2, 3].map((row) => wishOf(`Fox ${row}`)), FOX, OWL];

	test.each([
		[true, 'raise'],
		[false, 'add'],
	])('creates all or none; added: %s', (isAdded, advice) => {
		const request = { model: 'm', prompt: 'x' };
		const items = [30, undefined, 5, 5, 5].map((duration, index) =>
			itemWith({ index, wish: wishOf(String(index), { request: { ...request, duration } }) }),
		);
		ledgerOf().begin(items, { max: 4, isAdded });
		const [failure] = new Set(items.map((item) => item.failure));
		expect(failure).toMatchObject({ kind: 'limit', description: expect.stringContaining(advice) });
		expect(failure?.message).toMatch(/ 4, .* 5 videos \(50 seconds/);
		expect(ledgerOf().isBusy([...items, itemWith()])).toBe(false);
		expect(decisionsOf(askAll(five.slice(1), {}, 4))).toBe('create create create create');
	});

	test('counts what is created, once, in all runs of an execution', () => {
		reach('task', askAll(five, {}, 5)[0]);
		expect(decisionsOf(askAll(five, {}, 5))).toBe('read create create create create');
		const inLoop = (scope: Partial<Scope>) => decisionsOf(askAll([OWL], { run: 1, ...scope }, 5));
		expect([inLoop({}), inLoop(retry)]).toEqual(['limit', 'create']);
		expect(decisionsOf(askAll(five.slice(0, 2), { executionId: '3' }, 1))).toBe('read create');
	});

	test('counts a send again once, and one that replaces another again', () => {
		const resend = fox({ mayResend: true });
		reach('sent', ask(resend)).taskId = undefined;
		const again = () => askAll([resend], retry, 1);
		expect([again(), again()].map(decisionsOf)).toEqual(['create', 'create']);
		reach('failed', again()[0], '2');
		expect(decisionsOf(again())).toBe('limit');
	});
});

describe('what n8n has kept', () => {
	test('is found by a Retry, and what this process knows of it counts', () => {
		const order = reach('sent', ask(ROW_7));
		const kept = { [CONTEXT_KEY]: saved() };
		ledgerOf().ended(order, 'failed', FAULT);
		expect(ask(ROW_7, { ...retry, context: { ...kept } }).order?.key).toBe('row 7/1');
		const restarted = {
			...retry,
			context: { [CONTEXT_KEY]: saved() },
			memory: new Memory(() => 0),
		};
		expect(ask(ROW_7, restarted)).toMatchObject({ decision: 'create', order: { state: 'new' } });
	});

	test.each<[string, unknown]>([
		...['id', 'startedBy', 'isManual', 'orders', 'ended', 'texts', 'created'].map(
			(name): [string, unknown] => [name, [7]],
		),
		['orders', { '0:0': { ...orderOf('task'), state: 'under way' } }],
		['ended', { x: '1' }],
		['texts', { x: 1 }],
		['created', { executionId: 1, count: 1 }],
		['created', { executionId: '1', count: '1' }],
	])('creates nothing where it cannot be read: %s %j', (name, value) => {
		reach('task');
		const kept = { ...saved(), [name]: value };
		const unread = { context: { [CONTEXT_KEY]: kept } };
		const { failure } = ask(FOX, unread);
		expect([failure?.kind, failure?.message]).toEqual([
			'noAnswer',
			expect.stringContaining('cannot be read by this version'),
		]);
		expect(ledgerOf(unread).isUnreadable).toBe(true);
		expect(unread.context[CONTEXT_KEY]).toBe(kept);
	});

	test('loses large records when the node is done, and orders that nobody asks for again', () => {
		const items = askAll([FOX, OWL]);
		const large = taskOf('completed', { words: 'x'.repeat(10_000) });
		items.forEach(({ order }) => Object.assign(order ?? {}, { task: large }));
		const closed = (served: Item[], scope: Partial<Scope> = {}) => {
			ledgerOf(scope).close(served);
			return places();
		};
		const call = ask(FOX, { isTool: true });
		const ofCall = 'request of A fox:0';
		expect(closed([call], { isTool: true })).toEqual(['0:0', '0:1', ofCall]);
		expect(items.map(({ order }) => order?.task)).toEqual([undefined, undefined]);
		// What a Retry forgets, this process remembers for the next one.
		expect(closed(items, retry)).toEqual([ofCall]);
		expect(closed(items.slice(1))).toEqual(['0:0', ofCall]);
		expect(closed([])).toEqual(['0:0', ofCall]);
	});
});

describe('while another call creates', () => {
	const [ofFox, ofOwl] = [itemWith(), itemWith({ wish: OWL })];

	test.each<[string, theirs: Partial<Scope>, its: Partial<Scope>, Partial<Wish>, boolean]>([
		['equal calls of a tool', { isTool: true }, { isTool: true }, {}, true],
		['the next click', click(), click('2'), {}, true],
		['the next click without reuse', click(), click('2'), { mayReuse: false }, false],
		['another Retry with $now', retry, { executionId: '3' }, { requestHash: 'x' }, true],
		['another execution', { context: {} }, { context: {}, ...retry }, {}, false],
	])('%s: an item waits that asks for that, %#', (_what, theirs, its, wish, isBusy) => {
		const creating = ledgerOf(theirs);
		const item = itemWith();
		creating.begin([item], { max: 1, isAdded: false });
		const waiting = ledgerOf(its);
		const isWaiting = () => waiting.isBusy([ofOwl, itemWith({ wish: fox(wish) })]);
		expect([creating.isBusy([ofFox]), waiting.isBusy([ofOwl])]).toEqual([false, false]);
		expect(waiting.isBusy([{ index: 0, simplify: true }])).toBe(false);
		expect(isWaiting()).toBe(isBusy);
		waiting.release(reach('new', item));
		expect(isWaiting()).toBe(isBusy);
		creating.release(reach('new', item));
		expect(isWaiting()).toBe(false);
	});
});
