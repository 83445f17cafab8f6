import type { Trouble } from '../client/answer';
import type { Alarm } from './alarm';
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

/** Room for one poll; so much of the step is used as the tasks need, and none for a single one. */
const SPREAD_MS_PER_TASK = 30;

/** Multiples of it are spread evenly over [0, 1) for any count, without knowing the count. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
const MAX_SLOWDOWN = 8;
const SLOWDOWN_RECOVERY = 0.9;

/** When a task is to be read. */
export interface ReadTime {
	dueMs: number;
	/** Then at the latest, whatever else speaks against it. */
	latestMs: number;
	/** Over how long reads that wait for the end of a pause come back. */
	spreadMs: number;
}

/** How fast tasks are read, for all tasks of a run together. */
export class ReadPace {
	private readonly slots = new Semaphore(MAX_READS_AT_ONCE);

	private notBeforeMs = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	/** Intervals are this many times as long as asked, after 429. */
	private slowdown = 1;

	private readonly spreadStepMs: number;

	constructor(
		private readonly clock: Clock,
		private readonly alarm: Alarm,
		taskCount: number,
	) {
		this.spreadStepMs = Math.min(SPREAD_STEP_MS, taskCount * SPREAD_MS_PER_TASK);
	}

	/** Waits for a turn to read; `false` when the run was stopped. To be followed by `leave`. */
	async turn(time: ReadTime): Promise<boolean> {
		let atMs = this.allowedMs(time.dueMs, time);
		for (;;) {
			if (atMs > this.clock.now() && !(await this.alarm.until(atMs))) return false;
			if (!(await this.slots.enter())) return false;
			// A pause may have begun while this one waited for its time or for a slot.
			atMs = this.allowedMs(this.clock.now(), time);
			if (atMs <= this.clock.now()) return true;
			this.slots.leave();
		}
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
		const stepMs = Math.min(this.spreadStepMs, askedMs);
		const spreads = stepMs > 0 && round < Math.ceil(askedMs / stepMs);
		const share = (index * GOLDEN_RATIO) % 1;
		return askedMs * this.slowdown + (spreads ? share * stepMs : 0);
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

	/** The wanted time, or some time after the end of a pause. */
	private allowedMs(wantedMs: number, { latestMs, spreadMs }: ReadTime): number {
		const paused = wantedMs < this.notBeforeMs;
		const afterMs = this.notBeforeMs + this.clock.random() * spreadMs;
		return Math.min(paused ? afterMs : wantedMs, latestMs);
	}
}
