import type { Answer, Trouble } from '../client/answer';
import type { Task } from '../client/task';
import { readVerdict } from '../client/verdict';
import { backoffMs } from './backoff';
import type { Clock } from './clock';
import type { Outcome, WaitPlan } from './job';
import type { ReadPace, ReadTime } from './readPace';

/** Reads in a row that came to nothing before a task is given up; less when nobody waits. */
export const MAX_MISSES_WAITING = 10;
export const MAX_MISSES_ONCE = 3;

const MISS_BACKOFF = { firstMs: 1_000, maxMs: 30_000 };

/** A task may be unknown to the service's readers for so long after it was last heard of. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The same for a task that this run has neither made nor seen yet: a mistyped id ends soon. */
export const UNSEEN_NOT_FOUND_GRACE_MS = 10_000;

/** How long a read for which nobody waits is tried again against 429. */
export const READ_BUDGET_MS = 2 * 60_000;

/** What a task is read for. */
export interface Aim {
	taskId: string;
	/** Which job it is; spreads the polls. */
	index: number;
	wait?: WaitPlan;
	/** Any record of it, or its final one. */
	until: 'record' | 'final';
	/** Its record so far. */
	known?: Task;
	/** Its record in an earlier try, to be told when there is no newer one. */
	lastSeen?: Task;
}

/** What is known of one task while it is followed, and when it is to be read next. */
export class Follower {
	private readonly startedMs: number;

	private readonly deadlineMs: number;

	private graceEndMs: number;

	private task: Task | undefined;

	private trouble: Trouble | undefined;

	private misses = 0;

	private reads = 0;

	constructor(
		private readonly aim: Aim,
		private readonly clock: Clock,
	) {
		this.startedMs = clock.now();
		this.deadlineMs = this.startedMs + (aim.wait?.timeoutMs ?? READ_BUDGET_MS);
		this.task = aim.known;
		this.graceEndMs = this.startedMs + this.firstGraceMs();
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
		const intervalMs = this.aim.wait?.intervalMs ?? 0;
		const inMs = this.untilNextMs(pace, intervalMs);
		return {
			dueMs: this.clock.now() + inMs,
			latestMs: this.deadlineMs,
			spreadMs: inMs > 0 ? intervalMs : 0,
		};
	}

	private untilNextMs(pace: ReadPace, intervalMs: number): number {
		if (this.trouble) return backoffMs(this.misses, MISS_BACKOFF, () => this.clock.random());
		return this.task ? pace.intervalMs(intervalMs, this.aim.index, this.reads) : 0;
	}

	take(answer: Answer, pace: ReadPace): void {
		this.reads += 1;
		if (answer.kind === 'task') {
			pace.answered();
			this.task = answer.task;
			this.trouble = undefined;
			this.misses = 0;
			this.graceEndMs = this.clock.now() + NOT_FOUND_GRACE_MS;
			return;
		}
		this.trouble = answer.trouble;
		if (readVerdict(answer.trouble) === 'rateLimited') pace.rateLimited(answer.trouble);
		else this.misses += 1;
	}

	/** Who waits may well have created the task a moment ago, in the node before this one. */
	private firstGraceMs(): number {
		if (this.task) return NOT_FOUND_GRACE_MS;
		return this.aim.wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
	}

	private givesUpOn(trouble: Trouble): boolean {
		switch (readVerdict(trouble)) {
			case 'rateLimited':
				return false;
			case 'notFound':
				return this.clock.now() >= this.graceEndMs;
			case 'again':
				return this.misses >= (this.aim.wait ? MAX_MISSES_WAITING : MAX_MISSES_ONCE);
			case 'stop':
				return true;
		}
	}
}
