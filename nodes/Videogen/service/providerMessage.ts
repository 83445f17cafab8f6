import type { IDataObject } from 'n8n-workflow';
import { isJsonObject } from '../shared/json';
import { quotable } from '../shared/text';
import type { NetworkReason, ProviderMessage, ServiceError, UnreadableReason } from './types';

/**
 * Where services put their words, best first. The contract does not define error bodies
 * (docs/internals/service-contract.md, section 7).
 */
const WORD_KEYS = ['message', 'detail', 'details', 'error_description', 'msg', 'reason', 'title'];
const OUTER_KEYS = ['error', 'errors', 'code'];

/** Deep enough for every shape seen in the wild, shallow enough for a hostile one. */
const MAX_DEPTH = 5;
const MAX_LIST_ENTRIES = 3;

/** The words in a parsed payload of any shape, in full. Empty if there are none. */
function wordsIn(payload: unknown, depth = 0): string {
	if (typeof payload === 'string') return payload.trim();
	if (typeof payload === 'number') return String(payload);
	if (depth >= MAX_DEPTH) return '';
	if (Array.isArray(payload)) {
		const entries = payload.slice(0, MAX_LIST_ENTRIES).map((entry) => wordsIn(entry, depth + 1));
		return entries.filter(Boolean).join('; ');
	}
	if (!isJsonObject(payload)) return '';
	return [...WORD_KEYS, ...OUTER_KEYS].reduce(
		(words, key) => words || wordsIn(payload[key], depth + 1),
		'',
	);
}

/** Many messages end like this. A provider's support team asks for it. */
const REQUEST_ID = /\(request[ _-]?id: ?[^()]{1,100}\)\.?$/i;
const MAX_REQUEST_ID_CHARACTERS = 120;

/** What a payload says (an error body, a failed task's `error`), ready to quote. */
function messageIn(payload: unknown): string | undefined {
	const words = wordsIn(payload);
	const requestId = REQUEST_ID.exec(words.slice(-MAX_REQUEST_ID_CHARACTERS))?.[0] ?? '';
	const others = words.slice(0, words.length - requestId.length);
	return [others, requestId].map(quotable).filter(Boolean).join(' ') || undefined;
}

/**
 * Where services put the code of an error, best first. All but the first may hold words instead.
 */
const CODE_KEYS = ['code', 'type', 'reason'];
/** Where services name the request field that an error is about, by its name or its path. */
const PARAM_KEYS = ['param', 'field', 'loc'];
const INNER_KEYS = ['error', 'errors', 'detail', 'details'];

/** The values under these names in a payload of any shape, outermost first. */
function valuesIn(payload: unknown, names: string[], depth = 0): unknown[] {
	if (depth >= MAX_DEPTH) return [];
	if (Array.isArray(payload)) return valuesIn(payload[0], names, depth + 1);
	if (!isJsonObject(payload)) return [];
	const inner = INNER_KEYS.flatMap((key) => valuesIn(payload[key], names, depth + 1));
	return [...names.map((name) => payload[name]), ...inner];
}

const textOf = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? quotable(String(value)) : '';

/** The words, code and field of an error payload, wherever a service puts them. */
export function providerMessageIn(payload: unknown): ProviderMessage {
	const codes = valuesIn(payload, CODE_KEYS)
		.map(textOf)
		.filter((code) => /^\S+$/.test(code));
	const paths = valuesIn(payload, PARAM_KEYS).map((path) =>
		textOf(Array.isArray(path) ? path.slice(0, MAX_DEPTH).join('.') : path),
	);
	return {
		// A number or a `bad_request` says less than a code that names a cause.
		code: codes.find((code) => NAMING.some((cause) => cause.test(code))) ?? codes[0],
		serviceMessage: messageIn(payload),
		param: paths.find((path) => /\D/.test(path)),
	};
}

/** Codes that report success. */
const GOOD_CODE = /^(?:0+|2\d\d|ok|success)?$/i;

/** What a 2XX answer says if it reports an error, otherwise `undefined`. */
export function reportedError(reply: unknown): string | undefined {
	if (!isJsonObject(reply)) return undefined;
	const { error, code, success } = reply;
	const isError = success === false || ![undefined, null, false, ''].some((none) => none === error);
	return isError || !GOOD_CODE.test(textOf(code)) ? messageIn(reply) : undefined;
}

/** The service's words, followed by its code and field unless the words contain them. */
export function quoteOf({ serviceMessage = '', code = '', param = '' }: ProviderMessage): string {
	const more = [code && `code ${code}`, param && `field ${param}`].filter(
		(text) => text !== '' && !serviceMessage.includes(text.slice(text.indexOf(' ') + 1)),
	);
	if (serviceMessage === '') return more.join(', ');
	return more.length > 0 ? `${serviceMessage} (${more.join(', ')})` : serviceMessage;
}

const IS_CONTENT = /polic|moderat|safety|sensitive|content[_-]?filter|prohibited|copyright|nsfw/i;

/** Words that can mean nothing else. All others may be about anything. */
const CONTENT_WORDS = /content policy|\bmoderation\b|safety system|prohibited content|\bnsfw\b/i;

/** Codes of an account without money. A balancer and an endpoint are no money. */
const IS_EMPTY =
	/balance(?!r)|credit|funds|billing|overdue|arrear|(?<![a-z])points|(?:insufficient|not_?enough)\w{0,20}quota|quota_?(?:is_?)?(?:not_?enough|insufficient)/i;

