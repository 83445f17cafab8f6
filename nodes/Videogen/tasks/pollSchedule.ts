/** No task is read more often than this, in milliseconds. */
const MIN_GAP_MS = 1_000;

/** So much later than the end is predicted, because a read before it is wasted. */
const MARGIN_MS = 200;

/** Far from the end, a gap is at most this many intervals. */
const MAX_GAP_INTERVALS = 3;

/** Predictions that differ by no more than this share of the time mean a steady pace. */
const STEADY_SHARE = 0.1;
/** The same for what the service estimates. */
const HINT_SHARE = 0.25;

/** Some services stand at 99 for long, which must not cost a read that is not to spare. */
const MAX_PERCENT = 97;

/** A first report of so much is believed without any other. */
const MIN_PERCENT_ALONE = 50;

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
	/** What the service estimates, in whatever unit; believed only when the progress agrees. */
	estimateMs?: number;
	/** When other tasks of this run, all of about the same length, were last seen unfinished. */
	typicalMs?: number;
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
	return Math.min(Math.max(leftMs / 2, intervalMs), MAX_GAP_INTERVALS * intervalMs);
}

/** One interval; after gaps of other lengths, back to the moments of the fixed interval. */
function untilNextInterval({ intervalMs, elapsedMs, reports }: PollHistory): number {
	if (reports.length === 0) return intervalMs;
	const ms = intervalMs - (elapsedMs % intervalMs);
	return ms < intervalMs / 2 ? ms + intervalMs : ms;
}

/** When the task will be finished; `undefined` when nothing that can be relied on says so. */
function predictedEndMs(history: PollHistory, spareReads: number): number | undefined {
	const { reports, isFromStart, estimateMs, typicalMs } = history;
	const endMs = endByProgress(reports, isFromStart);
	if (endMs === undefined) return reports.length === 0 ? typicalMs : undefined;
	const agrees = (otherMs: number | undefined, share: number) =>
		otherMs !== undefined && Math.abs(otherMs - endMs) <= share * endMs;
	const percent = reports.at(-1)?.percent ?? 0;
	const mayStandStill = percent > MAX_PERCENT && spareReads === 0;
	if (mayStandStill || percent === reports.at(-2)?.percent) return undefined;
	const isSteady =
		reports.length > 1
			? agrees(endByProgress(reports.slice(0, -1), isFromStart), STEADY_SHARE)
			: percent >= MIN_PERCENT_ALONE || agrees(estimateMs, HINT_SHARE);
	return isSteady ? endMs : undefined;
}

/** The latest end that the reports allow: 41 % may be almost 42, never less than 41. */
function endByProgress(reports: ProgressReport[], isFromStart: boolean): number | undefined {
	const [first, last] = [reports[0], reports.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const percent = last.percent - first.percent;
	if (percent < MIN_PERCENT_FOR_RATE) {
		return isFromStart ? (100 * last.atMs) / last.percent : undefined;
	}
	const msPerPercent = (last.atMs - first.atMs) / (percent - 1);
	return last.atMs + (100 - last.percent) * msPerPercent;
}

/** Fewer tasks say little of the others, and so do tasks that differ by more than this factor. */
const MIN_TASKS = 3;
const MAX_FACTOR = 1.5;

/** How long the tasks of a run take, once some of them have finished and all took about the same. */
export class TypicalTime {
	private count = 0;

	private leastMs = Number.POSITIVE_INFINITY;

	private mostMs = 0;

	/** @param unfinishedMs When a task that has completed was last seen unfinished. */
	add(unfinishedMs: number): void {
		this.count += 1;
		this.leastMs = Math.min(this.leastMs, unfinishedMs);
		this.mostMs = Math.max(this.mostMs, unfinishedMs);
	}

	/** Milliseconds after which none of them had finished. */
	get ms(): number | undefined {
		const isTypical = this.count >= MIN_TASKS && this.mostMs <= MAX_FACTOR * this.leastMs;
		return isTypical ? this.leastMs : undefined;
	}
}
