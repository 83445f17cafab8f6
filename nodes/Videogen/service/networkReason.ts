import { codesOf, errorsIn, isBlockedByN8n, textsOf } from '../shared/n8n';
import { type NetworkReason, NOT_CONNECTED } from './types';

/**
 * Codes of Node, its TLS and axios. `ERR_SSL_…` is left out: a connection that is garbled after the
 * request was sent has such a code, and the service may have received the request.
 */
const REASON_BY_CODE: Array<[RegExp, NetworkReason]> = [
	[/^ECONNREFUSED$/, 'connectionRefused'],
	[/^E(?:(?:NET|HOST)(?:UNREACH|DOWN)|ADDRNOTAVAIL|ACCES)$/, 'noRoute'],
	[/^(?:ENOTFOUND$|EAI_)/, 'unknownHost'],
	[/^(?:EPROTO$|CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, 'tls'],
	[/^ETIMEDOUT$/, 'connectTimeout'],
	[/^(?:ESOCKETTIMEDOUT|ECONNABORTED)$/, 'timeout'],
];

/** Calls that only happen before a request is sent: connecting, and looking up the host name. */
const BEFORE_SENDING = /^(?:connect|getaddrinfo|query[A-Z]\w*)(?: E[A-Z]|$)/;

/** Thrown by a transport if a request exceeds its time limit. */
export class RequestTimedOut extends Error {
	override readonly name = 'RequestTimedOut';
}

/**
 * Why a request got no answer. An unknown error counts as `lost`, the cautious choice: a create
 * that was lost may have reached the service.
 */
export function networkReasonOf(thrown: unknown): NetworkReason {
	const errors = errorsIn(thrown);
	const reason = errors.map(reasonOfError).find((found) => found !== undefined) ?? 'lost';
	const isUnconnected = NOT_CONNECTED.some((one) => one === reason);
	if (!isUnconnected || errors.some(isBeforeSending)) return reason;
	// An established socket can fail with the same codes, after the service has received the request.
	return reason === 'connectTimeout' ? 'timeout' : 'lost';
}

function reasonOfError(error: object): NetworkReason | undefined {
	if (error instanceof RequestTimedOut) return 'timeout';
	if (isBlockedByN8n(error)) return 'blocked';
	const codes = codesOf(error);
	return REASON_BY_CODE.find(([pattern]) => codes.some((code) => pattern.test(code)))?.[1];
}

const isBeforeSending = (error: object): boolean =>
	textsOf(error).some((text) => BEFORE_SENDING.test(text));
