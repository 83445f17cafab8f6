/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import {
	type ICredentialType,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	NodeApiError,
} from 'n8n-workflow';
import type { Simulator } from '../../tools/simulator';

type Replaced = 'httpRequestWithAuthentication' | 'httpRequest';

/**
 * n8n's helpers without its HTTP client: one adds the key and wraps what went wrong, as n8n does, and
 * gives the simulator's answer as n8n does with the full response.
 */
export function withoutHttp(
	{ authenticate }: ICredentialType,
	simulator: Pick<Simulator, 'answer'>,
): Pick<IExecuteFunctions['helpers'], Replaced> {
	async function send(
		{ method = 'GET', url, headers = {}, body = '' }: IHttpRequestOptions,
		end = new AbortController().signal,
	): Promise<object> {
		const { pathname, search } = new URL(url);
		const sent = Object.entries(headers).map(([name, value]) => [
			name.toLowerCase(),
			String(value),
		]);
		const request = {
			...{ method, url: pathname + search, headers: Object.fromEntries(sent) },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		};
		return await simulator.answer(request, end);
	}
	return {
		async httpRequest({ abortSignal, ...options }) {
			const stop = abortSignal instanceof AbortSignal ? abortSignal : undefined;
			const answer = await send(options, stop);
			const body = Readable.from([Buffer.from(String(Reflect.get(answer, 'body')))]);
			return { ...answer, body };
		},
		async httpRequestWithAuthentication(type, options) {
			if (typeof authenticate !== 'function') throw new Error('The credential adds no key');
			const signed = await authenticate(await this.getCredentials(type), options);
			const end = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
			return await send(signed, end).catch((error: { message: string; code: string }) => {
				throw new NodeApiError(this.getNode(), error);
			});
		},
	};
}
