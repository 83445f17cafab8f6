import type { Clock } from '../waiting/clock';
import type { ByteStream } from './download';

/** A body that brings less than this in that time has stalled: so slow, no video ever arrives. */
export const STALL = { windowMs: 30_000, minBytes: 1_024 } as const;

/** Looks on while a body flows into n8n's storage: how much came, how it ended, whether it stalls. */
export class BodyWatch {
	receivedBytes = 0;

	/** What the body itself broke off with, as opposed to the storage. */
	brokeWith: unknown;

	private isOver = false;

	constructor(body: ByteStream) {
		// Paused, so that listening does not start it before n8n's storage is ready.
		body.pause();
		body.on('data', (chunk: unknown) => {
			this.receivedBytes += sizeOf(chunk);
		});
		body.on('end', () => {
			this.isOver = true;
		});
		// Without a listener of its own, an error at the wrong moment would end all of n8n.
		body.on('error', (error: unknown) => {
			this.brokeWith ??= error;
			this.isOver = true;
		});
	}

	/** Resolves to `true` when the body has stalled, to `false` when it is over. */
	async stalls(clock: Clock, signal: AbortSignal): Promise<boolean> {
		for (;;) {
			const beforeBytes = this.receivedBytes;
			await clock.sleep(STALL.windowMs, signal);
			if (signal.aborted || this.isOver) return false;
			if (this.receivedBytes - beforeBytes < STALL.minBytes) return true;
		}
	}
}

const sizeOf = (chunk: unknown): number =>
	typeof chunk === 'object' && chunk !== null && 'byteLength' in chunk
		? Number(chunk.byteLength)
		: String(chunk).length;
