import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { HttpAnswer } from './answer';
import { RequestTimedOut } from './networkReason';
import type { OutgoingRequest, Send } from './serviceClient';

const answerSchema = z.object({
	statusCode: z.number(),
	headers: z.record(z.unknown()).catch({}),
	body: z.string().catch(''),
});

/** A key shorter than this is no secret, and cutting it out of answers would garble them. */
const MIN_SECRET_LENGTH = 6;

/** Requests of the service through n8n, which adds the key by the credential's own rule. */
export function n8nTransport(
	context: IExecuteFunctions,
	credentialName: string,
	apiKey: string,
): Send {
	return async (request) => {
		const answer = await withinLimit(request.limitMs, sendOnce(context, credentialName, request));
		return { ...answer, body: withoutSecret(answer.body, apiKey) };
	};
}

async function sendOnce(
	context: IExecuteFunctions,
	credentialName: string,
	{ method, url, body, limitMs }: OutgoingRequest,
): Promise<HttpAnswer> {
	const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
		context,
		credentialName,
		{
			method,
			url,
			body,
			headers: {
				accept: 'application/json',
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// n8n would take the key along to wherever a redirect points.
			disableFollowRedirect: true,
			timeout: limitMs,
			abortSignal: context.getExecutionCancelSignal(),
		},
	);
	return answerSchema.parse(response);
}

/**
 * n8n's own `timeout` counts only silence, so a body that trickles would never end. This one
 * counts from the start.
 */
async function withinLimit<T>(limitMs: number, work: Promise<T>): Promise<T> {
	const limit = AbortSignal.timeout(limitMs);
	return await new Promise<T>((resolve, reject) => {
		const giveUp = () => reject(new RequestTimedOut());
		limit.addEventListener('abort', giveUp, { once: true });
		work.then(resolve, reject).finally(() => limit.removeEventListener('abort', giveUp));
	});
}

/** Services that echo a request would otherwise put the key into outputs and messages. */
const withoutSecret = (text: string, secret: string): string =>
	secret.length < MIN_SECRET_LENGTH ? text : text.replaceAll(secret, '[API key]');
