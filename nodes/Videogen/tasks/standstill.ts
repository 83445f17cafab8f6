import type { Timer } from '../common/timer';
import type { ServiceError } from '../service/answer';
import type { CreateLimiter } from './createLimiter';

/** How long a run waits while nothing moves at the service. */
export class Standstill {
	/** The 429 by which it was over. */
	error: ServiceError | undefined;

	private readonly beganAt: number;

	/** By how long it may last. */
	private readonly ends = new Map<number, AbortSignal>();

	/** @param timer With its end nobody waits any more. */
	constructor(
		private readonly timer: Timer,
		private readonly limiter: CreateLimiter,
	) {
		this.beganAt = timer.clock.now();
	}

	/** Aborts when it has lasted for so long in this run, or with the timer. */
	endAfter(limitMs: number): AbortSignal {
		const known = this.ends.get(limitMs);
		if (known && !known.aborted) return known;
		const over = new AbortController();
		const end = AbortSignal.any([this.timer.signal, over.signal]);
		this.ends.set(limitMs, end);
		void this.watch(limitMs, over);
		return end;
	}

	private async watch(limitMs: number, over: AbortController): Promise<void> {
		while (!over.signal.aborted && !this.timer.signal.aborted) {
			const now = this.timer.clock.now();
			const { since = now, error } = this.limiter.standstill ?? {};
			const overAt = Math.max(this.beganAt, since) + limitMs;
			if (now < overAt) await this.timer.until(overAt);
			else {
				this.error = error;
				over.abort();
			}
		}
	}
}
