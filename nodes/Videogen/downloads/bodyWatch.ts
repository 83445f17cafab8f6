import { findInErrors } from '../common/errorChain';
import type { Clock } from '../tasks/timer';
import type { ByteStream } from './download';

/** A body that brings less than this in that time has stalled: so slow, no video ever arrives. */
export const STALL = { windowMs: 30_000, minBytes: 1_024 } as const;

/** Looks on while a body flows into n8n's storage: how much came, how it ended, whether it stalls. */
export class BodyWatch {
	receivedBytes = 0;

	/** What the body broke off with, of itself or because the storage ended it. */
	brokeWith: unknown;

	private hasEnded = false;

	constructor(body: ByteStream) {
		// Not by `on`, which would start the flow before n8n's storage is ready. Nor may the body be
		// paused: storages that listen wait for a flow that only they could start then.
		body.prependListener('data', (chunk: unknown) => {
			this.receivedBytes += sizeOf(chunk);
		});
		body.on('end', () => {
			this.hasEnded = true;
		});
		// Without a listener of its own, an error at the wrong moment would end all of n8n.
		body.on('error', (error: unknown) => {
			this.brokeWith ??= error;
		});
	}

	/** Whether what a storage threw is what the body broke off with; its own errors are others. */
	isCauseOf(thrown: unknown): boolean {
		const isOwn = (error: object) => (error === this.brokeWith ? true : undefined);
		return findInErrors(thrown, isOwn) ?? false;
	}

	/** Resolves to `true` when nothing comes any more before the end, to `false` after the end. */
	async stalls(clock: Clock, signal: AbortSignal): Promise<boolean> {
		for (;;) {
			const beforeBytes = this.receivedBytes;
			await clock.sleep(STALL.windowMs, signal);
			if (signal.aborted || this.hasEnded) return false;
			if (this.receivedBytes - beforeBytes < STALL.minBytes) return true;
		}
	}
}

const sizeOf = (chunk: unknown): number =>
	typeof chunk === 'object' && chunk !== null && 'byteLength' in chunk
		? Number(chunk.byteLength)
		: String(chunk).length;
