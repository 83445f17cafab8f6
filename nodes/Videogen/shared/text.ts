/** Servers accept no longer URLs, and an id becomes part of one. */
export const MAX_URL_CHARACTERS = 8_192;

/** Longer than any name that a person gives to a file or a field. */
export const MAX_NAME_CHARACTERS = 1_000;

/** A text without these characters at its ends. A pattern such as `,+$` takes quadratic time. */
export function withoutEdges(text: string, isEdge: RegExp): string {
	let start = 0;
	let end = text.length;
	while (start < end && isEdge.test(text.charAt(start))) start += 1;
	while (end > start && isEdge.test(text.charAt(end - 1))) end -= 1;
	return text.slice(start, end);
}

/** Enough to understand, short enough to read in n8n's error panel. */
const MAX_QUOTED_CHARACTERS = 300;

/** Control characters, halves of characters, and characters that change the direction of text. */
const UNFIT = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/** A text that n8n, which shows descriptions and hints as HTML, shows as it is. */
export const asPlainText = (text: string): string =>
	text.replace(UNFIT, ' ').replaceAll('<', '‹').replaceAll('>', '›');

/**
 * A text of the service, made fit for one line of a message: no control characters, single spaces,
 * shortened. An id that people need whole goes through `wholeId`.
 */
export function quotable(text: string): string {
	const line = asPlainText(text.slice(0, MAX_URL_CHARACTERS));
	return shortened(line.replace(/\s+/g, ' ').trim(), MAX_QUOTED_CHARACTERS);
}

/** Characters that break a line, change its direction, are invisible, or begin and end HTML. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>]/u;

/**
 * An id, complete, so that its task can be found again. One that would break the line or be HTML, or
 * that begins with a quote, is written as a JSON string.
 */
export function wholeId(id: string): string {
	const text = UNSEEN.test(id) || id.startsWith('"') ? JSON.stringify(id) : id;
	return text.replace(new RegExp(UNSEEN, 'gu'), escaped);
}

/** Every code unit as JSON and JavaScript can write it. */
const escaped = (text: string): string =>
	text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text, or its beginning when it is longer. */
export function shortened(text: string, maxCharacters: number): string {
	// A character has at most two code units. The rest of a huge text is not split.
	const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
	if (characters.length <= maxCharacters) return text;
	return `${characters.slice(0, maxCharacters).join('')}…`;
}

/** A text that ends like a sentence, so that another one can follow it. */
export const asSentence = (text: string): string => (/[.!?…]"?$/.test(text) ? text : `${text}.`);

/**
 * A quote that ends like a sentence. Its marks are plain ones: with one curly character, n8n keeps a whole
 * execution in twice the memory.
 */
export const quoted = (words: string): string => asSentence(`"${words}"`);

/** A text with a capital letter at its beginning. */
export const capitalised = (text: string): string =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}`;
