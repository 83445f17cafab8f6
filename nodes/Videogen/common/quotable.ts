/** Enough to understand, short enough to read in n8n's error panel. */
const MAX_QUOTED_CHARACTERS = 300;

/** What opens a file of n8n without a login; services quote the URLs they could not open. */
const LINK_TOKEN = /((?:[?&;]|%3f|%26)(?:token|signature|sig)(?:=|%3d))[^&\s"'<>\\]+/gi;
/** The same by its own look (head and claims are JSON in base64url), in whatever way it is quoted. */
const SIGNED_TOKEN = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;

/** Control characters, halves of characters, and what turns the direction of the text around it. */
export const UNFIT = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text made fit for one line of a message: no control characters, no runs of space, not long. Statuses
 * are the service's words too; for ids see `wholeId`.
 */
export function quotable(text: string): string {
	const line = text
		.replace(LINK_TOKEN, '$1…')
		.replace(SIGNED_TOKEN, '…')
		.replace(UNFIT, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	return shortened(line, MAX_QUOTED_CHARACTERS);
}

/** What breaks a line, turns it around or is not seen in it. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** No server takes a longer URL, so that a longer id leads nowhere. */
const MAX_ID_CHARACTERS = 8_192;

/**
 * An id for a line in which it is the way back to its task: whole. One that would break the line,
 * or that begins with a quote, is written as a JSON string.
 */
export function wholeId(id: string): string {
	const text = UNSEEN.test(id) || id.startsWith('"') ? JSON.stringify(id) : id;
	return shortened(text, MAX_ID_CHARACTERS).replace(new RegExp(UNSEEN, 'gu'), escaped);
}

/** Every code unit as JSON and JavaScript can write it. */
export const escaped = (text: string): string =>
	text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A text, or its beginning when it has more characters than that. */
export function shortened(text: string, maxCharacters: number): string {
	// A character has at most two code units; a huge text is not taken apart for its beginning.
	const characters = Array.from(text.slice(0, 2 * maxCharacters + 2));
	if (characters.length <= maxCharacters) return text;
	return `${characters.slice(0, maxCharacters).join('')}…`;
}

/** A quote that ends like a sentence, whether the service's own words do or not. */
export const quoted = (words: string): string => `“${words}”${/[.!?…]$/.test(words) ? '' : '.'}`;
