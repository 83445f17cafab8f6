import fc from 'fast-check';
import { nextReadInMs, type ProgressReport } from '../../../nodes/Videogen/work/schedule';
import { manyRuns } from '../../support/fuzz';

const HOUR_MS = 3_600_000;

/** Seconds and percent of each report of a task that was just read for the last time. */
type Reports = Array<[seconds: number, percent: number]>;

/** The gap in seconds. */
function gapAfter(given: Reports, intervalMs = 5_000): number {
	const reports = given.map(([seconds, percent]) => ({ atMs: 1_000 * seconds, percent }));
	const elapsedMs = reports.at(-1)?.atMs ?? 0;
	return Math.round(nextReadInMs({ intervalMs, elapsedMs, reports })) / 1_000;
}

test.each([
	['the interval at first', 5_000, 0, 5_000],
	['the interval up to twenty of them', 5_000, 100_000, 5_000],
	['a twentieth of the time when that is more', 5_000, 200_000, 10_000],
	['at most 30 s, however long it takes', 5_000, 10 * HOUR_MS, 30_000],
	['the interval when that is longer than 30 s', 90_000, 10 * HOUR_MS, 90_000],
])('the plain gap is %s', (_, intervalMs, elapsedMs, gapMs) => {
	for (const reports of [[], [{ atMs: 0, percent: 0 }]])
		expect(nextReadInMs({ intervalMs, elapsedMs, reports })).toBe(gapMs);
});

test.each<[string, number, ...Reports]>([
	['0.2 s after the end that its pace predicts', 3.2, [0, 0], [9, 75]],
	['at least a second after the last one', 1, [0, 0], [49.5, 99]],
	['at least a second after it, at 100 %', 1, [0, 0], [10, 100]],
	['after the end where that is a plain gap away', 5.2, [0, 0], [20, 80]],
	['after half of what is left while that is more', 20, [0, 0], [40, 50]],
	['no sooner than a plain gap', 5, [0, 0], [24, 80]],
	['no sooner than a plain gap that has grown', 22.222, [0, 0], [400, 90]],
	['no sooner than the longest plain gap', 30, [0, 0], [720, 95]],
	['after a minute at most', 60, [0, 0], [15, 1]],
	['by the pace since the first report', 7.5, [0, 80], [5, 85]],
	['by the pace since then, again', 3.533, [0, 80], [5, 85], [10, 95]],
	['by the pace of reports that began late', 15, [30, 40], [60, 60], [90, 80]],
	['by a rise before the end that it predicted', 45, [0, 0], [20, 20], [25, 20], [30, 25]],
])('a task whose progress rises is read %s', (_, gap, ...reports) => {
	expect(gapAfter(reports)).toBe(gap);
	// At a longer interval, it is read no sooner than that.
	expect(gapAfter(reports, 90_000)).toBeLessThanOrEqual(90.2);
});

test.each<[string, ...Reports]>([
	['is reported once', [0, 80]],
	['is absent', [0, 0], [5, 0], [10, 0]],
	['has gone', [0, 0], [5, 10], [10, 0]],
	['stands at 99', [0, 0], [20, 99], [25, 99], [30, 99]],
	['has gone back, and has not caught up', [0, 0], [20, 50], [25, 40], [30, 50]],
	['began higher', [0, 60], [5, 20], [10, 40]],
	['rises at the end that it predicted', [0, 0], [4, 80], [5, 81]],
	['rises after the end that it predicted', [0, 0], [4, 80], [5.2, 81]],
	['rises after the end that it first predicted', [0, 0], [4, 80], [5, 80], [5.2, 81]],
	['has jumped and crawls since', [0, 0], [5, 90], [10, 91], [15, 92]],
	['has fallen after a jump', [0, 0], [5, 90], [10, 91], [15, 92], [20, 30]],
])('a task is read after a plain gap when its progress %s', (_, ...reports) =>
	expect(gapAfter(reports)).toBe(5),
);

/** More than a fixed interval has: a wrong prediction costs a part of a read, later ones less. */
const MOST_EXTRA_READS = 3;

test('a task is never read more than once a second, nor more often than at its interval', () => {
	const given = fc.record({
		endMs: fc.integer({ min: 500, max: HOUR_MS }),
		intervalMs: fc.integer({ min: 1_000, max: 90_000 }),
		percents: fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 40 }),
	});
	const property = fc.property(given, ({ endMs, intervalMs, percents }) => {
		const reports: ProgressReport[] = [{ atMs: 0, percent: 0 }];
		const gaps: number[] = [];
		let most = 0;
		for (let elapsedMs = 0; elapsedMs < endMs;) {
			const gapMs = nextReadInMs({ intervalMs, elapsedMs, reports });
			elapsedMs += gapMs;
			gaps.push(gapMs);
			reports.push({ atMs: elapsedMs, percent: percents[reports.length % percents.length] ?? 0 });
			most = Math.max(most, gaps.length - elapsedMs / intervalMs);
		}
		expect(most).toBeLessThanOrEqual(MOST_EXTRA_READS);
		expect(Math.min(...gaps)).toBeGreaterThan(999.9);
		expect(Math.max(...gaps)).toBeLessThan(Math.max(60_000, intervalMs + 200) + 0.1);
	});
	fc.assert(property, { numRuns: manyRuns() });
});
