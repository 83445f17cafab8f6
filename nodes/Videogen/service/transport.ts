import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { parseJson } from '../common/json';
import { httpAnswerOf } from './answer';
import { authenticate } from './authenticate';
import type { OutgoingRequest, Send } from './client';
import { RequestTimedOut } from './networkReason';

/** Under which n8n keeps the credential (interface.md). */
export const CREDENTIAL_NAME = 'videogenApi';

/** What of n8n sends requests while a workflow runs. */
export type RequestContext = IExecuteFunctions | IWebhookFunctions;

/** A key shorter than this is no secret, and cutting it out of answers would garble them. */
const MIN_SECRET_LENGTH = 6;

/**
 * Requests of the service in an execution; n8n adds the key by the credential's own rule. Only
 * its time limit and its own signal end a request, not n8n's when the execution is stopped.
 */
export const executionTransport = (context: RequestContext, apiKey: string): Send =>
	guarded(
		apiKey,
		async (request, end) =>
			await context.helpers.httpRequestWithAuthentication.call(
				endedBy(end, context),
				CREDENTIAL_NAME,
				{
					...optionsOf(request),
					encoding: 'text',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
				},
			),
	);

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/**
 * n8n ends a request by the signal of the context that asks for it, whatever its options say; the
 * context of a webhook has none of its own.
 */
export const endedBy = <Context extends object>(end: AbortSignal, context: Context): Context =>
	new Proxy(context, {
		has: (target, name) => name === CANCEL_SIGNAL || Reflect.has(target, name),
		get: (target, name): unknown =>
			name === CANCEL_SIGNAL ? () => end : Reflect.get(target, name),
	});

/** The same in a credential's test, where n8n has only its older helper and adds no key. */
export const credentialTestTransport = (
	context: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
	apiKey: string,
): Send =>
	guarded(apiKey, async (request) => {
		const { url: uri, ...options } = authenticate(credential, optionsOf(request));
		const asAnswer = { resolveWithFullResponse: true, simple: false };
		return await context.helpers.request({ ...options, uri, ...asAnswer });
	});

const JSON_TYPE = 'application/json';

const optionsOf = ({ method, url, body, limitMs }: OutgoingRequest) => ({
	method,
	url,
	headers: { accept: JSON_TYPE, ...(body && { 'content-type': JSON_TYPE }) },
	...(body && { body }),
	timeout: limitMs,
});

/** What holds for every request: a time limit for all of it, and no key in what comes back. */
const guarded =
	(apiKey: string, send: (request: OutgoingRequest, end: AbortSignal) => Promise<unknown>): Send =>
	async (request) => {
		const whole = await withinLimit(request, async (end) => await send(request, end));
		const { statusCode, headers, body } = httpAnswerOf(whole);
		const location = headers.location && withoutSecret(headers.location, apiKey);
		return { statusCode, headers: { ...headers, location }, body: withoutSecret(body, apiKey) };
	};

/**
 * Works with a signal that aborts with the request's own or at its time limit, which counts from
 * the start: n8n's own `timeout` counts only silence, so a body that trickles would never end.
 */
async function withinLimit<T>(
	{ limitMs, signal }: OutgoingRequest,
	work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
	const limit = AbortSignal.timeout(limitMs);
	return await new Promise<T>((resolve, reject) => {
		const onLimit = () => reject(new RequestTimedOut());
		limit.addEventListener('abort', onLimit);
		void work(signal ? AbortSignal.any([limit, signal]) : limit)
			.then(resolve, reject)
			.finally(() => limit.removeEventListener('abort', onLimit));
	});
}

/**
 * Services that echo a request would otherwise put the key into outputs and messages. JSON can
 * write a character in several ways, and only one when it is written again.
 */
function withoutSecret(text: string, secret: string): string {
	if (secret.length < MIN_SECRET_LENGTH) return text;
	const parsed = text.includes('\\') ? parseJson(text) : undefined;
	const plain = parsed === undefined ? text : JSON.stringify(parsed);
	const asInJson = JSON.stringify(secret).slice(1, -1);
	return plain.replaceAll(secret, '[API key]').replaceAll(asInJson, '[API key]');
}
