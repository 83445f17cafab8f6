import { isContentRefusal } from './errorPayload';
import type { NetworkError, NetworkReason, ServiceError, StatusError } from './answer';
import { codesOf, findInErrors, textsOf, isBlockedByN8n } from '../ground/errors';

/**
 * What a create without a task record means for paying:
 * - `rateLimited`: it made no task, and the service asks to wait; the node sends it again itself.
 * - `unreachable`: the same, and it never got to the service.
 * - `inUse`: an earlier create of the same order is under way; the node sends it again itself, unchanged.
 * - `refused`: the answer says no, or the request never got there; sending it again is for the user
 *   to decide.
 * - `unknown`: a task may exist and may be billed; nothing sends it again unasked.
 */
type CreateRetryPolicy = 'rateLimited' | 'unreachable' | 'inUse' | 'refused' | 'unknown';

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

/** The statuses with which a service may refuse an order key. */
const KEY_STATUSES = [400, 409, 422];
const NAMES_KEY = /idempoten|paid_outcome_unknown/i;
const SAYS_IN_USE = /in[_ -](?:use|progress|flight)|being processed|processing|concurrent/i;

const wordsOf = ({ code = '', serviceMessage = '' }: StatusError) => `${code} ${serviceMessage}`;

/** Whether it refuses the order key, which proves that an earlier create of the same order arrived. */
const refusesKey = (error: ServiceError): boolean =>
	error.kind === 'status' && KEY_STATUSES.includes(error.status) && NAMES_KEY.test(wordsOf(error));

/** Whether it says that the earlier one is still under way; its words may mean anything beside a code. */
function saysInUse(error: StatusError): boolean {
	const { code = '' } = error;
	return SAYS_IN_USE.test(NAMES_KEY.test(code) ? code : wordsOf(error));
}

/** Whether a create that may have made a task will be answered so whenever it is sent again. */
export const isForGood = (error: ServiceError): boolean =>
	createRetryPolicy(error) === 'unknown' &&
	(refusesKey(error) || (error.kind === 'status' && error.isReplay === true));

/**
 * How many creates of an order are left without a clear answer by this one to the last of them. All
 * carry the same key: one that is refused for its key, or answered as the first one was, tells of
 * the others.
 */
export function unansweredAfter(error: ServiceError, sent: number): number {
	if (refusesKey(error)) return Math.max(1, sent - 1);
	if (createRetryPolicy(error) === 'unknown') return sent;
	return error.kind === 'status' && error.isReplay ? 0 : sent - 1;
}

/** For a create; see `CreateRetryPolicy`. */
export function createRetryPolicy(error: ServiceError): CreateRetryPolicy {
	// What the status says is not believed of a task that could not be read.
	if (error.kind !== 'network' && error.namedTaskId !== undefined) return 'unknown';
	switch (error.kind) {
		case 'status':
			if (error.status === 429) return 'rateLimited';
			if (refusesKey(error)) return saysInUse(error) ? 'inUse' : 'unknown';
			return saysNo(error) ? 'refused' : 'unknown';
		case 'unreadable':
			return 'unknown';
		case 'network':
			return POLICY_BY_NETWORK_REASON[error.reason];
	}
}

/** Whether a create was refused for its content, as it would be again. */
export const refusesContent = (error: ServiceError): boolean =>
	error.kind === 'status' &&
	error.status < 500 &&
	isContentRefusal(error.code, error.serviceMessage);

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

/**
 * Codes of Node, its TLS and axios. Not `ERR_SSL_…`: a connection that is garbled after the request
 * went out has such a code, and the service may have taken the request.
 */
const REASON_BY_CODE: Array<[RegExp, NetworkReason]> = [
	[/^ECONNREFUSED$/, 'connectionRefused'],
	[/^E(?:NET|HOST)UNREACH$/, 'noRoute'],
	[/^(?:ENOTFOUND$|EAI_)/, 'unknownHost'],
	[/^(?:EPROTO$|CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, 'tls'],
	[/^(?:ETIMEDOUT|ESOCKETTIMEDOUT|ECONNABORTED)$/, 'timeout'],
];

/** A socket that stood can fail with the same codes, after the service has taken the request. */
const NEED_PROOF: readonly NetworkReason[] = ['connectionRefused', 'noRoute', 'unknownHost'];

/** What only happens before a request goes out: connecting, and looking up the name of the host. */
const BEFORE_SENDING = /^(?:connect|getaddrinfo|query[A-Z]\w*)(?: E[A-Z]|$)/;

/** Thrown by a transport whose request took longer than its time limit. */
export class RequestTimedOut extends Error {
	override readonly name = 'RequestTimedOut';
}

/**
 * Why a request got no answer. Anything unknown counts as `lost`, the careful choice: a create
 * that was lost may have reached the service.
 */
export function networkReasonOf(thrown: unknown): NetworkReason {
	const reason = findInErrors(thrown, reasonOfError) ?? 'lost';
	return NEED_PROOF.includes(reason) && !findInErrors(thrown, isBeforeSending) ? 'lost' : reason;
}

function reasonOfError(error: object): NetworkReason | undefined {
	if (error instanceof RequestTimedOut) return 'timeout';
	if (isBlockedByN8n(error)) return 'blocked';
	const codes = codesOf(error);
	return REASON_BY_CODE.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
}

const isBeforeSending = (error: object): true | undefined =>
	textsOf(error).some((text) => BEFORE_SENDING.test(text)) || undefined;
