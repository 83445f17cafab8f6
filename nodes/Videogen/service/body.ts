import { isByteStream, type ByteStream } from '../common/byteStream';

/**
 * A record has about 1 kB. A larger answer would hold up all of n8n while it is parsed, and a small one
 * may unpack to hundreds of megabytes.
 */
export const MAX_BODY_BYTES = 1_000_000;

/** So much is kept of a larger one: enough to find an id in it. */
const KEPT_BYTES = 20_000;

/** What came as the body of an answer. */
export interface Body {
	/** Only its beginning when it is too large. */
	text: string;
	isTooLarge: boolean;
}

/**
 * Reads a body, in the memory of what is taken of it at most. n8n leaves it out where there is none.
 * @throws What the body broke off with, also when `end` aborts.
 */
export async function readBody(body: unknown, end: AbortSignal): Promise<Body> {
	if (!isByteStream(body)) return bodyOf(Buffer.from(typeof body === 'string' ? body : ''));
	const stop = () => body.destroy();
	end.addEventListener('abort', stop);
	try {
		if (end.aborted) stop();
		return bodyOf(await upToLimit(body));
	} finally {
		end.removeEventListener('abort', stop);
		stop();
	}
}

/** Resolves when the body has ended, or is too large. */
const upToLimit = async (body: ByteStream): Promise<Buffer> =>
	await new Promise((resolve, reject) => {
		const chunks: Uint8Array[] = [];
		let bytes = 0;
		const finish = () => resolve(Buffer.concat(chunks));
		body.on('data', (chunk: Uint8Array | string) => {
			chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
			bytes += chunk.length;
			if (bytes <= MAX_BODY_BYTES) return;
			finish();
			body.destroy();
		});
		body.on('end', finish);
		// It stays: without a listener, an error at the wrong moment would end all of n8n.
		body.on('error', reject);
		body.on('close', () => reject(new Error('The answer broke off')));
	});

function bodyOf(bytes: Buffer): Body {
	const isTooLarge = bytes.length > MAX_BODY_BYTES;
	const kept = isTooLarge ? bytes.subarray(0, KEPT_BYTES) : bytes;
	return { text: new TextDecoder().decode(kept), isTooLarge };
}
