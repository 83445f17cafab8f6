import type { Clock } from '../common/timer';
import { backoffMs, Timer } from '../common/timer';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

export interface RateLimits {
	/** How many requests may be under way at once at best. */
	maxAtOnce: number;
	/** Where that begins; at its best unless given. */
	firstAtOnce?: number;
	/** The longest pause after 429 when the service asks for none. */
	maxPauseMs?: number;
}

/** How a request waits for its turn. */
export interface TurnOptions {
	/** One that was answered 429 goes before those that never had a turn. */
	again?: boolean;
	/** Over how long requests that wait for the end of a pause come back. */
	spreadMs?: number;
	/** Then it goes, pause or not. */
	mustStartMs?: number;
	/** Then it is no use any more. */
	giveUpMs?: () => number;
}

interface Waiting {
	giveUpMs: () => number;
	settle: (admitted: boolean) => void;
}

/**
 * How fast requests of one kind go out: a limited number at once, none during a pause after 429,
 * at half the pace after it, and faster again with every answer.
 */
export class RateLimiter {
	private readonly timer: Timer;

	private readonly closing = new AbortController();

	private underWay = 0;

	private queue: Waiting[] = [];

	private sweepMs = Number.POSITIVE_INFINITY;

	/** Of the full pace, from one request at once to all of them. */
	private share: number;

	private pausedUntilMs = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	constructor(
		private readonly clock: Clock,
		private readonly limits: RateLimits,
	) {
		this.timer = new Timer(clock, this.closing.signal);
		this.share = (limits.firstAtOnce ?? limits.maxAtOnce) / limits.maxAtOnce;
	}

	/** By how much everything is to take longer than usual; 1 at the full pace. */
	get slowdown(): number {
		return 1 / this.share;
	}

	/** Waits for a turn; `false` when there is none to be had any more. `release` follows it. */
	async acquire(options: TurnOptions = {}): Promise<boolean> {
		const { again = false, spreadMs = 0, mustStartMs = Infinity } = options;
		const { giveUpMs = () => Infinity } = options;
		for (;;) {
			await this.pauseOver(spreadMs, mustStartMs, giveUpMs);
			if (!(await this.admitted(again, giveUpMs))) return false;
			// A pause may have begun while it waited for its turn.
			if (!this.isPaused(mustStartMs)) return true;
			this.release();
		}
	}

	/** Takes a place over the limit, for what is under way already by its nature. */
	acquireOverLimit(): void {
		this.underWay += 1;
	}

	release(): void {
		this.underWay -= 1;
		this.admitNext();
	}

	/** A request was answered as usual. */
	succeeded(): void {
		this.pausesInARow = 0;
		this.setShare(this.share + 1 / this.limits.maxAtOnce);
	}

	/**
	 * The service wants fewer requests. Those that were under way together make one pause, not a
	 * longer and longer one, even if some are answered after its end.
	 * @returns whether this is a new pause
	 */
	pause(sentMs: number, askedMs = 0): boolean {
		const isNew = sentMs >= this.pausedUntilMs;
		if (isNew) {
			this.pausesInARow += 1;
			this.setShare(this.share / 2);
		}
		const { maxPauseMs = 0 } = this.limits;
		const ownMs = () => backoffMs(this.pausesInARow, { maxMs: maxPauseMs }, this.clock.random);
		const ms = askedMs >= LEAST_ASKED_MS ? askedMs : ownMs();
		this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + ms);
		return isNew;
	}

	/** Nobody gets a turn any more, and nobody waits for one. */
	close(): void {
		this.closing.abort();
		for (const { settle } of this.queue.splice(0)) settle(false);
	}

	private get maxNow(): number {
		return Math.max(1, Math.floor(this.limits.maxAtOnce * this.share));
	}

	private setShare(share: number): void {
		this.share = Math.min(1, Math.max(1 / this.limits.maxAtOnce, share));
		this.admitNext();
	}

	private isPaused(mustStartMs: number): boolean {
		const now = this.clock.now();
		return now < this.pausedUntilMs && now < mustStartMs;
	}

	private async pauseOver(spreadMs: number, mustStartMs: number, giveUpMs: () => number) {
		while (this.isPaused(mustStartMs) && this.clock.now() < giveUpMs()) {
			const backMs = this.pausedUntilMs + this.clock.random() * spreadMs;
			await this.timer.until(Math.min(backMs, mustStartMs, giveUpMs()));
			if (this.closing.signal.aborted) return;
		}
	}

	private async admitted(again: boolean, giveUpMs: () => number): Promise<boolean> {
		if (this.closing.signal.aborted || this.clock.now() >= giveUpMs()) return false;
		if (this.underWay < this.maxNow) {
			this.underWay += 1;
			return true;
		}
		return await new Promise<boolean>((settle) => {
			if (again) this.queue.unshift({ giveUpMs, settle });
			else this.queue.push({ giveUpMs, settle });
			this.sweepAt(giveUpMs());
		});
	}

	/** Lets go of those in the queue whose time is up. */
	private sweepAt(dueMs: number): void {
		if (dueMs >= this.sweepMs) return;
		this.sweepMs = dueMs;
		void this.timer.until(dueMs).then(() => {
			this.sweepMs = Infinity;
			const isOver = ({ giveUpMs }: Waiting) => this.clock.now() >= giveUpMs();
			for (const { settle } of this.queue.filter(isOver)) settle(false);
			this.queue = this.queue.filter((waiting) => !isOver(waiting));
			const next = (ms: number, { giveUpMs }: Waiting) => Math.min(ms, giveUpMs());
			this.sweepAt(this.queue.reduce(next, Infinity));
		});
	}

	private admitNext(): void {
		while (this.underWay < this.maxNow) {
			const next = this.queue.shift();
			if (next === undefined) return;
			const isWanted = this.clock.now() < next.giveUpMs();
			if (isWanted) this.underWay += 1;
			next.settle(isWanted);
		}
	}
}
