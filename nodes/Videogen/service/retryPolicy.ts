import type { NetworkError, NetworkReason, ServiceError, StatusError } from './answer';

/**
 * What a create without a task record means for paying:
 * - `rateLimited`: it made no task, and the service asks to wait; the node sends it again itself.
 * - `unreachable`: the same, and it never got to the service.
 * - `refused`: the service answered no, or the request never got there; sending it again is for the
 *   user to decide.
 * - `unknown`: a task may exist and may be billed; nothing sends it again unasked.
 */
type CreateRetryPolicy = 'rateLimited' | 'unreachable' | 'refused' | 'unknown';

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
 * timeout occurred). Any other 5XX counts as refused: 503, 521 and 523 come in place of the service.
 */
const GATEWAY_STATUSES = [502, 504, 520, 522, 524];

/** For a create; see `CreateRetryPolicy`. */
export function createRetryPolicy(error: ServiceError): CreateRetryPolicy {
	switch (error.kind) {
		case 'status':
			if (error.status === 429) return 'rateLimited';
			return GATEWAY_STATUSES.includes(error.status) ? 'unknown' : 'refused';
		case 'unreadable':
			return 'unknown';
		case 'network':
			return POLICY_BY_NETWORK_REASON[error.reason];
		case 'notSent':
			return 'refused';
	}
}

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (error: ServiceError): number | undefined =>
	error.kind === 'status' ? error.retryAfterMs : undefined;

/**
 * What a read without a task record means. Reads order nothing, so all that may pass is tried
 * again; `rateLimited` slows down every read, `notFound` may only be too early.
 */
type ReadRetryPolicy = 'again' | 'rateLimited' | 'notFound' | 'stop';

/** Answers below 500 that say "not now" rather than "no". */
const TRANSIENT_STATUSES = [408, 425, 429];

/**
 * Whether the same request may get another answer later: for downloads, the test of a credential,
 * and reads of a task, which have rules of their own besides (`readRetryPolicy`).
 */
export const isTransient = (error: Pick<StatusError, 'kind' | 'status'> | NetworkError): boolean =>
	error.kind === 'status'
		? error.status >= 500 || TRANSIENT_STATUSES.includes(error.status)
		: error.reason !== 'tls' && error.reason !== 'blocked';

/** For a read; see `ReadRetryPolicy`. */
export function readRetryPolicy(error: ServiceError): ReadRetryPolicy {
	if (error.kind === 'unreadable') return 'again';
	if (error.kind === 'notSent') return 'stop';
	if (error.kind === 'status' && error.status === 429) return 'rateLimited';
	if (error.kind === 'status' && error.status === 404) return 'notFound';
	return isTransient(error) ? 'again' : 'stop';
}

/** Whether the service will answer every further request in the same way. */
export const rejectsTheKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.status === 401;
