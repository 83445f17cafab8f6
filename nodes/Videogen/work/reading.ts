import { backoffMs, type Timer } from '../ground/clock';
import type { Answer, Service, ServiceError } from '../service/answer';
import { deniesTask, readVerdict } from '../service/answerMeaning';
import { hasResults, hasVideo, isUnknownWord, percentIn, type Task } from '../service/task';
import { fail, isCreate, type Item, taskIdOf, taskOf } from './order';
import { notReadFault, stoppedFault, timedOutFault, withoutResultsFault } from './orderWords';
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

/** For so long a key that was accepted before is not doubted, and results and files may be late. */
export const PATIENCE_MS = 2 * 60_000;
const RESULTS_GAP_MS = 2_000;
const MAX_RESULTS_GAP_MS = 10_000;

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
	/** Whether the service has accepted the key in this run. */
	isAccepted(): boolean;
	onAnswer(answer: Answer): void;
}

type Verdict = ReturnType<typeof readVerdict>;

/** Reads the task of one item until there is what was asked for, or it can no longer succeed. */
export class Reading {
	/** The moment from which its time counts. */
	private readonly sinceAt: number;

	private deadlineAt: number;

	/** Whether its record is one of this run. */
	private isFresh: boolean;

	private hadVideo: boolean;

	/** What the last read ran into, if it brought no record. */
	private error: ServiceError | undefined;

	/** What that means, and since when all reads have meant it. */
	private verdict: Verdict | undefined;

	private verdictSinceAt = 0;

	/** When it was first seen completed, without results. */
	private emptySinceAt: number | undefined;

	private hasAnswer = false;

	private failedReads = 0;

	private rateLimitedReads = 0;

	private records = 0;

	private readonly reports: ProgressReport[] = [];

	/** @param createdAt When this run created the task, if it did; its time counts from then. */
	constructor(
		private readonly item: Item,
		private readonly tools: ReadTools,
		createdAt?: number,
	) {
		const task = taskOf(item.order);
		this.sinceAt = createdAt ?? this.now();
		this.deadlineAt = this.sinceAt + (item.wait?.timeoutMs ?? READ_BUDGET_MS);
		// Whatever else the answer to its create says of its end, a read has to say it, too.
		this.isFresh = createdAt !== undefined && task?.state === 'unfinished';
		this.hadVideo = task !== undefined && hasVideo(task);
		if (this.isFresh && task) this.report(task);
	}

	/** Whether its first record was that of a failed task. */
	get foundItFailed(): boolean {
		return this.records === 1 && this.item.order.state.is === 'failed';
	}

	/** Resolves when the order is at its end, or has the record that was asked for. */
	async toEnd(): Promise<void> {
		const { timer } = this.tools;
		const end = timer.signalAt(this.item.wait ? this.deadlineAt + LATE_READ_MS : Infinity);
		while (!this.hasEnded()) {
			await timer.until(Math.min(this.nextReadAt(), this.deadlineAt));
			await this.readOnce(end);
			if (timer.signal.aborted) return fail(this.item.order, stoppedFault(this.item));
		}
	}

	/** The last read goes out at the deadline itself, so that nothing finished is called too late. */
	private async readOnce(end: AbortSignal): Promise<void> {
		const { order, wait } = this.item;
		const { reads, timer, service } = this.tools;
		const turn = { end, spreadMs: wait?.intervalMs, mustStartAt: this.deadlineAt };
		if (!(await reads.acquire(turn))) return;
		const sentAt = this.now();
		const leftMs = wait ? Math.max(LEAST_READ_MS, this.deadlineAt - sentAt) : undefined;
		const answer = await service.read(taskIdOf(order) ?? '', timer.signal, leftMs);
		// Before the next one has its turn: this answer may begin a pause.
		if (answer.kind === 'task') reads.succeeded();
		else if (readVerdict(answer.error) === 'rateLimited') reads.slowDown(sentAt, answer.error);
		reads.release();
		if (!timer.signal.aborted) this.record(answer);
	}

	private record(answer: Answer): void {
		// The first turn for a record may have been long in coming.
		if (!this.item.wait && !this.hasAnswer) this.deadlineAt = this.now() + READ_BUDGET_MS;
		this.hasAnswer = true;
		if (answer.kind === 'error') this.recordFailure(answer.error);
		else this.recordTask(answer.task);
		this.tools.onAnswer(answer);
	}

	private recordTask(task: Task): void {
		this.report(task);
		const { order } = this.item;
		const before = this.isFresh ? taskOf(order) : undefined;
		// An unknown word beside results is an end when a second read says the same.
		const isSettled = isUnknownWord(task) && hasResults(task) && before?.status === task.status;
		const known: Task = isSettled ? { ...task, state: 'completed' } : task;
		order.state = { is: 'running', taskId: task.id, task: known };
		this.hadVideo ||= hasVideo(known);
		this.records += 1;
		this.isFresh = true;
		this.error = undefined;
		this.verdict = undefined;
		this.failedReads = 0;
	}

