import type { Answer, ServiceError } from '../service/answer';
import { askedPauseMs, createRetryPolicy, rejectsTheKey } from '../service/retryPolicy';
import type { Task } from '../service/task';
import { type ExistingTask, type Outcome, type TaskJob, taskOf } from './job';
import { RateLimiter } from './rateLimiter';
import { type PollTools, TaskPoller } from './taskPoller';
import { Timer } from '../common/timer';
import { TypicalTime } from './pollSchedule';

/** How many creates may be under way at once: at first, and at best. */
export const FIRST_CREATES_AT_ONCE = 12;
const MAX_CREATES_AT_ONCE = 32;
const MAX_CREATE_PAUSE_MS = 10_000;

/** Keeps sockets and memory flat, whatever the number of tasks. */
const MAX_READS_AT_ONCE = 32;
const MAX_READ_PAUSE_MS = 30_000;

/** After so many pauses in a row without reaching the service, it is taken to be out of reach. */
export const MAX_UNREACHABLE_IN_A_ROW = 4;

/** How long creates are tried again against 429 when no wait says how much time there is. */
const CREATE_BUDGET_MS = 20 * 60_000;

/**
 * Runs many tasks together: creates up to `maxConcurrentTasks` at once, reads each of them when it
 * is due, and starts the next as one finishes. Gives one outcome per job, in the jobs' order.
 *
 * It knows neither HTTP nor n8n: answers come typed from the jobs, time from the timer.
 * @param maxConcurrentTasks How many unfinished tasks of this run the service may have at once.
 * @param timer With its end, nothing is sent any more, reads end, and every unfinished job is left
 * as it is. Only creates that have gone out are waited for, as each may be a payment.
 */
export async function runTasks(
	jobs: TaskJob[],
	maxConcurrentTasks: number,
	{ clock, signal }: Timer,
): Promise<Outcome[]> {
	const over = new AbortController();
	const timer = new Timer(clock, AbortSignal.any([signal, over.signal]));
	return await new TaskRun(jobs, maxConcurrentTasks, timer).run().finally(() => over.abort());
}

class TaskRun implements PollTools {
	private readonly creates: RateLimiter;

	readonly reads: RateLimiter;

	/** Places for unfinished tasks. */
	private readonly places: RateLimiter;

	readonly typicalTime = new TypicalTime();

	/** Ends the creates. */
	private readonly closing = new AbortController();

	/** Why no create is sent any more. */
	private closedBy: ServiceError | undefined;

	/** The 429 since which nothing has moved: no create was taken, no task finished. */
	private blocked: { sinceMs: number; error: ServiceError } | undefined;

	private unreachableInARow = 0;

	constructor(
		private readonly jobs: TaskJob[],
		maxConcurrentTasks: number,
		readonly timer: Timer,
	) {
		const signal = AbortSignal.any([timer.signal, this.closing.signal]);
		const whileOpen = new Timer(timer.clock, signal);
		this.creates = new RateLimiter(whileOpen, {
			firstAtOnce: FIRST_CREATES_AT_ONCE,
			maxAtOnce: MAX_CREATES_AT_ONCE,
			maxPauseMs: MAX_CREATE_PAUSE_MS,
		});
		this.reads = new RateLimiter(timer, {
			maxAtOnce: MAX_READS_AT_ONCE,
			maxPauseMs: MAX_READ_PAUSE_MS,
		});
		this.places = new RateLimiter(timer, { maxAtOnce: maxConcurrentTasks });
	}

	async run(): Promise<Outcome[]> {
		// Tasks of an earlier try are unfinished at the service already, so they count first.
		for (const { existing } of this.jobs) if (existing?.isOwn) this.places.acquireOverLimit();
		return await Promise.all(this.jobs.map(async (job) => await this.runJob(job)));
	}

	private async runJob(job: TaskJob): Promise<Outcome> {
		const outcome = await this.outcomeOf(job);
		const isFinal = outcome.kind === 'done' || outcome.kind === 'failed';
		// The service may have room for another task now.
		if (isFinal && this.blocked) this.blocked.sinceMs = this.timer.clock.now();
		await job.complete?.(outcome);
		return outcome;
	}

	private async outcomeOf(job: TaskJob): Promise<Outcome> {
		const { existing } = job;
		if (existing && !existing.isOwn) return await this.poll(job, existing);
		if (!existing && !(await this.places.acquire())) return { kind: 'notStarted' };
		try {
			return await (existing ? this.poll(job, existing) : this.createAndWait(job));
		} finally {
			this.places.release();
		}
	}

