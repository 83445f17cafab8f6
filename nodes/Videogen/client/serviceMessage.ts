import { isJsonObject, looksLikeHtml, parseJson } from './json';

/** Enough to understand, short enough to read in n8n's error panel. */
const MAX_QUOTED_CHARACTERS = 300;

/** Where services put their words; the contract shows no error body (section 7). */
const MESSAGE_KEYS = [
	'message',
	'detail',
	'details',
	'error_description',
	'msg',
	'reason',
	'title',
];
const CONTAINER_KEYS = ['error', 'errors'];

/** Deep enough for every shape seen in the field, shallow enough for a hostile one. */
const MAX_DEPTH = 5;
const MAX_LIST_ENTRIES = 3;

/** What opens a file of n8n without a login; services quote the addresses they could not open. */
const LINK_TOKEN = /((?:[?&;]|%3f|%26)(?:token|signature|sig)(?:=|%3d))[^&\s"'<>\\]+/gi;
/** The same by its own look (head and claims are JSON in base64url), in whatever way it is quoted. */
const SIGNED_TOKEN = /(?<![\w-])eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g;

/** Control characters, halves of characters, and what turns the direction of the text around it. */
export const UNFIT = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * Text made fit for one line of a message: no control characters, no runs of space, not long. Ids
 * and statuses are the service's words too.
 */
export function quotable(text: string): string {
	const line = text
		.replace(LINK_TOKEN, '$1…')
		.replace(SIGNED_TOKEN, '…')
		.replace(UNFIT, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	// A character has at most two code units; a huge text is not taken apart for its beginning.
	const characters = Array.from(line.slice(0, 2 * MAX_QUOTED_CHARACTERS + 2));
	if (characters.length <= MAX_QUOTED_CHARACTERS) return line;
	return `${characters.slice(0, MAX_QUOTED_CHARACTERS).join('')}…`;
}

/** The words in a parsed payload of any shape, unshortened. */
function wordsIn(payload: unknown, depth = 0): string | undefined {
	if (depth > MAX_DEPTH) return undefined;
	if (typeof payload === 'string') return payload.trim() || undefined;
	if (typeof payload === 'number') return String(payload);
	if (Array.isArray(payload)) return wordsInList(payload, depth);
	if (!isJsonObject(payload)) return undefined;
	for (const key of [...MESSAGE_KEYS, ...CONTAINER_KEYS]) {
		const words = wordsIn(payload[key], depth + 1);
		if (words !== undefined) return words;
	}
	return wordsIn(payload.code, depth + 1);
}

function wordsInList(list: unknown[], depth: number): string | undefined {
	const found = list
		.slice(0, MAX_LIST_ENTRIES)
		.map((entry) => wordsIn(entry, depth + 1))
		.filter((words) => words !== undefined);
	return found.length > 0 ? found.join('; ') : undefined;
}

/** What a payload says (an error body, a failed task's `error`), ready to be quoted. */
export function messageIn(payload: unknown): string | undefined {
	const words = wordsIn(payload);
	return words === undefined ? undefined : quotable(words) || undefined;
}

/** What the body of a refusal says; nothing for a web page, the text itself for plain text. */
export function messageInBody(body: string): string | undefined {
	if (looksLikeHtml(body)) return undefined;
	const parsed = parseJson(body);
	return messageIn(parsed === undefined ? body : parsed);
}

/** The machine-readable code of an error payload, wherever services put it. */
export function codeIn(payload: unknown): string | undefined {
	if (!isJsonObject(payload)) return undefined;
	const code = payload.code ?? payload.type;
	if (typeof code === 'string' || typeof code === 'number')
		return quotable(String(code)) || undefined;
	return codeIn(payload.error);
}
