import type { ByteStream } from '../common/byteStream';
import { findInErrors } from '../n8n/errorChain';
import { networkReasonOf } from '../service/networkReason';
import type { Clock } from '../common/timer';
import { type DownloadError, storageErrorOf } from './downloadError';
import type { FileAnswer } from './n8nFiles';

/**
 * A body that brings less than this in that time has stalled: a quarter of what a telephone line
 * brought, at which 100 MB take 21 hours.
 */
export const STALL = { windowMs: 30_000, minBytes: 40_000 } as const;

/**
 * A host may compress a body though it was asked not to, and a video gets a little smaller by it.
 * n8n does not tell; a body that ends by itself has all its bytes anyway, by Node's own count.
 */
const UNPACKED_SHARE = 0.99;

/** Watches a body flow into n8n's storage: how much came, how it ended, whether it stalls. */
export class BodyWatch {
	receivedBytes = 0;

	/** What the body broke off with, of itself or because the storage ended it. */
	brokeWith: unknown;

	/** 0 when its host does not say. */
	readonly declaredBytes: number;

	private hasEnded = false;

	private readonly body: ByteStream;

	constructor({ body, headers }: Pick<FileAnswer, 'body' | 'headers'>) {
		this.body = body;
		const length = headers['content-length'];
		this.declaredBytes = typeof length === 'string' && /^\d+$/.test(length) ? Number(length) : 0;
		// Not by `on`, which would start the flow before n8n's storage is ready. Nor may the body be
		// paused: storages that listen wait for a flow that only they could start then.
		body.prependListener('data', (chunk: Uint8Array | string) => {
			this.receivedBytes += chunk.length;
		});
		body.on('end', () => {
			this.hasEnded = true;
		});
		// Without a listener of its own, an error at the wrong moment would end all of n8n.
		body.on('error', (error: unknown) => {
			this.brokeWith ??= error;
		});
	}

	/** Resolves when more than this has come, which may be never. */
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
		return receivedBytes === 0 ? { kind: 'empty' } : undefined;
	}

	/**
	 * Why a storage threw. One that fails by itself ends the body, which then breaks off too: only
	 * when it threw what the body broke off with is the body to blame.
	 */
	errorOf(thrown: unknown): DownloadError {
		const error = storageErrorOf(thrown);
		const isOwn = (cause: object) => cause === this.brokeWith || undefined;
		const isBodys = error.kind === 'storage' && findInErrors(thrown, isOwn);
		return (isBodys && this.fault) || error;
	}

	/**
	 * Resolves when nothing comes any more before the end, to what is wrong, or after the end, to
	 * nothing. A body that broke brings nothing more either, which not every storage notices.
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
