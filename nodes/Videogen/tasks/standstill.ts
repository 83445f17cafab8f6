import type { Timer } from '../common/timer';
import type { CreateLimiter } from './createLimiter';

/** How long a run waits while nothing moves at the service. */
export class Standstill {
	private readonly beganAt: number;

	/** By how long it may last. */
	private readonly limits = new Map<number, AbortSignal>();

	/** @param timer With its end nobody is told of anything any more. */
	constructor(
		private readonly timer: Timer,
		private readonly limiter: CreateLimiter,
	) {
		this.beganAt = timer.clock.now();
	}

	/** Aborts when it has lasted for so long in this run. */
	lasting(limitMs: number): AbortSignal {
		const known = this.limits.get(limitMs);
		if (known && !known.aborted) return known;
		const over = new AbortController();
		this.limits.set(limitMs, over.signal);
		void this.watch(limitMs, over);
		return over.signal;
	}

	private async watch(limitMs: number, over: AbortController): Promise<void> {
		while (!over.signal.aborted && !this.timer.signal.aborted) {
			const now = this.timer.clock.now();
			const since = Math.max(this.beganAt, this.limiter.standstill?.since ?? now);
			if (now >= since + limitMs) over.abort();
			else await this.timer.until(since + limitMs);
		}
	}
}
