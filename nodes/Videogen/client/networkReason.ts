import type { NetworkReason } from './answer';

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

/** How OpenSSL and Node name trouble with a certificate or a handshake. */
const TLS_CODE = /^(?:CERT_|ERR_TLS_|ERR_SSL_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/;

/** Errors come wrapped (n8n around axios around Node); deeper than this is no chain but a loop. */
const MAX_CHAIN_LENGTH = 8;

/** Where wrappers keep what they wrapped. */
const linksOf = (error: object): unknown[] => [
	'cause' in error ? error.cause : undefined,
	'error' in error ? error.error : undefined,
	'errorResponse' in error ? error.errorResponse : undefined,
	'errors' in error && Array.isArray(error.errors) ? error.errors[0] : undefined,
];

const reasonOfCode = (code: unknown): NetworkReason | undefined => {
	if (typeof code !== 'string') return undefined;
	return REASON_BY_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : undefined);
};

/** Thrown by a transport whose request outlasted its time limit. */
export class RequestTimedOut extends Error {
	override readonly name = 'RequestTimedOut';
}

/**
 * Why a request got no answer. Anything unknown counts as `lost`, the careful choice: a create
 * that was lost may have reached the service.
 */
export function networkReasonOf(thrown: unknown, depth = 0): NetworkReason {
	return findReason(thrown, depth) ?? 'lost';
}

function findReason(thrown: unknown, depth: number): NetworkReason | undefined {
	if (depth > MAX_CHAIN_LENGTH || typeof thrown !== 'object' || thrown === null) return undefined;
	if (thrown instanceof RequestTimedOut) return 'timeout';
	if (thrown.constructor.name.startsWith('Ssrf')) return 'blocked';
	const own = 'code' in thrown ? reasonOfCode(thrown.code) : undefined;
	if (own !== undefined) return own;
	for (const link of linksOf(thrown)) {
		const reason = findReason(link, depth + 1);
		if (reason !== undefined) return reason;
	}
	return undefined;
}
