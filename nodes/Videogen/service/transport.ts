import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { parseJson } from '../common/json';
import { endedBy } from '../n8n/cancelSignal';
import { type HttpAnswer, rawAnswerOf } from './answer';
import { authenticate } from './authenticate';
import { readBody } from './body';
import type { OutgoingRequest, Send } from './client';
import { RequestTimedOut } from './networkReason';
import { Secrets } from './secrets';

/** Under which n8n keeps the credential (interface.md). */
export const CREDENTIAL_NAME = 'videogenApi';

/** What of n8n sends requests while a workflow runs. */
export type RequestContext = IExecuteFunctions | IWebhookFunctions;

/**
 * Requests of the service in an execution; n8n adds the key by the credential's own rule. Only
 * its time limit and its own signal end a request, not n8n's when the execution is stopped.
 */
export function executionTransport(context: RequestContext, apiKey: string): Send {
	const secrets = new Secrets(apiKey);
	// The records that a callback makes the node read may have the URL that another process has sent.
	if ('getQueryData' in context) {
		secrets.addSignature(Reflect.get(Object(context.getQueryData()), 'signature'));
	}
	const asAnswer = {
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
	} as const;
	return guarded(secrets, async (request, end) => {
		const options = { ...optionsOf(request), ...asAnswer };
		return await context.helpers.httpRequestWithAuthentication.call(
			endedBy(end, context),
			CREDENTIAL_NAME,
			options,
		);
	});
}

/** The same in a credential's test, where n8n has only its older helper and adds no key. */
export const credentialTestTransport = (
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
	apiKey: string,
): Send =>
	guarded(new Secrets(apiKey), async (request) => {
		const { url: uri, ...options } = authenticate(credential, optionsOf(request));
		const asAnswer = { resolveWithFullResponse: true, simple: false, useStream: true };
		return await context.helpers.request({ ...options, uri, ...asAnswer });
	});

/** What services set to `true` in an answer that they play again. */
const REPLAYED = ['idempotency-replayed', 'idempotent-replayed'];

const JSON_TYPE = 'application/json';

const optionsOf = ({ method, url, body, orderKey, limitMs }: OutgoingRequest) => ({
	method,
	url,
	headers: {
		accept: JSON_TYPE,
		...(body && { 'content-type': JSON_TYPE }),
		...(orderKey !== undefined && { 'Idempotency-Key': orderKey }),
	},
	...(body && { body }),
	timeout: limitMs,
});

/** What holds for every request: a time limit for all of it, and no secret in what comes back. */
const guarded =
	(
		secrets: Secrets,
		send: (request: OutgoingRequest, end: AbortSignal) => Promise<unknown>,
	): Send =>
	async (request) => {
		if (request.body) secrets.addFrom(request.body);
		return await withinLimit(request, async (end) => {
			const { statusCode, headers, body } = rawAnswerOf(await send(request, end));
			const { location, 'retry-after': retryAfter } = headers;
			const { text, isTooLarge } = await readBody(body, end);
			return {
				statusCode,
				headers: {
					location: typeof location === 'string' ? secrets.mask(location) : undefined,
					'retry-after': retryAfter,
				},
				isReplay: REPLAYED.some((name) => String(headers[name]).toLowerCase() === 'true'),
				...secrets.maskBody(text, isTooLarge ? undefined : parseJson(text)),
				isTooLarge,
			};
		});
	};

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
		const onLimit = () => reject(new RequestTimedOut());
		limit.addEventListener('abort', onLimit, { once: true });
		work(end)
			.then(resolve, reject)
			.finally(() => limit.removeEventListener('abort', onLimit));
	});
}
