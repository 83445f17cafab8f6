import { backoffMs, type Timer } from '../common/timer';
import type { Answer, ServiceError } from '../service/answer';
import { askedPauseMs, readRetryPolicy } from '../service/retryPolicy';
import { percentIn, type Task } from '../service/task';
import { type Entry, finalOutcome, isCreate, type Outcome, taskIdOf } from './entry';
import { nextReadInMs, type ProgressReport } from './pollSchedule';
import type { RateLimiter } from './rateLimiter';

/** Failed reads in a row before a task for which nobody waits is given up. */
export const MAX_FAILED_READS_ONCE = 3;

/**
 * The longest time between two reads after one failed. Reading orders nothing, so an error that may
 * pass ends no wait before the time that the person gave it.
 */
export const MAX_GAP_MS = 30_000;

/** For so long the service's readers may deny a task that is known to exist. */
export const NOT_FOUND_GRACE_MS = 30_000;

/** The same for an id that a person gave and nobody has seen yet: a mistyped one ends soon. */
export const UNSEEN_NOT_FOUND_GRACE_MS = 10_000;

/** How long a read for which nobody waits is tried again against 429. */
export const READ_BUDGET_MS = 2 * 60_000;

/** What is left until the deadline may be too little for any answer; a read gets this much. */
export const LEAST_READ_MS = 5_000;

/** A read is sent so long after the deadline at most, when many tasks have the same one. */
export const LATE_READ_MS = 1_000;

/** What reading needs of the run. */
export interface ReadTools {
	/** Reads a task once, within this time; ends at once when the signal aborts. */
	read(taskId: string, signal: AbortSignal, atMostMs?: number): Promise<Answer>;
	reads: RateLimiter;
	/** Ends with the run. */
	timer: Timer;
	onAnswer(answer: Answer): void;
}

/** Reads the task of one entry until there is what was asked for, or it can no longer succeed. */
export class TaskPoller {
	/** The moment from which its time counts. */
	private readonly sinceAt: number;

	private deadlineAt: number;

	/** Whether its record is one of this run. */
	private isFresh: boolean;

	private error: ServiceError | undefined;

	/** The first 404 since the task was last seen. */
	private missingSinceAt: number | undefined;

	private failedReads = 0;

	private rateLimitedReads = 0;

	/** Reads since there is a record of this run. */
	private reads = 0;

	private readonly reports: ProgressReport[] = [];

	/** @param createdAt When this run created the task, if it did. */
	constructor(
		private readonly entry: Entry,
		private readonly tools: ReadTools,
		private readonly createdAt?: number,
	) {
		this.sinceAt = createdAt ?? this.now();
		this.deadlineAt = this.sinceAt + (entry.wait?.timeoutMs ?? READ_BUDGET_MS);
		this.isFresh = createdAt !== undefined;
		if (createdAt !== undefined && entry.task) this.report(entry.task);
	}

	/** Whether the first record of this run was that of a failed task. */
	get foundItFailed(): boolean {
		const { createdAt, reads, entry } = this;
		return createdAt === undefined && reads === 0 && entry.task?.state === 'failed';
	}

	/** Until the task is final, or its time is up. */
	async untilFinal(): Promise<Outcome> {
		const { timer } = this.tools;
		const lastReadAt = this.entry.wait ? this.deadlineAt + LATE_READ_MS : Infinity;
		const end = timer.signalAt(lastReadAt);
		for (;;) {
			const outcome = this.outcome();
			if (outcome) return outcome;
			await timer.until(Math.min(this.nextReadAt(), this.deadlineAt));
			await this.read(end);
			if (timer.signal.aborted) return { kind: 'stopped' };
		}
	}

	/** One read; `undefined` when nothing is final after it. */
	async once(): Promise<Outcome | undefined> {
		const { signal } = this.tools.timer;
		await this.read(signal);
		if (signal.aborted) return { kind: 'stopped' };
		const { error, entry } = this;
		if (error) return this.cannotSucceed(error) ? { kind: 'notRead', error } : undefined;
		return entry.task && finalOutcome(entry.task);
	}

	/** The last read goes out at the deadline itself, so that nothing finished is called too late. */
	private async read(end: AbortSignal): Promise<void> {
		const { tools, entry } = this;
		const { reads, timer } = tools;
		const spreadMs = entry.wait?.intervalMs;
		const mustStartAt = this.deadlineAt;
		if (!(await reads.acquire({ end, spreadMs, mustStartAt }))) return;
		const sentAt = this.now();
		const atMostMs = entry.wait && Math.max(LEAST_READ_MS, this.deadlineAt - sentAt);
		const answer = await tools.read(taskIdOf(entry) ?? '', timer.signal, atMostMs);
		// Before the next one has its turn: this answer may begin a pause.
		if (answer.kind === 'task') reads.succeeded();
		else if (readRetryPolicy(answer.error) === 'rateLimited') {
			reads.slowDown(sentAt, askedPauseMs(answer.error));
		}
		reads.release();
		if (!timer.signal.aborted) this.settle(answer);
	}

	private settle(answer: Answer): void {
		// Without a wait, a record ends it: only the first read has no error before it.
		if (!this.entry.wait && !this.error) this.deadlineAt = this.now() + READ_BUDGET_MS;
		if (this.isFresh) this.reads += 1;
		if (answer.kind === 'error') this.recordFailure(answer.error);
		else this.recordTask(answer.task);
		this.tools.onAnswer(answer);
	}

	private recordTask(task: Task): void {
		this.report(task);
		this.entry.task = task;
		this.isFresh = true;
		this.error = undefined;
		this.failedReads = 0;
		this.missingSinceAt = undefined;
	}

	private report({ record }: Task): void {
		const percent = percentIn(record) ?? 0;
		const atMs = this.now() - this.sinceAt;
		if (percent > 0 && percent < 100) this.reports.push({ atMs, percent });
	}

	private recordFailure(error: ServiceError): void {
		this.error = error;
		const policy = readRetryPolicy(error);
		if (policy === 'rateLimited') this.rateLimitedReads += 1;
		else this.failedReads += 1;
		this.missingSinceAt = policy === 'notFound' ? (this.missingSinceAt ?? this.now()) : undefined;
	}

	/** How it ended, or `undefined` while it is under way. */
	private outcome(): Outcome | undefined {
		const { error, isFresh } = this;
		const { task, wait } = this.entry;
		const isOver = this.now() >= this.deadlineAt;
		if (error && (this.cannotSucceed(error) || (isOver && !wait)))
			return { kind: 'notRead', error };
		if (isFresh && task && !error) {
			const final: Outcome | undefined = wait ? finalOutcome(task) : { kind: 'done' };
			if (final) return final;
		}
		return isOver ? { kind: 'timedOut', error } : undefined;
	}

	private now(): number {
		return this.tools.timer.clock.now();
	}

	private cannotSucceed(error: ServiceError): boolean {
		switch (readRetryPolicy(error)) {
			case 'rateLimited':
				return false;
			case 'notFound':
				return this.now() >= this.graceEndAt();
			case 'again':
				return !this.entry.wait && this.failedReads >= MAX_FAILED_READS_ONCE;
			case 'stop':
				return true;
		}
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
		if (!this.isFresh || !wait) return now;
		const inMs = nextReadInMs({
			intervalMs: wait.intervalMs,
			elapsedMs: now - this.sinceAt,
			isFromStart: this.createdAt !== undefined,
			reads: this.reads,
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
		return wait
			? now + Math.min(this.slowed(wait.intervalMs), MAX_GAP_MS)
			: backoff(this.rateLimitedReads);
	}
}
