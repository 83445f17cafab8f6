import { backoffMs, type Clock } from '../shared/clock';
import { hashOf } from '../shared/json';
import { Semaphore } from '../shared/semaphore';
import { Recent } from './recent';
import type { ServiceError } from '../service/types';
import { askedPauseMs } from '../service/responseRules';

/** The longest pause, unless the service asks for more. */
const MAX_PAUSE_MS = 30_000;

/** The longest pause that a service may ask for. Then one request asks again. */
const MAX_ASKED_PAUSE_MS = 10 * 60_000;

/**
 * Limits how many requests to a service run at once. After a 429 or a failed connection, it closes
 * for as long as the service asks, but no less than a pause that grows each time. Then it opens for
 * one request, and for more as they are accepted.
 */
export class Gate {
	private readonly places: Semaphore;

	private opening: number;

	private closedUntil = -Infinity;

	private closedAt = -Infinity;

	private pausesInARow = 0;

	private lastRefusal: ServiceError | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly maxAtOnce: number,
	) {
		this.opening = maxAtOnce;
		this.places = new Semaphore(maxAtOnce);
	}

	/**
	 * Does this work in its turn, and gives the place back whatever happens.
	 * @param end Ends the wait for a turn.
	 * @param deadlineAt Returns at once if the gate stays closed beyond it.
	 * @returns `undefined` if there was no turn
	 */
	async inTurn<Value>(
		end: AbortSignal,
		deadlineAt: number,
		work: () => Promise<Value>,
	): Promise<Value | undefined> {
		if (this.closedUntil > deadlineAt) return undefined;
		if (!(await this.places.acquire(end))) return undefined;
		try {
			return end.aborted ? undefined : await work();
		} finally {
			this.places.release();
		}
	}

	/** The error that keeps it closed now. */
	get refusal(): ServiceError | undefined {
		return this.clock.now() < this.closedUntil ? this.lastRefusal : undefined;
	}

	/** The service answered a request, whatever it said. */
	accepted(): void {
		if (this.clock.now() < this.closedUntil) return;
		this.pausesInARow = 0;
		this.open(this.opening + 1 / this.opening);
	}

	/** A request that was sent at this moment got a 429, or reached nobody. */
	refused(error: ServiceError, sentAt: number): void {
		const { clock } = this;
		// Requests that were under way together count as one refusal.
		if (sentAt >= this.closedAt) this.pausesInARow += 1;
		const pauseMs = backoffMs(this.pausesInARow, MAX_PAUSE_MS, clock.random);
		const askedMs = Math.min(askedPauseMs(error) ?? 0, MAX_ASKED_PAUSE_MS);
		const untilAt = clock.now() + Math.max(pauseMs, askedMs);
		this.lastRefusal = error;
		this.closedAt = clock.now();
		if (untilAt <= this.closedUntil) return;
		this.closedUntil = untilAt;
		this.opening = 1;
		this.places.resize(0);
		void this.openAt(untilAt);
	}

	private async openAt(dueAt: number): Promise<void> {
		const { signal: never } = new AbortController();
		await this.clock.sleep(dueAt - this.clock.now(), never);
		if (this.closedUntil === dueAt) this.open(1);
	}

	private open(atOnce: number): void {
		this.opening = Math.min(this.maxAtOnce, atOnce);
		this.places.resize(Math.floor(this.opening));
	}
}

/** A create takes seconds and a video takes minutes: more at once would finish no video sooner. */
const MAX_CREATES_AT_ONCE = 10;

/** Keeps sockets and memory flat, however many tasks there are. */
const MAX_READS_AT_ONCE = 32;

/** The two gates of a service: when it is full, it refuses creates but still answers reads. */
export interface GatesOfService {
	readonly creates: Gate;
	readonly reads: Gate;
}

/** At most a thousand services, each for a day after it was last used. */
const LIMITS = { lifetimeMs: 24 * 60 * 60_000, maxBytes: 1_000 };

/** All executions that use the same service and key share its gates. */
export class Gates {
	/** Keyed by a hash that does not reveal the API key. */
	private readonly known: Recent<GatesOfService>;

	constructor(private readonly clock: Clock) {
		this.known = new Recent(LIMITS, clock.now);
	}

	of({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): GatesOfService {
		const hash = hashOf([baseUrl, apiKey]);
		const known = this.known.get(hash);
		const gates = known ?? {
			creates: new Gate(this.clock, MAX_CREATES_AT_ONCE),
			reads: new Gate(this.clock, MAX_READS_AT_ONCE),
		};
		this.known.set(hash, gates, known ? 0 : 1);
		return gates;
	}
}
