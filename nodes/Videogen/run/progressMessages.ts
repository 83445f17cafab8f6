import { resultUrls, percentIn } from '../service/task';
import type { ServiceError } from '../service/answer';
import type { Entry } from '../work/entry';
import { listed } from '../ground/words';
import { outcomeMessage } from './outcomeMessage';
import { serviceErrorMessage } from '../service/answerWords';

/** How far the videos of these entries are, all together; 0 where the service does not say. */
export function percentOf(entries: Entry[]): number {
	const percents = entries.map(({ outcome, task }) =>
		outcome ? 100 : Math.min(Math.max(percentIn(task?.record ?? {}) ?? 0, 0), 100),
	);
	return percents.reduce((sum, percent) => sum + percent, 0) / entries.length;
}

/** What creates wait for. */
export const heldUpText = (error: ServiceError): string =>
	`the node waits for the service, and tries again. ${serviceErrorMessage(error, 'create').message}.`;

export function progressText(entries: Entry[]): string {
	const total = entries.length;
	const percent = Math.floor(percentOf(entries));
	const known = percent > 0 ? `: ${percent} %` : '';
	const finished = entries.filter(({ outcome }) => outcome).length;
	if (total === 1) return `Your video is being made${known}.`;
	return finished === 0
		? `${total} videos are being made${known}.`
		: `${finished} of ${total} videos ${areOrIs(finished)} finished${known}.`;
}

/** In place of the last line when the node could not go on. */
export const BROKEN_OFF = 'This workflow has stopped.';

/** Longer answers hide what comes behind them. */
const MAX_LINKS = 20;

/**
 * The last line, with the links of the videos that are there.
 * @param whyNot What an entry says that did not come to what was asked for.
 */
export function endText(entries: Entry[], whyNot: (entry: Entry) => string | undefined): string {
	const links = entries.flatMap(({ task }) => resultUrls(task?.record ?? {})[0] ?? []);
	const list = links.length > 0 ? `\n\n${listed(links, MAX_LINKS, '\n\n')}` : '';
	const made = entries.filter((one) => one.outcome?.kind === 'done' && !whyNot(one)).length;
	const others = entries.length - made;
	const [only] = entries;
	if (only && entries.length === 1) {
		const why = whyNot(only) ?? outcomeMessage(only).message;
		const ended = list === '' ? `No video: ${why}.` : `${why}.`;
		return `${made === 1 ? 'Your video is finished.' : ended}${list}`;
	}
	return others === 0
		? `All ${made} videos are finished.${list}`
		: `${made} of ${entries.length} videos ${areOrIs(made)} finished, ${others} ${areOrIs(others)} not.${list}`;
}

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are');
