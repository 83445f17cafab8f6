import type { Trouble } from '../service/answer';
import { askedPauseMs } from '../service/retryPolicy';
import type { Alarm } from './alarm';
import { pauseMs } from './backoff';
import type { Clock } from './clock';
import { Semaphore } from './semaphore';

/** Keeps sockets and memory flat, whatever the number of tasks. */
const MAX_READS_AT_ONCE = 32;

/** Room for the first read of each existing task. */
export const FIRST_READ_SPREAD_MS = 25;

/** A read is sent so long after its latest time at most, when many tasks have the same one. */
export const LATE_READ_MS = 1_000;

/** Multiples of it are spread evenly over [0, 1) for any count, without knowing the count. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
const MAX_SLOWDOWN = 8;
const SLOWDOWN_RECOVERY = 0.9;

/** Evenly spread over [0, 1) for any number of tasks; the first one has 0. */
const shareOf = (index: number): number => (index * GOLDEN_RATIO) % 1;

/** When a task is to be read. */
export interface ReadTime {
	dueMs: number;
	/** Then at the latest, whatever else speaks against it. */
	latestMs: number;
	/** Gives what aborts when it is no use any more to queue for a free connection. */
	tooLate?: () => AbortSignal;
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

	constructor(
		private readonly clock: Clock,
		private readonly alarm: Alarm,
		/** How many tasks are there already when the run begins. */
		private readonly existingCount: number,
	) {}

	/** Waits for a turn to read. To be followed by `leave` if it is to `go`. */
	async turn(time: ReadTime): Promise<'go' | 'tooLate' | 'stopped'> {
		let atMs = this.allowedMs(time.dueMs, time);
		for (;;) {
			if (atMs > this.clock.now() && !(await this.alarm.until(atMs))) return 'stopped';
			const tooLate = this.slots.isFull ? time.tooLate?.() : undefined;
			if (!(await this.slots.enter(false, tooLate))) {
				return tooLate?.aborted ? 'tooLate' : 'stopped';
			}
			// A pause may have begun while this one waited for its time or for a slot.
			atMs = this.allowedMs(this.clock.now(), time);
			if (atMs <= this.clock.now()) return 'go';
			this.slots.leave();
		}
	}

	leave(): void {
		this.slots.leave();
	}

	stop(): void {
		this.slots.stop();
	}

	/** Time until a task's next poll. */
	intervalMs(askedMs: number): number {
		return askedMs * this.slowdown;
	}

	/**
	 * Time from a task's first record to its first poll: longer than the interval by a share of it
	 * that is the task's own, so that tasks that were submitted together fill the interval evenly
	 * from then on. One that takes an interval or more is noticed within an interval of its end all
	 * the same, and none is read more often for it.
	 */
	firstIntervalMs(askedMs: number, index: number): number {
		return askedMs * (this.slowdown + shareOf(index));
	}

	/** Over how long the first reads of existing tasks are spread. */
	firstSpreadMs(intervalMs: number): number {
		return Math.min(intervalMs, this.existingCount * FIRST_READ_SPREAD_MS);
	}

	/** Time until an existing task is read for the first time. */
	firstReadMs(intervalMs: number, index: number): number {
		return shareOf(index) * this.firstSpreadMs(intervalMs);
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
		const ms = pauseMs(askedPauseMs(trouble), this.pausesInARow, BACKOFF, () =>
			this.clock.random(),
		);
		this.notBeforeMs = Math.max(this.notBeforeMs, now + ms);
	}

	/** The wanted time, or some time after the end of a pause. */
	private allowedMs(wantedMs: number, { latestMs, spreadMs }: ReadTime): number {
		const paused = wantedMs < this.notBeforeMs;
		const afterMs = this.notBeforeMs + this.clock.random() * spreadMs;
		return Math.min(paused ? afterMs : wantedMs, latestMs);
	}
}
