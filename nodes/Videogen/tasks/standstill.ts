import type { Timer } from '../common/timer';
import type { ServiceError } from '../service/answer';

/** The 429 since which nothing has moved: no create was accepted, no task has finished. */
export class Standstill {
	private since: { at: number; error: ServiceError } | undefined;

	/** By how long it may last. */
	private readonly limits = new Map<number, AbortController>();

	/** @param timer With its end nobody is told of anything any more. */
	constructor(private readonly timer: Timer) {}

	get error(): ServiceError | undefined {
		return this.since?.error;
	}

	begin(error: ServiceError): void {
		if (this.since) return;
		this.since = { at: this.timer.clock.now(), error };
		for (const [limitMs, over] of this.limits) void this.watch(limitMs, over);
	}

	/** The service may have room for another task now. */
	moved(): void {
		if (this.since) this.since.at = this.timer.clock.now();
		this.forgetOver();
	}

	end(): void {
		this.since = undefined;
		this.forgetOver();
	}

	/** Aborts when it has lasted for so long. */
	lasting(limitMs: number): AbortSignal {
		const known = this.limits.get(limitMs);
		if (known) return known.signal;
		const over = new AbortController();
		this.limits.set(limitMs, over);
		void this.watch(limitMs, over);
		return over.signal;
	}

	private async watch(limitMs: number, over: AbortController): Promise<void> {
		while (this.since && !over.signal.aborted && !this.timer.signal.aborted) {
			const overAt = this.since.at + limitMs;
			if (this.timer.clock.now() >= overAt) over.abort();
			else await this.timer.until(overAt);
		}
	}

	private forgetOver(): void {
		for (const [limitMs, over] of this.limits) if (over.signal.aborted) this.limits.delete(limitMs);
	}
}
