import type { Clock } from '../ground/clock';

/** Forged callbacks cost no more than one check in this time. */
const MIN_GAP_MS = 1_000;

/** More rests than this at once only cost a few reads more. */
const MAX_REMEMBERED = 1_000;

/** The service's readers may be behind its callbacks: for so long after a claim its task is checked. */
export const FOLLOW_MS = 30_000;

/** The longest time between two of these checks; the gaps grow with the time since the claim. */
const MAX_FOLLOW_GAP_MS = 10_000;

/** n8n may queue an execution that continues while others run; after this, it has lost it. */
const FINISHED_MS = 10 * 60_000;

/** The same where n8n tells nothing: whoever calls later finishes the rest again. */
const UNCERTAIN_MS = 30_000;

const NEVER = new AbortController().signal;

/**
 * What a check of the tasks of a rest found: that some are unfinished, that one may be final though
 * no read has shown it, or that all are.
 */
export type Found = 'waiting' | 'unconfirmed' | 'finished';

/**
 * Checks the tasks of one rest for all of its callbacks: one check at a time, and one callback alone
 * finishes the rest, as two would make n8n 2.0.3 lose a place for executions. A callback that comes
 * during a check leaves its claim, which is checked next.
 */
export class RestWorker {
	/** What callbacks have called final, until a read has shown it. */
	private readonly claimed = new Set<string>();

	private claimedAt = -Infinity;

	private checkedAt = -Infinity;

	private finished: { at: number; isCertain: boolean } | undefined;

	/** The task by which the last check ended, to be read first by the next. */
	private unfinishedId: string | undefined;

	/** Since when tasks are as they should not stay: not known, or completed without results. */
	private readonly oddSinceAt = new Map<string, number>();

	isWorking = false;

	constructor(private readonly clock: Clock) {}

	/** A callback calls these tasks final, which is believed when a read shows it. */
	claim(taskIds: string[]): void {
		if (taskIds.length === 0) return;
		for (const taskId of taskIds) this.claimed.add(taskId);
		this.claimedAt = this.clock.now();
	}

	/** The tasks of the rest, each once, in the order in which they are best read. */
	inOrder(taskIds: string[]): string[] {
		const { claimed, unfinishedId } = this;
		const first = unfinishedId === undefined ? claimed : [...claimed, unfinishedId];
		return [...new Set([...first, ...taskIds])];
	}

	/** A task was read, and is final or not. */
	record(taskId: string, isFinal: boolean): void {
		if (isFinal) this.claimed.delete(taskId);
		else this.unfinishedId = taskId;
	}

	/** For how long all checks have found a task so; 0 if this one does not. */
	oddMs(taskId: string, isOdd: boolean): number {
		const now = this.clock.now();
		const sinceAt = isOdd ? (this.oddSinceAt.get(taskId) ?? now) : now;
		if (isOdd) this.oddSinceAt.set(taskId, sinceAt);
		else this.oddSinceAt.delete(taskId);
		return now - sinceAt;
	}

	/**
	 * Whether a callback has finished the rest: `certain` when n8n has said that it continues,
	 * `uncertain` for a while without that.
	 */
	get finish(): 'no' | 'uncertain' | 'certain' {
		const { at = -Infinity, isCertain = false } = this.finished ?? {};
		const sinceMs = this.clock.now() - at;
		if (isCertain) return sinceMs < FINISHED_MS ? 'certain' : 'no';
		return sinceMs < UNCERTAIN_MS ? 'uncertain' : 'no';
	}

	/** Whether n8n continues with what finished the rest; if not, another callback may finish it. */
	settleFinish(continues: boolean): void {
		this.finished = continues ? { at: this.clock.now(), isCertain: true } : undefined;
	}

	/**
	 * Checks once, and again for a while after the last claim that no read has confirmed.
	 * @param onUnconfirmed Called before a check that follows another.
	 */
	async work(check: () => Promise<Found>, onUnconfirmed: () => void): Promise<Found> {
		this.isWorking = true;
		try {
			let found = await this.checkIn(check, this.checkedAt + MIN_GAP_MS - this.clock.now());
			if (found === 'unconfirmed') onUnconfirmed();
			while (found === 'unconfirmed' && this.sinceClaimMs < FOLLOW_MS) {
				const gapMs = Math.min(Math.max(this.sinceClaimMs, MIN_GAP_MS), MAX_FOLLOW_GAP_MS);
				const leftMs = FOLLOW_MS - this.sinceClaimMs;
				found = await this.checkIn(check, Math.min(gapMs, leftMs)).catch(() => 'unconfirmed');
			}
			if (found === 'finished') this.finished = { at: this.clock.now(), isCertain: false };
			return found;
		} finally {
			this.claimed.clear();
			this.isWorking = false;
		}
	}

	private async checkIn(check: () => Promise<Found>, ms: number): Promise<Found> {
		await this.clock.sleep(Math.max(0, ms), NEVER);
		this.checkedAt = this.clock.now();
		const found = await check();
		// A claim may have come meanwhile.
		return found === 'waiting' && this.claimed.size > 0 ? 'unconfirmed' : found;
	}

	private get sinceClaimMs(): number {
		return this.clock.now() - this.claimedAt;
	}
}

/** The workers of all rests that have had callbacks in this process. */
export class RestWorkers {
	private readonly workers = new Map<string, RestWorker>();

	constructor(readonly clock: Clock) {}

	/** @param rest What tells a rest from all others. */
	of(rest: string): RestWorker {
		const known = this.workers.get(rest);
		if (known) return known;
		if (this.workers.size >= MAX_REMEMBERED) this.forgetOldest();
		const worker = new RestWorker(this.clock);
		this.workers.set(rest, worker);
		return worker;
	}

	/** What is under way is not forgotten, as two would do it then. */
	private forgetOldest(): void {
		const oldest = [...this.workers].find(([, { isWorking }]) => !isWorking)?.[0];
		if (oldest !== undefined) this.workers.delete(oldest);
	}
}
