/** One who queues; takes the place that it is offered, unless it has gone away meanwhile. */
interface Waiting {
	isGone: boolean;
	settle: (entered: boolean) => void;
}

/** Lets a limited number in at once; the others queue, first come, first in. */
export class Semaphore {
	private inside = 0;

	private queue: Waiting[] = [];

	/** Entries before it have left the queue; cheaper than shifting thousands of them. */
	private head = 0;

	private stopped = false;

	constructor(private limit: number) {}

	/** Whether who comes now has to queue. */
	get isFull(): boolean {
		return this.inside >= this.limit;
	}

	/**
	 * Resolves to `true` once inside, or to `false` when the semaphore was stopped. One that comes
	 * `again` after a first try goes before those that never had theirs. Nobody queues any longer
	 * than until `giveUp` aborts, but a place that is free is taken even then.
	 */
	async enter(again = false, giveUp?: AbortSignal): Promise<boolean> {
		if (this.stopped) return false;
		if (!this.isFull) {
			this.inside += 1;
			return true;
		}
		if (giveUp?.aborted) return false;
		return await new Promise<boolean>((resolve) => {
			const waiting = waitingUntil(giveUp, resolve);
			if (again && this.head > 0) this.queue[--this.head] = waiting;
			else if (again) this.queue.unshift(waiting);
			else this.queue.push(waiting);
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
		for (const { settle } of waiting) settle(false);
	}

	private letIn(): void {
		while (!this.isFull && this.head < this.queue.length) {
			const waiting = this.queue[this.head++];
			if (waiting === undefined || waiting.isGone) continue;
			this.inside += 1;
			waiting.settle(true);
		}
		if (this.head > 1024 && this.head * 2 > this.queue.length) {
			this.queue = this.queue.slice(this.head);
			this.head = 0;
		}
	}
}

function waitingUntil(
	giveUp: AbortSignal | undefined,
	resolve: (entered: boolean) => void,
): Waiting {
	const goAway = () => {
		waiting.isGone = true;
		resolve(false);
	};
	const waiting: Waiting = {
		isGone: false,
		settle: (entered) => {
			giveUp?.removeEventListener('abort', goAway);
			resolve(entered);
		},
	};
	giveUp?.addEventListener('abort', goAway, { once: true });
	return waiting;
}
