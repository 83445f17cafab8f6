import { type JsonObject, NodeApiError } from 'n8n-workflow';
import type { NetworkReason } from '../../../nodes/Videogen/service/types';
import { networkReasonOf, RequestTimedOut } from '../../../nodes/Videogen/service/networkReason';
import { failedCall, WRAPPED_BY } from '../../support/networkErrors';
import { NODE } from '../../support/node';

const withCode = (code: unknown): Error => Object.assign(new Error('inner'), { code });

describe('why there was no answer', () => {
	const axiosLike = (code: string): JsonObject => ({
		code: 'ERR_NETWORK',
		cause: { name: 'Error', code },
	});

	test.each<[NetworkReason, codes: string[]]>([
		['tls', ['EPROTO', 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']],
		['tls', ['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT']],
		['tls', ['UNABLE_TO_VERIFY_LEAF_SIGNATURE']],
		['timeout', ['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']],
		// After these the service may have taken the request.
		['lost', ['ECONNRESET', 'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'NO_CERT_AT_ALL']],
		// And where nothing says that they are of connecting or of looking up the name.
		['lost', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN']],
	])('%s is what %j mean, by themselves or within the errors of axios and n8n', (reason, codes) => {
		const errors = codes.flatMap((code) => [
			withCode(code),
			axiosLike(code),
			new NodeApiError(NODE, axiosLike(code)),
			new Error('outer', { cause: withCode(code) }),
			{ error: withCode(code) },
			// n8n 2.0.3, which keeps no cause.
			Object.assign(new Error('In words of n8n'), { httpCode: code }),
		]);
		expect(errors.map(networkReasonOf)).toEqual(errors.map(() => reason));
	});

	describe.each(Object.entries(WRAPPED_BY))('as n8n %s wraps it', (_version, wrapped) => {
		test.each<[NetworkReason, syscall: string, codes: string[]]>([
			['connectionRefused', 'connect', ['ECONNREFUSED']],
			['noRoute', 'connect', ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN']],
			// Where IPv6 is off, and behind a firewall that says so.
			['noRoute', 'connect', ['EADDRNOTAVAIL', 'EACCES']],
			['connectTimeout', 'connect', ['ETIMEDOUT']],
			['unknownHost', 'getaddrinfo', ['ENOTFOUND', 'EAI_AGAIN']],
			['unknownHost', 'queryA', ['ENOTFOUND']],
			['lost', 'read', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']],
			['lost', 'write', ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH']],
			['timeout', 'read', ['ETIMEDOUT']],
			['timeout', 'write', ['ETIMEDOUT']],
		])('it is %s at "%s" with %j', (reason, syscall, codes) => {
			for (const code of codes) {
				const address = syscall === 'connect' ? '127.0.0.1' : undefined;
				const call = { syscall, code, address };
				expect(networkReasonOf(wrapped([call]))).toBe(reason);
				expect(networkReasonOf(failedCall(call))).toBe(reason);
			}
		});

		test.each([
			['ECONNREFUSED', 'connectionRefused'],
			['ETIMEDOUT', 'connectTimeout'],
			['ENETUNREACH', 'noRoute'],
		])('%s of connecting to each of two addresses is %s', (code, reason) => {
			const call = { syscall: 'connect', code, address: '127.0.0.1' };
			expect(networkReasonOf(wrapped([call, { ...call, address: '::1' }]))).toBe(reason);
		});
	});

	test.each([
		...['reconnect ECONNREFUSED', 'disconnect ECONNREFUSED', 'connected ECONNREFUSED'],
		...['connect econnrefused', 'ProviderMessage: connect ECONNREFUSED', 'query ENOTFOUND'],
	])('%j proves nothing', (text) => {
		expect(networkReasonOf(Object.assign(new Error(text), { code: 'ECONNREFUSED' }))).toBe('lost');
	});

	test.each([
		[Object.assign(withCode('ODD'), { cause: withCode('EPROTO') }), 'tls'],
		[new RequestTimedOut(), 'timeout'],
		[new Error('outer', { cause: new RequestTimedOut() }), 'timeout'],
	])('%p is %s', (thrown, reason) => expect(networkReasonOf(thrown)).toBe(reason));

	test.each([
		[8, 'connectionRefused'],
		[9, 'lost'],
	])('an error that is wrapped %i times is %s', (times, reason) => {
		let error: Error = failedCall({ syscall: 'connect', code: 'ECONNREFUSED' });
		for (let depth = 0; depth < times; depth += 1) error = new Error('outer', { cause: error });
		expect(networkReasonOf(error)).toBe(reason);
	});

	test.each([
		...[undefined, null, 'ECONNREFUSED', 7, {}, new Error('ECONNREFUSED'), { code: 7 }],
		...[{ errors: null }, { errors: [] }, Object.create(null)],
	])('%p is lost', (thrown) => expect(networkReasonOf(thrown)).toBe('lost'));
});
