import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod';
import { type ByteStream, isByteStream } from '../common/byteStream';

type Helpers = IExecuteFunctions['helpers'];

/** What this needs of n8n. */
interface DownloadContext {
	helpers: Pick<Helpers, 'httpRequest' | 'prepareBinaryData'>;
}

/** Head of an answer, header names in lower case, and its body, of which nothing is read yet. */
const fileAnswerSchema = z.object({
	statusCode: z.number(),
	headers: z.record(z.unknown()).catch({}),
	body: z.custom<ByteStream>(isByteStream),
});
export type FileAnswer = z.infer<typeof fileAnswerSchema>;

/** How long a host may take until its answer begins. */
const HEAD_LIMIT_MS = 60_000;

export interface FileAccess {
	/**
	 * Asks for a file, following redirects, without any credential: whatever host a result or a
	 * redirect names gets none. Throws when there is no answer; the abort ends the body too.
	 */
	fetch(url: string, signal: AbortSignal): Promise<FileAnswer>;
	/** Puts a body into n8n's storage of binary data, piece by piece where the storage can. */
	store(body: ByteStream, fileName: string, mediaType: string): Promise<IBinaryData>;
	/** Whether n8n keeps files in its memory, as 1.x does unless told otherwise. */
	keepsInMemory(): Promise<boolean>;
}

export const n8nFiles = ({ helpers }: DownloadContext): FileAccess => ({
	fetch: async (url, signal) =>
		fileAnswerSchema.parse(
			await helpers.httpRequest({
				method: 'GET',
				url,
				// Compression does not make videos smaller, and hides how much of one has come.
				headers: { accept: '*/*', 'accept-encoding': 'identity' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: HEAD_LIMIT_MS,
				abortSignal: signal,
			}),
		),
	store: async (...file) => await helpers.prepareBinaryData(...file),
	// Only stored files have an ID; this one goes with the files of the execution.
	keepsInMemory: async () =>
		await helpers.prepareBinaryData(Buffer.from('?'), 'size.txt', 'text/plain').then(
			({ id }) => id === undefined,
			() => false,
		),
});
