import type { NetworkReason, StatusError, ServiceError } from './answer';

/**
 * What a create without a task record means for paying:
 * - `rateLimited`: it made no task, and the service asks for patience; the node sends it again itself.
 * - `unreachable`: the same, and it never got to the service.
 * - `refused`: the service answered no, or the request never got there; sending it again is for the
 *   user to decide.
 * - `unknown`: a task may exist and may be billed; nothing sends it again unasked.
 */
export type CreateRetryPolicy = 'rateLimited' | 'unreachable' | 'refused' | 'unknown';

const POLICY_BY_NETWORK_REASON: Record<NetworkReason, CreateRetryPolicy> = {
	refused: 'unreachable',
	unknownHost: 'unreachable',
	tls: 'refused',
	blocked: 'refused',
	timeout: 'unknown',
	lost: 'unknown',
};

/**
 * Answers of a gateway in front of the service that may have passed the request on: bad gateway,
 * gateway timeout, and the same in Cloudflare's numbers (unknown error, connection timed out, a
 * timeout occurred). 503, 521 and 523 say that the service was not reached at all.
 */
const GATEWAY_STATUSES = [502, 504, 520, 522, 524];

/** For a create; see `CreateRetryPolicy`. */
export function createRetryPolicy(error: ServiceError): CreateRetryPolicy {
	switch (error.kind) {
		case 'status':
			if (isRateLimit(error)) return 'rateLimited';
			return GATEWAY_STATUSES.includes(error.status) ? 'unknown' : 'refused';
		case 'unreadable':
			return 'unknown';
		case 'network':
			return POLICY_BY_NETWORK_REASON[error.reason];
		case 'notSent':
			return 'refused';
	}
}

const isRateLimit = ({ status }: StatusError): boolean => status === 429;

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (error: ServiceError): number | undefined =>
	error.kind === 'status' ? error.retryAfterMs : undefined;

/**
 * What a read without a task record means. Reads cost nothing, so all that may pass is tried
 * again; `rateLimited` slows down every read, `notFound` may only be too early.
 */
export type ReadRetryPolicy = 'again' | 'rateLimited' | 'notFound' | 'stop';

/** Answers below 500 that say "not now" rather than "no". */
const PASSING_STATUSES = [408, 425];

/** Whether an answer of this status may be another one when asked again. */
export const isPassing = (status: number): boolean =>
	status >= 500 || PASSING_STATUSES.includes(status);

/** For a read; see `ReadRetryPolicy`. */
export function readRetryPolicy(error: ServiceError): ReadRetryPolicy {
	switch (error.kind) {
		case 'status':
			if (isRateLimit(error)) return 'rateLimited';
			if (error.status === 404) return 'notFound';
			return isPassing(error.status) ? 'again' : 'stop';
		case 'unreadable':
			return 'again';
		case 'network':
			return error.reason === 'tls' || error.reason === 'blocked' ? 'stop' : 'again';
		case 'notSent':
			return 'stop';
	}
}

/** Whether the service will answer every further request in the same way. */
export const rejectsTheKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.status === 401;
