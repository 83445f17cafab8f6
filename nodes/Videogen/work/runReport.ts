import type { ServiceError } from '../service/answer';
import type { Task } from '../service/task';
import type { Entry } from './entry';

/** What a run tells of its entries; each is told after it stands in the entry. */
export interface RunReport {
	/** A create goes out (1), or so many certainly made no task (below 0). */
	onCount?(more: number): void;
	onCreated?(entry: Entry, task: Task): void;
	/** A create got no answer that says whether it made a task. */
	onUnanswered?(entry: Entry, error: ServiceError): void;
	/** What creates have waited for since a minute; nothing as soon as one is accepted. */
	onHeldUp?(error: ServiceError | undefined): void;
	/** Told before the next entry has its turn. */
	onOutcome?(entry: Entry): void;
	/** What follows before an entry is final; others continue meanwhile. */
	deliver?(entry: Entry): Promise<void>;
}
