import { isJsonObject, looksLikeHtml } from '../ground/json';
import { quotable } from '../ground/text';
import type { HttpAnswer, StatusError } from './answer';
import { endingOf, type Task } from './task';

/** Where services put their words, the best first; the contract shows no error body (section 7). */
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
export const messageInAnswer = ({ body, json }: HttpAnswer): string | undefined =>
	looksLikeHtml(body) ? undefined : messageIn(json === undefined ? body : json);

/** The machine-readable code of an error payload, wherever services put it. */
export function codeIn(payload: unknown): string | undefined {
	if (!isJsonObject(payload)) return undefined;
	const code = payload.code ?? payload.type;
	const isCode = typeof code === 'string' || typeof code === 'number';
	return isCode ? quotable(String(code)) || undefined : codeIn(payload.error);
}

/** The field of the request that an error payload is about, where services name it. */
export function paramIn(payload: unknown): string | undefined {
	if (!isJsonObject(payload)) return undefined;
	return typeof payload.param === 'string' ? payload.param : paramIn(payload.error);
}

/** Whether an answer is about the model of the request, by the field that it names or by its words. */
export const namesModel = ({ param, serviceMessage = '' }: StatusError): boolean =>
	param === undefined ? /\bmodel\b/i.test(serviceMessage) : param === 'model';

const MODERATION = /polic|moderat(?:ion|ed)|safety|(?<!case[- ])sensitive|content[ _-]filter/i;
/** Codes of another cause: the words beside them may mean anything. */
const OTHER_CAUSE = /quota|balance|credit|timeout|exhausted|unavailable/i;

/** Codes that say no more than that the request was bad, and numbers. */
const VAGUE_CODE = /^(?:\d*|error|bad_request|invalid_request(?:_error)?)$/i;

/** Whether a create was refused for its content: words count only where no code says something else. */
export const isContentRefusal = (code = '', words = ''): boolean =>
	MODERATION.test(VAGUE_CODE.test(code) ? words : code);

/** Whether a task failed for its content, by the code and the words of its error. */
export const isModeration = (code = '', words = ''): boolean =>
	MODERATION.test(code) || (MODERATION.test(words) && !OTHER_CAUSE.test(code));

/** Whether there is too little money or quota left, by the code of an error. */
export const isBalance = (code = ''): boolean => /quota|balance|credit/i.test(code);

/** Why a task that ended without its video did. */
export function failureOf({ status, record: { error } }: Task) {
	const ending = endingOf(status) ?? 'failed';
	if (ending !== 'failed') return ending;
	const code = codeIn(error);
	if (isModeration(code, messageIn(error))) return 'moderation';
	return isBalance(code) ? 'balance' : 'failed';
}

export const isCapacity = ({ record: { error } }: Task): boolean =>
	/resource_exhausted|service_unavailable|too many concurrent/i.test(
		`${codeIn(error)} ${messageIn(error)}`,
	);

export const wordsOfNoResults = ({ id }: Task) => ({
	message: `Task ${quotable(id)} is completed without results`,
	description: 'Ask the provider.',
});
