import { percentIn } from '../service/task';
import type { Entry } from '../tasks/entry';
import { outcomeMessage } from './outcomeMessage';

/** How far the videos of these entries are, all together; 0 where the service does not say. */
export function percentOf(entries: Entry[]): number {
	const percents = entries.map(({ outcome, task }) =>
		outcome ? 100 : Math.min(Math.max(percentIn(task?.record ?? {}) ?? 0, 0), 100),
	);
	return percents.reduce((sum, percent) => sum + percent, 0) / entries.length;
}

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

/** The last line. Where the node rests instead of waiting, some have no end yet. */
export function endText(entries: Entry[]): string {
	const [only] = entries;
	const made = entries.filter(({ outcome }) => outcome?.kind === 'done').length;
	if (entries.some(({ outcome }) => !outcome)) {
		return 'This workflow continues as soon as the service has finished.';
	}
	if (only && entries.length === 1) {
		return made === 1 ? 'Your video is finished.' : `No video: ${outcomeMessage(only).message}.`;
	}
	const others = entries.length - made;
	return others === 0
		? `All ${made} videos are finished.`
		: `${made} of ${entries.length} videos ${areOrIs(made)} finished, ${others} ${areOrIs(others)} not.`;
}

const areOrIs = (count: number): string => (count === 1 ? 'is' : 'are');
