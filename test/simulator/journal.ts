import { setTimeout as sleep } from 'node:timers/promises';

const DEFAULT_WAIT_MS = 20_000;

/**
 * A list that tells when it grows or when an entry changes, so that tests wait for the thing
 * itself ("the second poll arrived") instead of sleeping for a guessed time.
 */
export class Journal<Entry> {
	/** The same array for the journal's whole life: callers may keep a reference to it. */
	readonly entries: Entry[] = [];
	private readonly addListeners = new Set<(entry: Entry) => void>();
	private readonly changeListeners = new Set<(entry: Entry) => void>();

	add(entry: Entry): void {
		this.entries.push(entry);
		for (const listener of [...this.addListeners]) listener(entry);
		this.changed(entry);
	}

	/** Call after an entry was completed in place. */
	changed(entry: Entry): void {
		for (const listener of [...this.changeListeners]) listener(entry);
	}

	/** Calls back for every new entry; returns the function that ends this. */
	onAdd(listener: (entry: Entry) => void): () => void {
		this.addListeners.add(listener);
		return () => this.addListeners.delete(listener);
	}

	/** Calls back for every new or changed entry; returns the function that ends this. */
	onChange(listener: (entry: Entry) => void): () => void {
		this.changeListeners.add(listener);
		return () => this.changeListeners.delete(listener);
	}

	/** The first entry, past or to come, for which `predicate` holds; rejects after `timeoutMs`. */
	async waitFor(predicate: (entry: Entry) => boolean, timeoutMs = DEFAULT_WAIT_MS): Promise<Entry> {
		const past = this.entries.find(predicate);
		return past ?? (await this.waitForChange(predicate, timeoutMs));
	}

	clear(): void {
		this.entries.length = 0;
	}

	/** The timer is the one of `timers/promises`, which a test's fake timers leave alone. */
	private async waitForChange(
		predicate: (entry: Entry) => boolean,
		timeoutMs: number,
	): Promise<Entry> {
		const timer = new AbortController();
		let stop = () => {};
		const arrival = new Promise<Entry>((resolve) => {
			stop = this.onChange(() => {
				const found = this.entries.find(predicate);
				if (found !== undefined) resolve(found);
			});
		});
		const timeout = sleep(timeoutMs, undefined, { signal: timer.signal }).then(() => {
			throw new Error(`Nothing that was waited for arrived within ${timeoutMs} ms`);
		});
		try {
			return await Promise.race([arrival, timeout]);
		} finally {
			stop();
			timeout.catch(() => undefined);
			timer.abort();
		}
	}
}
