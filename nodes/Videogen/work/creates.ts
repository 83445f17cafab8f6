import { randomUUID } from 'node:crypto';
import { Timer } from '../ground/clock';
import { type Answer, isServiceError, type ServiceError, type Service } from '../service/answer';
import type { GenerationRequest } from '../service/contract/request';
import {
	createRetryPolicy,
	deniesTask,
	rejectsTheKey,
	unansweredAfter,
} from '../service/answerTable';
import type { Task } from '../service/task';
import { archiveTask, type Entry, type NotSent } from './entry';
import type { RunReport } from './runReport';
import type { Throttle } from './throttle';

/** How long creates are tried again against 429 when no wait says how much time there is. */
const CREATE_BUDGET_MS = 60 * 60_000;

/** After this time without a create that is accepted, people are told what they wait for. */
const TELL_AFTER_MS = 60_000;

/** A create may hang; after this time, others no longer wait for its answer. */
const MAX_TURN_MS = 30_000;

/** What creating goes by in a run. */
export interface Creating {
	/** Shared with all that create at the same service. */
	throttle: Throttle;
	/** What is sent for an entry now, or why nothing may be sent. */
	requestFor(entry: Entry): Promise<GenerationRequest | NotSent>;
	/** For how long a create is tried at most, whatever the others do. */
	mostMs?: number;
}

/** What reading a task that an answer named has told: its record, or what the read ran into. */
export interface Confirmed {
	task?: Task;
	/** Absent also when the run has ended meanwhile. */
	error?: ServiceError;
}

/**
 * Sends creates. Each is counted before it goes out, and settled once by what its answer means for
 * paying: it made a task, it made none, or nobody knows.
 */
export class Creates {
	private readonly beganAt: number;

	/** Ends those that were not sent yet, for the reason that would end every further one too. */
	private readonly closing = new AbortController();

	/** Ends with the run, or when it is closed. */
	private readonly timer: Timer;

	/** What ends creates that wait for their turn, by how long nothing may move at the service. */
	private readonly ends = new Map<number, AbortSignal>();

	/** Ends the time until people are told what creates wait for. */
	private heldUp: AbortController | undefined;

	/** Whether a 429 has named a task that the service does not know: its ids mean nothing. */
	private hasFalseIds = false;

	/** What was sent for entries whose order key is in use: it is sent again, unchanged. */
	private readonly inUse = new Map<Entry, GenerationRequest>();

	/** Tasks that items of this run have already: an answer that names one is not about another item. */
	readonly takenIds = new Set<string>();

	/** @param confirm Reads the task that an answer has named, whose id stands in the entry. */
	constructor(
		private readonly service: Service,
		private readonly report: RunReport,
		{ clock, signal }: Timer,
		private readonly creating: Creating & { confirm(entry: Entry): Promise<Confirmed> },
	) {
		this.beganAt = clock.now();
		this.timer = new Timer(clock, AbortSignal.any([signal, this.closing.signal]));
		if (creating.mostMs !== undefined) void this.closeAt(this.beganAt + creating.mostMs);
	}

	/**
	 * Sends the create of an entry until it is accepted or refused.
	 * @returns when its task was made; `undefined` when there is none, as its outcome says
	 */
	async create(entry: Entry): Promise<number | undefined> {
		const end = this.endFor(entry);
		for (let isFirst = false; await this.sendInTurn(entry, end, isFirst); isFirst = true) {
			if (entry.outcome) return undefined;
			if (entry.task) return this.timer.clock.now();
		}
		const reason: unknown = end.reason;
		entry.outcome = isServiceError(reason)
			? { kind: 'notCreated', error: reason }
			: { kind: 'notStarted' };
		return undefined;
	}

	/** The service has told how a task stands. */
	reached(): void {
		this.creating.throttle.taskRead();
	}

	/** The service has finished a task. */
	finished(): void {
		this.creating.throttle.finished();
	}

	/** @param error Why every further create would end the same way, if it is for that. */
	close(error?: ServiceError): void {
		this.closing.abort(error);
	}

	private async closeAt(endAt: number): Promise<void> {
		await this.timer.until(endAt);
		this.close(this.creating.throttle.rateLimit);
	}

	private limitMsOf({ wait }: Entry): number {
		return this.creating.mostMs ?? wait?.timeoutMs ?? CREATE_BUDGET_MS;
	}

	private endFor(entry: Entry): AbortSignal {
		const limitMs = this.limitMsOf(entry);
		const known = this.ends.get(limitMs);
		if (known && !known.aborted) return known;
		const end = this.creating.throttle.standstillFor(limitMs, this.beganAt, this.timer);
		this.ends.set(limitMs, end);
		return end;
	}

	/** @returns whether it was its turn before the end */
	private async sendInTurn(entry: Entry, end: AbortSignal, isFirst: boolean): Promise<boolean> {
		const { throttle } = this.creating;
		if (!(await throttle.acquire({ end, isFirst }))) return false;
		const turn = new AbortController();
		const { clock } = this.timer;
		void clock.sleep(MAX_TURN_MS, turn.signal).then(() => throttle.release());
		await this.send(entry, () => turn.abort()).finally(() => turn.abort());
		return true;
	}

