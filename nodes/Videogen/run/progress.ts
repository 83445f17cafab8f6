import type { Clock } from '../common/timer';
import {
	endText,
	type ProgressFacts,
	progressText,
	startedText,
} from '../messages/progressMessages';
import type { Stream } from '../n8n/streaming';
import { percentIn } from '../service/task';
import type { Entry } from '../tasks/entry';

/** How often the entries are looked at, so that a line comes soon after what it says. */
const LOOK_EVERY_MS = 1_000;

/** Lines on the way come no more often than this. */
const MIN_GAP_MS = 5_000;

/** And no more seldom: proxies cut an answer in which nothing moves, some after a minute. */
const MAX_GAP_MS = 45_000;

const QUARTER_PERCENT = 25;

/**
 * Works while lines say how far the videos are: when they are started, every quarter of the way,
 * and at the end. All items share one line.
 * @param entries Those that are waited for, and whose progress is wanted.
 */
export async function withProgress<Result>(
	entries: Entry[],
	{ clock, stream }: { clock: Clock; stream: Stream | undefined },
	work: () => Promise<Result>,
): Promise<Result> {
	if (stream === undefined || entries.length === 0) return await work();
	const done = new AbortController();
	stream('begin');
	void writeUntil(done.signal, entries, clock, stream);
	try {
		return await work();
	} finally {
		done.abort();
		stream('item', endText(entries));
		stream('end');
	}
}

async function writeUntil(end: AbortSignal, entries: Entry[], clock: Clock, stream: Stream) {
	let last: { at: number; quarter: number } | undefined;
	for (;;) {
		await clock.sleep(LOOK_EVERY_MS, end);
		if (end.aborted) return;
		if (!entries.some(({ task }) => task)) continue;
		const facts = factsOf(entries);
		const now = { at: clock.now(), quarter: Math.floor(facts.percent / QUARTER_PERCENT) };
		const gapMs = now.at - (last?.at ?? now.at);
		const isDue = gapMs >= (last && now.quarter > last.quarter ? MIN_GAP_MS : MAX_GAP_MS);
		if (last && !isDue) continue;
		stream('item', `${last ? progressText(facts) : startedText(facts)}\n\n`);
		last = now;
	}
}

function factsOf(entries: Entry[]): ProgressFacts {
	const percents = entries.map(({ outcome, task }) =>
		outcome ? 100 : Math.min(Math.max(percentIn(task?.record ?? {}) ?? 0, 0), 100),
	);
	return {
		total: entries.length,
		finished: entries.filter(({ outcome }) => outcome).length,
		percent: percents.reduce((sum, percent) => sum + percent, 0) / entries.length,
	};
}
