import fc from 'fast-check';
import type { PollHistory, ProgressReport } from '../../../nodes/Videogen/tasks/pollSchedule';
import { nextReadInMs } from '../../../nodes/Videogen/tasks/pollSchedule';
import { manyRuns } from '../../support/fuzz';

const INTERVAL_MS = 5_000;

const history = (elapsedMs: number, more: Partial<PollHistory> = {}): PollHistory => ({
	intervalMs: INTERVAL_MS,
	elapsedMs,
	isFromStart: true,
	reads: Math.floor(elapsedMs / INTERVAL_MS),
	reports: [],
	...more,
});

/** What reads at these moments say of a task that takes so long and reports evenly. */
const linear = (durationMs: number, moments: number[]): ProgressReport[] =>
	moments.map((atMs) => ({ atMs, percent: Math.floor((100 * atMs) / durationMs) }));

describe('the next read of a task', () => {
	test('comes after one interval while nothing is known', () => {
		expect(nextReadInMs(history(0))).toBe(INTERVAL_MS);
		expect(nextReadInMs(history(20_000))).toBe(INTERVAL_MS);
	});

	test('comes when its progress says that it will have ended', () => {
		const reports = linear(12_000, [5_000, 10_000]);
		// 17 more percent at 42 percent in 5 s, and the margin.
		expect(Math.round(nextReadInMs(history(10_000, { reports })))).toBe(2_224);
	});

	test('believes a first report, however early', () => {
		const late = [{ atMs: 5_000, percent: 80 }];
		expect(nextReadInMs(history(5_000, { reports: late }))).toBe(1_450);
		const early = [{ atMs: 5_000, percent: 10 }];
		expect(nextReadInMs(history(5_000, { reports: early }))).toBe(3 * INTERVAL_MS);
	});

	test('believes ten percent of progress, and 97 %', () => {
		const reports = [60, 70, 80].map((percent, index) => ({ atMs: 10_000 * index, percent }));
		const paced = history(20_000, { isFromStart: false, reports });
		expect(nextReadInMs(paced)).toBeGreaterThan(2 * INTERVAL_MS);
		const nearly = [...linear(30_000, [20_000]), { atMs: 30_000, percent: 97 }];
		expect(nextReadInMs(history(30_000, { reports: nearly }))).toBeLessThan(2_000);
	});

	test('is put off while a steady progress says that the end is far', () => {
		const reports = linear(180_000, [20_000, 40_000]);
		expect(nextReadInMs(history(40_000, { reports }))).toBe(3 * INTERVAL_MS);
		const nearer = linear(180_000, [100_000, 165_000]);
		const inMs = nextReadInMs(history(165_000, { reports: nearer }));
		expect(inMs).toBeGreaterThan(INTERVAL_MS);
		expect(inMs).toBeLessThan(3 * INTERVAL_MS);
	});

	test.each<[string, ProgressReport[]]>([
		['stands still', [...linear(60_000, [20_000, 30_000]), { atMs: 35_000, percent: 50 }]],
		['stands still for a moment', [34_000, 35_000].map((atMs) => ({ atMs, percent: 50 }))],
		['jumps', [...linear(60_000, [20_000, 25_000]), { atMs: 35_000, percent: 90 }]],
		['stands at 99', [...linear(35_000, [20_000]), { atMs: 35_000, percent: 99 }]],
	])('comes after one interval when the progress %s', (_, reports) => {
		expect(nextReadInMs(history(35_000, { reports }))).toBe(INTERVAL_MS);
	});

	test('follows closely at the end, as long as reads were saved before', () => {
		const reports = [...linear(60_000, [20_000, 40_000]), { atMs: 60_400, percent: 99 }];
		expect(nextReadInMs(history(60_400, { reports, reads: 8 }))).toBe(1_000);
	});

	test('makes up for a read that a wrong prediction has cost', () => {
		expect(6_000 + nextReadInMs(history(6_000, { reads: 2 }))).toBe(15_000);
		const reports = linear(12_000, [5_000, 10_000]);
		expect(13_000 + nextReadInMs(history(13_000, { reports }))).toBe(20_000);
	});

	test('of a task that was under way when it was first read goes by its pace alone', () => {
		const one = [{ atMs: 0, percent: 80 }];
		const underWay = { isFromStart: false, reports: one };
		expect(nextReadInMs(history(0, underWay))).toBe(INTERVAL_MS);
		const paced = [0, 10_000, 20_000].map((atMs) => ({ atMs, percent: 62 + atMs / 625 }));
		const inMs = nextReadInMs(history(20_000, { isFromStart: false, reports: paced }));
		expect(20_000 + inMs).toBeGreaterThan(23_750);
		expect(20_000 + inMs).toBeLessThan(24_500);
	});

	test('is never sooner than a second, and never needs more reads than the fixed interval', () => {
		const tasks = fc.record({
			durationMs: fc.integer({ min: 500, max: 300_000 }),
			intervalMs: fc.integer({ min: 1_000, max: 30_000 }),
			stuckAt: fc.double({ min: 0.02, max: 1, noNaN: true }),
		});
		fc.assert(
			fc.property(tasks, ({ durationMs, intervalMs, stuckAt }) => {
				const reports: ProgressReport[] = [];
				let elapsedMs = 0;
				let reads = 0;
				let leastGapMs = Infinity;
				while (elapsedMs < durationMs) {
					const known = { intervalMs, isFromStart: true, reads, reports };
					const inMs = nextReadInMs({ ...known, elapsedMs });
					leastGapMs = Math.min(leastGapMs, inMs);
					elapsedMs += inMs;
					reads += 1;
					const percent = Math.floor(100 * Math.min(elapsedMs / durationMs, stuckAt));
					if (percent > 0 && percent < 100) reports.push({ atMs: elapsedMs, percent });
				}
				expect(leastGapMs).toBeGreaterThanOrEqual(Math.min(1_000, intervalMs / 2));
				expect(reads).toBeLessThanOrEqual(Math.ceil(durationMs / intervalMs) + 1);
			}),
			{ numRuns: manyRuns() },
		);
	});
});
