import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
} from 'n8n-workflow';
import { onAbort } from '../shared/clock';
import { parseJson } from '../shared/json';
import { closedBy, endedBy, isByteStream } from '../shared/n8n';
import { type HttpAnswer, rawAnswerOf } from './types';
import { authenticate } from './authenticate';
import type { OutgoingRequest, Send } from './client';
import { RequestTimedOut } from './networkReason';
import { Secrets } from './secrets';

/**
 * A record has about 1 kB. A larger answer would block all of n8n while it is parsed, and even a
 * small one may unpack to hundreds of megabytes.
 */
export const MAX_BODY_BYTES = 1_000_000;

/** How much of a larger answer is kept: enough to find an ID in it. */
const KEPT_BYTES = 20_000;

/**
 * Reads a body, holding no more of it in memory than the limit. n8n omits an empty body.
 * @returns the text, or only its beginning if it is too large or was cut off
 * @throws whatever cut off the body before its first byte, or when `end` aborts
 */
export async function readBody(body: unknown, end: AbortSignal, maxBytes = MAX_BODY_BYTES) {
	const text = typeof body === 'string' ? body : '';
	const pieces: Uint8Array[] = [];
	let bytes = 0;
	let isCutOff = false;
	const readPieces = async (): Promise<void> => {
		for await (const chunk of isByteStream(body) ? closedBy(end, body) : [text]) {
			const piece: Uint8Array = Buffer.from(chunk);
			pieces.push(piece);
			bytes += piece.length;
			if (bytes > maxBytes) break;
		}
	};
	await readPieces().catch((thrown: unknown) => {
		// What has arrived may name a task.
		if (bytes === 0 || end.aborted) throw thrown;
		isCutOff = true;
	});
	const isTooLarge = bytes > maxBytes;
	const kept = Buffer.concat(pieces, isTooLarge ? KEPT_BYTES : bytes);
	return { text: new TextDecoder().decode(kept), isTooLarge, isCutOff };
}

/** The name under which n8n saves the credential. It never changes. */
export const CREDENTIAL_NAME = 'videogenApi';

/**
 * Sends requests to the service in an execution. n8n adds the key as the credential defines. Only a
 * request's time limit and its own signal end it, not n8n's signal for a stopped execution.
 */
export const executionTransport = (context: IExecuteFunctions, apiKey: string): Send =>
	guarded(apiKey, async (request, end) => {
		const asAnswer = { returnFullResponse: true, ignoreHttpStatusErrors: true };
		const options = { ...optionsOf(request), ...asAnswer, encoding: 'stream' } as const;
		const withKey = context.helpers.httpRequestWithAuthentication;
		return await withKey.call(endedBy(end, context), CREDENTIAL_NAME, options);
	});

/** The same for the credential test, where n8n offers only its older helper and adds no key. */
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

/** Applies to every request: one time limit for all of it, and no secrets in what comes back. */
function guarded(
	apiKey: string,
	send: (request: OutgoingRequest, end: AbortSignal) => Promise<unknown>,
): Send {
	const secrets = new Secrets(apiKey);
	let maxBytes = MAX_BODY_BYTES;
	return async (request) => {
		const sent = JSON.stringify(request.body ?? '');
		const bytes = Buffer.byteLength(sent);
		// Beyond ASCII, a character of two bytes may come back as an escape of six.
		maxBytes = Math.max(maxBytes, MAX_BODY_BYTES + bytes + 4 * (bytes - sent.length));
		return await withinLimit(request, async (end) => {
			const { statusCode, headers, body } = rawAnswerOf(await send(request, end));
			const { location, 'retry-after': retryAfter } = headers;
			const { text, isTooLarge, isCutOff } = await readBody(body, end, maxBytes);
			return {
				statusCode,
				headers: {
					location: typeof location === 'string' ? secrets.mask(location) : undefined,
					'retry-after': retryAfter,
				},
				...secrets.maskBody(text, isTooLarge ? undefined : parseJson(text)),
				isTooLarge,
				isCutOff,
			};
		});
	};
}

/**
 * Runs `work` with a signal that aborts with the request's own signal or at its time limit. The
 * limit counts from the start: n8n's own `timeout` only counts silence, so a body that trickles in
 * would never end.
 */
async function withinLimit(
	{ limitMs, signal }: OutgoingRequest,
	work: (end: AbortSignal) => Promise<HttpAnswer>,
): Promise<HttpAnswer> {
	const limit = AbortSignal.timeout(limitMs);
	const end = AbortSignal.any([limit, ...(signal ? [signal] : [])]);
	end.throwIfAborted();
	return await new Promise<HttpAnswer>((resolve, reject) => {
		// Each is listened to directly: a limit that only a combined signal knows may be collected.
		const stopListening = onAbort(limit, () => reject(new RequestTimedOut()));
		// Some versions of n8n do not end a request whose signal aborts.
		const ignore = signal && onAbort(signal, () => reject(new Error('Stopped')));
		work(end)
			.then(resolve, reject)
			.finally(() => {
				stopListening();
				ignore?.();
			});
	});
}
