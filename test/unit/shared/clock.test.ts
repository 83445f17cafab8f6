import { backoffMs, onAbort, platformClock, Timer } from '../../../nodes/Videogen/shared/clock';
import { VirtualClock } from '../../../tools/virtualClock';

const NEVER = new AbortController().signal;
const LONG_MS = 3_600_000;

test('real time passes as asked, and at once when none is asked for', async () => {
	const startMs = platformClock.now();
	await platformClock.sleep(20, NEVER);
	expect(platformClock.now() - startMs).toBeGreaterThanOrEqual(19);
	await platformClock.sleep(0, NEVER);
	await platformClock.sleep(-LONG_MS, NEVER);
	expect(platformClock.now() - startMs).toBeLessThan(LONG_MS);
});

test('real time is not waited for after a stop, before or while it is, however long it is', async () => {
	await platformClock.sleep(LONG_MS, AbortSignal.abort());
	await platformClock.sleep(Number.MAX_SAFE_INTEGER, AbortSignal.timeout(10));
	expect(platformClock.random()).toBeLessThan(1);
});

test('a timer wakes all waiters at their times, or all of them when it ends', async () => {
	const clock = new VirtualClock();
	const ending = new AbortController();
	const timer = new Timer(clock, ending.signal);
	await timer.until(5_000);
	expect(clock.now()).toBe(5_000);
	const waiting = [0, 1, 2].map(async (more) => await timer.until(LONG_MS + more));
	ending.abort();
	await Promise.all(waiting);
	expect([clock.now(), clock.sleeping]).toEqual([5_000, 0]);
	await timer.until(LONG_MS);
	expect(clock.now()).toBe(5_000);
});

test.each([
	{ tries: 1, random: 0, ms: 500 },
	{ tries: 1, random: 1, ms: 1_000 },
	{ tries: 3, random: 1, ms: 4_000 },
	{ tries: 20, random: 1, ms: 10_000 },
	{ tries: 0, random: 1, ms: 1_000 },
])('backoff doubles up to its limit, in the upper half: %j', ({ tries, random, ms }) => {
	expect(backoffMs(tries, 10_000, () => random)).toBe(ms);
});

test('a callback at the end of a signal comes once to those who still wait for it', () => {
	const [end, other] = [new AbortController(), new AbortController()];
	const called: number[] = [];
	onAbort(other.signal, () => called.push(-1));
	const stops = Array.from({ length: 20 }, (_, index) =>
		onAbort(end.signal, () => called.push(index)),
	);
	stops.slice(2).forEach((stop) => stop());
	end.abort();
	end.abort();
	expect(called).toEqual([0, 1]);
});
