/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setTimeout as sleep } from 'node:timers/promises';

/** On a machine that is busy with other tests, the first requests take their time. */
const DEFAULT_WAIT_MS = 120_000;

/**
 * A list that tells when it grows or when an entry changes, so that tests wait for the thing
 * itself ("the second poll arrived") instead of sleeping for a guessed time.
 */
export class Journal<Entry> {
	/** The same array for the journal's whole life: callers may keep a reference to it. */
	readonly entries: Entry[] = [];
	private readonly listeners = new Set<(entry: Entry, isNew: boolean) => void>();

	add(entry: Entry): void {
		this.entries.push(entry);
		this.tell(entry, true);
	}

	/** Call after an entry was completed in place. */
	changed(entry: Entry): void {
		this.tell(entry, false);
	}

	/** Calls back for every new or changed entry; returns the function that ends this. */
	onChange(listener: (entry: Entry, isNew: boolean) => void) {
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	/**
	 * The first entry, past or to come, for which `predicate` holds; rejects after `timeoutMs`. The
	 * timer is the one of `timers/promises`, which a test's fake timers leave alone.
	 */
	async waitFor(predicate: (entry: Entry) => boolean, timeoutMs = DEFAULT_WAIT_MS): Promise<Entry> {
		const past = this.entries.find(predicate);
		if (past !== undefined) return past;
		let stop = () => {};
		const coming = new Promise<Entry>((resolve) => {
			stop = this.onChange(() => {
				const found = this.entries.find(predicate);
				if (found !== undefined) resolve(found);
			});
		});
		const over = new AbortController();
		const late = sleep(timeoutMs, undefined, { signal: over.signal }).then(() => {
			throw new Error(`Nothing that was waited for arrived within ${timeoutMs} ms`);
		});
		return await Promise.race([coming, late]).finally(() => {
			stop();
			over.abort();
		});
	}

	clear(): void {
		this.entries.length = 0;
	}

	private tell(entry: Entry, isNew: boolean): void {
		for (const listener of [...this.listeners]) listener(entry, isNew);
	}
}