	private async createAndWait(job: TaskJob): Promise<Outcome> {
		const created = await this.create(job);
		if ('kind' in created) return created;
		job.onEvent?.({ kind: 'created', task: created });
		if (!job.wait) return { kind: 'done', task: created };
		return await this.poll(job, { taskId: created.id, isOwn: true, known: created });
	}

	/** Sends the create until it is taken or refused; `createRetryPolicy` says what is repeated. */
	private async create(job: TaskJob): Promise<Task | Outcome> {
		const { clock } = this.timer;
		const budgetMs = job.wait?.timeoutMs ?? CREATE_BUDGET_MS;
		const giveUpMs = () => (this.blocked ? this.blocked.sinceMs + budgetMs : Infinity);
		for (let again = false; job.submit; again = true) {
			if (!(await this.creates.acquire({ again, giveUpMs }))) break;
			const sentMs = clock.now();
			job.onEvent?.({ kind: 'submitted' });
			const answer = await job.submit();
			this.adaptTo(answer, sentMs);
			this.creates.release();
			if (answer.kind === 'task') return answer.task;
			const { error } = answer;
			const policy = createRetryPolicy(error);
			job.onEvent?.(policy === 'unknown' ? { kind: 'unanswered', error } : { kind: 'refused' });
			if (policy === 'refused' || policy === 'unknown') {
				return notCreated(job, error, policy === 'unknown');
			}
		}
		const error = this.closedBy ?? (this.timer.signal.aborted ? undefined : this.blocked?.error);
		return error ? notCreated(job, error, false) : { kind: 'notStarted' };
	}

	/** What an answer to a create means for the others. */
	private adaptTo(answer: Answer, sentMs: number): void {
		if (answer.kind === 'task') {
			// One that was sent before a pause began does not end it.
			this.blocked = this.creates.isPausing
				? this.blocked && { ...this.blocked, sinceMs: this.timer.clock.now() }
				: undefined;
			this.unreachableInARow = 0;
			this.creates.succeeded();
			return;
		}
		const { error } = answer;
		const policy = createRetryPolicy(error);
		const isNewPause =
			(policy === 'rateLimited' || policy === 'unreachable') &&
			this.creates.pause(sentMs, askedPauseMs(error));
		if (policy === 'rateLimited') this.blocked ??= { sinceMs: this.timer.clock.now(), error };
		if (isNewPause) this.unreachableInARow += 1;
		// It was reached, whatever it answered.
		if (error.kind === 'status' || error.kind === 'unreadable') this.unreachableInARow = 0;
		const isOutOfReach = this.unreachableInARow >= MAX_UNREACHABLE_IN_A_ROW;
		if (isOutOfReach || rejectsTheKey(error)) this.closeCreates(error);
	}

	/** Every further create would end the same way. */
	private closeCreates(error: ServiceError): void {
		this.closedBy ??= error;
		this.closing.abort();
	}

	/** An earlier task that had failed by the time it is first read is created again. */
	private async poll(job: TaskJob, target: ExistingTask & { known?: Task }): Promise<Outcome> {
		const onAnswer = (answer: Answer) => this.takeRead(job, answer);
		const poller = new TaskPoller({ ...job, ...target, onAnswer }, this);
		const outcome = await poller.poll();
		if (outcome.kind === 'done' && target.known) this.typicalTime.add(poller.lastUnfinishedMs);
		const hadFailed = !target.known && poller.polls === 0 && taskOf(outcome)?.state === 'failed';
		return hadFailed && job.submit ? await this.createAndWait(job) : outcome;
	}

	private takeRead(job: TaskJob, answer: Answer): void {
		if (answer.kind === 'task') {
			this.unreachableInARow = 0;
			job.onEvent?.({ kind: 'updated', task: answer.task });
		} else if (rejectsTheKey(answer.error)) this.closeCreates(answer.error);
	}
}

/** That a second request was refused says nothing of the first. */
const notCreated = (job: TaskJob, error: ServiceError, isUnknown: boolean): Outcome =>
	job.mayExist && !isUnknown
		? { kind: 'notCreated', error, mayExist: true, sinceEarlierTry: true }
		: { kind: 'notCreated', error, mayExist: isUnknown };
