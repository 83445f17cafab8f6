/** No task is read more often than this, in milliseconds. */
const MIN_GAP_MS = 1_000;

/** A read is planned this much later than the predicted end, because one before it is wasted. */
const MARGIN_MS = 200;

/** Of the time since the order: who has waited so long does not mind this much more. */
const PLAIN_GAP_SHARE = 1 / 20;

/** The plain gap grows to this, unless the interval itself is longer. */
const MAX_PLAIN_GAP_MS = 30_000;

/** A pace may quicken, so even a far end is not waited for in one piece. */
const MAX_GAP_MS = 60_000;

/** A task's progress as a read gave it; 0 percent where it gave none. */
export interface ProgressReport {
	/** Counted like `elapsedMs`. */
	atMs: number;
	/** From 0 to 100. */
	percent: number;
}

/**
 * What is known of an unfinished task when it was just read. Times count from its order, or from
 * when this run began to read it if it did not create it.
 */
interface PollHistory {
	/** What the person asked for. */
	intervalMs: number;
	elapsedMs: number;
	/** One for each read that succeeded, in order. */
	reports: ProgressReport[];
}

/**
 * Milliseconds until an unfinished task is read again: a plain gap, which grows with the time that
 * it takes, or what its pace says, if its progress has risen and the prediction before it may hold.
 */
export function nextReadInMs({ intervalMs, elapsedMs, reports }: PollHistory): number {
	const plainGapMs = Math.max(intervalMs, Math.min(PLAIN_GAP_SHARE * elapsedMs, MAX_PLAIN_GAP_MS));
	const [first, last] = [reports[0], reports.at(-1)];
	if (first === undefined || last === undefined) return plainGapMs;
	const before = reports.slice(0, -1).reduce(higherOf, first);
	const hasRisen = last.percent > before.percent;
	if (!hasRisen || predictedEndMs(first, before) <= elapsedMs) return plainGapMs;
	const leftMs = predictedEndMs(first, last) - elapsedMs;
	if (leftMs <= plainGapMs) return Math.max(MIN_GAP_MS, leftMs + MARGIN_MS);
	return Math.max(plainGapMs, Math.min(leftMs / 2, MAX_GAP_MS));
}

/** Of two that are equal the earlier one, which says more of the pace. */
const higherOf = (highest: ProgressReport, report: ProgressReport): ProgressReport =>
	report.percent > highest.percent ? report : highest;

/** The end at the pace from the first report to this one; one report alone says nothing. */
function predictedEndMs(first: ProgressReport, report: ProgressReport): number {
	const percent = report.percent - first.percent;
	if (percent === 0) return Infinity;
	return report.atMs + ((100 - report.percent) * (report.atMs - first.atMs)) / percent;
}
