import { isJsonObject, looksLikeHtml } from '../ground/json';
import { quotable } from '../ground/text';
import { namesCause } from './causes';

/** Where services put their words, the best first; the contract shows no error body (docs/service.md, section 7). */
const WORD_KEYS = ['message', 'detail', 'details', 'error_description', 'msg', 'reason', 'title'];
const OUTER_KEYS = ['error', 'errors', 'code'];

/** Deep enough for every shape seen in the field, shallow enough for a hostile one. */
const MAX_DEPTH = 5;
const MAX_LIST_ENTRIES = 3;

/** The words in a parsed payload of any shape, not shortened; empty when it has none. */
function wordsIn(payload: unknown, depth = 0): string {
	if (typeof payload === 'string') return payload.trim();
	if (typeof payload === 'number') return String(payload);
	if (depth >= MAX_DEPTH) return '';
	if (Array.isArray(payload)) {
		const entries = payload.slice(0, MAX_LIST_ENTRIES).map((entry) => wordsIn(entry, depth + 1));
		return entries.filter((words) => words !== '').join('; ');
	}
	if (!isJsonObject(payload)) return '';
	return [...WORD_KEYS, ...OUTER_KEYS].reduce(
		(words, key) => words || wordsIn(payload[key], depth + 1),
		'',
	);
}

/** The end of many messages, which the support of a provider asks for. */
const REQUEST_ID = /\(request[ _-]?id: ?[^()]{1,100}\)\.?$/i;
const MAX_REQUEST_ID_CHARACTERS = 120;

/** The request id at the end of what a service says, in brackets; empty when there is none. */
export const requestIdIn = (words: string): string =>
	REQUEST_ID.exec(words.slice(-MAX_REQUEST_ID_CHARACTERS))?.[0] ?? '';

/** What a payload says (an error body, a failed task's `error`), ready to be quoted. */
export function messageIn(payload: unknown): string | undefined {
	const words = wordsIn(payload);
	const requestId = requestIdIn(words);
	const others = words.slice(0, words.length - requestId.length);
	return [others, requestId].map(quotable).filter(Boolean).join(' ') || undefined;
}

/** What a refusal says; nothing for a web page, the text itself for plain text. */
export const messageInAnswer = ({
	body,
	json,
}: {
	body: string;
	json?: unknown;
}): string | undefined =>
	looksLikeHtml(body) ? undefined : messageIn(json === undefined ? body : json);

/** Where services put the code of an error, the best first; in the others may be words. */
const CODE_KEYS = ['code', 'type', 'reason'];
const CODE = /^\S+$/;

/**
 * The machine-readable code of an error payload, wherever services put it: the first that names a cause,
 * as a number or a `bad_request` beside it says less.
 */
export function codeIn(payload: unknown): string | undefined {
	const codes = codesIn(payload).map(quotable).filter(Boolean);
	return codes.find(namesCause) ?? codes[0];
}

function codesIn(payload: unknown, depth = 0): string[] {
	if (depth >= MAX_DEPTH) return [];
	if (Array.isArray(payload)) return codesIn(payload[0], depth + 1);
	if (!isJsonObject(payload)) return [];
	const own = CODE_KEYS.map((key) => payload[key]).flatMap((code) =>
		typeof code === 'number' || (typeof code === 'string' && CODE.test(code)) ? [String(code)] : [],
	);
	const inner = ['error', 'details'].flatMap((key) => codesIn(payload[key], depth + 1));
	return [...own, ...inner];
}

/** Where services name the field of the request that an error is about: its name, or its path. */
const PARAM_KEYS = ['param', 'field', 'loc'];

/** The field of the request that an error payload names, with the path to it in dots. */
export function paramIn(payload: unknown, depth = 0): string | undefined {
	if (Array.isArray(payload)) return paramIn(payload[0], depth + 1);
	if (!isJsonObject(payload) || depth >= MAX_DEPTH) return undefined;
	const own = PARAM_KEYS.map((key) => pathIn(payload[key])).find((path) => path !== undefined);
	return (
		own ??
		['error', 'errors', 'detail', 'details'].reduce<string | undefined>(
			(path, key) => path ?? paramIn(payload[key], depth + 1),
			undefined,
		)
	);
}

function pathIn(given: unknown): string | undefined {
	const path = Array.isArray(given) ? given.slice(0, MAX_DEPTH).join('.') : given;
	return typeof path === 'string' ? quotable(path) || undefined : undefined;
}

/** Codes of answers in which all is well. */
const GOOD_CODE = /^(?:0+|2\d\d|ok|success)?$/i;

/** What an answer of status 200 says where it reports an error; `undefined` when it reports none. */
export function reportedError(reply: unknown): string | undefined {
	if (!isJsonObject(reply)) return undefined;
	const { error, code, success } = reply;
	const isError =
		success === false || (error !== undefined && error !== null && error !== false && error !== '');
	return isError || !GOOD_CODE.test(String(code ?? '')) ? messageIn(reply) : undefined;
}
