import { hashOf } from '../common/json';
import { Semaphore } from '../common/semaphore';
import type { Clock } from '../common/timer';
import type { ServiceError } from '../service/answer';
import { askedPauseMs } from '../service/retryPolicy';
import { Pause } from './pause';

export const MAX_CREATE_PAUSE_MS = 10_000;

/** With the first 429, no more than half as many go out at once; before it, any number. */
const MAX_AT_ONCE = 12;

/** A create may hang; after this time, others no longer wait for its answer. */
const MAX_TURN_MS = 30_000;

/** How many creates a service takes, as all executions that use it have found out together. */
export class CreateLimiter {
	private readonly pause: Pause;

	private atOnce = Infinity;

	private slowedAt = Number.NEGATIVE_INFINITY;

	private readonly places = new Semaphore(Infinity);

	/** The 429 since which nothing has moved: no create was accepted, no task has finished. */
	standstill: { since: number; error: ServiceError } | undefined;

	constructor(private readonly clock: Clock) {
		this.pause = new Pause(clock, MAX_CREATE_PAUSE_MS);
	}

	/**
	 * Sends a create when it is its turn, unless the signal aborts before.
	 * @param isFirst Whether it goes before those that never had a turn.
	 * @returns whether it was sent
	 */
	async inTurn(end: AbortSignal, isFirst: boolean, send: () => Promise<void>): Promise<boolean> {
		if (!(await this.places.acquire(end, isFirst))) return false;
		// In its place: the others need not wake up when a pause is over.
		await this.pause.end(end);
		const isSent = !end.aborted;
		const answered = new AbortController();
		void this.clock.sleep(MAX_TURN_MS, answered.signal).then(() => this.places.release());
		try {
			if (isSent) await send();
			return isSent;
		} finally {
			answered.abort('answered');
		}
	}

	accepted(): void {
		// One that was sent before a pause began does not end it.
		if (this.pause.isOn) this.moved();
		else this.standstill = undefined;
		this.pause.answered();
		this.setAtOnce(this.atOnce + 1);
	}

	/** @param sentAt When the create went out that was answered 429. */
	refused(error: ServiceError, sentAt: number): void {
		this.standstill ??= { since: this.clock.now(), error };
		this.pause.begin(sentAt, askedPauseMs(error));
		// Those that were under way together slow it down once.
		if (sentAt < this.slowedAt) return;
		this.slowedAt = this.clock.now();
		this.setAtOnce(Math.max(1, Math.floor(Math.min(this.atOnce, MAX_AT_ONCE) / 2)));
	}

	/** The service has finished a task and may have room for another one. */
	finished(): void {
		this.moved();
		this.pause.shorten();
	}

	private moved(): void {
		if (this.standstill) this.standstill.since = this.clock.now();
	}

	private setAtOnce(atOnce: number): void {
		this.atOnce = atOnce;
		this.places.resize(atOnce);
	}
}

/** Lets executions that use the same service and key share what is known of its limits. */
export class CreateLimiters {
	/** By a hash that no key can be read from. */
	private readonly used = new Map<string, { limiter: CreateLimiter; users: number }>();

	constructor(readonly clock: Clock) {}

	/** The limiter is forgotten with the end of the last work that uses it. */
	async use<T>(
		service: { baseUrl: string; apiKey: string },
		work: (limiter: CreateLimiter) => Promise<T>,
	): Promise<T> {
		const hash = hashOf([service.baseUrl, service.apiKey]);
		const shared = this.used.get(hash) ?? { limiter: new CreateLimiter(this.clock), users: 0 };
		this.used.set(hash, shared);
		shared.users += 1;
		try {
			return await work(shared.limiter);
		} finally {
			shared.users -= 1;
			if (shared.users === 0) this.used.delete(hash);
		}
	}
}
