import type { Clock } from '../common/timer';
import { Pace } from './pace';
import { Pause } from './pause';

interface RateLimits {
	/** How many requests may be under way at once at best. */
	maxAtOnce: number;
	/** Where that begins; at its best unless given. */
	firstAtOnce?: number;
	/** The longest pause after 429 when the service asks for none. */
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

/** How fast requests of one kind go out: a limited number at once, none during a pause. */
export class RateLimiter {
	private readonly pause: Pause;

	private readonly pace: Pace;

	constructor(
		private readonly clock: Clock,
		{ maxAtOnce, firstAtOnce, maxPauseMs }: RateLimits,
	) {
		this.pause = new Pause(clock, maxPauseMs);
		this.pace = new Pace(maxAtOnce, firstAtOnce);
	}

	get slowdown(): number {
		return this.pace.slowdown;
	}

	/** Whether the service has asked for no requests at this moment. */
	get isPausing(): boolean {
		return this.pause.isOn;
	}

	/** Waits for a turn; `release` follows it. @returns whether there is one */
	async acquire(turn: Turn): Promise<boolean> {
		const { end, isFirst, spreadMs, mustStartAt = Infinity } = turn;
		const isHeldUp = () => this.isPausing && this.clock.now() < mustStartAt;
		for (;;) {
			if (isHeldUp()) await this.pause.end(end, spreadMs, mustStartAt);
			if (!(await this.pace.places.acquire(end, isFirst))) return false;
			// A pause may have begun while it waited for its turn.
			if (!isHeldUp()) return true;
			this.release();
		}
	}

	release(): void {
		this.pace.places.release();
	}

	/** A request was answered as usual. */
	succeeded(): void {
		this.pause.answered();
		this.pace.faster();
	}

	/**
	 * The service wants fewer requests.
	 * @param sentAt When the request went out that it answered so.
	 * @returns whether this is a new pause
	 */
	slowDown(sentAt: number, askedMs?: number): boolean {
		const isNew = this.pause.begin(sentAt, askedMs);
		if (isNew) this.pace.slower();
		return isNew;
	}
}
