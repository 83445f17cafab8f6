import type { Answer, ServiceError } from '../service/answer';
import { askedPauseMs, readRetryPolicy } from '../service/retryPolicy';
import { estimateMsIn, percentIn, type Task } from '../service/task';
import { type ExistingTask, finalOutcome, type Outcome, type TaskJob } from './job';
import { nextReadInMs, type ProgressReport, type TypicalTime } from './pollSchedule';
import type { RateLimiter } from './rateLimiter';
import { backoffMs, type Timer } from '../common/timer';

/** Failed reads in a row before a task for which nobody waits is given up. */
export const MAX_FAILED_READS_ONCE = 3;

/**
 * The longest time between two reads after one failed. Reading orders nothing, so an error that may
 * pass ends no wait before the time that the person gave it.
 */
const MAX_GAP_MS = 30_000;

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

/** What a task is read for. */
interface PollTarget extends ExistingTask, Pick<TaskJob, 'read' | 'wait'> {
	/** Its record so far, when it was created by this run. */
	known?: Task;
	onAnswer(answer: Answer): void;
}

/** What all tasks of a run share. */
export interface PollTools {
	reads: RateLimiter;
	/** Ends with the run. */
	timer: Timer;
	typicalTime: TypicalTime;
}

/** Reads one task until there is what was asked for, or it can no longer succeed. */
export class TaskPoller {
	/** The moment from which its time counts. */
	private readonly sinceMs: number;

	private deadlineMs: number;

	private task: Task | undefined;

	private error: ServiceError | undefined;

	/** The first 404 since the task was last seen. */
	private missingSinceMs: number | undefined;

	private failedReads = 0;

	private rateLimitedReads = 0;

	/** Reads since there is a record. */
	polls = 0;

	private readonly reports: ProgressReport[] = [];

	/** When the task was last seen unfinished, in milliseconds since its submission. */
	lastUnfinishedMs = 0;

	constructor(
		private readonly target: PollTarget,
		private readonly tools: PollTools,
	) {
		this.sinceMs = this.now();
		const { leaveAfterMs, timeoutMs = READ_BUDGET_MS } = target.wait ?? {};
		this.deadlineMs = this.sinceMs + (leaveAfterMs ?? timeoutMs);
		if (target.known) this.take(target.known);
	}

	async poll(): Promise<Outcome> {
		const { tools, target } = this;
		for (;;) {
			const outcome = this.outcome();
			if (outcome) return outcome;
			await tools.timer.until(Math.min(this.nextReadMs(), this.deadlineMs));
			const answer = (await this.turn()) ? await this.read() : undefined;
			if (tools.timer.signal.aborted) {
				return { kind: 'stopped', taskId: target.taskId, task: this.lastRecord() };
			}
			if (answer) this.takeAnswer(answer);
		}
	}

	/** The last read goes out at the deadline itself, so that nothing finished is called too late. */
	private async turn(): Promise<boolean> {
		const { wait } = this.target;
		return await this.tools.reads.acquire({
			spreadMs: wait?.intervalMs ?? 0,
			mustStartMs: this.deadlineMs,
			giveUpMs: () => (wait ? this.deadlineMs + LATE_READ_MS : Infinity),
		});
	}

	private async read(): Promise<Answer> {
		const { reads, timer } = this.tools;
		const sentMs = this.now();
		const atMostMs = this.target.wait && Math.max(LEAST_READ_MS, this.deadlineMs - sentMs);
		const { taskId, read } = this.target;
		const answer = await read(taskId, timer.signal, atMostMs);
		// Before the next one has its turn: this answer may begin a pause.
		if (answer.kind === 'task') reads.succeeded();
		else if (readRetryPolicy(answer.error) === 'rateLimited') {
			reads.pause(sentMs, askedPauseMs(answer.error));
		}
		reads.release();
		return answer;
	}

	private takeAnswer(answer: Answer): void {
		// Without a wait, a record ends it: only the first read has no error before it.
		if (!this.target.wait && !this.error) this.deadlineMs = this.now() + READ_BUDGET_MS;
		if (this.task) this.polls += 1;
		if (answer.kind === 'error') this.recordFailure(answer.error);
		else this.take(answer.task);
		this.target.onAnswer(answer);
	}

