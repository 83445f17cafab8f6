import { onAbort, backoffMs, type Clock, Timer } from '../ground/clock';
import { Semaphore } from '../ground/semaphore';
import type { ServiceError } from '../service/answer';
import { askedPauseMs } from '../service/answerMeaning';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

/** By how much it grows each time: a service may ask for the same short time for ever. */
const GROWTH = 1.3;

/** The longest pause at a full service, where the end of a task ends it. */
const MAX_PAUSE_WHEN_FULL_MS = 60_000;

/** How long that pause is for the time in which nothing has moved. */
const PAUSE_WHEN_FULL = 1.5;

/** After so many pauses in a row without reaching the service, it is taken to be out of reach. */
export const MAX_UNREACHABLE_IN_A_ROW = 4;

interface Limits {
	/** How many requests may be under way at once at best. */
	maxAtOnce: number;
	/** After 429, one more goes out for as many usual answers as go out at once, not for each. */
	growsByRounds?: boolean;
	/** The longest pause unless the service asks for more. */
	maxPauseMs: number;
}

/** How a request waits for its turn. */
interface Turn {
	/** With this signal it is not sent any more. */
	end: AbortSignal;
	/** Whether it goes before those that never had a turn. */
	goesAhead?: boolean;
	/** Over how long requests come back from a pause; without this, they keep their order in it. */
	spreadMs?: number;
	/** Then it goes, pause or not. */
	mustStartAt?: number;
}

/**
 * How fast requests of one kind go out. After 429 none goes out for as long as the service asks, or
 * longer each time; then half as many at once, and more again with every usual answer.
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

	/** Since when no create was accepted and no task has finished, and the 429 that asks for most. */
	private standstill: { sinceAt: number; error: ServiceError } | undefined;

	/** When the service told last how a task stands. */
	private readAt = Number.NEGATIVE_INFINITY;

	/** Pauses in a row because the service could not be reached. */
	private unreachableInARow = 0;

	constructor(
		private readonly clock: Clock,
		private readonly limits: Limits,
	) {
		this.atOnce = limits.maxAtOnce;
		this.places = new Semaphore(this.atOnce);
	}

	/** By how much everything is to take longer than usual. */
	get slowdown(): number {
		return this.limits.maxAtOnce / this.atOnce;
	}

	/** What the service says that holds up what goes out now, if it does. */
	get rateLimit(): ServiceError | undefined {
		return this.standstill?.error;
	}

	/** Whether the service could not be reached so often that no further request will. */
	get isOutOfReach(): boolean {
		return this.unreachableInARow >= MAX_UNREACHABLE_IN_A_ROW;
	}

	/** Waits for a turn; `release` follows it. @returns whether there is one */
	async acquire(turn: Turn): Promise<boolean> {
		const { end, goesAhead, spreadMs } = turn;
		for (;;) {
			if (spreadMs !== undefined) await this.untilResumed(turn);
			if (!(await this.places.acquire(end, goesAhead))) return false;
			// It keeps its place meanwhile: a pause changes no order.
			if (spreadMs === undefined) await this.untilResumed(turn);
			if (!end.aborted && !this.isHeldUp(turn)) return true;
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
		this.reached();
		this.pausesInARow = 0;
		this.setAtOnce(this.atOnce + (this.limits.growsByRounds ? 1 / this.atOnce : 1));
	}

	/**
	 * The service wants fewer requests, or cannot be reached. Those that were under way together slow
	 * down once.
	 * @param sentAt When the request went out that was answered so.
	 * @param mostMs For how long it may hold up requests at most, whatever it asks for.
	 */
	slowDown(sentAt: number, error: ServiceError, mostMs = Infinity): void {
		const now = this.clock.now();
		if (sentAt > this.slowedAt) {
			this.slowedAt = now;
			this.pausesInARow += 1;
			this.unreachableInARow += 1;
			this.setAtOnce(this.atOnce / 2);
		}
		if (error.kind !== 'network') {
			this.reached();
			const { sinceAt = now, error: known = error } = this.standstill ?? {};
			const asksForMore = (askedPauseMs(error) ?? 0) > (askedPauseMs(known) ?? 0);
			this.standstill = { sinceAt, error: asksForMore ? error : known };
		}
		// Whoever waits for a turn finds out now, not one after each further pause.
		if (this.isOutOfReach) return;
		const askedMs = Math.min(askedPauseMs(error) ?? 0, mostMs);
		this.askedUntil = Math.max(this.askedUntil, now + askedMs);
		const pauseMs = Math.max(this.pauseMs(askedMs), this.pauseWhenFullMs());
		this.pauseEndsAt = Math.max(this.pauseEndsAt, now + pauseMs);
	}

	/** The service has answered, whatever it said. */
	reached(): void {
		this.unreachableInARow = 0;
	}

	/** The service has told how a task stands. */
	taskRead(): void {
		this.reached();
		this.readAt = this.clock.now();
	}

	/** The service has finished a task and may have room: no pause is longer than it asks for. */
	finished(): void {
		this.reached();
		this.moved();
		this.pausesInARow = 0;
		this.pauseEndsAt = Math.min(this.pauseEndsAt, Math.max(this.askedUntil, this.clock.now()));
		this.shortened.abort();
		this.shortened = new AbortController();
	}

	/**
	 * Aborts when nothing has moved at the service for so long, with the 429 as its reason; or with
	 * the timer.
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
		this.atOnce = Math.min(this.limits.maxAtOnce, Math.max(1, atOnce));
		this.places.resize(Math.floor(this.atOnce));
	}

	private pauseMs(askedMs: number): number {
		const { maxPauseMs } = this.limits;
		if (askedMs < LEAST_ASKED_MS)
			return backoffMs(this.pausesInARow, maxPauseMs, this.clock.random);
		const grownMs = Math.min(maxPauseMs, askedMs * GROWTH ** (this.pausesInARow - 1));
		return Math.max(askedMs, grownMs);
	}

	/**
	 * A full service answers 429 until a task has finished. While one is read here, its end ends the
	 * pause, and creates before that are in vain: the longer nothing has moved, the longer the pause.
	 * Room that comes unnoticed is so found in two and a half times the time at most.
	 */
	private pauseWhenFullMs(): number {
		const { sinceAt = Infinity } = this.standstill ?? {};
		if (this.readAt <= sinceAt) return 0;
		const stillMs = this.clock.now() - sinceAt;
		return Math.min(MAX_PAUSE_WHEN_FULL_MS, stillMs * PAUSE_WHEN_FULL);
	}

	private isHeldUp({ mustStartAt = Infinity }: Turn): boolean {
		return this.clock.now() < Math.min(this.pauseEndsAt, mustStartAt);
	}

	private async untilResumed(turn: Turn): Promise<void> {
		const { end, spreadMs = 0, mustStartAt = Infinity } = turn;
		while (this.isHeldUp(turn) && !end.aborted) {
			const endAt = Math.min(this.pauseEndsAt + this.clock.random() * spreadMs, mustStartAt);
			const waking = new AbortController();
			// Not AbortSignal.any: in Node.js 20, a signal that lives on keeps all that came of it.
			const stops = [end, this.shortened.signal].map((one) => onAbort(one, () => waking.abort()));
			await new Timer(this.clock, waking.signal).until(endAt);
			for (const stopListening of stops) stopListening();
		}
	}
}
