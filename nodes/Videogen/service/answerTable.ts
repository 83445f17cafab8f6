import { isContentRefusal } from './errorPayload';
import type { NetworkError, NetworkReason, ServiceError, StatusError } from './answer';
import { codesOf, findInErrors, textsOf, isBlockedByN8n } from '../ground/errors';

type CreateVerdict = 'rateLimited' | 'notConnected' | 'inUse' | 'refused' | 'mayExist';

const POLICY_BY_NETWORK_REASON: Record<NetworkReason, CreateVerdict> = {
	connectionRefused: 'notConnected',
	noRoute: 'notConnected',
	unknownHost: 'notConnected',
	tls: 'refused',
	blocked: 'refused',
	timeout: 'mayExist',
	lost: 'mayExist',
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

export const isReplayed = (error: ServiceError): boolean =>
	error.kind === 'status' && error.isReplay === true;

/** For a create; see `CreateRetryPolicy`. */
export function createVerdict(error: ServiceError): CreateVerdict {
	// What the status says is not believed of a task that could not be read.
	if (error.kind !== 'network' && error.namedTaskId !== undefined) return 'mayExist';
	switch (error.kind) {
		case 'status':
			if (error.status === 429) return 'rateLimited';
			if (refusesKey(error)) return saysInUse(error) ? 'inUse' : 'mayExist';
			return saysNo(error) ? 'refused' : 'mayExist';
		case 'unreadable':
			return 'mayExist';
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
type ReadVerdict = 'again' | 'rateLimited' | 'notFound' | 'denied' | 'stop';

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
export function readVerdict(error: ServiceError): ReadVerdict {
	if (error.kind === 'unreadable') return 'again';
	if (error.kind === 'status' && error.status === 429) return 'rateLimited';
	if (error.kind === 'status' && error.status === 404) return 'notFound';
	const isDenied =
		error.kind === 'status' ? [401, 403].includes(error.status) : error.reason === 'tls';
	if (isDenied) return 'denied';
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
