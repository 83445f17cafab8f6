import { Timer } from '../ground/clock';
import { type Answer, isServiceError, type Service, type ServiceError } from '../service/answer';
import {
	createVerdict,
	isReplayed,
	knowsOrderKey,
	refusesContent,
	rejectsTheKey,
} from '../service/answerMeaning';
import type { GenerationRequest } from '../service/contract/request';
import { hasResults, type Task } from '../service/task';
import type { Ledger } from './ledger';
import { fail, type Item, type Order } from './order';
import { nextKey, randomKey } from './orderKey';
import {
	mayExistFault,
	NOT_STARTED,
	notCreatedFault,
	tooManyFault,
	UNANSWERED,
	unreadyFault,
} from './orderWords';
import type { Throttle } from './throttle';

/** How long creates are tried again against 429 when no wait says how much time there is. */
const CREATE_BUDGET_MS = 60 * 60_000;

/** After this time without a create that is accepted, people are told what they wait for. */
const TELL_AFTER_MS = 60_000;

/** A create may hang; after this time, others no longer wait for its answer. */
const MAX_TURN_MS = 30_000;

/** How many orders that have ended elsewhere are passed in a run on the way to the last one. */
export const MAX_KEY_STEPS = 5;

/** What creates go by in a run. */
export interface Creating {
	service: Service;
	ledger: Ledger;
	/** Shared with all that create at the same service. */
	throttle: Throttle;
	/** How many tasks the node may create in this execution. */
	maxNewTasks: number;
	/** For how long a create is tried at most, whatever the others do. */
	mostMs?: number;
	/** Told after the order of the item says so: a task was made. */
	onCreated(item: Item): void;
	/** A create got no answer that says whether it made a task. */
	onUnanswered(item: Item, error: ServiceError): void;
	/** What creates have waited for since a minute; nothing as soon as one is accepted. */
	onHeldUp(error: ServiceError | undefined): void;
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

	/** Whether the service has accepted the key in this run. */
	isAccepted = false;

	constructor(
		private readonly creating: Creating,
		{ clock, signal }: Timer,
	) {
		const { mostMs } = creating;
		this.beganAt = clock.now();
		this.timer = new Timer(clock, AbortSignal.any([signal, this.closing.signal]));
		if (mostMs !== undefined) void this.closeAt(this.beganAt + mostMs);
	}

	/**
	 * Sends the create of a new order until its task is known, or it ends in an error.
	 * @returns whether the answer was one that the service has played again
	 */
	async create(item: Item): Promise<boolean> {
		const end = this.endFor(item);
		const isNew = () => item.order.state.is === 'new';
		let isReplay = false;
		for (let hadTurn = false; isNew(); hadTurn = true) {
			const answer = await this.sendInTurn(item, end, hadTurn);
			if (answer === 'notSent') break;
			isReplay = answer?.kind === 'task' && answer.isReplay === true;
		}
		if (isNew()) endUnsent(item.order, end.reason);
		delete item.sent;
		return isReplay;
	}

	get isClosed(): boolean {
		return this.closing.signal.aborted;
	}

	/** Sends no create any more. @param error Why every further one would end the same way. */
	close(error?: ServiceError): void {
		this.closing.abort(error);
	}

	private async closeAt(endAt: number): Promise<void> {
		await this.timer.until(endAt);
		this.close(this.creating.throttle.rateLimit);
	}

	private limitMsOf({ wait }: Item): number {
		return this.creating.mostMs ?? wait?.timeoutMs ?? CREATE_BUDGET_MS;
	}

	private endFor(item: Item): AbortSignal {
		const limitMs = this.limitMsOf(item);
		const known = this.ends.get(limitMs);
		if (known && !known.aborted) return known;
		const end = this.creating.throttle.standstillFor(limitMs, this.beganAt, this.timer);
		this.ends.set(limitMs, end);
		return end;
	}

	/** @returns the answer; `notSent` when the end came before its turn */
	private async sendInTurn(
		item: Item,
		end: AbortSignal,
		goesAhead: boolean,
	): Promise<Answer | 'notSent' | undefined> {
		const { throttle } = this.creating;
		if (!(await throttle.acquire({ end, goesAhead }))) return 'notSent';
		const turn = new AbortController();
		void this.timer.clock.sleep(MAX_TURN_MS, turn.signal).then(() => throttle.release());
		return await this.send(item, end).finally(() => turn.abort());
	}

	private async send(item: Item, end: AbortSignal): Promise<Answer | 'notSent' | undefined> {
		const { order } = item;
		const { ledger, service, maxNewTasks } = this.creating;
		const body = await this.bodyOf(item);
		if (body === undefined) return undefined;
		// To store a file takes a while.
		if (end.aborted) return 'notSent';
		// A task may have failed since the run began, and calls of a tool run side by side.
		const tooMany = tooManyFault(1, ledger.newTasks, maxNewTasks);
		if (tooMany) {
			fail(order, tooMany);
			return undefined;
		}
		const wasUnanswered = order.mayExist !== undefined;
		order.mayExist ??= {};
		ledger.count(1);
		const sentAt = this.timer.clock.now();
		const answer = await service.create(body, order.key);
		this.adaptTo(item, answer, sentAt);
		this.record(item, answer, wasUnanswered);
		ledger.note(order);
		this.tell(item, answer);
		return answer;
	}

