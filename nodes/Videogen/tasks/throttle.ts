import { Semaphore } from '../common/semaphore';
import { backoffMs, type Clock, Timer } from '../common/timer';
import type { ServiceError } from '../service/answer';
import { askedPauseMs } from '../service/retryPolicy';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

/** By how much it grows each time: a service may ask for the same short time for ever. */
const GROWTH = 1.3;

interface Limits {
	/** How many requests may be under way at once; with the first slowdown, half of that. */
	maxAtOnce: number;
	/** The same before the first slowdown, and the most that it grows to; `maxAtOnce` unless given. */
	firstAtOnce?: number;
	/** The longest pause unless the service asks for more. */
	maxPauseMs: number;
}

/** How a request waits for its turn. */
interface Turn {
	/** With this signal it is not sent any more. */
	end: AbortSignal;
	/** Whether it goes before those that never had a turn. */
	isFirst?: boolean;
	/** Over how long requests that wait for the end of a pause come back. */
	spreadMs?: number;
	/** Then it goes, pause or not. */
	mustStartAt?: number;
}

/**
 * How fast requests of one kind go out. After 429 none goes out for as long as the service asks, or
 * longer each time; then half as many at once, and one more for each that is answered as usual.
 */
export class Throttle {
	private readonly places: Semaphore;

	private atOnce: number;

	private pauseEndsAt = Number.NEGATIVE_INFINITY;

	/** Until when the service wants no request, whatever happens. */
	private askedUntil = Number.NEGATIVE_INFINITY;

	private pausesInARow = 0;

	private slowedAt = Number.NEGATIVE_INFINITY;

	/** For those who wait for the end of a pause that comes sooner now. */
	private shortened = new AbortController();

	/** Since when nothing has moved at the service, and the last answer that said so. */
	private standstill: { sinceAt: number; error: ServiceError } | undefined;

	/** Pauses in a row because the service could not be reached. */
	unreachableInARow = 0;

	constructor(
		private readonly clock: Clock,
		private readonly limits: Limits,
	) {
		this.atOnce = limits.firstAtOnce ?? limits.maxAtOnce;
		this.places = new Semaphore(this.atOnce);
	}

	/** By how much everything is to take longer than usual. */
	get slowdown(): number {
		return this.limits.maxAtOnce / this.atOnce;
	}

	/** Waits for a turn; `release` follows it. @returns whether there is one */
	async acquire(turn: Turn): Promise<boolean> {
		const { end, isFirst, mustStartAt = Infinity } = turn;
		const isHeldUp = () => this.clock.now() < Math.min(this.pauseEndsAt, mustStartAt);
		for (;;) {
			while (isHeldUp() && !end.aborted) await this.pause(turn);
			if (!(await this.places.acquire(end, isFirst))) return false;
			// A pause may have begun while it waited for its turn.
			if (!isHeldUp()) return true;
			this.release();
		}
	}

	release(): void {
		this.places.release();
	}

	/** A request was answered as usual: a create is accepted, a task was read. */
	succeeded(): void {
		// One that was sent before a pause began does not end it.
		if (this.clock.now() < this.pauseEndsAt) this.moved();
		else this.standstill = undefined;
		this.pausesInARow = 0;
		this.setAtOnce(this.atOnce + 1);
	}

	/**
	 * The service wants fewer requests, or cannot be reached. Those that were under way together slow
	 * down once.
	 * @param sentAt When the request went out that was answered so.
	 * @param mostMs For how long it may hold up requests at most, whatever it asks for.
	 */
	slowDown(sentAt: number, error: ServiceError, mostMs = Infinity): void {
		const now = this.clock.now();
		const isUnreachable = error.kind === 'network';
		if (!isUnreachable) this.standstill ??= { sinceAt: now, error };
		if (sentAt >= this.pauseEndsAt) {
			this.pausesInARow += 1;
			if (isUnreachable) this.unreachableInARow += 1;
		}
		if (sentAt >= this.slowedAt) {
			this.slowedAt = now;
			this.setAtOnce(Math.floor(Math.min(this.atOnce, this.limits.maxAtOnce) / 2));
		}
		const askedMs = Math.min(askedPauseMs(error) ?? 0, mostMs);
		this.askedUntil = Math.max(this.askedUntil, now + askedMs);
		this.pauseEndsAt = Math.max(this.pauseEndsAt, now + this.pauseMs(askedMs));
	}

	/** The service has answered, whatever it said. */
	reached(): void {
		this.unreachableInARow = 0;
	}

	/** The service has finished a task and may have room: no pause is longer than it asks for. */
	finished(): void {
		this.moved();
		this.pausesInARow = 0;
		this.pauseEndsAt = Math.min(this.pauseEndsAt, Math.max(this.askedUntil, this.clock.now()));
		this.shortened.abort();
		this.shortened = new AbortController();
	}

	/**
	 * Aborts when nothing has moved at the service for so long, for the answer that said so last; or
	 * with the timer.
	 * @param beganAt The time before this does not count.
	 */
	standstillFor(limitMs: number, beganAt: number, timer: Timer): AbortSignal {
		const over = new AbortController();
		const watch = async () => {
			while (!timer.signal.aborted) {
				const now = this.clock.now();
				const { sinceAt = now, error } = this.standstill ?? {};
				const overAt = Math.max(beganAt, sinceAt) + limitMs;
				if (now >= overAt) return over.abort(error);
				await timer.until(overAt);
			}
		};
		void watch();
		return AbortSignal.any([timer.signal, over.signal]);
	}

	private moved(): void {
		if (this.standstill) this.standstill.sinceAt = this.clock.now();
	}

	private setAtOnce(atOnce: number): void {
		const { maxAtOnce, firstAtOnce = maxAtOnce } = this.limits;
		this.atOnce = Math.min(firstAtOnce, Math.max(1, atOnce));
		this.places.resize(this.atOnce);
	}

	private pauseMs(askedMs: number): number {
		const { maxPauseMs } = this.limits;
		if (askedMs < LEAST_ASKED_MS)
			return backoffMs(this.pausesInARow, maxPauseMs, this.clock.random);
		const grownMs = Math.min(maxPauseMs, askedMs * GROWTH ** (this.pausesInARow - 1));
		return Math.max(askedMs, grownMs);
	}

	/** Until the pause is over or the turn must start. */
	private async pause({ end, spreadMs = 0, mustStartAt = Infinity }: Turn): Promise<void> {
		const endAt = Math.min(this.pauseEndsAt + this.clock.random() * spreadMs, mustStartAt);
		const sooner = AbortSignal.any([end, this.shortened.signal]);
		await new Timer(this.clock, sooner).until(endAt);
	}
}
