import { Timer } from '../../../nodes/Videogen/ground/clock';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { MAX_UNREACHABLE_IN_A_ROW, Throttle } from '../../../nodes/Videogen/work/throttle';
import { turnOfEventLoop, VirtualClock } from '../../programs/support/clocks';
import { network, status } from '../../programs/support/fakeService';
import { MINUTE } from '../../programs/support/orders';

const LIMITS = { maxAtOnce: 8, maxPauseMs: 10_000 };
const BUSY = status(429);
const UNREACHABLE = network('connectionRefused');

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

/** Requests that wait for a turn; how many have got one so far. */
function crowd(count: number): () => number {
	let admitted = 0;
	for (let left = count; left > 0; left -= 1) {
		void throttle.acquire({ end: ending.signal }).then((turn) => (admitted += turn ? 1 : 0));
	}
	return () => admitted;
}

/** How long a request waits for its turn, in milliseconds. */
async function waited(spreadMs?: number): Promise<number> {
	const fromMs = clock.now();
	await throttle.acquire({ end: ending.signal, spreadMs });
	throttle.release();
	return Math.round(clock.now() - fromMs);
}

/** How long the pause is that a request makes now. */
async function pauseAfter(error: ServiceError = BUSY): Promise<number> {
	await clock.sleep(1);
	throttle.slowDown(clock.now(), error);
	return await waited();
}

describe('how many go out at once', () => {
	test('is limited, and the next has its turn when one is answered', async () => {
		const admitted = crowd(10);
		await turnOfEventLoop();
		expect(admitted()).toBe(8);
		throttle.release();
		await turnOfEventLoop();
		expect(admitted()).toBe(9);
	});

	test('is half as many after 429, and more after usual answers', async () => {
		crowd(8);
		await turnOfEventLoop();
		throttle.slowDown(0, BUSY);
		for (let count = 0; count < 8; count += 1) throttle.release();
		const later = crowd(20);
		await clock.sleep(900);
		expect(later()).toBe(0);
		await clock.sleep(200);
		expect(later()).toBe(4);
		throttle.succeeded();
		await turnOfEventLoop();
		expect(later()).toBe(5);
	});

	test('may grow by one for as many usual answers as go out at once', async () => {
		throttle = new Throttle(clock, { ...LIMITS, growsByRounds: true });
		for (let count = 0; count < 3; count += 1) throttle.slowDown(count * MINUTE + 1, BUSY);
		const growth = Array.from({ length: 8 }, () => {
			throttle.succeeded();
			return Math.floor(LIMITS.maxAtOnce / throttle.slowdown);
		});
		expect(growth).toEqual([2, 2, 2, 3, 3, 3, 4, 4]);
	});

	test('is never less than one, and gets back to its best', () => {
		for (let count = 0; count < 10; count += 1) throttle.slowDown(count * MINUTE, BUSY);
		expect(throttle.slowdown).toBe(8);
		for (let count = 0; count < 7; count += 1) throttle.succeeded();
		expect(throttle.slowdown).toBe(1);
		throttle.succeeded();
		expect(throttle.slowdown).toBe(1);
	});

	test('is halved once for those under way together, also for answers after the pause', async () => {
		await clock.sleep(50);
		throttle.slowDown(0, BUSY);
		throttle.slowDown(50, BUSY);
		await clock.sleep(MINUTE);
		throttle.slowDown(40, BUSY);
		expect(throttle.slowdown).toBe(2);
		throttle.slowDown(51, BUSY);
		expect(throttle.slowdown).toBe(4);
	});
});

