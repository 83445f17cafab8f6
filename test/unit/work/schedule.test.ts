import fc from 'fast-check';
import { type ProgressReport, nextReadInMs } from '../../../nodes/Videogen/work/schedule';
import { manyRuns } from '../../programs/support/fuzz';

const INTERVAL_MS = 5_000;
const HOUR_MS = 3_600_000;

/** Reports of a task that was just read for the last time; seconds and percent of each. */
const reportsOf = (...reports: Array<[seconds: number, percent: number]>): ProgressReport[] =>
	reports.map(([seconds, percent]) => ({ atMs: 1_000 * seconds, percent }));

const gapAfter = (reports: ProgressReport[], intervalMs = INTERVAL_MS): number =>
	Math.round(nextReadInMs({ intervalMs, elapsedMs: reports.at(-1)?.atMs ?? 0, reports }));

/** When a task is read that ends after so long; `percentAt` says how far it is at the nth read. */
function readsUntil(
	endMs: number,
	percentAt: (atMs: number, nth: number) => number,
	intervalMs = INTERVAL_MS,
): number[] {
	const reports: ProgressReport[] = [{ atMs: 0, percent: 0 }];
	let elapsedMs = 0;
	while (elapsedMs < endMs) {
		elapsedMs += nextReadInMs({ intervalMs, elapsedMs, reports });
		reports.push({ atMs: elapsedMs, percent: percentAt(elapsedMs, reports.length) });
	}
	return reports.slice(1).map(({ atMs }) => atMs);
}

test.each([
	['the interval at first', 5_000, 0, 5_000],
	['the interval up to twenty of them', 5_000, 100_000, 5_000],
	['a twentieth of the time when that is more', 5_000, 200_000, 10_000],
	['at most 30 s', 5_000, 600_000, 30_000],
	['at most 30 s, however long it takes', 5_000, 10 * HOUR_MS, 30_000],
	['the interval when that is longer than 30 s', 90_000, 10 * HOUR_MS, 90_000],
])('the plain gap is %s', (_, intervalMs, elapsedMs, gapMs) => {
	expect(nextReadInMs({ intervalMs, elapsedMs, reports: [] })).toBe(gapMs);
	const reports = [{ atMs: 0, percent: 0 }];
	expect(nextReadInMs({ intervalMs, elapsedMs, reports })).toBe(gapMs);
});

describe('the next read of a task whose progress rises', () => {
	test('comes 0.2 s after the end that its pace predicts', () => {
		expect(gapAfter(reportsOf([0, 0], [9, 75]))).toBe(3_200);
	});

	test('comes at least a second after the last one', () => {
		expect(gapAfter(reportsOf([0, 0], [99, 99]))).toBe(1_200);
		expect(gapAfter(reportsOf([0, 0], [49.5, 99]))).toBe(1_000);
		expect(gapAfter(reportsOf([0, 0], [10, 100]))).toBe(1_000);
	});

	test('comes after the end also where that is a whole plain gap away', () => {
		expect(gapAfter(reportsOf([0, 0], [20, 80]))).toBe(5_200);
	});

	test('comes after half of what is left while that is more', () => {
		expect(gapAfter(reportsOf([0, 0], [40, 50]))).toBe(20_000);
	});

	test('comes no sooner than a plain gap', () => {
		expect(gapAfter(reportsOf([0, 0], [24, 80]))).toBe(5_000);
		expect(gapAfter(reportsOf([0, 0], [400, 90]))).toBe(22_222);
		expect(gapAfter(reportsOf([0, 0], [720, 95]))).toBe(30_000);
	});

	test('comes after a minute at most, or the interval when that is longer', () => {
		expect(gapAfter(reportsOf([0, 0], [15, 1]))).toBe(60_000);
		expect(gapAfter(reportsOf([0, 0], [90, 1]), 90_000)).toBe(90_000);
	});

	test('goes by the pace since the first report, whatever that said', () => {
		expect(gapAfter(reportsOf([0, 80], [5, 85]))).toBe(7_500);
		expect(gapAfter(reportsOf([0, 80], [5, 85], [10, 92.5]))).toBe(5_000);
		expect(gapAfter(reportsOf([0, 80], [5, 85], [10, 95]))).toBe(3_533);
		expect(gapAfter(reportsOf([30, 40], [60, 60], [90, 80]))).toBe(15_000);
	});

	test('comes after a plain gap while there is one report alone', () => {
		expect(gapAfter(reportsOf([0, 80]))).toBe(INTERVAL_MS);
		expect(gapAfter(reportsOf([0, 100]))).toBe(INTERVAL_MS);
	});
});

