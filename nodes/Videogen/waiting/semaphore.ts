type Enter = (entered: boolean) => void;

/** Lets a limited number in at once; the others queue, first come, first in. */
export class Semaphore {
	private inside = 0;

	private queue: Enter[] = [];

	/** Entries before it have left the queue; cheaper than shifting thousands of them. */
	private head = 0;

	private stopped = false;

	constructor(private limit: number) {}

	/**
	 * Resolves to `true` once inside, or to `false` when the semaphore was stopped. One that comes
	 * `again` after a first try goes before those that never had theirs.
	 */
	async enter(again = false): Promise<boolean> {
		if (this.stopped) return false;
		if (this.inside < this.limit) {
			this.inside += 1;
			return true;
		}
		return await new Promise<boolean>((resolve) => {
			if (again && this.head > 0) this.queue[--this.head] = resolve;
			else if (again) this.queue.unshift(resolve);
			else this.queue.push(resolve);
		});
	}

	/** Goes in over the limit, for what is inside already by its nature. */
	enterAnyway(): void {
		this.inside += 1;
	}

	leave(): void {
		this.inside -= 1;
		this.letIn();
	}

	setLimit(limit: number): void {
		this.limit = limit;
		this.letIn();
	}

	/** Turns away everyone who queues and everyone who comes. */
	stop(): void {
		this.stopped = true;
		const waiting = this.queue.slice(this.head);
		this.queue = [];
		this.head = 0;
		for (const enter of waiting) enter(false);
	}

	private letIn(): void {
		while (this.inside < this.limit && this.head < this.queue.length) {
			const enter = this.queue[this.head++];
			this.inside += 1;
			enter?.(true);
		}
		if (this.head > 1024 && this.head * 2 > this.queue.length) {
			this.queue = this.queue.slice(this.head);
			this.head = 0;
		}
	}
}