describe('a pause', () => {
	test.each([
		{ askedMs: 30_000, lastsMs: 30_000 },
		{ askedMs: 500, lastsMs: 500 },
		{ askedMs: 499, lastsMs: 1_000 },
		{ askedMs: undefined, lastsMs: 1_000 },
	])('is as long as it is asked for, if that is a wait at all: %j', async (given) => {
		throttle.slowDown(0, status(429, given.askedMs));
		expect(await waited()).toBe(given.lastsMs);
	});

	test.each([
		{ askedMs: undefined, pauses: [1_000, 2_000, 4_000, 8_000, 10_000, 10_000] },
		{ askedMs: 4_000, pauses: [4_000, 5_200, 6_760, 8_788, 10_000, 10_000] },
		{ askedMs: 20_000, pauses: [20_000, 20_000] },
	])('becomes longer while nothing else is answered: %j', async ({ askedMs, pauses }) => {
		const error = status(429, askedMs);
		for (const pauseMs of pauses) expect(await pauseAfter(error)).toBe(pauseMs);
		throttle.succeeded();
		expect(await pauseAfter(error)).toBe(pauses[0]);
	});

	test('of several that were asked for together is the longest', async () => {
		for (const askedMs of [20_000, 60_000, 40_000]) throttle.slowDown(0, status(429, askedMs));
		expect(await waited()).toBe(MINUTE);
	});

	test('lasts no longer than it may, whatever is asked for', async () => {
		throttle.slowDown(0, status(429, 24 * 60 * MINUTE), MINUTE);
		expect(await waited()).toBe(MINUTE);
	});

	test('lasts longer when that is asked for while requests wait for its end', async () => {
		throttle.slowDown(0, status(429, 1_000));
		void clock.sleep(500).then(() => throttle.slowDown(0, status(429, 5_000)));
		expect(await waited()).toBe(5_500);
	});

	test('changes no order: who was sent before goes first of those that still wait', async () => {
		crowd(8);
		const { signal: end } = ending;
		const admitted: string[] = [];
		const wait = (name: string, goesAhead?: boolean) =>
			void throttle.acquire({ end, goesAhead }).then(() => admitted.push(name));
		for (const name of ['first', 'second', 'third', 'fourth', 'fifth']) wait(name);
		throttle.slowDown(0, status(429, MINUTE));
		for (let count = 0; count < 8; count += 1) throttle.release();
		wait('sent before', true);
		await clock.sleep(2 * MINUTE);
		expect(admitted).toEqual(['first', 'second', 'third', 'fourth']);
		throttle.release();
		throttle.release();
		await turnOfEventLoop();
		expect(admitted.slice(4)).toEqual(['sent before', 'fifth']);
	});

	test('spreads those who come back from it', async () => {
		throttle.slowDown(0, status(429, 1_000));
		expect(await waited(4_000)).toBe(5_000);
	});

	test('lets one go that must go, and lets go of one whose time is up', async () => {
		throttle.slowDown(0, status(429, MINUTE));
		const admitted = crowd(1);
		expect(await throttle.acquire({ end: ending.signal, mustStartAt: 2_000 })).toBe(true);
		expect(clock.now()).toBe(2_000);
		expect(await throttle.acquire({ end: timer.signalAt(5_000) })).toBe(false);
		expect(clock.now()).toBe(5_000);
		expect(admitted()).toBe(0);
	});

	test('that is over with the run keeps nobody', async () => {
		crowd(8);
		const { signal: end } = ending;
		const queued = throttle.acquire({ end });
		throttle.slowDown(0, status(429, MINUTE));
		const paused = throttle.acquire({ end });
		ending.abort();
		const turns = await Promise.all([queued, paused, throttle.acquire({ end })]);
		expect(turns).toEqual([false, false, false]);
		expect(clock.now()).toBe(0);
		expect(clock.sleeping).toBe(0);
	});
});

describe('a finished task', () => {
	test('ends a pause, but not before the time that the service asks for', async () => {
		const asked = status(429, 4_000);
		expect(await pauseAfter(asked)).toBe(4_000);
		void clock.sleep(4_500).then(() => throttle.finished());
		expect(await pauseAfter(asked)).toBe(4_499);
		void clock.sleep(1_000).then(() => throttle.finished());
		expect(await pauseAfter(asked)).toBe(4_000);
	});

	test('makes the next pause a short one', async () => {
		expect(await pauseAfter()).toBe(1_000);
		expect(await pauseAfter()).toBe(2_000);
		throttle.finished();
		expect(await pauseAfter()).toBe(1_000);
	});
});

describe('a task that is read while the service is full', () => {
	/** A task is read after each pause for so long; how long the pauses were, in seconds. */
	async function pausesFor(seconds: number): Promise<number[]> {
		const pauses: number[] = [];
		while (clock.now() < seconds * 1_000) {
			pauses.push(Math.round((await pauseAfter(status(429, 1_000))) / 1_000));
			throttle.taskRead();
		}
		return pauses;
	}

	test('makes pauses grow with the time in which nothing has moved, up to a minute', async () => {
		expect(await pausesFor(180)).toEqual([1, 2, 4, 9, 23, 59, 60, 60]);
	});

	test('makes none shorter than without it', async () => {
		throttle.slowDown(0, BUSY);
		throttle.taskRead();
		expect(await pauseAfter(status(429, 30_000))).toBe(30_000);
	});

	test('no longer does so when it was read before something moved', async () => {
		await pausesFor(20);
		throttle.finished();
		expect(await pauseAfter()).toBe(1_000);
		await clock.sleep(20_000);
		expect(await pauseAfter()).toBe(2_000);
	});

	test('does not before the first 429', async () => {
		throttle.taskRead();
		await clock.sleep(20_000);
		expect(await pauseAfter()).toBe(1_000);
		expect(await pauseAfter()).toBe(2_000);
	});
});

