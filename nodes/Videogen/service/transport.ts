import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
} from 'n8n-workflow';
import { onAbort } from '../shared/clock';
import { parseJson } from '../shared/json';
import { type ByteStream, endedBy, isByteStream } from '../shared/n8n';
import { type HttpAnswer, rawAnswerOf } from './answer';
import { authenticate } from './authenticate';
import type { OutgoingRequest, Send } from './client';
import { RequestTimedOut } from './networkReason';
import { Secrets } from './secrets';

/**
 * A record has about 1 kB. A larger answer would hold up all of n8n while it is parsed, and a small one
 * may unpack to hundreds of megabytes.
 */
export const MAX_BODY_BYTES = 1_000_000;

/** So much is kept of a larger one: enough to find an id in it. */
const KEPT_BYTES = 20_000;

/**
 * Reads a body, in the memory of what is taken of it at most. n8n leaves it out where there is none.
 * @returns its text, or only the beginning of it when it is too large
 * @throws What the body broke off with, also when `end` aborts.
 */
export async function readBody(body: unknown, end: AbortSignal, maxBytes = MAX_BODY_BYTES) {
	const bytes = isByteStream(body)
		? await upToLimit(body, end, maxBytes)
		: Buffer.from(typeof body === 'string' ? body : '');
	const isTooLarge = bytes.length > maxBytes;
	const kept = isTooLarge ? bytes.subarray(0, KEPT_BYTES) : bytes;
	return { text: new TextDecoder().decode(kept), isTooLarge };
}

/** Resolves when the body has ended, or is too large. */
async function upToLimit(body: ByteStream, end: AbortSignal, maxBytes: number): Promise<Buffer> {
	const stop = () => body.destroy();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	try {
		return await new Promise((resolve, reject) => {
			const finish = () => resolve(Buffer.concat(chunks));
			body.on('data', (chunk: Uint8Array | string) => {
				chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
				bytes += chunk.length;
				if (bytes > maxBytes) finish();
			});
			body.on('end', finish);
			// It stays: without a listener, an error at the wrong moment would end all of n8n.
			body.on('error', reject);
			body.on('close', () => reject(new Error('The answer broke off')));
			end.addEventListener('abort', stop);
			if (end.aborted) stop();
		});
	} finally {
		end.removeEventListener('abort', stop);
		stop();
	}
}

/** Under which n8n keeps the credential: it never changes. */
export const CREDENTIAL_NAME = 'videogenApi';

/**
 * Requests of the service in an execution; n8n adds the key by the credential's own rule. Only
 * its time limit and its own signal end a request, not n8n's when the execution is stopped.
 */
export const executionTransport = (context: IExecuteFunctions, apiKey: string): Send =>
	guarded(apiKey, async (request, end) => {
		const asAnswer = { returnFullResponse: true, ignoreHttpStatusErrors: true };
		const options = { ...optionsOf(request), ...asAnswer, encoding: 'stream' } as const;
		const withKey = context.helpers.httpRequestWithAuthentication;
		return await withKey.call(endedBy(end, context), CREDENTIAL_NAME, options);
	});

/** The same in a credential's test, where n8n has only its older helper and adds no key. */
export const credentialTestTransport = (
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
	apiKey: string,
): Send =>
	guarded(apiKey, async (request) => {
		const { url: uri, ...options } = authenticate(credential, optionsOf(request));
		const asAnswer = { resolveWithFullResponse: true, simple: false, useStream: true };
		return await context.helpers.request({ ...options, uri, ...asAnswer });
	});

const JSON_TYPE = 'application/json';

const optionsOf = ({ method, url, body, idempotencyKey, limitMs }: OutgoingRequest) => ({
	method,
	url,
	headers: {
		accept: JSON_TYPE,
		...(body && { 'content-type': JSON_TYPE }),
		...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
	},
	...(body && { body }),
	timeout: limitMs,
});

/** What holds for every request: a time limit for all of it, and no secret in what comes back. */
function guarded(
	apiKey: string,
	send: (request: OutgoingRequest, end: AbortSignal) => Promise<unknown>,
): Send {
	const secrets = new Secrets(apiKey);
	let maxBytes = MAX_BODY_BYTES;
	return async (request) => {
		// What was sent inline may be played back.
		const sent = JSON.stringify(request.body ?? '').length;
		maxBytes = Math.max(maxBytes, MAX_BODY_BYTES + sent);
		return await withinLimit(request, async (end) => {
			const { statusCode, headers, body } = rawAnswerOf(await send(request, end));
			const { location, 'retry-after': retryAfter } = headers;
			const { text, isTooLarge } = await readBody(body, end, maxBytes);
			return {
				statusCode,
				headers: {
					location: typeof location === 'string' ? secrets.mask(location) : undefined,
					'retry-after': retryAfter,
				},
				...secrets.maskBody(text, isTooLarge ? undefined : parseJson(text)),
				isTooLarge,
			};
		});
	};
}

/**
 * Works with a signal that aborts with the request's own or at its time limit, which counts from
 * the start: n8n's own `timeout` counts only silence, so a body that trickles would never end.
 */
async function withinLimit(
	{ limitMs, signal }: OutgoingRequest,
	work: (end: AbortSignal) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
	const limit = AbortSignal.timeout(limitMs);
	const end = AbortSignal.any([limit, ...(signal ? [signal] : [])]);
	return await new Promise<HttpAnswer>((resolve, reject) => {
		const stopListening = onAbort(limit, () => reject(new RequestTimedOut()));
		work(end).then(resolve, reject).finally(stopListening);
	});
}
