/** Fewer tasks say little of the others, and so do tasks that differ by more than this factor. */
const MIN_TASKS = 3;
const MAX_FACTOR = 1.5;

/** How long the tasks of a run take, once some of them have finished and all took about the same. */
export class TypicalTime {
	private count = 0;

	private leastMs = Number.POSITIVE_INFINITY;

	private mostMs = 0;

	/** @param unfinishedMs When a task that has completed was last seen unfinished. */
	add(unfinishedMs: number): void {
		this.count += 1;
		this.leastMs = Math.min(this.leastMs, unfinishedMs);
		this.mostMs = Math.max(this.mostMs, unfinishedMs);
	}

	/** Milliseconds after which none of them had finished. */
	get ms(): number | undefined {
		const isTypical = this.count >= MIN_TASKS && this.mostMs <= MAX_FACTOR * this.leastMs;
		return isTypical ? this.leastMs : undefined;
	}
}