describe('the next read comes after a plain gap when the progress', () => {
	test.each<[string, ProgressReport[]]>([
		['is absent', reportsOf([0, 0], [5, 0], [10, 0])],
		['has gone', reportsOf([0, 0], [5, 10], [10, 0])],
		['stands still', reportsOf([0, 0], [20, 30], [25, 30])],
		['stands still near its end', reportsOf([0, 0], [20, 70], [25, 70])],
		['stands at 99', reportsOf([0, 0], [20, 99], [25, 99], [30, 99])],
		['has gone back', reportsOf([0, 0], [20, 50], [25, 40])],
		['has gone back, and has not caught up', reportsOf([0, 0], [20, 50], [25, 40], [30, 50])],
		['began higher', reportsOf([0, 60], [5, 20], [10, 40])],
		['rises at the end that it predicted', reportsOf([0, 0], [4, 80], [5, 81])],
		['rises after the end that it predicted', reportsOf([0, 0], [4, 80], [5.2, 81])],
		['has jumped and crawls since', reportsOf([0, 0], [5, 90], [10, 91], [15, 92])],
	])('%s', (_, reports) => {
		expect(gapAfter(reports)).toBe(INTERVAL_MS);
	});

	test('but no longer when the progress rises again before the end that it predicted', () => {
		expect(gapAfter(reportsOf([0, 0], [20, 20], [25, 20], [30, 25]))).toBe(45_000);
		expect(gapAfter(reportsOf([0, 0], [20, 20], [25, 10], [30, 25]))).toBe(45_000);
		expect(gapAfter(reportsOf([0, 0], [5, 90], [10, 91], [15, 92], [20, 30]))).toBe(5_000);
	});
});

describe('a whole task', () => {
	test('that stands at 99 is read once in vain, and then after plain gaps', () => {
		const to99 = (atMs: number) => Math.min(99, Math.floor(atMs / 100));
		expect(readsUntil(28_000, to99)).toEqual([5_000, 10_200, 15_200, 20_200, 25_200, 30_200]);
	});

	/** More than a fixed interval has: a wrong prediction costs a part of a read, later ones less. */
	const MOST_EXTRA_READS = 3;

	test('is never read more than once a second, nor more often than at its interval', () => {
		const given = fc.record({
			endMs: fc.integer({ min: 500, max: HOUR_MS }),
			intervalMs: fc.integer({ min: 1_000, max: 90_000 }),
			percents: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 }),
		});
		fc.assert(
			fc.property(given, ({ endMs, intervalMs, percents }) => {
				const saying = (_: number, nth: number) => percents[nth % percents.length] ?? 0;
				const moments = readsUntil(endMs, saying, intervalMs);
				const gaps = moments.map((atMs, index) => atMs - (moments[index - 1] ?? 0));
				expect(Math.min(...gaps)).toBeGreaterThan(999.9);
				expect(Math.max(...gaps)).toBeLessThan(Math.max(60_000, intervalMs + 200) + 0.1);
				const most = Math.max(...moments.map((atMs, index) => index + 1 - atMs / intervalMs));
				expect(most).toBeLessThanOrEqual(MOST_EXTRA_READS);
			}),
			{ numRuns: manyRuns() },
		);
	});
});
