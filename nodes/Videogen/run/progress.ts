import type { Clock } from '../common/timer';
import { BROKEN_OFF, percentOf, progressText } from '../messages/progressMessages';
import type { Stream } from '../n8n/streaming';
import type { Entry } from '../tasks/entry';

/** How often the node checks whether a line is due. */
const CHECK_EVERY_MS = 1_000;

/** The least time between two lines. */
const MIN_LINE_GAP_MS = 5_000;

/** The longest time between two lines: some proxies cut an answer that is silent for a minute. */
const MAX_LINE_GAP_MS = 45_000;

const QUARTER_PERCENT = 25;

/**
 * Works while lines say how far the videos are: at the start, at every quarter, and at the end. All
 * items share one line.
 * @param endText The last line.
 * @param entries Those that are waited for, and whose progress is wanted.
 */
export async function withProgress<Result>(
	entries: Entry[],
	{ clock, stream }: { clock: Clock; stream: Stream | undefined },
	work: () => Promise<Result>,
	endText: (result: Result) => string,
): Promise<Result> {
	if (stream === undefined || entries.length === 0) return await work();
	const done = new AbortController();
	stream('begin');
	void writeUntil(done.signal, entries, clock, stream);
	let text = BROKEN_OFF;
	try {
		const result = await work();
		text = endText(result);
		return result;
	} finally {
		done.abort();
		stream('item', text);
		stream('end');
	}
}

async function writeUntil(end: AbortSignal, entries: Entry[], clock: Clock, stream: Stream) {
	let lastAt = -Infinity;
	let lastQuarter = 0;
	for (;;) {
		await clock.sleep(CHECK_EVERY_MS, end);
		if (end.aborted) return;
		if (!entries.some(({ task }) => task)) continue;
		const quarter = Math.floor(percentOf(entries) / QUARTER_PERCENT);
		const minGapMs = quarter > lastQuarter ? MIN_LINE_GAP_MS : MAX_LINE_GAP_MS;
		if (clock.now() - lastAt < minGapMs) continue;
		stream('item', `${progressText(entries)}\n\n`);
		lastAt = clock.now();
		lastQuarter = quarter;
	}
}
