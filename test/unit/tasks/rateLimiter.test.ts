import { Timer } from '../../../nodes/Videogen/common/timer';
import { RateLimiter } from '../../../nodes/Videogen/tasks/rateLimiter';
import { turnOfEventLoop, VirtualClock } from '../../support/clocks';

const LIMITS = { maxAtOnce: 8, maxPauseMs: 10_000 };

/** A limiter and how many have got a turn so far. */
function crowd(limiter: RateLimiter, count: number): () => number {
	let admitted = 0;
	for (let left = count; left > 0; left -= 1) {
		void limiter.acquire().then((turn) => (admitted += turn ? 1 : 0));
	}
	return () => admitted;
}

describe('a rate limiter', () => {
	let clock: VirtualClock;
	let ending: AbortController;
	let limiter: RateLimiter;
	beforeEach(() => {
		clock = new VirtualClock(() => 0.999_999);
		ending = new AbortController();
		limiter = new RateLimiter(new Timer(clock, ending.signal), LIMITS);
	});
	afterEach(() => ending.abort());

	test('lets a limited number in at once, the next as one is done', async () => {
		const admitted = crowd(limiter, 10);
		await turnOfEventLoop();
		expect(admitted()).toBe(8);
		limiter.release();
		await turnOfEventLoop();
		expect(admitted()).toBe(9);
	});

	test('begins with fewer when told so, and lets in one more for every answer', async () => {
		const careful = new RateLimiter(new Timer(clock, ending.signal), {
			...LIMITS,
			firstAtOnce: 2,
		});
		const admitted = crowd(careful, 10);
		await turnOfEventLoop();
		expect(admitted()).toBe(2);
		careful.succeeded();
		await turnOfEventLoop();
		expect(admitted()).toBe(3);
	});

	test('counts what is under way by its nature, over the limit too', async () => {
		for (let count = 0; count < 10; count += 1) limiter.acquireOverLimit();
		const admitted = crowd(limiter, 1);
		limiter.release();
		limiter.release();
		await turnOfEventLoop();
		expect(admitted()).toBe(0);
		limiter.release();
		await turnOfEventLoop();
		expect(admitted()).toBe(1);
	});

	test('pauses after 429 and goes on with half as many', async () => {
		crowd(limiter, 8);
		await turnOfEventLoop();
		expect(limiter.pause(0)).toBe(true);
		for (let count = 0; count < 8; count += 1) limiter.release();
		const later = crowd(limiter, 20);
		await clock.sleep(900);
		expect(later()).toBe(0);
		await clock.sleep(200);
		expect(later()).toBe(4);
		expect(limiter.slowdown).toBe(2);
	});

	test('makes one pause of a volley, also for answers that come after its end', () => {
		expect([limiter.pause(0), limiter.pause(0)]).toEqual([true, false]);
		expect(limiter.slowdown).toBe(2);
		expect(limiter.pause(60_000)).toBe(true);
		expect(limiter.slowdown).toBe(4);
	});

	test.each([
		{ askedMs: 30_000, lastsMs: 30_000 },
		{ askedMs: 500, lastsMs: 500 },
		{ askedMs: 499, lastsMs: 1_000 },
		{ askedMs: undefined, lastsMs: 1_000 },
	])('pauses for as long as it is asked, if that is a wait at all: %j', async (given) => {
		limiter.pause(0, given.askedMs);
		await limiter.acquire();
		expect(Math.round(clock.now())).toBe(given.lastsMs);
	});

	test('makes longer pauses while nothing else is answered, up to a limit', async () => {
		const pauses: number[] = [];
		for (let count = 0; count < 6; count += 1) {
			const fromMs = clock.now();
			limiter.pause(fromMs);
			await limiter.acquire();
			limiter.release();
			pauses.push(Math.round(clock.now() - fromMs));
		}
		expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
		limiter.succeeded();
		const fromMs = clock.now();
		limiter.pause(fromMs);
		await limiter.acquire();
		expect(Math.round(clock.now() - fromMs)).toBe(1_000);
	});

	test('never goes below one at once, and gets back to its best', () => {
		for (let count = 0; count < 10; count += 1) limiter.pause(count * 60_000);
		expect(limiter.slowdown).toBe(8);
		for (let count = 0; count < 20; count += 1) limiter.succeeded();
		expect(limiter.slowdown).toBe(1);
	});

	test('spreads those who waited for the end of a pause', async () => {
		limiter.pause(0, 1_000);
		await limiter.acquire({ spreadMs: 4_000 });
		expect(Math.round(clock.now())).toBe(5_000);
	});

	test('lets one go in a pause that must go, and lets go of one whose time is up', async () => {
		limiter.pause(0, 60_000);
		expect(await limiter.acquire({ mustStartMs: 2_000 })).toBe(true);
		expect(clock.now()).toBe(2_000);
		expect(await limiter.acquire({ giveUpMs: () => 5_000 })).toBe(false);
		expect(clock.now()).toBe(5_000);
	});

	test('lets go of those in the queue whose time is up, whatever came before them', async () => {
		crowd(limiter, 8);
		const patient = limiter.acquire({ giveUpMs: () => 60_000 });
		expect(await limiter.acquire({ giveUpMs: () => 5_000 })).toBe(false);
		expect(clock.now()).toBe(5_000);
		expect(await patient).toBe(false);
		expect(clock.now()).toBe(60_000);
	});

	test('lets one that comes again go first', async () => {
		crowd(limiter, 8);
		const order: string[] = [];
		await turnOfEventLoop();
		void limiter.acquire().then(() => order.push('first'));
		await turnOfEventLoop();
		void limiter.acquire({ again: true }).then(() => order.push('again'));
		await turnOfEventLoop();
		limiter.release();
		limiter.release();
		await turnOfEventLoop();
		expect(order).toEqual(['again', 'first']);
	});

	test('turns everybody away once it is closed, also who waits for the end of a pause', async () => {
		crowd(limiter, 8);
		const queued = limiter.acquire();
		limiter.pause(0, 60_000);
		const paused = limiter.acquire();
		ending.abort();
		expect(await Promise.all([queued, paused, limiter.acquire()])).toEqual([false, false, false]);
		expect(clock.now()).toBe(0);
		expect(clock.sleeping).toBe(0);
	});
});
