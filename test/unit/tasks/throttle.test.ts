import { Timer } from '../../../nodes/Videogen/common/timer';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { Throttle } from '../../../nodes/Videogen/tasks/throttle';
import { turnOfEventLoop, VirtualClock } from '../../support/clocks';
import { network, status } from '../../support/fakeService';

const RATE_LIMIT: ServiceError = status(429);

const LIMITS = { maxAtOnce: 8, maxPauseMs: 10_000 };

/** A throttle and how many have got a turn so far. */
function crowd(throttle: Throttle, count: number, end: AbortSignal): () => number {
	let admitted = 0;
	for (let left = count; left > 0; left -= 1) {
		void throttle.acquire({ end }).then((turn) => (admitted += turn ? 1 : 0));
	}
	return () => admitted;
}

describe('a throttle', () => {
	let clock: VirtualClock;
	let ending: AbortController;
	let timer: Timer;
	let throttle: Throttle;
	beforeEach(() => {
		clock = new VirtualClock(() => 0.999_999);
		ending = new AbortController();
		timer = new Timer(clock, ending.signal);
		throttle = new Throttle(clock, LIMITS);
	});
	afterEach(() => ending.abort());

	test('pauses after 429 and goes on with half as many', async () => {
		crowd(throttle, 8, ending.signal);
		await turnOfEventLoop();
		throttle.slowDown(0, RATE_LIMIT);
		for (let count = 0; count < 8; count += 1) throttle.release();
		const later = crowd(throttle, 20, ending.signal);
		await clock.sleep(900);
		expect(later()).toBe(0);
		await clock.sleep(200);
		expect(later()).toBe(4);
		expect(throttle.slowdown).toBe(2);
	});

	test('makes one pause of a volley, also for answers that come after its end', async () => {
		await clock.sleep(100);
		throttle.slowDown(0, RATE_LIMIT);
		throttle.slowDown(0, RATE_LIMIT);
		expect(throttle.slowdown).toBe(2);
		throttle.slowDown(60_000, RATE_LIMIT);
		expect(throttle.slowdown).toBe(4);
	});

	test.each([
		{ askedMs: 30_000, lastsMs: 30_000 },
		{ askedMs: 500, lastsMs: 500 },
		{ askedMs: 499, lastsMs: 1_000 },
		{ askedMs: undefined, lastsMs: 1_000 },
	])('pauses for as long as it is asked, if that is a wait at all: %j', async (given) => {
		throttle.slowDown(0, status(429, given.askedMs));
		await throttle.acquire({ end: ending.signal });
		expect(Math.round(clock.now())).toBe(given.lastsMs);
	});

	test('makes longer pauses while nothing else is answered, up to a limit', async () => {
		const pauses: number[] = [];
		for (let count = 0; count < 6; count += 1) {
			const fromMs = clock.now();
			throttle.slowDown(fromMs, RATE_LIMIT);
			await throttle.acquire({ end: ending.signal });
			throttle.release();
			pauses.push(Math.round(clock.now() - fromMs));
		}
		expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
		throttle.succeeded();
		const fromMs = clock.now();
		throttle.slowDown(fromMs, RATE_LIMIT);
		await throttle.acquire({ end: ending.signal });
		expect(Math.round(clock.now() - fromMs)).toBe(1_000);
	});

	test('never goes below one at once, and gets back to its best', () => {
		for (let count = 0; count < 10; count += 1) throttle.slowDown(count * 60_000, RATE_LIMIT);
		expect(throttle.slowdown).toBe(8);
		for (let count = 0; count < 20; count += 1) throttle.succeeded();
		expect(throttle.slowdown).toBe(1);
	});

	test('spreads those who waited for the end of a pause', async () => {
		throttle.slowDown(0, status(429, 1_000));
		await throttle.acquire({ end: ending.signal, spreadMs: 4_000 });
		expect(Math.round(clock.now())).toBe(5_000);
	});

	test('lets one go in a pause that must go, and lets go of one whose time is up', async () => {
		throttle.slowDown(0, status(429, 60_000));
		expect(await throttle.acquire({ end: ending.signal, mustStartAt: 2_000 })).toBe(true);
		expect(clock.now()).toBe(2_000);
		expect(await throttle.acquire({ end: timer.signalAt(5_000) })).toBe(false);
		expect(clock.now()).toBe(5_000);
	});

	test('turns everybody away once it is closed, also who waits for the end of a pause', async () => {
		crowd(throttle, 8, ending.signal);
		const queued = throttle.acquire({ end: ending.signal });
		throttle.slowDown(0, status(429, 60_000));
		const paused = throttle.acquire({ end: ending.signal });
		ending.abort();
		expect(await Promise.all([queued, paused, throttle.acquire({ end: ending.signal })])).toEqual([
			false,
			false,
			false,
		]);
		expect(clock.now()).toBe(0);
		expect(clock.sleeping).toBe(0);
	});

	test('holds up requests no longer than it is allowed to, whatever it is asked for', async () => {
		throttle.slowDown(0, status(429, 24 * 60 * 60_000), 60_000);
		await throttle.acquire({ end: ending.signal });
		expect(Math.round(clock.now())).toBe(60_000);
	});

	test('ends a pause when a task has finished, but not before the service allows', async () => {
		throttle.slowDown(0, status(429, 3_000));
		throttle.slowDown(3_000, status(429, 3_000));
		const turn = throttle.acquire({ end: ending.signal });
		await clock.sleep(1_000);
		throttle.finished();
		await turn;
		expect(Math.round(clock.now())).toBe(3_000);
	});

	test('counts pauses for a service out of reach in a row', () => {
		for (const sentAt of [0, 60_000]) throttle.slowDown(sentAt, network('connectionRefused'));
		expect(throttle.unreachableInARow).toBe(2);
		throttle.reached();
		expect(throttle.unreachableInARow).toBe(0);
	});

	describe('at a standstill', () => {
		const endOf = (limitMs: number) => throttle.standstillFor(limitMs, clock.now(), timer);

		test('gives up for the 429 that began it', async () => {
			throttle.slowDown(0, RATE_LIMIT);
			throttle.slowDown(1, status(429, 7_000));
			const end = endOf(60_000);
			await clock.sleep(59_000);
			expect(end.aborted).toBe(false);
			await clock.sleep(1_000);
			expect(end.reason).toBe(RATE_LIMIT);
		});

		test.each([
			['a create is accepted', () => throttle.succeeded()],
			['a task is finished', () => throttle.finished()],
		])('starts again when %s', async (_, move) => {
			throttle.slowDown(0, status(429, 90_000));
			const end = endOf(60_000);
			await clock.sleep(40_000);
			move();
			await clock.sleep(59_000);
			expect(end.aborted).toBe(false);
			await clock.sleep(1_000);
			expect(end.aborted).toBe(true);
		});

		test('counts for each run from its own beginning', async () => {
			throttle.slowDown(0, RATE_LIMIT);
			await clock.sleep(50_000);
			const end = endOf(60_000);
			await clock.sleep(50_000);
			expect(end.aborted).toBe(false);
			await clock.sleep(10_000);
			expect(end.reason).toBe(RATE_LIMIT);
		});

		test('is none without a 429', async () => {
			const end = endOf(60_000);
			throttle.slowDown(0, network('connectionRefused'));
			await clock.sleep(600_000);
			expect(end.aborted).toBe(false);
		});
	});
});
