import type { Clock } from './clock';
import { DueQueue } from './dueQueue';

type Wake = (reached: boolean) => void;

/**
 * Wakes any number of waiters at their times with a single sleep of the clock at any moment, so
 * that thousands of waiting tasks cost no more timers than one.
 */
export class Alarm {
	private readonly waiters = new DueQueue<Wake>();

	private sleeping: { untilMs: number; controller: AbortController } | undefined;

	private stopped = false;

	constructor(private readonly clock: Clock) {}

	/** Resolves to `true` at the given time, or to `false` as soon as the alarm is stopped. */
	async until(dueMs: number): Promise<boolean> {
		if (this.stopped) return false;
		return await new Promise<boolean>((resolve) => {
			this.waiters.push(dueMs, resolve);
			this.sleepUntilNext();
		});
	}

	/** Wakes every waiter with `false`; nothing waits here any more. */
	stop(): void {
		this.stopped = true;
		this.sleeping?.controller.abort();
		this.sleeping = undefined;
		this.wakeDue(Number.POSITIVE_INFINITY, false);
	}

	private sleepUntilNext(): void {
		const untilMs = this.waiters.nextDueMs;
		if (untilMs === undefined || (this.sleeping && this.sleeping.untilMs <= untilMs)) return;
		this.sleeping?.controller.abort();
		const controller = new AbortController();
		this.sleeping = { untilMs, controller };
		const ms = Math.max(0, untilMs - this.clock.now());
		void this.clock.sleep(ms, controller.signal).then(() => {
			if (controller.signal.aborted) return;
			this.sleeping = undefined;
			this.wakeDue(this.clock.now(), true);
			this.sleepUntilNext();
		});
	}

	private wakeDue(nowMs: number, reached: boolean): void {
		for (let wake = this.waiters.popDue(nowMs); wake; wake = this.waiters.popDue(nowMs)) {
			wake(reached);
		}
	}
}
