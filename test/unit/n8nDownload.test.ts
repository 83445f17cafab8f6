import { PassThrough } from 'node:stream';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { fileFetcher, fileStore } from '../../nodes/Videogen/downloads/n8nFiles';
import { bodyOf } from '../support/downloadScene';

const URL = 'https://e.com/fox.mp4';

/** n8n's helpers, and what they were asked for. */
function n8nAnswering(answer: unknown) {
	const requests: IHttpRequestOptions[] = [];
	const stored: unknown[][] = [];
	return {
		requests,
		stored,
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				requests.push(options);
				return await Promise.resolve(answer);
			},
			prepareBinaryData: async (...file: unknown[]) => {
				stored.push(file);
				return await Promise.resolve({ data: 'database', mimeType: 'video/mp4' });
			},
		},
	};
}

const { signal } = new AbortController();

/** A body as it came over the line, and not unpacked. */
const rawBody = () => Object.assign(bodyOf('x'), { rawHeaders: [] });

describe('asking for a result', () => {
	test.each([undefined, null, 'x', 7, {}, { pipe: true }, { destroy: true }])(
		'takes no answer whose body is %j',
		async (body) => {
			const n8n = n8nAnswering({ statusCode: 200, headers: {}, body });
			await expect(fileFetcher(n8n)(URL, signal)).rejects.toMatchObject({ name: 'ZodError' });
		},
	);

	test('carries no credential, asks for bare bytes and gives every status as it is', async () => {
		const n8n = n8nAnswering({ statusCode: 404, headers: {}, body: rawBody() });
		expect(await fileFetcher(n8n)(URL, signal)).toMatchObject({ statusCode: 404, headers: {} });
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

	test.each([
		['12', 12],
		['0', 0],
		['', undefined],
		['-1', undefined],
		['1e3', undefined],
		['12, 12', undefined],
		[undefined, undefined],
		[12, undefined],
	])('a length that is given as %p declares %p', async (length, declaredBytes) => {
		const answer = { statusCode: 200, headers: { 'content-length': length }, body: rawBody() };
		const given = await fileFetcher(n8nAnswering(answer))(URL, signal);
		expect(given.declaredBytes).toBe(declaredBytes);
	});

	test('the length is as declared, whatever kind of stream the body is', async () => {
		const body = new PassThrough();
		const answer = { statusCode: 200, headers: { 'content-length': '12' }, body };
		const given = await fileFetcher(n8nAnswering(answer))(URL, signal);
		expect(given).toEqual({
			statusCode: 200,
			headers: answer.headers,
			body,
			declaredBytes: 12,
		});
	});

	test('odd headers are none', async () => {
		const answer = { statusCode: 200, headers: null, body: rawBody() };
		expect(await fileFetcher(n8nAnswering(answer))(URL, signal)).toMatchObject({ headers: {} });
	});

	test.each([
		undefined,
		{},
		{ statusCode: 200, headers: {}, body: 'text' },
		{ statusCode: 200, headers: {}, body: null },
		{ statusCode: 200, headers: {}, body: { pipe: () => undefined } },
	])('an answer without a body that flows is none: %j', async (answer) => {
		await expect(fileFetcher(n8nAnswering(answer))(URL, signal)).rejects.toThrow();
	});
});

test('storing a result hands the body itself to n8n, with name and type', async () => {
	const n8n = n8nAnswering(undefined);
	const body = bodyOf('x');
	expect(await fileStore(n8n)(body, 'fox.mp4', 'video/mp4')).toEqual({
		data: 'database',
		mimeType: 'video/mp4',
	});
	expect(n8n.stored).toEqual([[body, 'fox.mp4', 'video/mp4']]);
});
