import { backoffMs, type Timer } from '../ground/clock';
import type { Answer, ServiceError, Service } from '../service/answer';
import { readRetryPolicy } from '../service/answerTable';
import { hasVideo, mayBeFilled, percentIn, type Task } from '../service/task';
import { type Entry, finalOutcome, isCreate, lastOutcome, type Outcome, taskIdOf } from './entry';
import { nextReadInMs, type ProgressReport } from './pollSchedule';
import type { Throttle } from './throttle';

/** Failed reads in a row before a record for which nobody waits is given up. */
export const MAX_FAILED_READS = 3;

/**
 * The longest time between two reads after one failed. Reading orders nothing, so an error that may
 * pass ends no wait before the time that the person gave it.
 */
const MAX_GAP_MS = 30_000;

/** For so long the service's readers may deny a task that is known to exist. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The same for an id that a person gave and nobody has seen yet: a mistyped one ends soon. */
export const UNSEEN_NOT_FOUND_GRACE_MS = 10_000;

/** For so long a completed task without results is read again. */
export const RESULTS_GRACE_MS = 10_000;
const RESULTS_GAP_MS = 2_000;

/** How long a record for which nobody waits is asked for again against 429. */
export const READ_BUDGET_MS = 2 * 60_000;

/** What is left until the deadline may be too little for any answer; a read gets this much. */
export const LEAST_READ_MS = 5_000;

/** A read is sent so long after the deadline at most, when many tasks have the same one. */
export const LATE_READ_MS = 1_000;

/** What reading needs of the run. */
export interface ReadTools {
	service: Service;
	/** For all reads of the run. */
	reads: Throttle;
	/** Ends with the run. */
	timer: Timer;
	onAnswer(answer: Answer): void;
}

/** What is read of a task, and for how long. */
export interface ReadGoal {
	/** The next record, whatever it says, or the one of a final task. */
	until: 'record' | 'final';
	/** Counted from when this run created the task, else from now. A record is asked for at least once. */
	budgetMs: number;
	/** When this run created the task, if it did. */
	createdAt?: number;
}

/** Reads the task of one entry until there is what was asked for, or it can no longer succeed. */
export class TaskReader {
	/** The moment from which its time counts. */
	private readonly sinceAt: number;

	private deadlineAt: number;

	/** Whether its record is one of this run. */
	private isFresh: boolean;

	/** What the last read ran into, if it brought no record. */
	private error: ServiceError | undefined;

	/** The first 404 since the task was last seen. */
	private missingSinceAt: number | undefined;

	/** When it was first seen completed, without results. */
	private emptySinceAt: number | undefined;

	private hasAnswer = false;

	private failedReads = 0;

	private rateLimitedReads = 0;

	/** Reads since there is a record of this run. */
	private reads = 0;

	private readonly reports: ProgressReport[] = [];

	constructor(
		private readonly entry: Entry,
		private readonly tools: ReadTools,
		private readonly goal: ReadGoal,
	) {
		const { createdAt, budgetMs } = goal;
		this.sinceAt = createdAt ?? this.now();
		this.deadlineAt = this.sinceAt + budgetMs;
		this.isFresh = createdAt !== undefined;
		if (createdAt !== undefined && entry.task) this.report(entry.task);
	}

	/** Whether the first record of this run was that of a failed task. */
	get foundItFailed(): boolean {
		const { goal, reads, entry } = this;
		return goal.createdAt === undefined && reads === 0 && entry.task?.state === 'failed';
	}

	/** @returns what came of it; `undefined` when that is still to come */
	async read(): Promise<Outcome | undefined> {
		const { timer } = this.tools;
		const end = timer.signalAt(this.isWait ? this.deadlineAt + LATE_READ_MS : Infinity);
		for (;;) {
			const ended = this.ended();
			if (ended) return ended.outcome;
			await timer.until(Math.min(this.nextReadAt(), this.deadlineAt));
			await this.readOnce(end);
			if (timer.signal.aborted) return { kind: 'stopped' };
		}
	}

	/** The last read goes out at the deadline itself, so that nothing finished is called too late. */
	private async readOnce(end: AbortSignal): Promise<void> {
		const { entry } = this;
		const { reads, timer, service } = this.tools;
		const spreadMs = entry.wait?.intervalMs;
		if (!(await reads.acquire({ end, spreadMs, mustStartAt: this.deadlineAt }))) return;
		const sentAt = this.now();
		const leftMs = Math.max(LEAST_READ_MS, this.deadlineAt - sentAt);
		const answer = await service.read(
			taskIdOf(entry) ?? '',
			timer.signal,
			this.isWait ? leftMs : undefined,
		);
		// Before the next one has its turn: this answer may begin a pause.
		if (answer.kind === 'task') reads.succeeded();
		else if (readRetryPolicy(answer.error) === 'rateLimited') {
			reads.slowDown(sentAt, answer.error);
		}
		reads.release();
		if (!timer.signal.aborted) this.settle(answer);
	}

