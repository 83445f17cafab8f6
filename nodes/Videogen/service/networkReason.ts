import type { NetworkReason } from './answer';
import { codeOf, findInErrors } from '../common/errorChain';

const REASON_BY_CODE: Record<string, NetworkReason> = {
	ECONNREFUSED: 'refused',
	ENOTFOUND: 'unknownHost',
	EAI_AGAIN: 'unknownHost',
	EAI_FAIL: 'unknownHost',
	EAI_NODATA: 'unknownHost',
	EAI_NONAME: 'unknownHost',
	EPROTO: 'tls',
	ETIMEDOUT: 'timeout',
	ECONNABORTED: 'timeout',
	ESOCKETTIMEDOUT: 'timeout',
};

/**
 * How OpenSSL and Node name error with a certificate. Not `ERR_SSL_…`: a connection that is
 * garbled after the request went out has such a code, and the service may have taken the request.
 */
const TLS_CODE = /^(?:CERT_|ERR_TLS_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

const reasonOfCode = (code = ''): NetworkReason | undefined =>
	REASON_BY_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : undefined);

/** Thrown by a transport whose request outlasted its time limit. */
export class RequestTimedOut extends Error {
	override readonly name = 'RequestTimedOut';
}

/**
 * Why a request got no answer. Anything unknown counts as `lost`, the careful choice: a create
 * that was lost may have reached the service.
 */
export const networkReasonOf = (thrown: unknown): NetworkReason =>
	findInErrors(thrown, reasonOfError) ?? 'lost';

function reasonOfError(error: object): NetworkReason | undefined {
	if (error instanceof RequestTimedOut) return 'timeout';
	if (error.constructor?.name.startsWith('Ssrf')) return 'blocked';
	return reasonOfCode(codeOf(error)) ?? reasonOfCode(httpCodeOf(error));
}

/** n8n 2.0.3 drops the cause of what it wraps: its code is left only where a status would be. */
const httpCodeOf = (error: object): string | undefined =>
	'httpCode' in error && typeof error.httpCode === 'string' ? error.httpCode : undefined;