	private report({ record }: Task): void {
		const percent = Math.max(0, Math.min(percentIn(record) ?? 0, 100));
		this.reports.push({ atMs: this.now() - this.sinceAt, percent });
	}

	private recordFailure(error: ServiceError): void {
		this.error = error;
		const verdict = readVerdict(error);
		if (verdict === 'rateLimited') this.rateLimitedReads += 1;
		else this.failedReads += 1;
		if (this.verdict !== verdict) this.verdictSinceAt = this.now();
		this.verdict = verdict;
	}

	/** Whether it has ended; the state of the order then says how. */
	private hasEnded(): boolean {
		const { error, item } = this;
		const isOver = this.now() >= this.deadlineAt;
		if (error && this.now() >= this.graceEndAt()) return this.endUnread(error);
		if (item.wait) {
			if (!error && this.isFresh && this.finish(isOver)) return true;
			if (isOver) fail(item.order, timedOutFault(item, error));
			return isOver;
		}
		if (!this.hasAnswer) return false;
		if (!error) return this.finish(isOver || !item.download) || !this.isAwaitingResults;
		const hasFailedOften = this.verdict !== 'rateLimited' && this.failedReads >= MAX_FAILED_READS;
		return (isOver || (hasFailedOften && this.verdict !== 'notFound')) && this.endUnread(error);
	}

	/** A completed task that the service denies since is known well enough. */
	private endUnread(error: ServiceError): true {
		const { order } = this.item;
		const task = taskOf(order);
		if (task?.state === 'completed' && hasResults(task) && deniesTask(error)) {
			order.state = { is: 'completed', taskId: task.id, task };
		} else fail(order, notReadFault(this.item, error));
		return true;
	}

	private get isAwaitingResults(): boolean {
		return this.item.download !== undefined && this.emptySinceAt !== undefined;
	}

	/** @param isOver Whether there is no more time for results that are late. */
	private finish(isOver: boolean): boolean {
		const { order, wait, download } = this.item;
		const task = taskOf(order);
		if (!task || task.state === 'unfinished') return false;
		const { id: taskId } = task;
		if (task.state === 'failed') {
			order.state = { is: 'failed', taskId, task, hadVideo: this.hadVideo };
			return true;
		}
		if (!hasResults(task)) this.emptySinceAt ??= this.now();
		const isLate = this.now() >= (this.emptySinceAt ?? Infinity) + PATIENCE_MS || isOver;
		if (!hasResults(task) && !isLate) return false;
		order.state = { is: 'completed', taskId, task };
		if (!hasResults(task) && (wait ?? download)) fail(order, withoutResultsFault(task));
		return true;
	}

	private now(): number {
		return this.tools.timer.clock.now();
	}

	/** Counted from the first such answer, so that a single one ends no task, however long its interval. */
	private graceEndAt(): number {
		return this.verdictSinceAt + this.graceMs();
	}

	private graceMs(): number {
		const { item, isFresh, verdict } = this;
		if (verdict === 'stop') return 0;
		if (verdict === 'denied') return this.tools.isAccepted() ? PATIENCE_MS : 0;
		if (verdict !== 'notFound') return Infinity;
		// Who waits may well have created the task a moment ago, in the node before this one.
		const unseenMs = item.wait ? UNSEEN_NOT_FOUND_GRACE_MS : 0;
		return isFresh || isCreate(item.order) ? NOT_FOUND_GRACE_MS : unseenMs;
	}

	private nextReadAt(): number {
		const now = this.now();
		const { wait } = this.item;
		if (this.error) return this.nextReadAfterErrorAt(now);
		if (this.emptySinceAt !== undefined) {
			const lateMs = now - this.emptySinceAt;
			const gapMs = Math.min(Math.max(RESULTS_GAP_MS, lateMs / 4), MAX_RESULTS_GAP_MS);
			return Math.min(now + gapMs, this.emptySinceAt + PATIENCE_MS);
		}
		if (!wait || !this.isFresh) return now;
		const { intervalMs } = wait;
		const elapsedMs = now - this.sinceAt;
		return now + this.slowed(nextReadInMs({ intervalMs, elapsedMs, reports: this.reports }));
	}

	/** After 429 everything takes longer, but not for ever. */
	private slowed(gapMs: number): number {
		return Math.max(gapMs, Math.min(gapMs * this.tools.reads.slowdown, MAX_GAP_MS));
	}

	/** Too many requests are no reason to ask sooner than usual. */
	private nextReadAfterErrorAt(now: number): number {
		const { wait } = this.item;
		const backoff = (tries: number) =>
			now + backoffMs(tries, MAX_GAP_MS, this.tools.timer.clock.random);
		if (this.verdict !== 'rateLimited') {
			return Math.min(backoff(this.failedReads), this.graceEndAt());
		}
		return wait
			? now + Math.min(this.slowed(wait.intervalMs), MAX_GAP_MS)
			: backoff(this.rateLimitedReads);
	}
}
