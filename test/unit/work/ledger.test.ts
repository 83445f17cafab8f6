import type { IDataObject } from 'n8n-workflow';
import { hashOf } from '../../../nodes/Videogen/shared/json';
import { CONTEXT_KEY, Ledger, type Scope } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import type { Item, Order, State, Wish } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, scopeOf, taskOf, wishOf } from '../../programs/support/work';

const FAULT = { kind: 'failed', message: 'No', description: 'Again.' } as const;
const LIMIT = { max: 100, isAdded: false };

/** What n8n and this process keep. */
let context: IDataObject;
let memory: Memory;
let nowMs = 0;
beforeEach(() => {
	context = {};
	nowMs = 1_000;
	memory = new Memory(() => nowMs);
});

const ledgerOf = (its: Partial<Scope> = {}): Ledger =>
	new Ledger(scopeOf({ context, memory, ...its }));

const itemsOf = (...wishes: Wish[]): Item[] =>
	wishes.map((wish, index) => itemWith({ wish, index }));

/** Items with these wishes in a run of execution 1, and what is done with them. */
function begun(items: Item[], its: Partial<Scope> = {}, limit = LIMIT): Item[] {
	ledgerOf(its).begin(items, limit);
	return items;
}

/** An item that has begun, whose order has come so far since. */
function broughtTo(state: State, wish = wishOf(), its: Partial<Scope> = {}): Order {
	const [{ order } = {}] = begun(itemsOf(wish), its);
	if (!order) throw new Error('It has no order');
	return Object.assign(order, { state, taskId: 'task_1', executionId: its.executionId ?? '1' });
}

/** The next execution in the editor, which has a context of its own. */
const nextClick = (executionId: string): Partial<Scope> => ({
	...{ context: {}, isManual: true, executionId },
});
const firstClick = (): Partial<Scope> => nextClick('1');

const one = (items: Item[]): Item => items[0] ?? itemWith();

describe('an item continues', () => {
	test.each<[string, Partial<Wish>, boolean]>([
		['with an equal request', { fieldsHash: 'x' }, true],
		['of the same fields', { requestHash: 'x' }, true],
		['with neither', { fieldsHash: 'x', requestHash: 'x' }, false],
	])('the order at its place %s: %s %s', (_what, its, isContinued) => {
		const order = broughtTo('task');
		const { order: found, decision } = one(begun(itemsOf(wishOf('A fox', its))));
		expect([found === order, decision]).toEqual(isContinued ? [true, 'read'] : [false, 'create']);
		expect(one(begun(itemsOf(wishOf()), { run: 1 })).order).not.toBe(order);
	});

	const closer = { parametersHash: 'x' };
	const other = { fieldsHash: 'x', requestHash: 'x' };
	test.each<[State, Partial<Wish>, isContinued: boolean]>([
		['task', other, true],
		['sent', other, true],
		['failed', other, false],
		['final', other, false],
		['new', other, false],
		['task', { ...other, ...closer }, false],
		['final', { fieldsHash: 'x', ...closer }, true],
		['new', { requestHash: 'x', ...closer }, true],
	])('the order with whose error it comes back: %s, other %j', (state, its, isContinued) => {
		const order = broughtTo(state);
		const [, item] = itemsOf(wishOf('An owl'), wishOf('A fox', its));
		Object.assign(item ?? {}, { returned: { orderId: order.id } });
		begun(item ? [item] : []);
		expect(item?.order?.id === order.id).toBe(isContinued);
		// It has moved: the next item at its place has another one.
		const next = one(begun(itemsOf(wishOf()))).order;
		if (isContinued) expect([item?.order, order]).not.toContain(next);
	});

	test('no order of an error that names none, nor that of another item', () => {
		const order = broughtTo('task');
		const [, item] = itemsOf(wishOf(), wishOf());
		begun(
			item
				? [
						{ ...item, returned: {} },
						{ ...item, returned: { orderId: 'x' }, index: 2 },
					]
				: [],
		);
		expect(one(begun(itemsOf(wishOf()))).order).toBe(order);
	});

	test('as a tool the order of its request, which equal calls share', () => {
		const asTool = { isTool: true, isManual: true };
		const order = broughtTo('task', wishOf(), asTool);
		const call = (prompt: string, its: Partial<Item>) =>
			begun([itemWith({ wish: wishOf(prompt, { fieldsHash: 'x' }), ...its })], {
				...asTool,
				run: 5,
			});
		expect(one(call('A fox', {})).order).toBe(order);
		expect(one(call('A fox', { index: 1 })).order).not.toBe(order);
		expect(one(call('An owl', { returned: { orderId: order.id } })).order).not.toBe(order);
		expect(memory.ordersOf('node')).toEqual([]);
	});

	test('nothing where it asks for nothing, or is bad', () => {
		const items: Item[] = [
			{ index: 0, simplify: true, readId: 'x' },
			{ ...itemWith(), fault: FAULT },
		];
		expect(begun(items)).toMatchObject([{ readId: 'x' }, { fault: FAULT }]);
		expect(items.map(({ order }) => order)).toEqual([undefined, undefined]);
	});
});

