interface Entry<T> {
	dueMs: number;
	value: T;
}

/** A binary heap: the entry that is due first comes out first, whatever the number of entries. */
export class DueQueue<T> {
	private readonly heap: Array<Entry<T>> = [];

	get size(): number {
		return this.heap.length;
	}

	/** When the first entry is due; `undefined` when there is none. */
	get nextDueMs(): number | undefined {
		return this.heap[0]?.dueMs;
	}

	push(dueMs: number, value: T): void {
		this.heap.push({ dueMs, value });
		let child = this.heap.length - 1;
		while (child > 0) {
			const parent = (child - 1) >> 1;
			if (!this.swapIfEarlier(child, parent)) return;
			child = parent;
		}
	}

	/** Takes out the first entry if it is due by then. */
	popDue(nowMs: number): T | undefined {
		const first = this.heap[0];
		if (first === undefined || first.dueMs > nowMs) return undefined;
		const last = this.heap.pop();
		if (last !== undefined && last !== first) {
			this.heap[0] = last;
			this.sinkRoot();
		}
		return first.value;
	}

	private sinkRoot(): void {
		let parent = 0;
		for (;;) {
			const left = 2 * parent + 1;
			const child = this.isEarlier(left + 1, left) ? left + 1 : left;
			if (!this.swapIfEarlier(child, parent)) return;
			parent = child;
		}
	}

	private isEarlier(a: number, b: number): boolean {
		const [first, second] = [this.heap[a], this.heap[b]];
		return first !== undefined && second !== undefined && first.dueMs < second.dueMs;
	}

	private swapIfEarlier(child: number, parent: number): boolean {
		const [lower, upper] = [this.heap[child], this.heap[parent]];
		if (lower === undefined || upper === undefined || lower.dueMs >= upper.dueMs) return false;
		this.heap[child] = upper;
		this.heap[parent] = lower;
		return true;
	}
}
