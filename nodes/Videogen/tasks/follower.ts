import type { Answer, Trouble } from '../service/answer';
import type { Task } from '../service/task';
import { readVerdict } from '../service/retryPolicy';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import type { Outcome, WaitPlan } from './job';
import type { ReadPace, ReadTime } from './readPace';
import { LATE_READ_MS } from './readPace';

/**
 * Reads in a row that came to nothing before a task for which nobody waits is given up. Who waits
 * has said how long: reading costs nothing, so trouble that may pass ends no wait before its time.
 */
export const MAX_MISSES_ONCE = 3;

const MISS_BACKOFF = { firstMs: 1_000, maxMs: 30_000 };

/** For so long the service's readers may deny a task that is known to exist. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The same for an id that a person gave and nobody has seen yet: a mistyped one ends soon. */
export const UNSEEN_NOT_FOUND_GRACE_MS = 10_000;

/** How long a read for which nobody waits is tried again against 429. */
export const READ_BUDGET_MS = 2 * 60_000;

/** What is left until the deadline may be too little for any answer; a read gets this much. */
export const LEAST_READ_MS = 5_000;

/** What a task is read for. */
export interface Aim {
	taskId: string;
	/** Which job it is; spreads the polls. */
	index: number;
	wait?: WaitPlan;
	/** The moment from which its time counts. */
	sinceMs: number;
	/** Whether this node made it, so that it is known to exist. */
	isOwn: boolean;
	/** Any record of it, or its final one. */
	until: 'record' | 'final';
	/** Its record so far. */
	known?: Task;
	/** Its record in an earlier try, to be told when there is no newer one. */
	lastSeen?: Task;
}

/** What is known of one task while it is followed, and when it is to be read next. */
export class Follower {
	private deadlineMs: number;

	/** The first 404 since the task was last seen. */
	private missingSinceMs: number | undefined;

	private task: Task | undefined;

	private trouble: Trouble | undefined;

	private misses = 0;

	/** Reads that were answered 429. */
	private limited = 0;

	private reads = 0;

	/** Reads since there is a record. */
	private polls = 0;

	constructor(
		private readonly aim: Aim,
		private readonly clock: Clock,
	) {
		this.deadlineMs = aim.sinceMs + (aim.wait?.timeoutMs ?? READ_BUDGET_MS);
		this.task = aim.known;
	}

	/** From when on no read is sent any more; only a deadline that was asked for forbids that. */
	get tooLateMs(): number {
		return this.aim.wait ? this.deadlineMs + LATE_READ_MS : Number.POSITIVE_INFINITY;
	}

	/** How long a read that is sent now may take. */
	get readLimitMs(): number | undefined {
		const leftMs = this.deadlineMs - this.clock.now();
		return this.aim.wait && Math.max(LEAST_READ_MS, leftMs);
	}

	/** How it ended, or `undefined` while it goes on. */
	outcome(): Outcome | undefined {
		const { task, trouble } = this;
		const { taskId, until, wait } = this.aim;
		const toTell = this.lastRecord();
		if (trouble && this.givesUpOn(trouble)) {
			return { kind: 'notRead', taskId, task: toTell, trouble };
		}
		if (task && !trouble) {
			if (until === 'record' || task.state === 'completed') return { kind: 'done', task };
			if (task.state === 'failed') return { kind: 'failed', task };
		}
		if (this.clock.now() < this.deadlineMs) return undefined;
		return wait || !trouble
			? { kind: 'timedOut', taskId, task: toTell, trouble }
			: { kind: 'notRead', taskId, task: toTell, trouble };
	}

	left(): Outcome {
		return { kind: 'left', taskId: this.aim.taskId, task: this.lastRecord() };
	}

	private lastRecord(): Task | undefined {
		return this.task ?? this.aim.lastSeen;
	}

	/** The last read comes at the deadline itself, so that nothing finished is called too late. */
	nextRead(pace: ReadPace): ReadTime {
		const { wait } = this.aim;
		const intervalMs = wait?.intervalMs ?? 0;
		return {
			dueMs: this.trouble
				? this.dueAfter(this.trouble, pace, intervalMs)
				: this.clock.now() + this.untilNextMs(pace, intervalMs),
			latestMs: this.deadlineMs,
			spreadMs: this.reads > 0 || this.task ? intervalMs : pace.firstSpreadMs(intervalMs),
		};
	}

	private untilNextMs(pace: ReadPace, intervalMs: number): number {
		const { index } = this.aim;
		if (!this.task) return pace.firstReadMs(intervalMs, index);
		return this.polls === 0 ? pace.firstIntervalMs(intervalMs, index) : pace.intervalMs(intervalMs);
	}

	/** Too many requests are no reason to ask sooner than usual. */
	private dueAfter(trouble: Trouble, pace: ReadPace, intervalMs: number): number {
		const now = this.clock.now();
		const verdict = readVerdict(trouble);
		if (verdict !== 'rateLimited') {
			const dueMs = now + this.backoffMs(this.misses);
			return verdict === 'notFound' ? Math.min(dueMs, this.graceEndMs()) : dueMs;
		}
		return now + (pace.intervalMs(intervalMs) || this.backoffMs(this.limited));
	}

	private backoffMs(tries: number): number {
		return backoffMs(tries, MISS_BACKOFF, () => this.clock.random());
	}

	take(answer: Answer, pace: ReadPace): void {
		const now = this.clock.now();
		if (!this.aim.wait && this.reads === 0) this.deadlineMs = now + READ_BUDGET_MS;
		this.reads += 1;
		if (this.task) this.polls += 1;
		if (answer.kind === 'trouble') {
			this.stumble(answer.trouble, pace);
			return;
		}
		pace.answered();
		this.task = answer.task;
		this.trouble = undefined;
		this.misses = 0;
		this.missingSinceMs = undefined;
	}

	private stumble(trouble: Trouble, pace: ReadPace): void {
		this.trouble = trouble;
		const verdict = readVerdict(trouble);
		if (verdict === 'rateLimited') {
			this.limited += 1;
			pace.rateLimited(trouble);
			return;
		}
		this.misses += 1;
		if (verdict === 'notFound') this.missingSinceMs ??= this.clock.now();
	}

	/** Counted from the first 404, so that a single one ends no task, however long its interval. */
	private graceEndMs(): number {
		return (this.missingSinceMs ?? this.clock.now()) + this.graceMs();
	}

	/** Who waits may well have created the task a moment ago, in the node before this one. */
	private graceMs(): number {
		if (this.task || this.aim.isOwn) return NOT_FOUND_GRACE_MS;
		return this.aim.wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
	}

	private givesUpOn(trouble: Trouble): boolean {
		switch (readVerdict(trouble)) {
			case 'rateLimited':
				return false;
			case 'notFound':
				return this.clock.now() >= this.graceEndMs();
			case 'again':
				return !this.aim.wait && this.misses >= MAX_MISSES_ONCE;
			case 'stop':
				return true;
		}
	}
}
