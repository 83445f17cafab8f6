import { isJsonObject } from '../shared/json';
import type { Task } from './task';
import type { GenerationRequest } from './contract/request';

/** The parts of an HTTP answer that are used. Header names are lowercase. */
export interface HttpAnswer {
	statusCode: number;
	headers: { location?: string; 'retry-after'?: unknown };
	body: string;
	/** The parsed body, or `undefined` if it is not JSON. */
	json?: unknown;
	/** Whether the body is too large, so that only its beginning is kept. */
	isTooLarge?: boolean;
	/** Whether the connection ended before the body did. */
	isCutOff?: boolean;
}

/** The HTTP answer in n8n's response, with lowercase header names and the body as received. */
export function rawAnswerOf(whole: unknown) {
	if (!isJsonObject(whole) || typeof whole.statusCode !== 'number') throw new Error('No answer');
	const { statusCode, headers } = whole;
	const body: unknown = whole.body;
	return { statusCode, headers: isJsonObject(headers) ? headers : {}, body };
}

/** Why a 2XX answer could not be used. */
export type UnreadableReason = 'empty' | 'html' | 'notJson' | 'notTask' | 'otherTask' | 'tooLarge';

/** How a request ends that never reached anyone. `connectTimeout` is a timeout while connecting. */
export const NOT_CONNECTED = [
	'connectionRefused',
	'noRoute',
	'unknownHost',
	'connectTimeout',
] as const;

/** How a connection ended without an answer. */
export type NetworkReason = (typeof NOT_CONNECTED)[number] | 'tls' | 'blocked' | 'timeout' | 'lost';

/** What a service says in its own words, ready to quote. */
export interface ProviderMessage {
	/** The machine-readable code. */
	code?: string;
	serviceMessage?: string;
	/** The request field that it names, if it does so in a property meant for this. */
	param?: string;
}

/** The service answered with something other than success. */
export interface StatusError extends ProviderMessage {
	kind: 'status';
	status: number;
	/** Whether the body is JSON, as the service's own answers are. A gateway's rarely is. */
	isJson: boolean;
	isPage?: boolean;
	/** The beginning of the body, unless it is a page: its words may be in an unexpected place. */
	excerpt?: string;
	/** From `Retry-After`, relative to the time of the answer. */
	retryAfterMs?: number;
	/** The target of a 3XX answer. */
	location?: string;
	/** The task that the answer to a create names. It may exist whatever the status says. */
	namedTaskId?: string;
}

/** The service answered 2XX, but not with a task record. */
interface UnreadableError {
	kind: 'unreadable';
	reason: UnreadableReason;
	/** The beginning of the body, so that an ID in an unexpected place is not lost. */
	excerpt: string;
	/** What the service says, if it reports an error instead of a task. */
	serviceMessage?: string;
	/** The task that the answer to a create names without being its record. */
	namedTaskId?: string;
}

/** Why a call returned no task record. `network`: there was no complete answer. */
export type ServiceError =
	StatusError | UnreadableError | { kind: 'network'; reason: NetworkReason };

/** The outcome of a call to the service. */
export type Answer = { kind: 'task'; task: Task } | { kind: 'error'; error: ServiceError };

const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * How many milliseconds a `Retry-After` header asks to wait, given in seconds or as an HTTP date;
 * `undefined` if it is neither. A date in the past asks for no wait.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	if (SECONDS.test(text)) return Math.round(Number(text) * 1000);
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * Creates tasks and reports their status (docs/internals/service-contract.md, section 4). Returns
 * errors instead of throwing them, and sends nothing twice. Callers do not know which
 * implementation they use.
 */
export interface Service {
	/**
	 * Section 4.1.
	 * @param idempotencyKey Services that honor it create one task per key.
	 */
	create(request: GenerationRequest, idempotencyKey: string): Promise<Answer>;
	/** Section 4.2. Ends when the signal aborts, and after `atMostMs` at the latest. */
	read(taskId: string, signal?: AbortSignal, atMostMs?: number): Promise<Answer>;
}
