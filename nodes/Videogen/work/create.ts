import type { Timer } from '../shared/clock';
import { type Failure, invalidFailure, messageOf, NOTHING_CREATED } from '../shared/messages';
import type { Answer, Service, ServiceError } from '../service/types';
import {
	createRow,
	failureOfCreate,
	isConnected,
	namedTaskIdOf,
	rejectsKey,
} from '../service/responseRules';
import type { GenerationRequest } from '../service/contract/request';
import type { Gate } from './gate';
import { answered, type Item, type Made, type Order, send, type State, type Wish } from './order';

/** How long a create is sent again after a 429 if the item has no timeout. */
const CREATE_MS = 60 * 60_000;

/** How often a create is sent if no connection is made. */
const MAX_UNCONNECTED = 4;

/** What the creates of a run need. */
export interface CreateTools {
	service: Service;
	/** The credential's Base URL, for messages. */
	baseUrl: string;
	gate: Gate;
	executionId: string;
	/** Ends with the execution. Creates that were sent are still awaited. */
	timer: Timer;
	/** Limits how long a create is sent again, whatever its item says. */
	createMs?: number;
	/** An answer named a task: the item's own, or one that may be. */
	onTask(item: Item, taskId: string): void;
}

/** The outcome of a turn: the answer's error, no error if it made a task, or no turn at all. */
type Turn = { error?: ServiceError; before: State } | 'unsent';

/** An order on its way to the service. */
interface Outgoing {
	item: Item;
	order: Order;
	wish: Wish;
	end: AbortSignal;
	deadlineAt: number;
	/**
	 * Kept, so that everything sent under one key in one run is the same, including links to files.
	 */
	body?: GenerationRequest;
}

/** Sends creates, and decides what each answer means for payment. */
export class Creates {
	/** Ends creates that were not sent yet. */
	private readonly stopping = new AbortController();

	/** Why every further create would fail in the same way. */
	private stoppedBy: ServiceError | undefined;

	/** Whether the service has accepted the key in this run. */
	isAccepted = false;

	constructor(private readonly tools: CreateTools) {}

	/** Aborts when no more creates may be sent. */
	get end(): AbortSignal {
		return AbortSignal.any([this.tools.timer.signal, this.stopping.signal]);
	}

	stop(error?: ServiceError): void {
		this.stoppedBy ??= error;
		this.stopping.abort();
	}

	/** Sends an order until an answer says what became of it. Otherwise its item gets a failure. */
	async create(item: Item, order: Order, wish: Wish): Promise<void> {
		const { timer, createMs, gate } = this.tools;
		const deadlineAt = timer.clock.now() + (createMs ?? item.wait?.timeoutMs ?? CREATE_MS);
		const end = AbortSignal.any([timer.signalAt(deadlineAt), this.end]);
		const outgoing: Outgoing = { item, order, wish, end, deadlineAt };
		let last: ServiceError | undefined;
		for (let unconnected = 0; ;) {
			const turn = await this.sendInTurn(outgoing);
			if (turn === 'unsent') {
				item.failure ??= this.unsentFailure(order, last ?? gate.refusal);
				return;
			}
			const { error, before } = turn;
			if (!error) return;
			last = error;
			if (!isConnected(error)) unconnected += 1;
			const isAgain = createRow(error).made === 'later' && unconnected < MAX_UNCONNECTED;
			if (!isAgain) return this.fail(outgoing, error, before);
		}
	}

	private async sendInTurn(outgoing: Outgoing): Promise<Turn> {
		const { gate } = this.tools;
		const { end, deadlineAt } = outgoing;
		if (!(await gate.enter(end, deadlineAt))) return 'unsent';
		try {
			outgoing.body ??= await this.bodyOf(outgoing);
			// Storing a file takes a while, and the run may have ended since.
			if (!outgoing.body || end.aborted) return 'unsent';
			return await this.send(outgoing, outgoing.body);
		} finally {
			gate.leave();
		}
	}

	/** Marks the order as `sent` before its request leaves, and applies the answer right after. */
	private async send({ item, order, wish }: Outgoing, body: GenerationRequest): Promise<Turn> {
		const { service, gate, executionId, timer, onTask } = this.tools;
		const sentAt = timer.clock.now();
		const before = send(order, executionId);
		const answer = await service.create(body, order.key);
		answered(order, madeOf(answer), before, () => wish.keyFor(order.keyCount));
		const taskId = answer.kind === 'task' ? answer.task.id : namedTaskIdOf(answer.error);
		if (taskId !== undefined) onTask(item, taskId);
		if (answer.kind === 'task') {
			this.isAccepted = true;
			gate.accepted();
			return { before };
		}
		const { error } = answer;
		if (createRow(error).made === 'later') gate.refused(error, sentAt);
		else gate.accepted();
		return { error, before };
	}

	/** Creating links or storing a file once more may fail. */
	private async bodyOf({ item, order, wish }: Outgoing): Promise<GenerationRequest | undefined> {
		return await wish.toSend(order.request).catch((thrown: unknown) => {
			const failure = invalidFailure(thrown);
			const nothing = order.state === 'new' ? ` ${NOTHING_CREATED}` : '';
			item.failure = { ...failure, description: `${failure.description}${nothing}` };
			return undefined;
		});
	}

	private fail({ item, order, body }: Outgoing, error: ServiceError, before: State): void {
		const isOutOfReach = !isConnected(error);
		if (isOutOfReach || (rejectsKey(error) && !this.isAccepted)) this.stop(error);
		item.failure = this.failureOf(error, before, body);
		const isKnown = createRow(error).message === 'knownKey';
		if (isKnown || order.state === 'final') order.error = item.failure;
	}

	private failureOf(error: ServiceError, before: State, request?: GenerationRequest): Failure {
		const { baseUrl } = this.tools;
		return failureOfCreate(error, { request, wasSent: before === 'sent', baseUrl });
	}

	/** For an order that did not get its turn, or not again. */
	private unsentFailure({ state, request }: Order, refusal: ServiceError | undefined): Failure {
		const timeRanOut = !this.end.aborted;
		const reason = this.stoppedBy ?? (timeRanOut ? refusal : undefined);
		if (reason) return this.failureOf(reason, state, request);
		const why = timeRanOut ? 'its turn did not come in time' : 'the node had already stopped';
		return messageOf(state === 'sent' ? 'noAnswerBefore' : 'notStarted', { values: { why } });
	}
}

/** What an answer says about the task, for payment. */
export function madeOf(answer: Answer): Made {
	if (answer.kind === 'task') return { made: 'yes', task: answer.task };
	const { made, kind } = createRow(answer.error);
	if (made === 'maybe') return { made, namedTaskId: namedTaskIdOf(answer.error) };
	return { made: 'no', isContent: kind === 'moderation', keepsKey: made === 'later' };
}
