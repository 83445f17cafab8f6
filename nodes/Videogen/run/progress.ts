import type { Clock } from '../ground/clock';
import type { Stream } from '../ground/n8n';
import { asSentence } from '../ground/text';
import { listed } from '../ground/words';
import type { ServiceError } from '../service/answer';
import { percentIn, resultUrls } from '../service/task';
import { type Item, taskIdOf, taskOf } from '../work/order';
import { heldUpText } from './log';
import { faultOf } from './output';

/** How often the node checks whether a line is due. */
const CHECK_EVERY_MS = 1_000;

/** The least time between two lines. */
const MIN_LINE_GAP_MS = 5_000;

/** The longest time between two lines: some proxies cut an answer that is silent for a minute. */
const MAX_LINE_GAP_MS = 45_000;

const QUARTER_PERCENT = 25;

/** Longer answers hide what comes behind them. */
const MAX_LINKS = 20;

/** Where lines go, what is said first, and what creates wait for. */
interface Shown {
	first?: string;
	clock: Clock;
	stream: Stream | undefined;
	heldUpBy(): ServiceError | undefined;
}

/** Works while lines say how far the videos are: at the start, at every quarter, and at the end. */
export async function withProgress(
	items: Item[],
	{ clock, stream, first, heldUpBy }: Shown,
	work: () => Promise<void>,
): Promise<void> {
	if (stream === undefined || items.length === 0) return await work();
	const done = new AbortController();
	stream('begin');
	if (first !== undefined) stream('item', `${first}\n\n`);
	void writeUntil(done.signal, items, clock, (line) => stream('item', `${line}\n\n`), heldUpBy);
	let end = 'This workflow has stopped.';
	try {
		await work();
		end = endText(items);
	} finally {
		done.abort();
		stream('item', end);
		stream('end');
	}
}

async function writeUntil(
	end: AbortSignal,
	items: Item[],
	clock: Clock,
	write: (line: string) => void,
	heldUpBy: Shown['heldUpBy'],
): Promise<void> {
	let lastAt = -Infinity;
	let lastQuarter = 0;
	for (;;) {
		await clock.sleep(CHECK_EVERY_MS, end);
		if (end.aborted) return;
		const line = progressLine(items, heldUpBy());
		const quarter = Math.floor(percentOf(items) / QUARTER_PERCENT);
		const minGapMs = quarter > lastQuarter ? MIN_LINE_GAP_MS : MAX_LINE_GAP_MS;
		if (line === undefined || clock.now() - lastAt < minGapMs) continue;
		write(line);
		lastAt = clock.now();
		lastQuarter = quarter;
	}
}

const isEnded = ({ order }: Item): boolean => !['new', 'running'].includes(order.state.is);

/** How far the videos of these items are, all together; 0 where the service does not say. */
function percentOf(items: Item[]): number {
	const percents = items.map((item) => {
		const percent = percentIn(taskOf(item.order)?.record ?? {}) ?? 0;
		return isEnded(item) ? 100 : Math.min(Math.max(percent, 0), 100);
	});
	return percents.reduce((sum, percent) => sum + percent, 0) / items.length;
}

/** One line for all items; `undefined` before the first is created, unless creates are held up. */
export function progressLine(items: Item[], heldUpBy?: ServiceError): string | undefined {
	const total = items.length;
	const percent = Math.floor(percentOf(items));
	const known = percent > 0 ? `: ${percent} %` : '';
	const ended = items.filter(isEnded).length;
	const isStarted = items.some(({ order }) => taskIdOf(order) !== undefined);
	const made =
		ended === 0
			? `${total === 1 ? 'Your video is' : `${total} videos are`} being made${known}.`
			: `${ended} of ${total} videos ${areOrIs(ended)} finished${known}.`;
	const texts = [
		...(isStarted ? [made] : []),
		...(heldUpBy ? [`Not all videos are created yet: ${heldUpText(heldUpBy)}`] : []),
	];
	return texts.join(' ') || undefined;
}

/** The last line, with the links of the videos that are there. */
export function endText(items: Item[]): string {
	const links = items.flatMap(({ order }) => resultUrls(taskOf(order)?.record ?? {})[0] ?? []);
	const list = links.length > 0 ? `\n\n${listed(links, MAX_LINKS, '\n\n')}` : '';
	const faults = items.flatMap((item) => faultOf(item) ?? []);
	const made = items.length - faults.length;
	const [only] = faults;
	if (items.length === 1) {
		return only
			? `${list ? '' : 'No video: '}${asSentence(only.message)}${list}`
			: `Your video is finished.${list}`;
	}
	return faults.length === 0
		? `All ${made} videos are finished.${list}`
		: `${made} of ${items.length} videos ${areOrIs(made)} finished, ${faults.length} ${areOrIs(faults.length)} not.${list}`;
}

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are');
