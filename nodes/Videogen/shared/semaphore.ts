import { onAbort } from './clock';

/** A limited number of places, given out in the order in which they were requested. */
export class Semaphore {
	private taken = 0;

	private readonly waiting = new Set<() => void>();

	constructor(private max: number) {}

	/**
	 * Waits for a place. Call `release` when done with it.
	 * @param end Ends the wait without a place.
	 * @returns whether a place was given
	 */
	async acquire(end: AbortSignal): Promise<boolean> {
		if (end.aborted) return false;
		if (this.taken >= this.max) return await this.wait(end);
		this.taken += 1;
		return true;
	}

	/** Takes a place even over the limit, for work that is already under way. */
	acquireOverLimit(): void {
		this.taken += 1;
	}

	release(): void {
		this.taken -= 1;
		this.admit();
	}

	resize(max: number): void {
		this.max = max;
		this.admit();
	}

	private async wait(end: AbortSignal): Promise<boolean> {
		return await new Promise<boolean>((resolve) => {
			const stopListening = onAbort(end, () => {
				this.waiting.delete(enter);
				resolve(false);
			});
			const enter = () => {
				stopListening();
				resolve(true);
			};
			this.waiting.add(enter);
		});
	}

	private admit(): void {
		for (const enter of this.waiting) {
			if (this.taken >= this.max) return;
			this.waiting.delete(enter);
			this.taken += 1;
			enter();
		}
	}
}
