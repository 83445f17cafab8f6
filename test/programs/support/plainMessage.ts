import type { Message } from '../../../nodes/Videogen/ground/words';

/** How many sentences a text has; what is quoted counts as a part of its own. */
export const sentencesIn = (text: string): number =>
	text.replace(/“[^”]*”\.?/g, 'it.').match(/[.!?](?= |$)/g)?.length ?? 0;

/** What holds for every message: a heading without a full stop, then a few whole sentences. */
export function expectPlain({ message, description }: Message, mostSentences = 3): void {
	const both = `${message} ${description}`;
	expect(message).toMatch(/^(?:n8n |[A-Z]).*[^.\s]$/);
	expect(description).toMatch(/^[A-Z“].*\.$/);
	expect(both).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\./);
	// Names of n8n's settings aside.
	expect(both.replace(/\b[A-Z\d]+(?:_[A-Z\d]+)+\b/g, '')).not.toMatch(
		/E[A-Z]{4,}|HTTP\b|payload|endpoint|schema/,
	);
	expect(sentencesIn(description)).toBeLessThanOrEqual(mostSentences);
}
