import type { Clock } from '../ground/clock';
import { BROKEN_OFF, heldUpText, percentOf, progressText } from './progressMessages';
import type { Stream } from '../ground/n8n';
import type { ServiceError } from '../service/answer';
import type { Entry } from '../work/entry';

/** How often the node checks whether a line is due. */
const CHECK_EVERY_MS = 1_000;

/** The least time between two lines. */
const MIN_LINE_GAP_MS = 5_000;

/** The longest time between two lines: some proxies cut an answer that is silent for a minute. */
const MAX_LINE_GAP_MS = 45_000;

const QUARTER_PERCENT = 25;

const WAITS = 'Not all videos are created yet: ';

/** Where lines go, and what creates wait for, if they have waited for a minute. */
interface Shown {
	/** What is said before all else. */
	first?: string;
	clock: Clock;
	stream: Stream | undefined;
	heldUpBy?(): ServiceError | undefined;
}

/**
 * Works while lines say how far the videos are: at the start, at every quarter, and at the end. All
 * items share one line.
 * @param endText The last line.
 * @param entries Those that are waited for, and whose progress is wanted.
 */
export async function withProgress<Result>(
	entries: Entry[],
	shown: Shown,
	work: () => Promise<Result>,
	endText: (result: Result) => string,
): Promise<Result> {
	const { stream } = shown;
	if (stream === undefined || entries.length === 0) return await work();
	const done = new AbortController();
	stream('begin');
	if (shown.first !== undefined) stream('item', `${shown.first}\n\n`);
	void writeUntil(done.signal, entries, shown);
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

async function writeUntil(end: AbortSignal, entries: Entry[], { clock, stream, heldUpBy }: Shown) {
	let lastAt = -Infinity;
	let lastQuarter = 0;
	for (;;) {
		await clock.sleep(CHECK_EVERY_MS, end);
		if (end.aborted) return;
		const error = heldUpBy?.();
		const isStarted = entries.some(({ task }) => task);
		if (!isStarted && !error) continue;
		const quarter = Math.floor(percentOf(entries) / QUARTER_PERCENT);
		const minGapMs = quarter > lastQuarter ? MIN_LINE_GAP_MS : MAX_LINE_GAP_MS;
		if (clock.now() - lastAt < minGapMs) continue;
		const texts = [
			...(isStarted ? [progressText(entries)] : []),
			...(error ? [WAITS + heldUpText(error)] : []),
		];
		stream?.('item', `${texts.join(' ')}\n\n`);
		lastAt = clock.now();
		lastQuarter = quarter;
	}
}
