import { ENDED, onAbort, Timer } from '../shared/clock';
import { rejectsKey } from '../service/responseRules';
import type { ServiceError } from '../service/types';

/** Whether a run may send more creates, and whether the service has accepted its key. */
export class Creating {
	private readonly ending = new AbortController();

	/** Its signal aborts when no more creates may be sent. */
	readonly timer: Timer;

	/** The answer that every further create would get as well. */
	stoppedBy: ServiceError | undefined;

	isKeyAccepted = false;

	/** @param run Ends with the execution. */
	constructor(run: Timer) {
		this.timer = new Timer(run.clock, this.ending.signal);
		if (run.signal.aborted) this.stop();
		else onAbort(run.signal, () => this.stop());
	}

	get isOver(): boolean {
		return this.ending.signal.aborted;
	}

	/** Sends no more creates. Existing tasks are followed to their end. */
	stop(error?: ServiceError): void {
		this.stoppedBy ??= error;
		this.ending.abort(ENDED);
	}

	/** Notes what an answer says about the key: a task or any record was returned for it, or not. */
	note(error: ServiceError | undefined): void {
		if (!error) this.isKeyAccepted = true;
		else if (rejectsKey(error) && !this.isKeyAccepted) this.stop(error);
	}
}