describe('an equal order of this process is continued', () => {
	const again = (its: Partial<Wish> = {}, scope: Partial<Scope> = {}): Item =>
		one(begun(itemsOf(wishOf('A fox', its)), { ...nextClick('2'), ...scope }));

	test('by the next click, which says from when', () => {
		const order = broughtTo('task', wishOf(), firstClick());
		nowMs += 500;
		const item = again({ fieldsHash: 'x' });
		expect(item).toMatchObject({ decision: 'read', reused: { executionId: '1', atMs: 1_000 } });
		expect(item.order).toBe(order);
	});

	test.each<[string, Partial<Wish>, Partial<Scope>]>([
		['another request', { requestHash: 'x' }, {}],
		['the option off', { mayReuse: false }, {}],
		['another node', {}, { node: 'other' }],
		['production', {}, { isManual: false }],
		['a tool', {}, { isTool: true }],
	])('but not with %s', (_what, its, scope) => {
		broughtTo('task', wishOf(), firstClick());
		const item = again(its, scope);
		expect([item.decision, item.reused]).toEqual(['create', undefined]);
	});

	test.each<[string, Partial<Wish>, Partial<Scope>]>([
		['the option was off', { mayReuse: false }, {}],
		['it was in production', {}, { isManual: false }],
	])('but not where %s', (_what, its, scope) => {
		broughtTo('task', wishOf('A fox', its), { ...firstClick(), ...scope });
		expect(again().decision).toBe('create');
	});

	test('by a Retry of what began in the editor', () => {
		const retried = nextClick('2').context;
		broughtTo('new', wishOf('An owl'), { ...firstClick(), context: retried });
		const order = broughtTo('task', wishOf(), nextClick('2'));
		const item = again({}, { context: retried, isManual: false, executionId: '3' });
		expect(item.order).toBe(order);
	});

	test('running ones before ended ones, then the newest, each by one item', () => {
		const foxes = () => itemsOf(...Array.from({ length: 5 }, () => wishOf()));
		const states: State[] = ['sent', 'failed', 'task', 'new', 'final'];
		const orders = begun(foxes(), firstClick()).map(({ order }, nth) =>
			Object.assign(order ?? orderOf('new'), { state: states[nth], executionId: '1' }),
		);
		const idsBefore = memory.ordersOf('node').map(({ order }) => order.id);
		const items = begun(foxes(), nextClick('2'));
		expect(items.map(({ decision }) => decision)).toEqual([
			...['read', 'refuse', 'create', 'create', 'create'],
		]);
		expect(items.slice(0, 2).map(({ order }) => order)).toEqual([orders[2], orders[0]]);
		// The newest stands first: the last item's is no replacement, the others stand in their places.
		const idsAfter = memory.ordersOf('node').map(({ order }) => order.id);
		const [, , third, fourth, fifth] = items.map(({ order }) => order?.id);
		const [, unsent] = idsBefore;
		expect(idsAfter).toEqual([fifth, third, unsent, orders[2]?.id, fourth, orders[0]?.id]);
	});

	test('in place of one that was never sent, by no other item of its own', () => {
		const execution = firstClick();
		broughtTo('new', wishOf(), execution);
		const order = broughtTo('task', wishOf(), nextClick('2'));
		expect(one(begun(itemsOf(wishOf()), execution)).order).toBe(order);
		const newer = orderOf('task', { id: 'newer' });
		memory.remember('node', newer, '3');
		const retry = begun(itemsOf(wishOf(), wishOf(), wishOf()), { ...execution, executionId: '4' });
		expect(retry.map((item) => item.order?.id).slice(0, 2)).toEqual([order.id, newer.id]);
		expect(retry[2]?.decision).toBe('create');
	});

	test('but not that of a later item', () => {
		const execution = firstClick();
		const [, item] = begun(itemsOf(wishOf('An owl'), wishOf()), execution);
		Object.assign(item?.order ?? {}, { state: 'task', executionId: '1' });
		const foxes = itemsOf(wishOf('A fox', { fieldsHash: 'x' }), wishOf());
		const retry = begun(foxes, { ...execution, executionId: '2' });
		expect(retry.map(({ decision }) => decision)).toEqual(['create', 'read']);
	});
});

