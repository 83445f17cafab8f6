import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import type { ByteStream, FetchFile, StoreFile } from './download';

/** What this needs of n8n. */
interface DownloadContext {
	helpers: Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;
}

/** How long a host may take until its answer begins. */
const HEAD_LIMIT_MS = 60_000;

const isByteStream = (value: unknown): value is ByteStream =>
	typeof value === 'object' && value !== null && 'pipe' in value && 'destroy' in value;

const fileAnswerSchema = z.object({
	statusCode: z.number(),
	headers: z.record(z.unknown()).catch({}),
	body: z.custom<ByteStream>(isByteStream),
});

/** Requests of results: no credential, so whatever host a result or a redirect names gets none. */
export const fileFetcher =
	(context: DownloadContext): FetchFile =>
	async (url, signal) => {
		const answer: unknown = await context.helpers.httpRequest({
			method: 'GET',
			url,
			// Packing does not make videos smaller, and hides how much of one has come.
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: HEAD_LIMIT_MS,
			abortSignal: signal,
		});
		const { statusCode, headers, body } = fileAnswerSchema.parse(answer);
		return { statusCode, headers, body, declaredBytes: declaredBytesIn(headers) };
	};

function declaredBytesIn(headers: Record<string, unknown>): number | undefined {
	const text = headers['content-length'];
	return typeof text === 'string' && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** n8n's storage of binary data, which takes a stream piece by piece. */
export const fileStore =
	(context: DownloadContext): StoreFile =>
	async (body, fileName, mediaType) =>
		await context.helpers.prepareBinaryData(body, fileName, mediaType);
