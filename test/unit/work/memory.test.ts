import { type Kept, Memory, Process } from '../../../nodes/Videogen/work/memory';
import { VirtualClock } from '../../../tools/virtualClock';
import { orderOf } from '../../support/work';

const DAY_MS = 24 * 3_600_000;
const keptOf = (id: string): Kept => ({ orders: { '0:0': orderOf('task', { id }) }, ended: {} });

let nowMs = 0;
let memory: Memory;
beforeEach(() => {
	nowMs = 1_000;
	memory = new Memory(() => nowMs);
});

const idsOf = (node: string): string[] => memory.ordersOf(node).map(({ order }) => order.id);
const remember = (id: string, executionId = '1'): void =>
	memory.remember('node', orderOf('new', { id }), executionId);

describe('what executions have kept', () => {
	test('is what the first of them has, for a day after the last one', () => {
		const own = keptOf('own');
		expect(memory.keptUnder('a', own)).toBe(own);
		nowMs += DAY_MS - 1;
		expect(memory.keptUnder('a', keptOf('other'))).toBe(own);
		nowMs += DAY_MS - 1;
		expect(memory.keptUnder('a', keptOf('other'))).toBe(own);
		nowMs += DAY_MS;
		expect(memory.keptUnder('a', keptOf('other'))).not.toBe(own);
	});

	test('is that of the last thousand', () => {
		const [first, second] = [keptOf('first'), keptOf('second')];
		memory.keptUnder('first', first);
		memory.keptUnder('second', second);
		for (let id = 2; id < 1_000; id += 1) memory.keptUnder(String(id), keptOf('x'));
		expect(memory.keptUnder('first', keptOf('x'))).toBe(first);
		memory.keptUnder('one more', keptOf('x'));
		expect(memory.keptUnder('first', keptOf('x'))).toBe(first);
		expect(memory.keptUnder('second', keptOf('x'))).not.toBe(second);
	});
});

describe('the orders of a node', () => {
	test('are those of a day, the newest first, and of no other node', () => {
		remember('first');
		nowMs += 1;
		remember('second');
		expect([idsOf('node'), idsOf('other')]).toEqual([['second', 'first'], []]);
		nowMs += DAY_MS - 1;
		expect(idsOf('node')).toEqual(['second']);
	});

	test('are a thousand at most', () => {
		for (let id = 0; id <= 1_000; id += 1) remember(String(id));
		expect([idsOf('node').length, idsOf('node')[0]]).toEqual([1_000, '1000']);
	});

	test('know the executions that have them, and when they were decided', () => {
		remember('first');
		nowMs += 5;
		remember('second', '2');
		remember('first', '2');
		expect(memory.ordersOf('node')).toMatchObject([
			{ order: { id: 'second' }, atMs: 1_005, servedTo: new Set(['2']) },
			{ order: { id: 'first' }, atMs: 1_000, servedTo: new Set(['1', '2']) },
		]);
	});

	test('are replaced in their place', () => {
		remember('first');
		remember('second');
		nowMs += 5;
		memory.replace('node', orderOf('failed', { id: 'first' }), orderOf('new', { id: 'third' }));
		expect(memory.ordersOf('node')).toMatchObject([
			{ order: { id: 'second' }, atMs: 1_000 },
			{ order: { id: 'third' }, atMs: 1_005, servedTo: new Set(['1']) },
		]);
	});
});

describe('an order that is being created', () => {
	const order = orderOf('new');
	const [one, other] = [{}, {}];

	test('is held for all others until it is released', () => {
		expect(memory.isHeld(order, one)).toBe(false);
		memory.hold(order, one);
		memory.hold(order, other);
		expect([one, other].map((asking) => memory.isHeld(order, asking))).toEqual([false, true]);
		memory.release(order);
		expect(memory.isHeld(order, other)).toBe(false);
	});

	/** Whether somebody who waits for a release goes on. */
	async function goesOn(act: (end: AbortController) => void): Promise<boolean> {
		const end = new AbortController();
		memory.hold(order, one);
		let isOver = false;
		void memory.nextRelease(end.signal).then(() => (isOver = true));
		act(end);
		await new VirtualClock().rest();
		return isOver;
	}

	test('is waited for until something is released, or the run ends', async () => {
		expect(await goesOn(() => undefined)).toBe(false);
		expect(await goesOn(() => memory.release(orderOf('new', { id: 'unheld' })))).toBe(false);
		expect(await goesOn(() => memory.release(order))).toBe(true);
		expect(await goesOn(() => undefined)).toBe(false);
		expect(await goesOn((end) => end.abort())).toBe(true);
		await expect(memory.nextRelease(AbortSignal.abort())).resolves.toBeUndefined();
	});
});

test('a process remembers by the date', () => {
	const clock = new VirtualClock();
	clock.date = () => 5;
	expect(new Process(clock).memory.epochMs()).toBe(5);
});
