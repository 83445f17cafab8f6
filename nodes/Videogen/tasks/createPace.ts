import type { Trouble } from '../service/answer';
import { askedPauseMs, rejectsTheKey } from '../service/retryPolicy';
import type { Alarm } from './alarm';
import { pauseMs } from './backoff';
import type { Clock } from './clock';
import { Semaphore } from './semaphore';

/** How many creates may be under way at once: where it starts, and where it ends up at best. */
export const FIRST_WINDOW = 12;
const MAX_WINDOW = 32;

const BACKOFF = { firstMs: 1_000, maxMs: 10_000 };

/** After so many pauses in a row without reaching the service, it is taken to be out of reach. */
export const MAX_UNREACHABLE_IN_A_ROW = 4;

/**
 * How fast creates go out, for all items of a run together: fewer at once and with pauses while
 * the service answers 429, its old pace afterwards, and none at all once it is clear that every
 * further one would end the same way.
 */
export class CreatePace {
	/** Why no create is sent any more. */
	private closedBy: Trouble | undefined;

	/** The 429 since which nothing has moved: no create was taken, no task finished. */
	private held: { sinceMs: number; trouble: Trouble } | undefined;

	private window = FIRST_WINDOW;

	private readonly turns = new Semaphore(FIRST_WINDOW);

	private notBeforeMs = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	private unreachableInARow = 0;

	private stopped = false;

	/** Ends of the pauses that are being waited for. */
	private readonly pausing = new Set<() => void>();

	constructor(
		private readonly clock: Clock,
		private readonly alarm: Alarm,
	) {}

	/**
	 * Waits for a turn to send. Tells when there is none to be had: because the run was stopped,
	 * or for the trouble that every further create would have, or that has held all creates up for
	 * longer than the budget.
	 */
	async turn(again: boolean, budgetMs: number): Promise<'go' | 'stopped' | Trouble> {
		if (!(await this.turns.enter(again))) return 'stopped';
		const verdict = await this.pauseOver(budgetMs);
		if (verdict !== 'go') this.turns.leave();
		return verdict;
	}

	accepted(): void {
		this.pausesInARow = 0;
		this.unreachableInARow = 0;
		this.held = undefined;
		this.setWindow(this.window + 1);
		this.turns.leave();
	}

	/** A volley of creates that all come back with 429 makes the window half as large once. */
	rateLimited(trouble: Trouble, sentMs: number): void {
		this.unreachableInARow = 0;
		this.held ??= { sinceMs: this.clock.now(), trouble };
		if (this.pause(askedPauseMs(trouble), sentMs)) this.setWindow(Math.floor(this.window / 2));
		this.turns.leave();
	}

	/** One of the run's tasks is final, so the service may have room for another. */
	taskFinished(): void {
		if (this.held) this.held = { ...this.held, sinceMs: this.clock.now() };
	}

	unreachable(trouble: Trouble, sentMs: number): void {
		this.setWindow(1);
		if (this.pause(undefined, sentMs)) this.unreachableInARow += 1;
		if (this.unreachableInARow >= MAX_UNREACHABLE_IN_A_ROW) this.close(trouble);
		this.turns.leave();
	}

	/** The create came to an end that says nothing about the pace. */
	ended(trouble: Trouble): void {
		if (trouble.kind !== 'network') this.unreachableInARow = 0;
		if (rejectsTheKey(trouble)) this.close(trouble);
		this.turns.leave();
	}

	/** Nothing is created any more, for this reason; nobody waits for the end of a pause first. */
	close(trouble: Trouble): void {
		this.closedBy ??= trouble;
		for (const end of this.pausing) end();
	}

	stop(): void {
		this.stopped = true;
		this.turns.stop();
	}

	/** Waits for the end of a pause, however often it is made longer meanwhile. */
	private async pauseOver(budgetMs: number): Promise<'go' | 'stopped' | Trouble> {
		for (;;) {
			if (this.stopped) return 'stopped';
			if (this.closedBy) return this.closedBy;
			const now = this.clock.now();
			const latestMs = this.held ? this.held.sinceMs + budgetMs : Number.POSITIVE_INFINITY;
			if (this.held && now >= latestMs) return this.held.trouble;
			if (now >= this.notBeforeMs) return 'go';
			await this.untilOrClosed(Math.min(this.notBeforeMs, latestMs));
		}
	}

	private async untilOrClosed(dueMs: number): Promise<void> {
		await new Promise<void>((resolve) => {
			const end = () => {
				this.pausing.delete(end);
				resolve();
			};
			this.pausing.add(end);
			void this.alarm.until(dueMs).then(end);
		});
	}

	private setWindow(window: number): void {
		this.window = Math.min(MAX_WINDOW, Math.max(1, window));
		this.turns.setLimit(this.window);
	}

	/**
	 * Several creates that were under way together make one pause, not a longer and longer one, even
	 * if some are answered after its end. Tells whether this is a new one.
	 */
	private pause(askedMs: number | undefined, sentMs: number): boolean {
		const now = this.clock.now();
		const isNew = sentMs >= this.notBeforeMs;
		if (isNew) this.pausesInARow += 1;
		const ms = pauseMs(askedMs, this.pausesInARow, BACKOFF, () => this.clock.random());
		this.notBeforeMs = Math.max(this.notBeforeMs, now + ms);
		return isNew;
	}
}
