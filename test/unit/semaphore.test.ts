import { Semaphore } from '../../nodes/Videogen/common/semaphore';
import { turnOfEventLoop } from '../programs/support/clocks';

const NEVER = new AbortController().signal;

/** How many of those who want a place have one so far. */
function crowd(semaphore: Semaphore, count: number, end = NEVER): () => number {
	let placed = 0;
	for (let left = count; left > 0; left -= 1) {
		void semaphore.acquire(end).then((isPlaced) => (placed += isPlaced ? 1 : 0));
	}
	return () => placed;
}

describe('a semaphore', () => {
	test('gives its places, and the next as one is free', async () => {
		const semaphore = new Semaphore(2);
		const placed = crowd(semaphore, 4);
		await turnOfEventLoop();
		expect(placed()).toBe(2);
		semaphore.release();
		await turnOfEventLoop();
		expect(placed()).toBe(3);
	});

	test('counts what is under way already, over the limit too', async () => {
		const semaphore = new Semaphore(1);
		for (let count = 0; count < 3; count += 1) semaphore.acquireOverLimit();
		const placed = crowd(semaphore, 1);
		semaphore.release();
		semaphore.release();
		await turnOfEventLoop();
		expect(placed()).toBe(0);
		semaphore.release();
		await turnOfEventLoop();
		expect(placed()).toBe(1);
	});

	test('lets more in at once when it grows, and none while more are in than it has places', async () => {
		const semaphore = new Semaphore(1);
		const placed = crowd(semaphore, 5);
		semaphore.resize(3);
		await turnOfEventLoop();
		expect(placed()).toBe(3);
		semaphore.resize(1);
		semaphore.release();
		semaphore.release();
		await turnOfEventLoop();
		expect(placed()).toBe(3);
	});

	test('lets go of who waits when the signal ends, and gives that place to the next', async () => {
		const semaphore = new Semaphore(1);
		const end = new AbortController();
		await semaphore.acquire(NEVER);
		const leaving = semaphore.acquire(end.signal);
		const staying = semaphore.acquire(NEVER);
		end.abort();
		expect(await leaving).toBe(false);
		expect(await semaphore.acquire(end.signal)).toBe(false);
		semaphore.release();
		expect(await staying).toBe(true);
	});

	test('serves in order, except who is to go first', async () => {
		const semaphore = new Semaphore(0);
		const order: string[] = [];
		const want = (name: string, isFirst = false) =>
			void semaphore.acquire(NEVER, isFirst).then(() => order.push(name));
		want('one');
		want('two');
		want('first', true);
		semaphore.resize(3);
		await turnOfEventLoop();
		expect(order).toEqual(['first', 'one', 'two']);
	});
});
