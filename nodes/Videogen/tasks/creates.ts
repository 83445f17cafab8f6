import { Timer } from '../common/timer';
import type { Answer, ServiceError } from '../service/answer';
import type { GenerationRequest } from '../service/contract/request';
import { createRetryPolicy, rejectsTheKey } from '../service/retryPolicy';
import type { Task } from '../service/task';
import { type CreateLimiter, MAX_CREATE_PAUSE_MS } from './createLimiter';
import type { Entry, Outcome } from './entry';
import { RateLimiter } from './rateLimiter';
import { Standstill } from './standstill';

/** How many creates may be under way at once: at first, and at best. */
export const FIRST_CREATES_AT_ONCE = 12;
const MAX_CREATES_AT_ONCE = 32;

/** After so many pauses in a row without reaching the service, it is taken to be out of reach. */
export const MAX_UNREACHABLE_IN_A_ROW = 4;

/** How long creates are tried again against 429 when no wait says how much time there is. */
const CREATE_BUDGET_MS = 20 * 60_000;

/** What creating needs of the run. */
export interface CreateTools {
	/** Shared with all that create at the same service. */
	limiter: CreateLimiter;
	/** Sends it once. An answer that comes when nobody waits for it any more goes to `onLate`. */
	create(body: GenerationRequest, onLate: (answer: Answer) => void): Promise<Answer>;
	/** What is sent for an entry now; or why nothing may be sent, in words. */
	bodyFor(entry: Entry): GenerationRequest | { message: string; description: string };
	/** A create goes out (1), or certainly made no task (-1). */
	count(more: 1 | -1): void;
	/** A task was made; told after it is in the entry. */
	onCreated?(entry: Entry, task: Task): void;
	/** A create got no answer that says whether it made a task. */
	onUnanswered?(entry: Entry, error: ServiceError): void;
	/** A create was answered when nobody waited for it any more. */
	onLate?(entry: Entry, answer: Answer): void;
}

/**
 * Sends creates. Each is counted before it goes out, and settled once by what its answer means for
 * paying: it made a task, it made none, or nobody knows.
 */
export class Creates {
	/** For this run alone: how many go out at once, and the pauses of a service out of reach. */
	private readonly own: RateLimiter;

	private readonly standstill: Standstill;

	/** Ends those that were not sent yet. */
	private readonly closing = new AbortController();

	/** Why no create is sent any more. */
	private closedBy: ServiceError | undefined;

	private unreachableInARow = 0;

	constructor(
		private readonly timer: Timer,
		private readonly tools: CreateTools,
	) {
		const untilClosed = AbortSignal.any([timer.signal, this.closing.signal]);
		this.standstill = new Standstill(new Timer(timer.clock, untilClosed), tools.limiter);
		this.own = new RateLimiter(timer.clock, {
			firstAtOnce: FIRST_CREATES_AT_ONCE,
			maxAtOnce: MAX_CREATES_AT_ONCE,
			maxPauseMs: MAX_CREATE_PAUSE_MS,
		});
	}

	/**
	 * Sends the create of an entry until it is accepted or refused.
	 * @returns when its task was made; `undefined` when there is none, as its outcome says
	 */
	async create(entry: Entry): Promise<number | undefined> {
		const budgetMs = entry.wait?.timeoutMs ?? CREATE_BUDGET_MS;
		for (let isAgain = false; ; isAgain = true) {
			const isSent = await this.sendInTurn(entry, this.standstill.endAfter(budgetMs), isAgain);
			if (!isSent) entry.outcome = this.unsentOutcome();
			if (entry.outcome) return undefined;
			if (entry.task) return this.timer.clock.now();
		}
	}

	/** @returns whether it was its turn before the end */
	private async sendInTurn(entry: Entry, end: AbortSignal, isFirst: boolean): Promise<boolean> {
		if (!(await this.own.acquire({ end, isFirst }))) return false;
		const send = async () => await this.send(entry);
		const isSent = this.tools.limiter.inTurn(end, isFirst, send);
		return await isSent.finally(() => this.own.release());
	}

	/** A task has finished, or a read was answered: the service can be reached and may have room. */
	served(hasFinished: boolean): void {
		this.unreachableInARow = 0;
		if (hasFinished) this.tools.limiter.finished();
	}

	/** Every further create would end the same way. */
	close(error: ServiceError): void {
		this.closedBy ??= error;
		this.closing.abort();
	}

	/** Without a task and an outcome after it, it is sent again. */
	private async send(entry: Entry): Promise<void> {
		// An earlier create may have been answered while this one waited for its turn.
		if (entry.task && entry.task.state !== 'failed') return;
		const body = this.tools.bodyFor(entry);
		if ('message' in body) {
			entry.outcome = { kind: 'notSent', ...body };
			return;
		}
		this.begin(entry);
		const sentAt = this.timer.clock.now();
		const answer = await this.tools.create(body, (late) => this.settleLate(entry, late));
		if (answer.kind === 'task') this.accepted(entry, answer.task);
		else this.failed(entry, answer.error, sentAt);
	}

	/** From now on a task may exist. */
	private begin(entry: Entry): void {
		archiveTask(entry);
		entry.unanswered = (entry.unanswered ?? 0) + 1;
		this.tools.count(1);
	}

	private accepted(entry: Entry, task: Task): void {
		// An earlier create may have been answered meanwhile.
		archiveTask(entry);
		entry.task = task;
		delete entry.unanswered;
		this.unreachableInARow = 0;
		this.own.succeeded();
		this.tools.limiter.accepted();
		this.tools.onCreated?.(entry, task);
	}

	private failed(entry: Entry, error: ServiceError, sentAt: number): void {
		const policy = createRetryPolicy(error);
		if (policy === 'unknown') this.tools.onUnanswered?.(entry, error);
		else this.settleWithoutTask(entry);
		const isAgain = policy === 'rateLimited' || policy === 'unreachable';
		if (policy === 'rateLimited') this.tools.limiter.refused(error, sentAt);
		if (policy !== 'unreachable') this.unreachableInARow = 0;
		else if (this.own.slowDown(sentAt)) this.unreachableInARow += 1;
		const isOutOfReach = this.unreachableInARow >= MAX_UNREACHABLE_IN_A_ROW;
		if (isOutOfReach || rejectsTheKey(error)) this.close(error);
		if (!isAgain) entry.outcome = { kind: 'notCreated', error };
	}

	/** A retry that comes later still finds the task. */
	private settleLate(entry: Entry, answer: Answer): void {
		if (answer.kind === 'task') {
			settle(entry);
			if (entry.task) entry.replaced = [...(entry.replaced ?? []), answer.task];
			else entry.task = answer.task;
		}
		this.tools.onLate?.(entry, answer);
	}

	/** What an earlier try sent may have made a task all the same. */
	private settleWithoutTask(entry: Entry): void {
		this.tools.count(-1);
		settle(entry);
	}

	/** Of a create that had no turn any more. */
	private unsentOutcome(): Outcome {
		const blockedBy = this.timer.signal.aborted ? undefined : this.standstill.error;
		const error = this.closedBy ?? blockedBy;
		return error ? { kind: 'notCreated', error } : { kind: 'notStarted' };
	}
}

/** Its task stays known beside the one that takes its place. */
function archiveTask(entry: Entry): void {
	if (entry.task) entry.replaced = [...(entry.replaced ?? []), entry.task];
	delete entry.task;
}

/** What became of one create is known. */
function settle(entry: Entry): void {
	const unanswered = (entry.unanswered ?? 0) - 1;
	if (unanswered > 0) entry.unanswered = unanswered;
	else delete entry.unanswered;
}