	/** Without a task and an outcome after it, it is sent again. */
	private async send(entry: Entry, endTurn: () => void): Promise<void> {
		const request = this.inUse.get(entry) ?? (await this.creating.requestFor(entry));
		if (this.timer.signal.aborted) return;
		if ('kind' in request) {
			entry.outcome = request;
			return;
		}
		const orderKey = this.begin(entry);
		const sentAt = this.timer.clock.now();
		const answer = await this.service.create(request, orderKey);
		this.adaptTo(entry, answer, sentAt);
		if (policyOf(answer) === 'inUse') this.inUse.set(entry, request);
		endTurn();
		const settled = await this.confirmed(entry, answer);
		this.settle(entry, settled);
		this.tell(entry, settled);
	}

	/**
	 * An answer that names a task means that one may exist, whatever its status says: reading tells.
	 * Where the service knows no such task, the answer counts as if it had named none.
	 */
	private async confirmed(entry: Entry, answer: Answer): Promise<Answer> {
		if (answer.kind === 'task' || answer.error.kind === 'network') return answer;
		const { namedTaskId } = answer.error;
		const error = withoutId(answer.error);
		const isRateLimit = createRetryPolicy(error) === 'rateLimited';
		const isTaken = namedTaskId !== undefined && this.takenIds.has(namedTaskId);
		if (namedTaskId === undefined || isTaken || (isRateLimit && this.hasFalseIds)) {
			return { kind: 'error', error };
		}
		entry.taskId = namedTaskId;
		const read = await this.creating.confirm(entry);
		const isDenied = read.error !== undefined && deniesTask(read.error, error);
		if (!read.task && !isDenied) return answer;
		delete entry.taskId;
		if (read.task) return { kind: 'task', task: read.task };
		if (isRateLimit) this.hasFalseIds = true;
		return { kind: 'error', error };
	}

	/** From now on a task may exist. @returns the key of the order */
	private begin(entry: Entry): string {
		archiveTask(entry);
		entry.unanswered = (entry.unanswered ?? 0) + 1;
		this.report.onCount?.(1);
		return (entry.orderKey ??= randomUUID());
	}

	/** What the answer means for paying. */
	private settle(entry: Entry, answer: Answer): void {
		if (answer.kind === 'task') {
			entry.task = answer.task;
			this.takenIds.add(answer.task.id);
			delete entry.unanswered;
			return;
		}
		const { error } = answer;
		const sent = entry.unanswered ?? 0;
		// What an earlier try sent may have made a task all the same.
		const unanswered = unansweredAfter(error, sent);
		this.report.onCount?.(unanswered - sent);
		if (unanswered > 0) Object.assign(entry, { unanswered });
		else endOrder(entry, error);
		if (!isSentAgain(error)) entry.outcome = { kind: 'notCreated', error };
	}

	/** What the answer means for creates that are still to go out. */
	private adaptTo(entry: Entry, answer: Answer, sentAt: number): void {
		const { throttle } = this.creating;
		if (answer.kind === 'task') {
			this.moveOn();
			return throttle.succeeded();
		}
		const error = withoutId(answer.error);
		// A service that asks for a day holds up what it is asked for no longer than this run tries.
		if (isSentAgain(error)) {
			throttle.slowDown(sentAt, error, this.limitMsOf(entry));
			void this.holdUp(error);
		} else throttle.reached();
		if (throttle.isOutOfReach || rejectsTheKey(error)) this.close(error);
	}

	private async holdUp(error: ServiceError): Promise<void> {
		if (this.heldUp) return;
		const { signal } = (this.heldUp = new AbortController());
		await this.timer.clock.sleep(TELL_AFTER_MS, AbortSignal.any([signal, this.timer.signal]));
		const isOver = signal.aborted || this.timer.signal.aborted;
		if (!isOver) this.report.onHeldUp?.(error);
	}

	/** A create was accepted. */
	private moveOn(): void {
		this.heldUp?.abort();
		this.heldUp = undefined;
		this.report.onHeldUp?.(undefined);
	}

	private tell(entry: Entry, answer: Answer): void {
		if (answer.kind === 'task') this.report.onCreated?.(entry, answer.task);
		else if (createRetryPolicy(answer.error) === 'unknown') {
			this.report.onUnanswered?.(entry, answer.error);
		}
	}
}

/** What an answer says whatever task it names. */
const withoutId = (error: ServiceError): ServiceError =>
	error.kind === 'network' ? error : { ...error, namedTaskId: undefined };

const policyOf = (answer: Answer) =>
	answer.kind === 'error' ? createRetryPolicy(answer.error) : undefined;

/** Whether the node sends it again itself. */
const isSentAgain = (error: ServiceError): boolean =>
	['rateLimited', 'unreachable', 'inUse'].includes(createRetryPolicy(error));

/** It has made no task: where the service itself says so, the next create is another order. */
function endOrder(entry: Entry, error: ServiceError): void {
	delete entry.unanswered;
	if (error.kind !== 'network') delete entry.orderKey;
}
