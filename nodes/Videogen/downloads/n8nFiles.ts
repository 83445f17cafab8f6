import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { type ByteStream, isByteStream } from '../common/byteStream';
import { keepsInMemory } from '../n8n/binaryStorage';
import { rawAnswerOf } from '../service/answer';

/** What this needs of n8n. */
type Helpers = Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;

/** The head of an answer, header names in lower case, and its body, not read yet. */
export type FileAnswer = ReturnType<typeof rawAnswerOf> & { body: ByteStream };

/** How long a host may take until its answer begins. */
const HEAD_LIMIT_MS = 60_000;

export interface FileAccess {
	/**
	 * Asks for a file and follows redirects, without a credential: any host may be named by a result.
	 * @param signal Ends the request, and the body of its answer.
	 * @throws when there is no answer
	 */
	fetch(url: string, signal: AbortSignal): Promise<FileAnswer>;
	/** Writes a body into n8n's storage of binary data, piece by piece where the storage can. */
	store(body: ByteStream, fileName: string, mediaType: string): Promise<IBinaryData>;
	/** Whether n8n keeps files in its memory. */
	keepsInMemory(): Promise<boolean>;
}

export const n8nFiles = ({ helpers }: { helpers: Helpers }): FileAccess => ({
	fetch: async (url, signal) => {
		const whole: unknown = await helpers.httpRequest({
			method: 'GET',
			url,
			// Compression makes videos no smaller, and hides how much of one has come.
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: HEAD_LIMIT_MS,
			abortSignal: signal,
		});
		const { body, ...head } = rawAnswerOf(whole);
		if (!isByteStream(body)) throw new Error('No body');
		return { ...head, body };
	},
	store: async (...file) => await helpers.prepareBinaryData(...file),
	keepsInMemory: async () => await keepsInMemory(helpers),
});
