import { isJsonObject } from '../shared/json';
import type { Said } from './said';
import type { Task } from './task';
import type { GenerationRequest } from './contract/request';

/** What is used of an HTTP answer; header names in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: { location?: string; 'retry-after'?: unknown };
	/** The body as text. */
	body: string;
	/** The same, parsed; `undefined` when it is no JSON. */
	json?: unknown;
	/** Whether the body is only the beginning of what is too large to be read. */
	isTooLarge?: boolean;
}

/** The answer in what n8n gives; header names in lower case, its body as it came. */
export function rawAnswerOf(whole: unknown) {
	if (!isJsonObject(whole) || typeof whole.statusCode !== 'number') throw new Error('No answer');
	const { statusCode, headers } = whole;
	const body: unknown = whole.body;
	return { statusCode, headers: isJsonObject(headers) ? headers : {}, body };
}

/** Why a 2XX answer could not be used. */
export type UnreadableReason = 'empty' | 'html' | 'notJson' | 'notTask' | 'otherTask' | 'tooLarge';

/** How a request ends that reaches nobody; the timeout is one while connecting. */
export const NOT_CONNECTED = [
	'connectionRefused',
	'noRoute',
	'unknownHost',
	'connectTimeout',
] as const;

/** How the connection ended without an answer. */
export type NetworkReason = (typeof NOT_CONNECTED)[number] | 'tls' | 'blocked' | 'timeout' | 'lost';

/** The service answered with something other than success. */
export interface StatusError extends Said {
	kind: 'status';
	status: number;
	/** Whether the body is JSON, as the service's own answers are; a gateway's seldom are. */
	isJson: boolean;
	/** Whether the body is a web page. */
	isPage?: boolean;
	/** From `Retry-After`, counted from the moment of the answer. */
	retryAfterMs?: number;
	/** Where a 3XX answer points to. */
	location?: string;
	/** Of a task whose record is in the answer to a create: it may exist whatever the status says. */
	namedTaskId?: string;
}

/** The service answered 2XX, but not with a task record. */
export interface UnreadableError {
	kind: 'unreadable';
	reason: UnreadableReason;
	/** The beginning of the body, so that an id in an unexpected place is not lost. */
	excerpt: string;
	/** What the service says, where it reports an error in place of a task. */
	serviceMessage?: string;
}

/** There was no whole answer. */
interface NetworkError {
	kind: 'network';
	reason: NetworkReason;
}

/** What kept a call from giving a task record. */
export type ServiceError = StatusError | UnreadableError | NetworkError;

/** What a call of the service came to. */
export type Answer = { kind: 'task'; task: Task } | { kind: 'error'; error: ServiceError };

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Milliseconds that a `Retry-After` header asks to wait, from its seconds or its HTTP date;
 * `undefined` when it says neither. A date in the past asks for no wait.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	if (SECONDS.test(text)) return Math.round(Number(text) * 1000);
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * What creates videos and says how they stand (docs/service.md, section 4). It answers in values:
 * nothing is thrown and nothing is sent twice. Those who use it do not know which one they have.
 */
export interface Service {
	/**
	 * Section 4.1.
	 * @param idempotencyKey Services that honor it make one task of all creates that carry the same one.
	 */
	create(request: GenerationRequest, idempotencyKey: string): Promise<Answer>;
	/** Section 4.2. Ends when the signal aborts, and after this time at the latest. */
	read(taskId: string, signal?: AbortSignal, atMostMs?: number): Promise<Answer>;
}