	private settle(answer: Answer): void {
		// The first turn for a record may have been long in coming.
		if (!this.isWait && !this.hasAnswer) this.deadlineAt = this.now() + this.goal.budgetMs;
		this.hasAnswer = true;
		if (this.isFresh) this.reads += 1;
		if (answer.kind === 'error') this.recordFailure(answer.error);
		else this.recordTask(answer.task);
		this.tools.onAnswer(answer);
	}

	private recordTask(task: Task): void {
		this.report(task);
		this.entry.task = task;
		if (hasVideo(task)) this.entry.hadVideo = true;
		this.isFresh = true;
		this.error = undefined;
		this.failedReads = 0;
		this.missingSinceAt = undefined;
	}

	private report({ record }: Task): void {
		const percent = Math.max(0, Math.min(percentIn(record) ?? 0, 100));
		this.reports.push({ atMs: this.now() - this.sinceAt, percent });
	}

	private recordFailure(error: ServiceError): void {
		this.error = error;
		const policy = readRetryPolicy(error);
		if (policy === 'rateLimited') this.rateLimitedReads += 1;
		else this.failedReads += 1;
		this.missingSinceAt = policy === 'notFound' ? (this.missingSinceAt ?? this.now()) : undefined;
	}

	/** What it ended with; `undefined` while it is under way. */
	private ended(): { outcome: Outcome | undefined } | undefined {
		const { error, isWait } = this;
		const isOver = this.now() >= this.deadlineAt;
		if (error && this.cannotSucceed(error)) return { outcome: lastOutcome(this.entry, error) };
		if (isWait) {
			const final = error ? undefined : this.finalOutcome();
			if (final && (isOver || !this.mayYetBeFilled())) return { outcome: final };
			return isOver ? { outcome: { kind: 'timedOut', error } } : undefined;
		}
		if (!this.hasAnswer) return undefined;
		if (!error) {
			if (this.entry.wait) return { outcome: this.finalOutcome() };
			return isOver || !this.mayYetBeFilled() ? { outcome: { kind: 'done' } } : undefined;
		}
		const hasFailedOften =
			readRetryPolicy(error) === 'again' && this.failedReads >= MAX_FAILED_READS;
		if (!isOver && !hasFailedOften) return undefined;
		// Who waits for the task reads it later.
		return { outcome: this.entry.wait ? undefined : { kind: 'notRead', error } };
	}

	private mayYetBeFilled(): boolean {
		const { task } = this.entry;
		if (!task || !mayBeFilled(task)) return false;
		this.emptySinceAt ??= this.now();
		return this.now() < this.emptySinceAt + RESULTS_GRACE_MS;
	}

	private finalOutcome(): Outcome | undefined {
		const { task } = this.entry;
		return this.isFresh && task ? finalOutcome(task) : undefined;
	}

	private get isWait(): boolean {
		return this.goal.until === 'final';
	}

	private now(): number {
		return this.tools.timer.clock.now();
	}

	private cannotSucceed(error: ServiceError): boolean {
		const policy = readRetryPolicy(error);
		return policy === 'stop' || (policy === 'notFound' && this.now() >= this.graceEndAt());
	}

	/** Counted from the first 404, so that a single one ends no task, however long its interval. */
	private graceEndAt(): number {
		const { entry, isFresh } = this;
		// Who waits may well have created the task a moment ago, in the node before this one.
		const unseenMs = entry.wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
		const graceMs = isFresh || isCreate(entry) ? NOT_FOUND_GRACE_MS : unseenMs;
		return (this.missingSinceAt ?? this.now()) + graceMs;
	}

	private nextReadAt(): number {
		const now = this.now();
		if (this.error) return this.nextReadAfterErrorAt(this.error, now);
		const { wait } = this.entry;
		if (this.emptySinceAt !== undefined) return now + RESULTS_GAP_MS;
		if (!this.isWait || !this.isFresh || !wait) return now;
		const inMs = nextReadInMs({
			intervalMs: wait.intervalMs,
			elapsedMs: now - this.sinceAt,
			reports: this.reports,
		});
		return now + this.slowed(inMs);
	}

	/** After 429 everything takes longer, but not for ever. */
	private slowed(gapMs: number): number {
		return Math.max(gapMs, Math.min(gapMs * this.tools.reads.slowdown, MAX_GAP_MS));
	}

	/** Too many requests are no reason to ask sooner than usual. */
	private nextReadAfterErrorAt(error: ServiceError, now: number): number {
		const { wait } = this.entry;
		const backoff = (tries: number) =>
			now + backoffMs(tries, MAX_GAP_MS, this.tools.timer.clock.random);
		const policy = readRetryPolicy(error);
		if (policy === 'notFound') return Math.min(backoff(this.failedReads), this.graceEndAt());
		if (policy !== 'rateLimited') return backoff(this.failedReads);
		return this.isWait && wait
			? now + Math.min(this.slowed(wait.intervalMs), MAX_GAP_MS)
			: backoff(this.rateLimitedReads);
	}
}
