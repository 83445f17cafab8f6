/** The shortest gap between two reads of a task, in milliseconds. */
const MIN_GAP_MS = 1_000;

/** Reads are planned this long after the predicted end, because one before it would be wasted. */
const MARGIN_MS = 200;

/** Share of the time since the order. After a long wait, this much more makes no difference. */
const PLAIN_GAP_SHARE = 1 / 20;

/** The plain gap grows up to this, unless the interval itself is longer. */
const MAX_PLAIN_GAP_MS = 30_000;

/** The longest predicted gap, because a task may pick up speed. */
const MAX_GAP_MS = 60_000;

/** A task's progress at a read, or 0 percent if the read reported none. */
export interface ProgressReport {
	/** On the same scale as `elapsedMs`. */
	atMs: number;
	/** From 0 to 100. */
	percent: number;
}

/**
 * What is known about an unfinished task right after a read. Times count from its order or, if this
 * run did not create it, from when this run started to read it.
 */
interface PollHistory {
	/** What the user set. */
	intervalMs: number;
	elapsedMs: number;
	/** One per successful read, in order. */
	reports: readonly ProgressReport[];
}

/**
 * Milliseconds until an unfinished task is read again. This is a plain gap that grows over time or,
 * if progress has risen and the previous prediction may still hold, a gap that its pace predicts.
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

/** If two are equal, returns the earlier one, which says more about the pace. */
const higherOf = (highest: ProgressReport, report: ProgressReport): ProgressReport =>
	report.percent > highest.percent ? report : highest;

/** The end at the pace between the first report and this one. A single report says nothing. */
function predictedEndMs(first: ProgressReport, report: ProgressReport): number {
	const percent = report.percent - first.percent;
	if (percent === 0) return Infinity;
	return report.atMs + ((100 - report.percent) * (report.atMs - first.atMs)) / percent;
}
