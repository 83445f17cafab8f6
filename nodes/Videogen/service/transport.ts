import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import type { HttpAnswer } from './answer';
import { authenticate } from './authenticate';
import { httpAnswerSchema } from './answer';
import { parseJson } from '../common/json';
import { RequestTimedOut } from './networkReason';
import type { OutgoingRequest, Send } from './client';

/** A key shorter than this is no secret, and cutting it out of answers would garble them. */
const MIN_SECRET_LENGTH = 6;

/**
 * Requests of the service in an execution; n8n adds the key by the credential's own rule. Only
 * its time limit and its own signal end a request, not n8n's when the execution is stopped.
 */
export const executionTransport = (
	context: IExecuteFunctions,
	credentialName: string,
	apiKey: string,
): Send =>
	guarded(apiKey, async (request, limit) => {
		const options: IHttpRequestOptions = {
			...commonOptions(request),
			url: request.url,
			body: request.body,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		};
		return await untilEither(
			[limit, request.signal],
			async (end) =>
				await context.helpers.httpRequestWithAuthentication.call(
					endedBy(end, context),
					credentialName,
					options,
				),
		);
	});

/** n8n ends a request by the signal of the context that asks for it, whatever its options say. */
const endedBy = (end: AbortSignal, context: IExecuteFunctions): IExecuteFunctions =>
	new Proxy(context, {
		get: (target, name): unknown =>
			name === 'getExecutionCancelSignal' ? () => end : Reflect.get(target, name),
	});

/** Works with a signal that is aborted with the first of the given; no listener stays behind. */
async function untilEither<T>(
	signals: Array<AbortSignal | undefined>,
	work: (end: AbortSignal) => Promise<T>,
): Promise<T> {
	const ending = new AbortController();
	const end = () => ending.abort();
	for (const signal of signals) {
		if (signal?.aborted) end();
		signal?.addEventListener('abort', end);
	}
	try {
		return await work(ending.signal);
	} finally {
		for (const signal of signals) signal?.removeEventListener('abort', end);
	}
}

/** The same in a credential's test, where n8n has only its older helper and adds no key. */
export const credentialTestTransport = (
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	apiKey: string,
): Send =>
	guarded(apiKey, async (request) => {
		const options = { ...commonOptions(request), url: request.url };
		const { headers } = authenticate(data, options);
		return await context.helpers.request({
			...commonOptions(request),
			uri: request.url,
			headers,
			resolveWithFullResponse: true,
			simple: false,
			followRedirect: false,
		});
	});

const commonOptions = ({ method, body, limitMs }: OutgoingRequest) => ({
	method,
	headers: {
		accept: 'application/json',
		...(body === undefined ? {} : { 'content-type': 'application/json' }),
	},
	timeout: limitMs,
});

/** What holds for every request: a time limit for all of it, and no key in what comes back. */
const guarded =
	(
		apiKey: string,
		send: (request: OutgoingRequest, limit: AbortSignal) => Promise<unknown>,
	): Send =>
	async (request): Promise<HttpAnswer> => {
		const whole = await withinLimit(request.limitMs, async (limit) => await send(request, limit));
		const answer = httpAnswerSchema.parse(whole);
		const { statusCode, headers, body } = answer;
		return {
			statusCode,
			headers: Object.fromEntries(
				Object.entries(headers).map(([name, value]) => [
					name,
					typeof value === 'string' ? withoutSecret(value, apiKey) : value,
				]),
			),
			body: withoutSecret(plainlyWritten(body), apiKey),
		};
	};

/**
 * n8n's own `timeout` counts only silence, so a body that trickles would never end. This one
 * counts from the start.
 */
async function withinLimit<T>(
	limitMs: number,
	work: (limit: AbortSignal) => Promise<T>,
): Promise<T> {
	const limit = AbortSignal.timeout(limitMs);
	return await new Promise<T>((resolve, reject) => {
		const giveUp = () => reject(new RequestTimedOut());
		limit.addEventListener('abort', giveUp);
		work(limit)
			.then(resolve, reject)
			.finally(() => limit.removeEventListener('abort', giveUp));
	});
}

/** Services that echo a request would otherwise put the key into outputs and messages. */
function withoutSecret(text: string, secret: string): string {
	if (secret.length < MIN_SECRET_LENGTH) return text;
	const asInJson = JSON.stringify(secret).slice(1, -1);
	return text.replaceAll(secret, '[API key]').replaceAll(asInJson, '[API key]');
}

/** JSON can write a character in several ways; afterwards there is only one. */
function plainlyWritten(body: string): string {
	if (!body.includes('\\')) return body;
	const parsed = parseJson(body);
	return parsed === undefined ? body : JSON.stringify(parsed);
}
