import { backoffMs, type Clock, Timer } from '../common/timer';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

/** By how much it grows each time: a service may ask for the same short time for ever. */
const GROWTH = 1.3;

/** The time after 429 in which nothing is sent: as long as the service asks, or longer each time. */
export class Pause {
	private endsAt = Number.NEGATIVE_INFINITY;

	private inARow = 0;

	/** Until when the service wants no request, whatever happens. */
	private askedUntil = Number.NEGATIVE_INFINITY;

	/** For those who wait for an end that comes sooner now. */
	private shortened = new AbortController();

	constructor(
		private readonly clock: Clock,
		/** The longest that it makes unless the service asks for more. */
		private readonly maxMs: number,
	) {}

	get isOn(): boolean {
		return this.clock.now() < this.endsAt;
	}

	/**
	 * Begins, or becomes longer. Requests that were under way together make one pause, not a longer
	 * and longer one, even if some are answered after its end.
	 * @param sentAt When the request went out whose answer asks for it.
	 * @returns whether it is a new one
	 */
	begin(sentAt: number, askedMs = 0): boolean {
		const isNew = sentAt >= this.endsAt;
		const now = this.clock.now();
		if (isNew) this.inARow += 1;
		const grownMs = Math.min(this.maxMs, askedMs * GROWTH ** (this.inARow - 1));
		const ms =
			askedMs >= LEAST_ASKED_MS
				? Math.max(askedMs, grownMs)
				: backoffMs(this.inARow, this.maxMs, this.clock.random);
		this.askedUntil = Math.max(this.askedUntil, now + askedMs);
		this.endsAt = Math.max(this.endsAt, now + ms);
		return isNew;
	}

	/** Ends it as soon as the service allows, as there may be room now; the next is a short one. */
	shorten(): void {
		this.answered();
		if (!this.isOn) return;
		this.endsAt = Math.min(this.endsAt, Math.max(this.askedUntil, this.clock.now()));
		this.shortened.abort();
		this.shortened = new AbortController();
	}

	/** A request was answered as usual, so that the next pause is a short one again. */
	answered(): void {
		this.inARow = 0;
	}

	/**
	 * Resolves when it is over, or with the signal.
	 * @param spreadMs Over how long those who wait come back.
	 * @param atMostAt Resolves then all the same.
	 */
	async end(signal: AbortSignal, spreadMs = 0, atMostAt = Infinity): Promise<void> {
		const { clock } = this;
		while (this.isOn && clock.now() < atMostAt && !signal.aborted) {
			const endAt = Math.min(this.endsAt + clock.random() * spreadMs, atMostAt);
			const sooner = AbortSignal.any([signal, this.shortened.signal]);
			await new Timer(clock, sooner).until(endAt);
		}
	}
}
