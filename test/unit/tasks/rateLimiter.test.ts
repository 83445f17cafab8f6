import { Timer } from '../../../nodes/Videogen/common/timer';
import { RateLimiter } from '../../../nodes/Videogen/tasks/rateLimiter';
import { turnOfEventLoop, VirtualClock } from '../../support/clocks';

const LIMITS = { maxAtOnce: 8, maxPauseMs: 10_000 };

/** A limiter and how many have got a turn so far. */
function crowd(limiter: RateLimiter, count: number, end: AbortSignal): () => number {
	let admitted = 0;
	for (let left = count; left > 0; left -= 1) {
		void limiter.acquire({ end }).then((turn) => (admitted += turn ? 1 : 0));
	}
	return () => admitted;
}

describe('a rate limiter', () => {
	let clock: VirtualClock;
	let ending: AbortController;
	let timer: Timer;
	let limiter: RateLimiter;
	beforeEach(() => {
		clock = new VirtualClock(() => 0.999_999);
		ending = new AbortController();
		timer = new Timer(clock, ending.signal);
		limiter = new RateLimiter(clock, LIMITS);
	});
	afterEach(() => ending.abort());

	test('begins with fewer when told so, and lets in one more for every answer', async () => {
		const careful = new RateLimiter(clock, { ...LIMITS, firstAtOnce: 2 });
		const admitted = crowd(careful, 10, ending.signal);
		await turnOfEventLoop();
		expect(admitted()).toBe(2);
		careful.succeeded();
		await turnOfEventLoop();
		expect(admitted()).toBe(3);
	});

	test('pauses after 429 and goes on with half as many', async () => {
		crowd(limiter, 8, ending.signal);
		await turnOfEventLoop();
		expect(limiter.slowDown(0)).toBe(true);
		for (let count = 0; count < 8; count += 1) limiter.release();
		const later = crowd(limiter, 20, ending.signal);
		await clock.sleep(900);
		expect(later()).toBe(0);
		await clock.sleep(200);
		expect(later()).toBe(4);
		expect(limiter.slowdown).toBe(2);
	});

	test('makes one pause of a volley, also for answers that come after its end', () => {
		expect([limiter.slowDown(0), limiter.slowDown(0)]).toEqual([true, false]);
		expect(limiter.slowdown).toBe(2);
		expect(limiter.slowDown(60_000)).toBe(true);
		expect(limiter.slowdown).toBe(4);
	});

	test.each([
		{ askedMs: 30_000, lastsMs: 30_000 },
		{ askedMs: 500, lastsMs: 500 },
		{ askedMs: 499, lastsMs: 1_000 },
		{ askedMs: undefined, lastsMs: 1_000 },
	])('pauses for as long as it is asked, if that is a wait at all: %j', async (given) => {
		limiter.slowDown(0, given.askedMs);
		await limiter.acquire({ end: ending.signal });
		expect(Math.round(clock.now())).toBe(given.lastsMs);
	});

	test('makes longer pauses while nothing else is answered, up to a limit', async () => {
		const pauses: number[] = [];
		for (let count = 0; count < 6; count += 1) {
			const fromMs = clock.now();
			limiter.slowDown(fromMs);
			await limiter.acquire({ end: ending.signal });
			limiter.release();
			pauses.push(Math.round(clock.now() - fromMs));
		}
		expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
		limiter.succeeded();
		const fromMs = clock.now();
		limiter.slowDown(fromMs);
		await limiter.acquire({ end: ending.signal });
		expect(Math.round(clock.now() - fromMs)).toBe(1_000);
	});

	test('never goes below one at once, and gets back to its best', () => {
		for (let count = 0; count < 10; count += 1) limiter.slowDown(count * 60_000);
		expect(limiter.slowdown).toBe(8);
		for (let count = 0; count < 20; count += 1) limiter.succeeded();
		expect(limiter.slowdown).toBe(1);
	});

	test('spreads those who waited for the end of a pause', async () => {
		limiter.slowDown(0, 1_000);
		await limiter.acquire({ end: ending.signal, spreadMs: 4_000 });
		expect(Math.round(clock.now())).toBe(5_000);
	});

	test('lets one go in a pause that must go, and lets go of one whose time is up', async () => {
		limiter.slowDown(0, 60_000);
		expect(await limiter.acquire({ end: ending.signal, mustStartAt: 2_000 })).toBe(true);
		expect(clock.now()).toBe(2_000);
		expect(await limiter.acquire({ end: timer.signalAt(5_000) })).toBe(false);
		expect(clock.now()).toBe(5_000);
	});

	test('turns everybody away once it is closed, also who waits for the end of a pause', async () => {
		crowd(limiter, 8, ending.signal);
		const queued = limiter.acquire({ end: ending.signal });
		limiter.slowDown(0, 60_000);
		const paused = limiter.acquire({ end: ending.signal });
		ending.abort();
		expect(await Promise.all([queued, paused, limiter.acquire({ end: ending.signal })])).toEqual([
			false,
			false,
			false,
		]);
		expect(clock.now()).toBe(0);
		expect(clock.sleeping).toBe(0);
	});
});