/** A quota may be money or a rate. */
const IS_BALANCE = new RegExp(`${IS_EMPTY.source}|quota`, 'i');
const IS_RATE =
	/(?:^|[^a-z])rate|[a-z]Rate|per_?(?:second|minute|hour)|[rt]pm(?![a-z])|concurren|too_?many|throttl/;

/** Whether one of these patterns fits the code, and no other cause does. */
const isAbout = (code: string, cause: RegExp): boolean =>
	cause.test(code) && !IS_CONTENT.test(code) && !isRate(code);

/** Camel case tells the word in `RequestRate` from the one in `generate`. */
const isRate = (code: string): boolean => IS_RATE.test(code) || IS_RATE.test(code.toLowerCase());

/** Whether the account has no money left, and not just too many requests in a minute. */
export const isEmptyAccount = ({ code = '' }: ProviderMessage): boolean => isAbout(code, IS_EMPTY);

/**
 * Whether the account's balance or quota is the reason. Only codes decide: words can mean anything.
 */
export const isBalance = ({ code = '' }: ProviderMessage): boolean => isAbout(code, IS_BALANCE);

/** Whether the content of the prompt, of an input or of the video is the reason. */
export const isContent = ({ code = '', serviceMessage = '' }: ProviderMessage): boolean =>
	IS_CONTENT.test(code) ||
	(!isBalance({ code }) && CONTENT_WORDS.test(serviceMessage.replaceAll('_', ' ')));

/** Codes of a model that the service does not know, or does not offer to this account. */
const IS_MODEL =
	/(?:unknown|invalid|unsupported|no_?such)[_.-]?model(?![_.-]?[a-z])|model[_.-]?(?:id|name)?[_.-]?(?:is)?[_.-]?(?:not?[_.-]?(?:found|exists?|supported|open|allowed|permitted|access)|does_?not_?exist|unknown|invalid|unsupported)/i;

/** The same in words. Others that mention the model are mostly about something else. */
const MODEL_WORDS =
	/(?:unknown|no such|no access to (?:the |this )?|not have access to (?:the |this )?) ?model\b|\bmodel[ :]{1,3}(?:[^ ]{1,100} )?(?:was |is |does |do )?(?:not found|not exist|unknown)/i;

/** Codes that name a cause. */
const NAMING = [IS_CONTENT, IS_BALANCE, IS_MODEL];

/** Whether a code says so. */
export const hasModelCode = ({ code = '' }: ProviderMessage): boolean => IS_MODEL.test(code);

/** Whether the service names the field of the model. */
export const isModelField = ({ param = '' }: ProviderMessage): boolean =>
	/(?:^|\.)model$/i.test(param);

/** Whether the words say so, and the service names no field. */
export const hasModelWords = ({ serviceMessage = '', param }: ProviderMessage): boolean =>
	param === undefined && MODEL_WORDS.test(serviceMessage);

/** Why a completed task has no results, according to its record, ready to quote. */
export const reasonIn = ({ error, reason, message }: IDataObject): string | undefined =>
	messageIn(error) ?? messageIn(reason) ?? messageIn(message);

const WHY: Record<NetworkReason | UnreadableReason, string> = {
	connectionRefused: 'the connection was refused',
	noRoute: 'there is no network route to it',
	unknownHost: 'its host name was not found',
	connectTimeout: 'the connection timed out',
	tls: 'no secure connection was possible',
	blocked: 'n8n blocks this URL',
	timeout: 'no answer came in time',
	lost: 'the connection was lost',
	empty: 'the answer was empty',
	html: 'a web page came back',
	notJson: 'the answer was not JSON',
	notTask: 'the answer was not a task record',
	otherTask: 'the answer was about another task',
	tooLarge: 'the answer was larger than 1 MB',
};

/** Why Base URL does not work, as part of a sentence. */
function whyOf(error: ServiceError): string {
	if (error.kind !== 'status') return WHY[error.reason];
	const { status, location, isPage } = error;
	if (status < 400) return `it redirects to ${quotable(location ?? 'another URL')} (${status})`;
	if (status === 407) return 'a proxy asks for a login (407)';
	if (status === 403) return 'a proxy or firewall rejected the request (403)';
	return isPage ? `a web page came back (${status})` : `it does not know this path (${status})`;
}

function statusIn(error: ServiceError): string {
	if (error.kind === 'status') return ` (${error.status})`;
	return error.reason === 'html' ? '' : ` (${WHY[error.reason]})`;
}

/** A number alone is no word. */
const ANY_LETTER = /\p{L}/u;

/** The service's own words or, without any, its answer, ready to quote. */
export function wordsOf(error: ServiceError): string {
	if (error.kind === 'network') return '';
	const { serviceMessage = '', excerpt = '' } = error;
	if (error.kind === 'status') {
		const words = quoteOf(error);
		return [words, excerpt].find((text) => ANY_LETTER.test(text)) ?? words;
	}
	if (error.reason === 'html') return '';
	// The ID of a task may stand beside the words.
	return serviceMessage === '' ? excerpt : `${serviceMessage} (${excerpt})`;
}

/** The values of an answer that the message catalog shows. */
export const valuesOf = (error: ServiceError) => ({ status: statusIn(error), why: whyOf(error) });
