import type { ByteStream } from '../ground/storage';
import { findInErrors } from '../ground/errors';
import { networkReasonOf } from '../service/networkReason';
import type { Clock } from '../ground/clock';
import { type DownloadError, storageErrorOf } from './downloadError';
import type { FileAnswer } from './fetchFile';

/** A body that brings less than this in that time has stalled: at this pace, 100 MB take 21 hours. */
export const STALL = { windowMs: 30_000, minBytes: 40_000 } as const;

/**
 * The share of the declared bytes from which on a body that ended by itself is whole, but was
 * unpacked on its way, of which n8n does not tell.
 */
const UNPACKED_SHARE = 0.99;

/** Watches a body on its way into n8n's storage: how much came, how it ended, whether it stalls. */
export class BodyWatch {
	receivedBytes = 0;

	/** The error with which the body broke off, by itself or because the storage ended it. */
	brokeWith: unknown;

	/** 0 when the host does not say. */
	readonly declaredBytes: number;

	private hasEnded = false;

	private readonly body: ByteStream;

	constructor({ body, headers }: Pick<FileAnswer, 'body' | 'headers'>) {
		this.body = body;
		const length = headers['content-length'];
		this.declaredBytes = typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : 0;
		// `on` would start the flow before n8n's storage is ready. Pausing the body would stop storages
		// that only listen.
		body.prependListener('data', (chunk: Uint8Array | string) => {
			this.receivedBytes += chunk.length;
		});
		body.on('end', () => {
			this.hasEnded = true;
		});
		// Without a listener, an error of the body would end the whole process of n8n.
		body.on('error', (error: unknown) => {
			this.brokeWith ??= error;
		});
	}

	/** Resolves when more than this has come; it may never do so. */
	async moreThan(bytes: number): Promise<void> {
		await new Promise<void>((resolve) => {
			// Called before the chunk is counted.
			this.body.prependListener('data', (chunk: Uint8Array | string) => {
				if (this.receivedBytes + chunk.length > bytes) resolve();
			});
		});
	}

	/** What is wrong with the body as it came; `undefined` when all of it did. */
	get fault(): DownloadError | undefined {
		const { receivedBytes, declaredBytes, brokeWith } = this;
		const isBroken = brokeWith !== undefined;
		if (receivedBytes < declaredBytes * (isBroken ? 1 : UNPACKED_SHARE)) {
			return { kind: 'cutOff', receivedBytes, declaredBytes };
		}
		if (isBroken) return { kind: 'network', reason: networkReasonOf(brokeWith) };
		if (declaredBytes > 0 && receivedBytes !== declaredBytes) return { kind: 'compressed' };
		return receivedBytes === 0 ? { kind: 'empty' } : undefined;
	}

	/**
	 * Why a storage threw. A storage that fails ends the body, which then breaks off too: the body is
	 * the cause only when the storage threw the error of the body.
	 */
	errorOf(thrown: unknown): DownloadError {
		const error = storageErrorOf(thrown);
		const isOfBody = (cause: object) => cause === this.brokeWith || undefined;
		const isFromBody = error.kind === 'storage' && findInErrors(thrown, isOfBody);
		return (isFromBody && this.fault) || error;
	}

	/**
	 * Resolves to an error when the body stalls, and to nothing after its end. A body that broke off
	 * brings nothing more either, and some storages do not notice.
	 */
	async stall(clock: Clock, signal: AbortSignal): Promise<DownloadError | undefined> {
		for (;;) {
			const beforeBytes = this.receivedBytes;
			await clock.sleep(STALL.windowMs, signal);
			const { receivedBytes, hasEnded, brokeWith } = this;
			if (signal.aborted || hasEnded) return undefined;
			if (receivedBytes - beforeBytes >= STALL.minBytes) continue;
			return (brokeWith !== undefined && this.fault) || { kind: 'stalled', receivedBytes };
		}
	}
}
