/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { EventEmitter, once } from 'node:events';
import { withinTime } from '../timeLimit';

/** On a machine that is busy with other tests, the first requests take their time. */
const MAX_WAIT_MS = 120_000;

/**
 * A list that tells when it grows or when an entry changes, so that tests wait for the thing
 * itself ("the second poll arrived") instead of sleeping for a guessed time.
 */
export class Journal<Entry extends object> {
	/** The same array for the journal's whole life: callers may keep a reference to it. */
	readonly entries: Entry[] = [];
	private readonly changes = new EventEmitter().setMaxListeners(0);

	add(entry: Entry): void {
		this.entries.push(entry);
		this.changes.emit('add', entry);
		this.changes.emit('change');
	}

	/** Completes an entry in place. */
	update(entry: Entry, more: Partial<Entry>): void {
		Object.assign(entry, more);
		this.changes.emit('change');
	}

	/** Calls back for every new entry; returns the function that ends this. */
	onAdd = (listener: (entry: Entry) => void) => {
		this.changes.on('add', listener);
		return () => this.changes.off('add', listener);
	};

	/** The first entry, past or to come, for which `predicate` holds; rejects when it takes too long. */
	waitFor = async (predicate: (entry: Entry) => boolean): Promise<Entry> => {
		const signal = withinTime(MAX_WAIT_MS);
		for (;;) {
			const found = this.entries.find(predicate);
			if (found !== undefined) return found;
			await once(this.changes, 'change', { signal });
		}
	};

	clear(): void {
		this.entries.length = 0;
	}
}
