import { onAbort } from './onAbort';

/** A limited number of places, given to those who wait in the order in which they came. */
export class Semaphore {
	private taken = 0;

	private readonly line: Array<() => void> = [];

	constructor(private max: number) {}

	/**
	 * Waits for a place; `release` follows it.
	 * @param end With this signal there is no place to be had any more.
	 * @param isFirst Whether it goes before those who have waited longer.
	 * @returns whether it has a place
	 */
	async acquire(end: AbortSignal, isFirst = false): Promise<boolean> {
		if (end.aborted) return false;
		return this.tryAcquire() || (await this.inLine(end, isFirst));
	}

	/** Takes a place if one is free. */
	tryAcquire(): boolean {
		if (this.taken >= this.max) return false;
		this.taken += 1;
		return true;
	}

	/** Takes a place over the limit, for what is under way already. */
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

	private async inLine(end: AbortSignal, isFirst: boolean): Promise<boolean> {
		return await new Promise<boolean>((resolve) => {
			const stopListening = onAbort(end, () => {
				this.line.splice(this.line.indexOf(enter), 1);
				resolve(false);
			});
			const enter = () => {
				stopListening();
				resolve(true);
			};
			if (isFirst) this.line.unshift(enter);
			else this.line.push(enter);
		});
	}

	private admit(): void {
		while (this.taken < this.max) {
			const enter = this.line.shift();
			if (enter === undefined) return;
			this.taken += 1;
			enter();
		}
	}
}