describe('an order that has ended', () => {
	test.each<[string, Partial<Scope>]>([
		['failed', {}],
		['final', { executionId: '2' }],
	])('%s is replaced by one of another id and key', (state, its) => {
		const [item, owl] = begun(itemsOf(wishOf(), wishOf('An owl')));
		const ended = Object.assign(item?.order ?? orderOf('new'), { state, executionId: '1' });
		const { order, decision } = one(begun(itemsOf(wishOf()), its));
		expect(one(begun(owl ? [owl] : [], its)).order).toBe(owl?.order);
		expect([order?.state, decision, order?.taskId]).toEqual(['new', 'create', undefined]);
		expect([ended.id, ended.key]).not.toContain(order?.id);
		expect(order?.key).not.toBe(ended.key);
		expect(one(begun(itemsOf(wishOf()), its)).order).toBe(order);
	});

	test('is replaced for the next click, too, and as new as that', () => {
		broughtTo('failed', wishOf(), firstClick());
		nowMs += 500;
		const order = broughtTo('task', wishOf(), nextClick('2'));
		const item = one(begun(itemsOf(wishOf()), nextClick('3')));
		expect([item.order, item.reused]).toEqual([order, { executionId: '2', atMs: 1_500 }]);
	});

	test('leaves its place with an item that comes back', () => {
		const { id } = broughtTo('failed');
		begun([itemWith({ index: 1, returned: { orderId: id } })]);
		expect(Object.keys(Object(context[CONTEXT_KEY]).orders)).toEqual(['0:1']);
	});

	test('ends in the same way within its execution', () => {
		const order = broughtTo('final');
		expect(one(begun(itemsOf(wishOf())))).toMatchObject({ order, decision: 'same' });
	});

	test('says what a read has found, and by whom', () => {
		const order = broughtTo('task');
		ledgerOf({ executionId: '2' }).ended(order, 'final', FAULT);
		expect(order).toMatchObject({ state: 'final', error: FAULT, executionId: '2' });
	});
});

test('a video of an earlier execution counts as reused, one of this execution does not', () => {
	broughtTo('task');
	const reuses = ['1', '2'].map(
		(executionId) => one(begun(itemsOf(wishOf()), { executionId })).reused,
	);
	expect(reuses).toEqual([undefined, { executionId: '1', atMs: undefined }]);
});

describe('the text of a person', () => {
	const row = wishOf('A fox', { keyText: 'row 7' });
	const keyOf = (its: Partial<Scope> = {}, wish = row) => one(begun(itemsOf(wish), its)).order?.key;

	test('gives a key, and the next one for each task that has ended', () => {
		expect(keyOf()).toBe('row 7/0');
		ledgerOf().ended(broughtTo('task', row), 'failed', FAULT);
		expect(keyOf()).toBe('row 7/1');
		broughtTo('failed', row);
		expect(keyOf({ executionId: '2' })).toBe('row 7/2');
		expect(keyOf({}, wishOf('Other', { keyText: 'row 8' }))).toBe('row 8/0');
	});

	test('gives the next key in the editor, too, and the same after a no for content', () => {
		broughtTo('failed', row, firstClick());
		expect(keyOf(nextClick('2'))).toBe('row 7/1');
		Object.assign(broughtTo('final', row), { taskId: undefined });
		expect(keyOf({ executionId: '2' })).toBe('row 7/0');
	});

	test('counts no end twice, and forgets none', () => {
		const order = broughtTo('task', row);
		const [ledger, hash] = [ledgerOf(), hashOf(row.keyText)];
		[order, order, { ...order, keyCount: 4 }, order].forEach((ended) =>
			ledger.ended(ended, 'failed', FAULT),
		);
		expect(context).toMatchObject({ [CONTEXT_KEY]: { ended: { [hash]: 5 } } });
		ledger.ended({ ...order, keyText: '' }, 'failed', FAULT);
		expect(Object.keys(Object(context[CONTEXT_KEY]).ended)).toEqual([hash]);
	});

	test.each<[string, Partial<Item>, Partial<Scope>, kind: string | undefined]>([
		['another item', {}, {}, 'invalid'],
		['another run of the node', { index: 0 }, { run: 1 }, 'invalid'],
		['an item that comes back', { returned: { orderId: 'x' } }, {}, undefined],
		['one that comes back without an order', { returned: {} }, {}, 'invalid'],
		['a tool', {}, { isTool: true }, undefined],
		['the same place', { index: 0 }, { executionId: '2' }, undefined],
		['one with another text', { wish: wishOf('A fox', { keyText: 'row 8' }) }, {}, undefined],
		['one without a text', { wish: wishOf() }, {}, undefined],
	])('may be used again by %s: %j %j', (_what, its, scope, kind) => {
		begun(itemsOf(row));
		const item = itemWith({ wish: row, index: 1, ...its });
		expect(one(begun([item], scope)).fault?.kind).toBe(kind);
		if (kind) {
			expect(item.order).toBeUndefined();
			expect(item.fault?.message).toContain('Idempotency Key: "row 7"');
			expect(item.fault?.description).toContain('Nothing was created for this item.');
		}
	});
});

