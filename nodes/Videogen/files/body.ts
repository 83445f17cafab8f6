import { type Clock, onAbort } from '../shared/clock';
import { findInErrors } from '../shared/n8n';
import { DownloadError, storageErrorOf } from './downloadError';
import type { FileAnswer } from './fetch';

/**
 * What work comes to, unless the signal aborts before, however long the work goes on then.
 * @throws errors of its own at the abort
 */
export async function unlessStopped<Value>(end: AbortSignal, work: () => Promise<Value>) {
	end.throwIfAborted();
	return await new Promise<Value>((resolve, reject) => {
		const stopListening = onAbort(end, () => reject(new Error('Stopped')));
		void work().then(resolve, reject).finally(stopListening);
	});
}

/** A body that brings less than this in that time has stalled: at this pace, 100 MB take 21 hours. */
export const STALL = { windowMs: 30_000, minBytes: 40_000 } as const;

/** Watches a body on its way into n8n's storage: how much came, how it ended, whether it stalls. */
export class BodyWatch {
	receivedBytes = 0;

	/** The error with which the body broke off, by itself or because the storage ended it. */
	private brokeWith: unknown;

	/** 0 when the host does not say. */
	private readonly declaredBytes: number;

	/** @param maxBytes What brings more is ended. */
	constructor(
		private readonly answer: FileAnswer,
		private readonly maxBytes: number,
	) {
		const { body, headers } = answer;
		// Only what unpacks counts what it was given: n8n has unpacked the body, and its length says nothing.
		const isUnpacked = 'bytesWritten' in body;
		this.declaredBytes = isUnpacked ? 0 : Number(headers['content-length']) || 0;
		// `on` would start the flow before n8n's storage is ready. Pausing the body would stop storages
		// that only listen.
		body.prependListener('data', (chunk: Uint8Array | string) => {
			this.receivedBytes += chunk.length;
			if (this.receivedBytes > maxBytes) body.destroy(new DownloadError('tooLarge'));
		});
		// Without a listener, an error of the body would end the whole process of n8n.
		body.on('error', (error: unknown) => {
			this.brokeWith ??= error;
		});
	}

	/** What is wrong with the body as it came; `undefined` when all of it did. */
	get fault(): DownloadError | undefined {
		const { receivedBytes, declaredBytes } = this;
		if (Math.max(receivedBytes, declaredBytes) > this.maxBytes)
			return new DownloadError('tooLarge');
		const isWhole = this.brokeWith === undefined && receivedBytes >= declaredBytes;
		return isWhole && receivedBytes > 0 ? undefined : new DownloadError('cutOff');
	}

	/**
	 * Why a storage threw. A storage that fails ends the body, which then breaks off too: the body is
	 * the cause only when the storage threw the error of the body.
	 */
	errorOf(thrown: unknown): DownloadError {
		const error = storageErrorOf(thrown);
		const isOfBody = (cause: object) => cause === this.brokeWith || undefined;
		const mayBeOfBody = error.why === 'storage' && findInErrors(thrown, isOfBody);
		return (mayBeOfBody && this.fault) || error;
	}

	/**
	 * Goes on for as long as the body does, and longer where a storage still keeps it.
	 * @throws DownloadError when the body stalls; one that broke off brings nothing more either, and
	 * some storages do not notice
	 */
	async stall(clock: Clock, end: AbortSignal): Promise<never> {
		for (;;) {
			const beforeBytes = this.receivedBytes;
			await clock.sleep(STALL.windowMs, end);
			const isMoving = this.receivedBytes - beforeBytes >= STALL.minBytes;
			const goesOn = this.answer.body.readableEnded || isMoving;
			if (end.aborted || !goesOn) throw this.fault ?? new DownloadError('cutOff');
		}
	}
}
