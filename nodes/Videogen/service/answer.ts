import { isJsonObject } from '../ground/json';
import type { Task } from './task';
import type { GenerationRequest } from './contract/request';

/** What is used of an HTTP answer; header names in lower case. */
export interface HttpAnswer {
	statusCode: number;
	headers: { location?: string; 'retry-after'?: unknown };
	/** Whether it is the answer to an earlier request with the same order key, played again. */
	isReplay?: boolean;
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

/** Why a 2xx answer could not be used. */
export type UnreadableReason = 'empty' | 'html' | 'notJson' | 'notTask' | 'otherTask' | 'tooLarge';

/** How the connection ended without an answer. Of the timeouts, one came while connecting. */
export type NetworkReason =
	| 'connectionRefused'
	| 'noRoute'
	| 'unknownHost'
	| 'connectTimeout'
	| 'tls'
	| 'blocked'
	| 'timeout'
	| 'lost';

/** The service answered with something other than success. */
export interface StatusError {
	kind: 'status';
	status: number;
	/** Whether the body is JSON, as the service's own answers are; a gateway's seldom are. */
	isJson: boolean;
	/** The machine-readable code in it, where there is one. */
	code?: string;
	/** What the service itself says about it, when it says anything. */
	serviceMessage?: string;
	/** The field of the request that it names, if it does so in the field for this. */
	param?: string;
	/** From `Retry-After`, counted from the moment of the answer. */
	retryAfterMs?: number;
	/** See `HttpAnswer`. */
	isReplay?: boolean;
	/** Where a 3xx answer points to. */
	location?: string;
	/** Of a task whose record is in the answer to a create: it may exist whatever the status says. */
	namedTaskId?: string;
}

/** The service answered 2xx, but not with a task record. */
export interface UnreadableError {
	kind: 'unreadable';
	reason: UnreadableReason;
	/** The beginning of the body, so that an id in an unexpected place is not lost. */
	excerpt: string;
	/** What the service says, where it reports an error in place of a task. */
	serviceMessage?: string;
	/** Never set; for callers that ask any answer for one. */
	namedTaskId?: undefined;
}

/** There was no whole answer. */
export interface NetworkError {
	kind: 'network';
	reason: NetworkReason;
}

/** What kept a call from giving a task record. */
export type ServiceError = StatusError | UnreadableError | NetworkError;

/** What a call of the service came to. */
export type Answer =
	| {
			kind: 'task';
			task: Task;
			/** See `HttpAnswer`. */
			isReplay?: boolean;
	  }
	| { kind: 'error'; error: ServiceError };

/** For the reason of a signal, which can be anything. */
export const isServiceError = (value: unknown): value is ServiceError =>
	isJsonObject(value) && ['status', 'unreadable', 'network'].includes(String(value.kind));

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
 * What makes videos and tells how they stand (docs/service.md, section 4). It answers in values:
 * nothing is thrown and nothing is sent twice. Those who use it do not know which one they have.
 */
export interface Service {
	/**
	 * Section 4.1.
	 * @param orderKey Services that honour it make one task of all creates that carry the same one.
	 */
	create(request: GenerationRequest, orderKey: string): Promise<Answer>;
	/** Section 4.2. Ends when the signal aborts, and after this time at the latest. */
	read(taskId: string, signal?: AbortSignal, atMostMs?: number): Promise<Answer>;
}
