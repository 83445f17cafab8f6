import { type Clock, Timer, unlessStopped } from '../shared/clock';
import { type ByteStream, errorsIn } from '../shared/n8n';
import { DownloadError, storageErrorOf } from './downloadError';
import type { FileAnswer } from './fetch';

/** A body that delivers less per window has stalled: at this pace, 100 MB take 21 hours. */
export const STALL = { windowMs: 30_000, minBytes: 40_000 } as const;

/** Enough to tell a file's type, and a text after some blanks. */
const FIRST_BYTES = 64;

/**
 * The first bytes of a body, which still delivers all of them afterwards. Call it before anything
 * listens to the body.
 * @throws DownloadError when the body is empty, breaks off or delivers nothing for too long, also
 *   when `end` aborts
 */
export async function firstBytesOf(
	body: ByteStream,
	clock: Clock,
	end: AbortSignal,
): Promise<Uint8Array> {
	const limit = new Timer(clock, end).signalAt(clock.now() + STALL.windowMs);
	return await unlessStopped(limit, async () => await firstChunkOf(body)).catch(() => {
		throw new DownloadError('cutOff');
	});
}

async function firstChunkOf(body: ByteStream): Promise<Uint8Array> {
	const chunk = await new Promise((resolve, reject) => {
		const look = () => {
			// Less only at the end: a server may send a blank by itself before a page.
			const read: unknown = body.read(FIRST_BYTES);
			if (read === null) return body.once('readable', look);
			// At once: a body that has ended takes nothing back.
			body.unshift(read);
			return resolve(read);
		};
		body.once('readable', look);
		for (const event of ['error', 'end', 'close']) body.once(event, reject);
	});
	const bytes = Buffer.from(chunk instanceof Uint8Array ? chunk : String(chunk));
	return bytes.subarray(0, FIRST_BYTES);
}

/**
 * Watches a body on its way into n8n's storage: how much arrived, whether it stalls, how it ended.
 */
export class BodyWatch {
	receivedBytes = 0;

	/** 0 if unknown. */
	private readonly declaredBytes: number;

	/** @param maxBytes A body that exceeds this is ended. */
	constructor(
		private readonly answer: FileAnswer,
		private readonly maxBytes: number,
	) {
		const { body, headers } = answer;
		// Only a decompressor counts its input, and the declared length is that of the packed body.
		const isUnpacked = 'bytesWritten' in body;
		this.declaredBytes = isUnpacked ? 0 : Number(headers['content-length']) || 0;
		// `on` would start the flow before n8n's storage is ready. Pausing the body would stall
		// storages that only listen.
		body.prependListener('data', (chunk: Uint8Array | string) => {
			this.receivedBytes += chunk.length;
			if (this.receivedBytes > maxBytes) body.destroy(new DownloadError('tooLarge'));
		});
	}

	/** What is wrong with the body, or `undefined` if all of it arrived. */
	get failure(): DownloadError | undefined {
		const { receivedBytes, declaredBytes, maxBytes } = this;
		if (Math.max(receivedBytes, declaredBytes) > maxBytes) return new DownloadError('tooLarge');
		const isWhole = this.answer.body.errored === null && receivedBytes >= declaredBytes;
		return isWhole && receivedBytes > 0 ? undefined : new DownloadError('cutOff');
	}

	/**
	 * Why a storage threw. A failing storage ends the body, which then breaks off too, so the body is
	 * the cause only if the storage threw the body's own error.
	 */
	errorOf(thrown: unknown): DownloadError {
		const error = storageErrorOf(thrown);
		const isOfBody = errorsIn(thrown).some((one) => one === this.answer.body.errored);
		return (error.why === 'storage' && isOfBody && this.failure) || error;
	}

	/**
	 * Runs while the body makes progress, and then for as long as the storage is still saving it.
	 * Some storages do not notice that a body broke off.
	 * @throws DownloadError when the body stalls or breaks off, or when `end` aborts
	 */
	async stall(clock: Clock, end: AbortSignal): Promise<never> {
		for (;;) {
			const beforeBytes = this.receivedBytes;
			await clock.sleep(STALL.windowMs, end);
			const isMoving = this.receivedBytes - beforeBytes >= STALL.minBytes;
			const goesOn = this.answer.body.readableEnded || isMoving;
			if (end.aborted || !goesOn) throw this.failure ?? new DownloadError('cutOff');
		}
	}
}
