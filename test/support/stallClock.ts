import { STALL } from '../../nodes/Videogen/downloads/bodyWatch';
import type { Clock } from '../../nodes/Videogen/common/timer';
import { fastClock } from './clocks';

/**
 * Fast time in which no body stalls, however slow the machine, before the test lets the windows
 * end in which a body has to make headway.
 */
export class StallClock implements Clock {
	private readonly fast = fastClock(4_000);

	private readonly windows = new AbortController();

	now = (): number => this.fast.now();

	date = (): number => this.fast.date();

	random = (): number => this.fast.random();

	/** From now on, the windows are over at once. */
	endWindows(): void {
		this.windows.abort();
	}

	async sleep(ms: number, signal: AbortSignal): Promise<void> {
		if (ms !== STALL.windowMs) return await this.fast.sleep(ms, signal);
		const over = AbortSignal.any([signal, this.windows.signal]);
		if (!over.aborted) {
			await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve()));
		}
		// Bytes that are on their way arrive before the next look at the body.
		await this.fast.sleep(1, signal);
	}
}
