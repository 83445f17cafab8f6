import type { Trouble } from '../client/answer';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import { Semaphore } from './semaphore';

/** Keeps sockets and memory flat, whatever the number of tasks. */
const MAX_READS_AT_ONCE = 32;

/**
 * The most by which one poll is moved to spread many tasks over the interval. Small, because it
 * is also the most by which a finished task may be noticed later.
 */
export const SPREAD_STEP_MS = 1_500;

/** Multiples of it are spread evenly over [0, 1) for any count, without knowing the count. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
const MAX_SLOWDOWN = 8;
const SLOWDOWN_RECOVERY = 0.9;

/** How fast tasks are read, for all tasks of a run together. */
export class ReadPace {
	private readonly slots = new Semaphore(MAX_READS_AT_ONCE);

	private notBeforeMs = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	/** Intervals are this many times as long as asked, after 429. */
	private slowdown = 1;

	constructor(private readonly clock: Clock) {}

	async enter(): Promise<boolean> {
		return await this.slots.enter();
	}

	leave(): void {
		this.slots.leave();
	}

	stop(): void {
		this.slots.stop();
	}

	/**
	 * Time until a task's next poll. Tasks that were submitted together move apart by a fixed share
	 * of a small step in each of their first rounds, until they fill the interval evenly.
	 */
	intervalMs(askedMs: number, index: number, round: number): number {
		const stepMs = Math.min(SPREAD_STEP_MS, askedMs);
		const spreads = stepMs > 0 && round < Math.ceil(askedMs / stepMs);
		const share = (index * GOLDEN_RATIO) % 1;
		return askedMs * this.slowdown + (spreads ? share * stepMs : 0);
	}

	/** Not before a pause is over; those that wait for its end come back over `spreadMs`. */
	earliestMs(wantedMs: number, spreadMs: number): number {
		return wantedMs >= this.notBeforeMs
			? wantedMs
			: this.notBeforeMs + this.clock.random() * spreadMs;
	}

	answered(): void {
		this.pausesInARow = 0;
		this.slowdown = Math.max(1, this.slowdown * SLOWDOWN_RECOVERY);
	}

	rateLimited(trouble: Trouble): void {
		const now = this.clock.now();
		if (now >= this.notBeforeMs) {
			this.pausesInARow += 1;
			this.slowdown = Math.min(MAX_SLOWDOWN, this.slowdown * 2);
		}
		const askedMs = trouble.kind === 'status' ? trouble.retryAfterMs : undefined;
		const ms = askedMs ?? backoffMs(this.pausesInARow, BACKOFF, () => this.clock.random());
		this.notBeforeMs = Math.max(this.notBeforeMs, now + ms);
	}
}
