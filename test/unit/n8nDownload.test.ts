import type { IHttpRequestOptions } from 'n8n-workflow';
import { n8nFiles } from '../../nodes/Videogen/downloads/n8nFiles';
import { bodyOf } from '../support/downloadScene';

const URL = 'https://e.com/fox.mp4';
const { signal } = new AbortController();

/** n8n's helpers, and what they were asked for. */
function n8nAnswering(answer: unknown) {
	const requests: IHttpRequestOptions[] = [];
	return {
		requests,
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				requests.push(options);
				return await Promise.resolve(answer);
			},
			prepareBinaryData: async () => await Promise.reject(new Error('Nothing is stored here')),
		},
	};
}

test('asking for a result carries no credential, and every status is an answer', async () => {
	const answer = { statusCode: 404, headers: { 'content-length': '1' }, body: bodyOf('x') };
	const n8n = n8nAnswering(answer);
	expect(await n8nFiles(n8n).fetch(URL, signal)).toEqual(answer);
	expect(n8n.requests).toEqual([
		{
			method: 'GET',
			url: URL,
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: 60_000,
			abortSignal: signal,
		},
	]);
});

test.each([undefined, null, 'x', 7, {}, { pipe: true }, { destroy: true }])(
	'an answer whose body is %j is refused',
	async (body) => {
		const n8n = n8nAnswering({ statusCode: 200, headers: {}, body });
		await expect(n8nFiles(n8n).fetch(URL, signal)).rejects.toThrow('No body');
	},
);

test('headers that are no object count as empty', async () => {
	const n8n = n8nAnswering({ statusCode: 200, headers: null, body: bodyOf('x') });
	expect(await n8nFiles(n8n).fetch(URL, signal)).toMatchObject({ headers: {} });
});