test('an order of which no task exists asks for what its item asks for now', () => {
	const [first, ...keys] = [
		{},
		{ requestHash: 'x' },
		{ keyText: 'row 7' },
		{ keyText: 'row 7', requestHash: 'x' },
		{ keyText: 'row 8' },
	].map((its) => {
		const wish = wishOf('A fox', its);
		const { order } = one(begun(itemsOf(wish)));
		expect(order).toMatchObject({ requestHash: wish.requestHash, keyText: wish.keyText });
		return order?.key;
	});
	expect(keys).toEqual([first, 'row 7/0', 'row 7/0', 'row 8/0']);
	const sent = broughtTo('sent');
	begun(itemsOf(wishOf('A fox', { fieldsHash: 'x' })));
	expect(sent.fieldsHash).not.toBe('x');
});

describe('the limit', () => {
	const five = (): Item[] => itemsOf(...[1, 2, 3, 4, 5].map((row) => wishOf(`Fox ${row}`)));
	const decisionsOf = (items: Item[]) => items.map(({ decision }) => decision ?? 'none').join(' ');

	test.each([
		[true, "Send fewer items, or raise 'Max New Videos per Run'"],
		[false, "Send fewer items, or add 'Max New Videos per Run'"],
	])('creates all or none; added: %s', (isAdded, advice) => {
		const items = five();
		Object.assign(items[0] ?? {}, {
			wish: wishOf('x', { request: { model: 'm', prompt: 'x', duration: 30 } }),
		});
		Object.assign(items[1] ?? {}, { wish: wishOf('y', { request: { model: 'm', prompt: 'y' } }) });
		expect(decisionsOf(begun(items, {}, { max: 4, isAdded }))).toBe('none none none none none');
		expect(one(items).fault?.message).toBe(
			"'Max New Videos per Run' is 4, but this execution would create 5 videos (50 seconds in total)",
		);
		expect(one(items).fault).toMatchObject({
			kind: 'limit',
			description: expect.stringContaining(advice),
		});
		expect(ledgerOf().isBusy(items.map(({ wish }) => ({ ...itemWith(), wish })))).toBe(false);
		expect(decisionsOf(begun(five().slice(1), {}, { max: 4, isAdded }))).toBe(
			'create create create create',
		);
	});

	test('counts what is created, once, in all runs of an execution', () => {
		broughtTo('task', wishOf('Fox 1'));
		begun(five(), {}, { max: 5, isAdded: false });
		expect(decisionsOf(begun(five(), {}, { max: 5, isAdded: false }))).toMatch(/^read create/);
		const more = itemsOf(wishOf('An owl'));
		expect(one(begun(more, { run: 1 }, { max: 5, isAdded: false })).fault?.kind).toBe('limit');
		expect(
			one(
				begun(itemsOf(wishOf('An owl')), { run: 1, executionId: '2' }, { max: 1, isAdded: false }),
			).decision,
		).toBe('create');
	});

	test('counts no video that exists, for which nobody waits', () => {
		memory.release(broughtTo('task'));
		const items = itemsOf(wishOf(), wishOf('An owl'));
		begun(items, { executionId: '2' }, { max: 1, isAdded: false });
		expect(decisionsOf(items)).toBe('read create');
		const isBusy = items.map((item) => ledgerOf().isBusy([item]));
		expect(isBusy).toEqual([false, true]);
	});

	test('counts a send again once, and one that replaces another again', () => {
		const resend = wishOf('A fox', { mayResend: true });
		broughtTo('sent', resend).taskId = undefined;
		const max = { max: 1, isAdded: false };
		const again = () => one(begun(itemsOf(resend), { executionId: '2' }, max));
		expect([again().decision, again().decision]).toEqual(['create', 'create']);
		Object.assign(again().order ?? {}, { state: 'failed' });
		expect(again().fault?.kind).toBe('limit');
	});
});

