import type { IHttpRequestOptions } from 'n8n-workflow';
import type { Simulator } from '../../tools/simulator';

/** Takes requests to the simulator without a connection, which takes many times as long. */
export const sendDirectly =
	(simulator: Pick<Simulator, 'answer'>) =>
	async (
		{ method = 'GET', url, headers = {}, body = '' }: IHttpRequestOptions,
		end = new AbortController().signal,
	): Promise<object> => {
		const { pathname, search } = new URL(url);
		const sent = Object.entries(headers).map(([name, value]) => [
			name.toLowerCase(),
			String(value),
		]);
		return await simulator.answer(
			{
				method,
				url: pathname + search,
				headers: Object.fromEntries(sent),
				body: typeof body === 'string' ? body : JSON.stringify(body),
			},
			end,
		);
	};
