import { type Book, newBook } from '../../../nodes/Videogen/work/book';
import { Memory } from '../../../nodes/Videogen/work/memory';
import type { State } from '../../../nodes/Videogen/work/order';
import { askedFor, orderOf } from '../../support/orders';

const DAY_MS = 24 * 3_600_000;
const SENT: State = { is: 'sent', by: ['1'], mayExist: true };

let nowMs = 0;
let memory: Memory;
beforeEach(() => {
	nowMs = 1_000;
	memory = new Memory({ now: () => nowMs, date: () => nowMs });
});

const asking = (prompt: string) => askedFor('A fox', { request: { model: 'm', prompt } });

/** A book with one order, which has the book's ID. */
const bookOf = (id: string, state: State = SENT, prompt = 'A fox', revision = 1): Book => ({
	...newBook(true),
	id,
	revision,
	orders: { '0:0': orderOf(state, { id, sentAtMs: nowMs, asked: asking(prompt) }) },
});

function keep(book: Book): Book {
	const kept = memory.open(book);
	memory.close(kept, Object.values(kept.orders));
	return kept;
}
const idsOf = (node = 'node'): string[] => memory.ordersOf(node).map(({ id }) => id);

describe('what an execution has kept', () => {
	test.each([
		[1, true],
		[2, true],
		[3, false],
	])('counts if n8n has saved no higher revision: %d', (saved, isKnown) => {
		const known = keep(bookOf('a', SENT, 'A fox', 2));
		const opened = memory.open(bookOf('a', SENT, 'A fox', saved));
		expect(opened === known).toBe(isKnown);
	});

	test('is remembered for a day after its last run', () => {
		const first = keep(bookOf('a'));
		nowMs += DAY_MS - 1;
		expect(keep(bookOf('a'))).toBe(first);
		nowMs += DAY_MS - 1;
		expect(keep(bookOf('a'))).toBe(first);
		nowMs += DAY_MS;
		expect(keep(bookOf('a'))).not.toBe(first);
	});

	test('is known to a Retry while another one has used it for days', () => {
		const used = memory.open(bookOf('a'));
		nowMs += 5 * DAY_MS;
		expect(memory.open(bookOf('a', SENT, 'A fox', 0))).toBe(used);
	});

	test('is forgotten if no order was sent', () => {
		for (let times = 0; times < 100; times += 1) {
			keep(bookOf(`refused ${times}`, { is: 'new', by: [] }, 'x'.repeat(100_000)));
		}
		expect(idsOf()).toEqual([]);
	});

	test('is remembered when another run of it ended before anything was sent', () => {
		const unsent: State = { is: 'new', by: [] };
		const saved = bookOf('a', unsent);
		const [first, second] = [memory.open(saved), memory.open(bookOf('a', unsent))];
		memory.close(second, []);
		Object.assign(first.orders, { '0:0': orderOf(SENT, { id: 'a', sentAtMs: nowMs }) });
		memory.close(first, []);
		expect(memory.open(bookOf('a', unsent))).toBe(first);
	});

	test('takes 64 MB together, and the oldest goes first', () => {
		for (const id of ['1', '2', '3', '4']) keep(bookOf(id, SENT, 'x'.repeat(10_000_000)));
		expect(idsOf()).toEqual(['4', '3', '2']);
	});
});

test('the orders of a node are those of a day, the newest execution first', () => {
	keep(bookOf('first'));
	const order = orderOf(SENT, { id: 'elsewhere', node: 'other', sentAtMs: nowMs });
	keep({ ...bookOf('elsewhere'), orders: { '0:0': order } });
	nowMs += 1;
	keep(bookOf('second'));
	expect([idsOf(), idsOf('other'), idsOf('none')]).toEqual([
		['second', 'first'],
		['elsewhere'],
		[],
	]);
	nowMs += DAY_MS - 2;
	// A book that is used again keeps what it has for as long as others may still reuse it.
	memory.open(bookOf('first'));
	expect(idsOf()).toEqual(['first', 'second']);
	nowMs += 1;
	expect(idsOf()).toEqual(['second']);
});

test('an order that is being created is held for all others until its holder releases it', () => {
	const order = orderOf({ is: 'new', by: [] });
	const [one, other] = [{}, {}];
	memory.hold(order, one);
	memory.hold(order, other);
	memory.release(order, other);
	expect([memory.isHeld(order, one), memory.isHeld(order, other)]).toEqual([false, true]);
	expect(memory.isHeld(undefined, other)).toBe(false);
	memory.release(order, one);
	expect(memory.isHeld(order, other)).toBe(false);
});
