import { backoffMs, type Clock, Timer } from '../common/timer';

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

/** The time after 429 in which nothing is sent: as long as the service asks, or longer each time. */
export class Pause {
	private endsAt = Number.NEGATIVE_INFINITY;

	private inARow = 0;

	constructor(
		private readonly clock: Clock,
		/** The longest that it makes when the service asks for none. */
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
		if (isNew) this.inARow += 1;
		const { clock } = this;
		const ms =
			askedMs >= LEAST_ASKED_MS ? askedMs : backoffMs(this.inARow, this.maxMs, clock.random);
		this.endsAt = Math.max(this.endsAt, clock.now() + ms);
		return isNew;
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
			await new Timer(clock, signal).until(endAt);
		}
	}
}