	private take(task: Task): void {
		const atMs = this.now() - this.sinceMs;
		if (task.state === 'unfinished') this.lastUnfinishedMs = atMs;
		const percent = percentIn(task.record) ?? 0;
		if (percent > 0 && percent < 100) this.reports.push({ atMs, percent });
		this.task = task;
		this.error = undefined;
		this.failedReads = 0;
		this.missingSinceMs = undefined;
	}

	private recordFailure(error: ServiceError): void {
		this.error = error;
		const policy = readRetryPolicy(error);
		if (policy === 'rateLimited') this.rateLimitedReads += 1;
		else this.failedReads += 1;
		this.missingSinceMs = policy === 'notFound' ? (this.missingSinceMs ?? this.now()) : undefined;
	}

	/** How it ended, or `undefined` while it goes on. */
	private outcome(): Outcome | undefined {
		const { task, error } = this;
		const { taskId, wait } = this.target;
		const last = { taskId, task: this.lastRecord() };
		const isOver = this.now() >= this.deadlineMs;
		if (error && (this.cannotSucceed(error) || (isOver && !wait))) {
			return { kind: 'notRead', ...last, error };
		}
		if (task && !error) {
			const final = wait ? finalOutcome(task) : { kind: 'done' as const, task };
			if (final) return final;
		}
		return isOver ? { kind: 'timedOut', ...last, error } : undefined;
	}

	private now(): number {
		return this.tools.timer.clock.now();
	}

	private lastRecord(): Task | undefined {
		return this.task ?? this.target.lastSeen;
	}

	private cannotSucceed(error: ServiceError): boolean {
		switch (readRetryPolicy(error)) {
			case 'rateLimited':
				return false;
			case 'notFound':
				return this.now() >= this.graceEndMs();
			case 'again':
				return !this.target.wait && this.failedReads >= MAX_FAILED_READS_ONCE;
			case 'stop':
				return true;
		}
	}

	/** Counted from the first 404, so that a single one ends no task, however long its interval. */
	private graceEndMs(): number {
		const { isOwn, wait } = this.target;
		// Who waits may well have created the task a moment ago, in the node before this one.
		const unseenMs = wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
		const graceMs = this.task || isOwn ? NOT_FOUND_GRACE_MS : unseenMs;
		return (this.missingSinceMs ?? this.now()) + graceMs;
	}

	private nextReadMs(): number {
		const now = this.now();
		if (this.error) return this.nextReadAfterErrorMs(this.error, now);
		const { wait, known } = this.target;
		if (!this.task || !wait) return now;
		const inMs = nextReadInMs({
			intervalMs: wait.intervalMs,
			elapsedMs: now - this.sinceMs,
			isFromStart: known !== undefined,
			reads: this.polls,
			reports: this.reports,
			...(known && {
				estimateMs: estimateMsIn(known.record),
				typicalMs: this.tools.typicalTime.ms,
			}),
		});
		return now + this.slowed(inMs);
	}

	/** After 429 everything takes longer, but not for ever. */
	private slowed(gapMs: number): number {
		return Math.max(gapMs, Math.min(gapMs * this.tools.reads.slowdown, MAX_GAP_MS));
	}

	/** Too many requests are no reason to ask sooner than usual. */
	private nextReadAfterErrorMs(error: ServiceError, now: number): number {
		const { wait } = this.target;
		const backoff = (tries: number) =>
			now + backoffMs(tries, MAX_GAP_MS, this.tools.timer.clock.random);
		const policy = readRetryPolicy(error);
		if (policy === 'notFound') return Math.min(backoff(this.failedReads), this.graceEndMs());
		if (policy !== 'rateLimited') return backoff(this.failedReads);
		return wait
			? now + Math.min(this.slowed(wait.intervalMs), MAX_GAP_MS)
			: backoff(this.rateLimitedReads);
	}
}