describe('what n8n has kept', () => {
	const saved = (): IDataObject => JSON.parse(JSON.stringify(context[CONTEXT_KEY]));

	test('is found by a Retry, and what this process knows of it counts', () => {
		const order = broughtTo('sent', wishOf('A fox', { keyText: 'row 7' }));
		const kept = { [CONTEXT_KEY]: saved() };
		ledgerOf().ended(order, 'failed', FAULT);
		const retry = { executionId: '2', context: kept };
		expect(one(begun(itemsOf(wishOf('A fox', { keyText: 'row 7' })), retry)).order).toMatchObject({
			key: 'row 7/1',
		});
		const elsewhere = {
			...retry,
			context: { [CONTEXT_KEY]: saved() },
			memory: new Memory(() => 0),
		};
		expect(one(begun(itemsOf(wishOf('A fox', { keyText: 'row 7' })), elsewhere)).decision).toBe(
			'create',
		);
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
		broughtTo('task');
		const kept = { ...saved(), [name]: value };
		const items = [...itemsOf(wishOf()), { index: 1, simplify: true, readId: 'x' }];
		const unread = { context: { [CONTEXT_KEY]: kept } };
		begun(items, unread);
		expect(items.map(({ fault }) => fault?.kind)).toEqual(['noAnswer', undefined]);
		expect(items[0]?.fault?.message).toContain('cannot be read by this version');
		expect(ledgerOf(unread).isUnreadable).toBe(true);
		expect(unread.context[CONTEXT_KEY]).toBe(kept);
	});

	test('is readable without any create, and in a new execution', () => {
		expect(ledgerOf().isUnreadable).toBe(false);
		expect(ledgerOf({ context: { [CONTEXT_KEY]: saved() } }).isUnreadable).toBe(false);
	});

	test('loses large records when the node is done, and orders that nobody asks for again', () => {
		const items = begun(itemsOf(wishOf(), wishOf('An owl')));
		const large = taskOf('completed', { words: 'x'.repeat(10_000) });
		items.forEach(({ order }) => Object.assign(order ?? {}, { task: large }));
		const places = () => Object.keys(Object(context[CONTEXT_KEY]).orders);
		const calls = begun(itemsOf(wishOf()), { isTool: true });
		ledgerOf({ isTool: true }).close(calls);
		expect(items.map(({ order }) => order?.task)).toEqual([undefined, undefined]);
		expect(places()).toEqual(['0:0', '0:1', 'request of A fox:0']);
		// Another Retry may begin with what n8n saved first.
		ledgerOf({ executionId: '2' }).close(items);
		expect(places()).toEqual(['request of A fox:0']);
		ledgerOf().close(items.slice(1));
		expect(places()).toEqual(['0:0', 'request of A fox:0']);
		ledgerOf();
		expect(places()).toEqual(['0:0', 'request of A fox:0']);
	});
});

describe('while another call creates', () => {
	const [fox, owl] = [itemsOf(wishOf()), itemsOf(wishOf('An owl'))];

	test.each<[string, own: Partial<Scope>, theirs: Partial<Scope>, its: Partial<Wish>, boolean]>([
		['of a tool', { isTool: true }, { isTool: true }, {}, true],
		['in the editor', firstClick(), nextClick('2'), {}, true],
		['in the editor without reuse', firstClick(), nextClick('2'), { mayReuse: false }, false],
		['in production', { context: {} }, { context: {}, executionId: '2' }, {}, false],
	])('%s what an item asks for, that item waits: %#', (_what, theirs, its, wish, isBusy) => {
		const creating = ledgerOf(theirs);
		const [item] = itemsOf(wishOf());
		creating.begin(item ? [item] : [], LIMIT);
		expect([creating.isBusy(fox), ledgerOf(its).isBusy(owl)]).toEqual([false, false]);
		const waiting = ledgerOf(its);
		expect(waiting.isBusy(itemsOf(wishOf('A fox', wish)))).toBe(isBusy);
		const read = { index: 1, simplify: true, readId: 'x' };
		expect(waiting.isBusy([...owl, read, ...(isBusy ? fox : [])])).toBe(isBusy);
		if (!isBusy || !item?.order) return;
		waiting.release(item.order);
		expect(waiting.isBusy(fox)).toBe(true);
		creating.release(item.order);
		expect(waiting.isBusy(fox)).toBe(false);
	});
});
