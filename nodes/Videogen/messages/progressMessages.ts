import { type Entry } from '../tasks/entry';
import { outcomeMessage } from './outcomeMessage';

/** How far the videos of a run are, all together. */
export interface ProgressFacts {
	total: number;
	finished: number;
	/** Of all, 0 where the service gives none. */
	percent: number;
}

export const startedText = ({ total }: ProgressFacts): string =>
	total === 1 ? 'Your video is being made.' : `${total} videos are being made.`;

export function progressText({ total, finished, percent }: ProgressFacts): string {
	const known = percent > 0 ? `: ${Math.floor(percent)} %` : '';
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
