import { isJsonObject, looksLikeHtml, parseJson } from '../common/json';
import { quotable } from '../common/quotable';

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
