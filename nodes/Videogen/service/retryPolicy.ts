import type { NetworkError, NetworkReason, ServiceError, StatusError } from './answer';

/**
 * What a create without a task record means for paying:
 * - `rateLimited`: it made no task, and the service asks to wait; the node sends it again itself.
 * - `unreachable`: the same, and it never got to the service.
 * - `refused`: the answer says no, or the request never got there; sending it again is for the user
 *   to decide.
 * - `unknown`: a task may exist and may be billed; nothing sends it again unasked.
 */
type CreateRetryPolicy = 'rateLimited' | 'unreachable' | 'refused' | 'unknown';

const POLICY_BY_NETWORK_REASON: Record<NetworkReason, CreateRetryPolicy> = {
	connectionRefused: 'unreachable',
	noRoute: 'unreachable',
	unknownHost: 'unreachable',
	tls: 'refused',
	blocked: 'refused',
	timeout: 'unknown',
	lost: 'unknown',
};

/**
 * The statuses that say no: by them alone a create is known to have made no task. Redirects that
 * ask for the same request elsewhere (303 points to what it has made); every 4XX in IANA's register
 * but 408, 425 and 429 (unofficial ones, as 460 and 499, say that a client or a proxy gave up);
 * and of the 5XX 501, and what Cloudflare says when it did not reach the service.
 */
const NO_STATUSES = new Set([
	...[301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418],
	...[421, 422, 423, 424, 426, 428, 431, 451],
	...[501, 521, 523],
]);

/** A proxy's 503 is seldom JSON, and may come after the service has got the request. */
const saysNo = ({ status, isJson }: StatusError): boolean =>
	NO_STATUSES.has(status) || (status === 503 && isJson);

/** For a create; see `CreateRetryPolicy`. */
export function createRetryPolicy(error: ServiceError): CreateRetryPolicy {
	// What the status says is not believed of a task that could not be read.
	if (error.kind !== 'network' && error.namedTaskId !== undefined) return 'unknown';
	switch (error.kind) {
		case 'status':
			if (error.status === 429) return 'rateLimited';
			return saysNo(error) ? 'refused' : 'unknown';
		case 'unreadable':
			return 'unknown';
		case 'network':
			return POLICY_BY_NETWORK_REASON[error.reason];
	}
}

/** What a service says of an id that it does not know, or finds malformed. */
const UNKNOWN_TASK_STATUSES = [400, 404, 410];

/** What it says to everybody whose key or balance it does not like, also of tasks that exist. */
const SHUT_OUT_STATUSES = [401, 402, 403];

/**
 * Whether a read says that there is no task though the answer to a create has named one. The same
 * holds when both were shut out: a gateway that refuses everybody puts no create in doubt.
 * @param create What the create was answered, where that is still known.
 */
export const deniesTask = (read: ServiceError, create?: ServiceError): boolean =>
	read.kind === 'status' &&
	(UNKNOWN_TASK_STATUSES.includes(read.status) ||
		(SHUT_OUT_STATUSES.includes(read.status) &&
			create?.kind === 'status' &&
			SHUT_OUT_STATUSES.includes(create.status)));

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
	if (error.kind === 'status' && error.status === 429) return 'rateLimited';
	if (error.kind === 'status' && error.status === 404) return 'notFound';
	return isTransient(error) ? 'again' : 'stop';
}

/** Whether the service will answer every further request in the same way. */
export const rejectsTheKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.status === 401;
