/** Servers do not accept longer URLs, and an ID becomes part of one. */
export const MAX_URL_CHARACTERS = 8_192;

/** Longer than any name that people give a file or a field. */
export const MAX_NAME_CHARACTERS = 1_000;

/** Removes matching characters from both ends. A pattern such as `,+$` takes quadratic time. */
export function withoutEdges(text: string, isEdge: RegExp): string {
	let start = 0;
	let end = text.length;
	while (start < end && isEdge.test(text.charAt(start))) start += 1;
	while (end > start && isEdge.test(text.charAt(end - 1))) end -= 1;
	return text.slice(start, end);
}

/** Blanks, and characters that no one sees: people copy them from websites and documents. */
const BLANK = /[\s\p{Cf}]/u;

/** A text as a person sees it. */
export const bare = (text: string): string => withoutEdges(text, BLANK);

/** Enough to understand, short enough to read in n8n's error panel. */
const MAX_QUOTED_CHARACTERS = 300;

/** Control characters, lone surrogates, and characters that change the direction of text. */
const UNFIT = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/** n8n shows descriptions and hints as HTML; this makes it show the text as it is. */
export const asPlainText = (text: string): string =>
	text.replace(UNFIT, ' ').replaceAll('<', '‹').replaceAll('>', '›');

/**
 * Prepares a text of the service for one line of a message: no control characters, single spaces,
 * shortened. Use `wholeId` for an ID that people need in full.
 */
export function quotable(text: string): string {
	const line = asPlainText(text.slice(0, MAX_URL_CHARACTERS));
	return shortened(line.replace(/\s+/g, ' ').trim(), MAX_QUOTED_CHARACTERS);
}

/** Characters that break a line, change its direction, are invisible, or delimit HTML. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/u;

/**
 * An ID in full, so that its task can be found again. If it would break the line, be read as HTML,
 * or starts with a quote, it is written as a JSON string.
 */
export function wholeId(id: string): string {
	const text = UNSEEN.test(id) || id.startsWith('"') ? JSON.stringify(id) : id;
	return text.replace(new RegExp(UNSEEN, 'gu'), escaped);
}

/** Writes every code unit as an escape that JSON and JavaScript understand. */
const escaped = (text: string): string =>
	text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Cuts off a text that is longer than the limit. */
export function shortened(text: string, maxCharacters: number): string {
	// A character has at most two code units, so the rest of a huge text is not split.
	const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
	if (characters.length <= maxCharacters) return text;
	return `${characters.slice(0, maxCharacters).join('')}…`;
}

/** Ends a text like a sentence, so that another one can follow. */
export const asSentence = (text: string): string => (/[.!?…]"?$/.test(text) ? text : `${text}.`);

/**
 * Quotes words and ends them like a sentence. Uses straight quotes: with one curly character, n8n
 * keeps a whole execution in twice the memory.
 */
export const quoted = (words: string): string => asSentence(`"${words}"`);