describe('a service out of reach', () => {
	const fail = async (times: number) => {
		for (let count = 0; count < times; count += 1) await pauseAfter(UNREACHABLE);
	};

	test('is one for which several pauses in a row did not help', async () => {
		await fail(MAX_UNREACHABLE_IN_A_ROW - 1);
		expect(throttle.isOutOfReach).toBe(false);
		await fail(1);
		expect(throttle.isOutOfReach).toBe(true);
	});

	test('keeps nobody waiting', async () => {
		await fail(MAX_UNREACHABLE_IN_A_ROW - 1);
		expect(await pauseAfter(UNREACHABLE)).toBe(0);
	});

	test('is none with any answer in between, nor with requests under way together', async () => {
		for (const answered of ['reached', 'succeeded', 'taskRead', 'finished'] as const) {
			await fail(MAX_UNREACHABLE_IN_A_ROW - 1);
			throttle[answered]();
		}
		await fail(MAX_UNREACHABLE_IN_A_ROW - 1);
		throttle.slowDown(0, UNREACHABLE);
		expect(throttle.isOutOfReach).toBe(false);
	});

	test('is not one that says 429', async () => {
		for (let count = 0; count < 10; count += 1) await pauseAfter();
		expect(throttle.isOutOfReach).toBe(false);
	});
});

describe('a standstill', () => {
	/** When it has lasted for a minute, in seconds. */
	async function endsAfter(beganAt = 0, reason = BUSY): Promise<number> {
		const end = throttle.standstillFor(MINUTE, beganAt, timer);
		while (!end.aborted) await clock.sleep(500);
		expect(end.reason).toEqual(reason);
		return Math.floor(clock.now() / 1_000);
	}

	test('lasts from the first 429 on, and says which one asks for most', async () => {
		await clock.sleep(5_000);
		throttle.slowDown(0, BUSY);
		const day = status(429, 86_400_000);
		void clock.sleep(30_000).then(() => throttle.slowDown(clock.now(), day, MINUTE));
		void clock.sleep(31_000).then(() => throttle.slowDown(clock.now(), BUSY));
		expect(await endsAfter(0, day)).toBe(65);
	});

	test('counts for each run from its own beginning', async () => {
		throttle.slowDown(0, BUSY);
		await clock.sleep(20_000);
		expect(await endsAfter(20_000)).toBe(80);
	});

	test('is noticed by those who came before it', async () => {
		void clock.sleep(90_000).then(() => throttle.slowDown(clock.now(), BUSY));
		expect(await endsAfter()).toBe(150);
	});

	test.each([
		['a task is finished', () => throttle.finished()],
		['a create from before the pause is accepted', () => throttle.succeeded()],
	])('begins again when %s', async (_what, move) => {
		const asked = status(429, 30_000);
		throttle.slowDown(0, asked);
		void clock.sleep(20_000).then(move);
		expect(await endsAfter(0, asked)).toBe(80);
	});

	test('is over with a create that is accepted after a pause', async () => {
		throttle.slowDown(0, BUSY);
		const end = throttle.standstillFor(MINUTE, 0, timer);
		await clock.sleep(20_000);
		throttle.succeeded();
		await clock.sleep(10 * MINUTE);
		expect(end.aborted).toBe(false);
	});

	test('is none while the service cannot be reached', async () => {
		throttle.slowDown(0, UNREACHABLE);
		const end = throttle.standstillFor(MINUTE, 0, timer);
		await clock.sleep(10 * MINUTE);
		expect(end.aborted).toBe(false);
	});

	test('ends with the run, for its reason', async () => {
		throttle.slowDown(0, BUSY);
		const end = throttle.standstillFor(MINUTE, 0, timer);
		ending.abort('The run has ended');
		expect(end.reason).toBe('The run has ended');
		await turnOfEventLoop();
		expect(clock.sleeping).toBe(0);
	});
});
