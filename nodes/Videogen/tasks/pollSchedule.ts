/** No task is read more often than this, in milliseconds. */
const MIN_GAP_MS = 1_000;

/** A read is planned this much later than the predicted end, because one before it is wasted. */
const MARGIN_MS = 200;

/** Far from the end, a gap is at most this many intervals. */
const MAX_GAP_INTERVALS = 3;

/** Predictions that differ by no more than this share of the time mean a steady pace. */
const STEADY_SHARE = 0.1;

/** Some services stand at 99 for long; a read that no interval pays for is not spent on that. */
const MAX_PERCENT = 97;

/** A rate from fewer percent than this says little, as progress comes in whole percent. */
const MIN_PERCENT_FOR_RATE = 10;

/** A task's progress as a read gave it. */
export interface ProgressReport {
	/** Counted like `elapsedMs`. */
	atMs: number;
	/** Between 0 and 100, both excluded: others say nothing of the pace. */
	percent: number;
}

/**
 * What is known of an unfinished task when it was just read. Times count from its submission, or
 * from when it was first read if this run did not create it.
 */
export interface PollHistory {
	/** What the person asked for: the longest gap while nothing is known. */
	intervalMs: number;
	elapsedMs: number;
	isFromStart: boolean;
	/** How often it was read since then. */
	reads: number;
	reports: ProgressReport[];
}

/**
 * Milliseconds until an unfinished task is read again: seldom at first, at the end as soon as it is
 * due, and in all no more often than every interval, whatever the progress does.
 */
export function nextReadInMs(history: PollHistory): number {
	const { intervalMs, elapsedMs, reads } = history;
	const spareReads = Math.floor(elapsedMs / intervalMs) - reads;
	// A prediction did not hold, and cost a read that the fixed interval would not have had.
	if (spareReads < 0) return (reads + 1) * intervalMs - elapsedMs;
	const endMs = predictedEndMs(history, spareReads);
	const leftMs = (endMs ?? Infinity) + MARGIN_MS - elapsedMs;
	if (leftMs > 0 && leftMs <= intervalMs) return Math.max(MIN_GAP_MS, leftMs);
	if (leftMs <= 0 && spareReads > 0) return MIN_GAP_MS;
	if (endMs === undefined || leftMs <= 0) return untilNextInterval(history);
	return Math.min(Math.max(leftMs - intervalMs, intervalMs), MAX_GAP_INTERVALS * intervalMs);
}

/** One interval; after gaps of other lengths, back to the moments of the fixed interval. */
function untilNextInterval({ intervalMs, elapsedMs, reports }: PollHistory): number {
	if (reports.length === 0) return intervalMs;
	const ms = intervalMs - (elapsedMs % intervalMs);
	return ms < intervalMs / 2 ? ms + intervalMs : ms;
}

/** When the task will be finished; `undefined` when its progress stands still, jumps or is unknown. */
function predictedEndMs(
	{ reports, isFromStart }: PollHistory,
	spareReads: number,
): number | undefined {
	const endMs = endByProgress(reports, isFromStart);
	if (endMs === undefined) return undefined;
	const [before, last] = [reports.at(-2), reports.at(-1)];
	const percent = last?.percent ?? 0;
	if (percent === before?.percent || (percent > MAX_PERCENT && spareReads === 0)) return undefined;
	const endBeforeMs = endByProgress(reports.slice(0, -1), isFromStart);
	const isSteady =
		before === undefined ||
		(endBeforeMs !== undefined && Math.abs(endBeforeMs - endMs) <= STEADY_SHARE * endMs);
	return isSteady ? endMs : undefined;
}

/** The end at the pace of all reports so far. */
function endByProgress(reports: ProgressReport[], isFromStart: boolean): number | undefined {
	const [first, last] = [reports[0], reports.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const percent = last.percent - first.percent;
	if (percent < MIN_PERCENT_FOR_RATE) {
		return isFromStart ? (100 * last.atMs) / last.percent : undefined;
	}
	return last.atMs + ((100 - last.percent) * (last.atMs - first.atMs)) / percent;
}
