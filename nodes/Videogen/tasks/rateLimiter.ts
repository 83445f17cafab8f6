import { backoffMs, type Timer } from '../common/timer';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

interface RateLimits {
	/** How many requests may be under way at once at best. */
	maxAtOnce: number;
	/** Where that begins; at its best unless given. */
	firstAtOnce?: number;
	/** The longest pause after 429 when the service asks for none. */
	maxPauseMs?: number;
}

/** How a request waits for its turn. */
interface Turn {
	/** One that was answered 429 goes before those that never had a turn. */
	again: boolean;
	/** Over how long requests that wait for the end of a pause come back. */
	spreadMs: number;
	/** Then it goes, pause or not. */
	mustStartMs: number;
	/** Then it is no use any more. */
	giveUpMs: () => number;
}

const USUAL_TURN: Turn = {
	again: false,
	spreadMs: 0,
	mustStartMs: Infinity,
	giveUpMs: () => Infinity,
};

interface Waiting extends Turn {
	settle: (admitted: boolean) => void;
}

/**
 * How fast requests of one kind go out: a limited number at once, none during a pause after 429,
 * at half the pace after it, and faster again with every answer.
 */
export class RateLimiter {
	private underWay = 0;

	private queue: Waiting[] = [];

	private sweepMs = Number.POSITIVE_INFINITY;

	/** Of the full pace, from one request at once to all of them. */
	private share: number;

	private pausedUntilMs = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	/** @param timer With its end nobody gets a turn any more, and nobody waits for one. */
	constructor(
		private readonly timer: Timer,
		private readonly limits: RateLimits,
	) {
		timer.signal.addEventListener('abort', () => this.sweep(), { once: true });
		this.share = (limits.firstAtOnce ?? limits.maxAtOnce) / limits.maxAtOnce;
	}

	/** By how much everything is to take longer than usual; 1 at the full pace. */
	get slowdown(): number {
		return 1 / this.share;
	}

	/** Waits for a turn; `false` when there is none to be had any more. `release` follows it. */
	async acquire(options: Partial<Turn> = {}): Promise<boolean> {
		const turn = { ...USUAL_TURN, ...options };
		for (;;) {
			while (this.isPaused(turn) && !this.isOver(turn)) await this.timer.until(this.backMs(turn));
			if (!(await this.admitted(turn))) return false;
			// A pause may have begun while it waited for its turn.
			if (!this.isPaused(turn)) return true;
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
		const ownMs = () => backoffMs(this.pausesInARow, maxPauseMs, this.timer.clock.random);
		const ms = askedMs >= LEAST_ASKED_MS ? askedMs : ownMs();
		this.pausedUntilMs = Math.max(this.pausedUntilMs, this.timer.clock.now() + ms);
		return isNew;
	}

	/** Whether the service has asked for no requests at this moment. */
	get isPausing(): boolean {
		return this.timer.clock.now() < this.pausedUntilMs;
	}

	private get maxNow(): number {
		return Math.max(1, Math.floor(this.limits.maxAtOnce * this.share));
	}

	private setShare(share: number): void {
		this.share = Math.min(1, Math.max(1 / this.limits.maxAtOnce, share));
		this.admitNext();
	}

	private isPaused({ mustStartMs }: Turn): boolean {
		return this.isPausing && this.timer.clock.now() < mustStartMs;
	}

	/** When a request that a pause holds up comes back. */
	private backMs({ spreadMs, mustStartMs, giveUpMs }: Turn): number {
		const afterPauseMs = this.pausedUntilMs + this.timer.clock.random() * spreadMs;
		return Math.min(afterPauseMs, mustStartMs, giveUpMs());
	}

	private async admitted(turn: Turn): Promise<boolean> {
		if (this.isOver(turn)) return false;
		return await new Promise<boolean>((settle) => {
			if (turn.again) this.queue.unshift({ ...turn, settle });
			else this.queue.push({ ...turn, settle });
			this.admitNext();
			if (this.queue.length > 0) this.sweepAt(turn.giveUpMs());
		});
	}

	private isOver({ giveUpMs }: Turn): boolean {
		return this.timer.signal.aborted || this.timer.clock.now() >= giveUpMs();
	}

	/** Lets go of those in the queue whose time is up. */
	private sweep(): void {
		const waiting = this.queue;
		this.queue = waiting.filter((one) => !this.isOver(one));
		for (const one of waiting) if (this.isOver(one)) one.settle(false);
	}

	private sweepAt(dueMs: number): void {
		if (dueMs >= this.sweepMs) return;
		this.sweepMs = dueMs;
		void this.timer.until(dueMs).then(() => {
			this.sweepMs = Infinity;
			this.sweep();
			const earliest = (ms: number, { giveUpMs }: Waiting) => Math.min(ms, giveUpMs());
			this.sweepAt(this.queue.reduce(earliest, Infinity));
		});
	}

	private admitNext(): void {
		while (this.underWay < this.maxNow) {
			const next = this.queue.shift();
			if (next === undefined) return;
			const isWanted = !this.isOver(next);
			if (isWanted) this.underWay += 1;
			next.settle(isWanted);
		}
	}
}