	/** What is sent under one key in one run is the same, links to files included. */
	private async bodyOf(item: Item): Promise<GenerationRequest | undefined> {
		const { order, create } = item;
		try {
			if (create === undefined) throw new Error('There is no request to send');
			if (item.sent?.key !== order.key) item.sent = { key: order.key, body: await create.toSend() };
			Object.assign(order, { request: create.request, requestHash: create.requestHash });
			return item.sent.body;
		} catch (thrown) {
			fail(order, unreadyFault(thrown));
			return undefined;
		}
	}

	/** What the answer means for paying. Without a task and an error after it, it is sent again. */
	private record(item: Item, answer: Answer, wasUnanswered: boolean): void {
		const { order } = item;
		if (answer.kind === 'task') return recordTask(order, answer.task);
		const { error } = answer;
		const verdict = createVerdict(error);
		// This send made no task, whatever an earlier one has made.
		if (verdict !== 'mayExist') this.creating.ledger.count(-1);
		if (verdict === 'inUse') return;
		if (verdict === 'mayExist') {
			const named = error.kind === 'network' ? undefined : error.namedTaskId;
			// An answer that was lost before may have been that of a task, whatever key comes next.
			const known = wasUnanswered ? order.mayExist?.knownKey : item.create?.ownKey;
			const knownKey = knowsOrderKey(error) ? known : undefined;
			order.mayExist = { taskId: named ?? order.mayExist?.taskId, knownKey };
			return fail(order, mayExistFault(error, false, item.sent?.body));
		}
		// What an earlier try sent may have made a task all the same.
		if (!wasUnanswered) delete order.mayExist;
		if (verdict !== 'noTask') return;
		if (!wasUnanswered) return this.endKey(item, error);
		order.mayExist = { ...order.mayExist, isContentRefused: refusesContent(error) };
		fail(order, mayExistFault(error, true, item.sent?.body));
	}

	/**
	 * The service said no to a key that no other create carries. One that it plays again ends a derived
	 * key: its order has ended in another process, and the next in its place follows; where it was for
	 * content, only when it is asked for again.
	 */
	private endKey(item: Item, error: ServiceError): void {
		const { order, create, keySteps = 0 } = item;
		const isDerived = create?.hasDerivedKey === true;
		const isPassed = isDerived && isReplayed(error);
		if (isPassed) order.key = nextKey(order.key);
		if (isPassed && !refusesContent(error) && keySteps < MAX_KEY_STEPS) {
			item.keySteps = keySteps + 1;
			return;
		}
		fail(order, notCreatedFault(error, item.sent?.body));
		if (!isDerived) order.key = randomKey();
	}

	/** What the answer means for creates that are still to go out. */
	private adaptTo(item: Item, answer: Answer, sentAt: number): void {
		const { throttle } = this.creating;
		if (answer.kind === 'task') {
			this.isAccepted = true;
			this.moveOn();
			return throttle.succeeded();
		}
		const { error } = answer;
		// A service that asks for a day holds up what it is asked for no longer than this run tries.
		if (isSentAgain(error)) {
			throttle.slowDown(sentAt, error, this.limitMsOf(item));
			void this.holdUp(error);
		} else throttle.reached();
		if (throttle.isOutOfReach || (rejectsTheKey(error) && !this.isAccepted)) this.close(error);
	}

	private async holdUp(error: ServiceError): Promise<void> {
		if (this.heldUp) return;
		const { signal } = (this.heldUp = new AbortController());
		await this.timer.clock.sleep(TELL_AFTER_MS, AbortSignal.any([signal, this.timer.signal]));
		const isOver = signal.aborted || this.timer.signal.aborted;
		if (!isOver) this.creating.onHeldUp(error);
	}

	/** A create was accepted. */
	private moveOn(): void {
		this.heldUp?.abort();
		this.heldUp = undefined;
		this.creating.onHeldUp(undefined);
	}

	private tell(item: Item, answer: Answer): void {
		if (answer.kind === 'task') this.creating.onCreated(item);
		else if (createVerdict(answer.error) === 'mayExist') {
			this.creating.onUnanswered(item, answer.error);
		}
	}
}

/** That a task has failed is for a read to say, not for the answer to its create. */
function recordTask(order: Order, task: Task): void {
	const is = task.state === 'completed' && hasResults(task) ? 'completed' : 'running';
	order.state = { is, taskId: task.id, task };
	delete order.mayExist;
}

/** Its turn did not come, or not again. */
function endUnsent(order: Order, reason: unknown): void {
	if (order.mayExist) fail(order, UNANSWERED);
	else fail(order, isServiceError(reason) ? notCreatedFault(reason) : NOT_STARTED);
}

/** Whether the node sends it again itself. */
const isSentAgain = (error: ServiceError): boolean =>
	['rateLimited', 'notConnected', 'inUse'].includes(createVerdict(error));
