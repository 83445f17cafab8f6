import { invalidFailure, messageOf, type Failure } from '../shared/messages';
import { unlessStopped } from '../files/body';
import { withLinks } from '../files/inputs';
import {
	createRow,
	failureOfCreate,
	isConnected,
	laterFailureOf,
	namedTaskIdOf,
} from '../service/responseRules';
import type { GenerationRequest } from '../service/contract/request';
import type { ServiceError } from '../service/types';
import type { Order } from './order';
import type { OrderJob, Outcome, Session } from './session';

/** How long a create is sent again after a 429 if the item has no timeout. */
const CREATE_MS = 60 * 60_000;

/** How many times a create is sent if no connection is made. */
const MAX_UNCONNECTED = 4;

/** A create that is about to be sent. */
interface Outgoing {
	readonly session: Session;
	readonly job: OrderJob;
	/** Aborts when the create may no longer be sent. */
	readonly end: AbortSignal;
	/** How many times no connection was made. */
	readonly unconnected: number;
}

/** The end of a turn: an outcome, or an answer after which the create is sent again. */
type Turn = Outcome | { readonly again: ServiceError };

/** Sends an order until an answer says what became of it. */
export async function createTask(session: Session, job: OrderJob): Promise<Outcome> {
	const { creating, createLimitMs, gates, timer } = session;
	const waitMs = createLimitMs ?? job.plan.wait?.timeoutMs ?? CREATE_MS;
	const deadlineAt = timer.clock.now() + waitMs;
	const end = creating.timer.signalAt(deadlineAt);
	let last: ServiceError | undefined;
	for (let unconnected = 0; ;) {
		const outgoing = { session, job, end, unconnected };
		const turn = await gates.creates.inTurn(end, deadlineAt, async () => await inTurn(outgoing));
		if (!turn) return { failure: unsentFailure(session, job, last ?? gates.creates.refusal) };
		if (!('again' in turn)) return turn;
		last = turn.again;
		if (!isConnected(last)) unconnected += 1;
	}
}

/** Ends the creates of a node that does not continue on errors before the next one has its turn. */
async function inTurn(outgoing: Outgoing): Promise<Turn> {
	const { continues, creating } = outgoing.session;
	const turn = await sendInTurn(outgoing);
	if ('failure' in turn && !continues) creating.stop();
	return turn;
}

/** Files are read when it is the order's turn: there may be many, and links live for hours only. */
async function sendInTurn(outgoing: Outgoing): Promise<Turn> {
	const { session, job, end } = outgoing;
	const withFiles = async () => await withLinks(job.order.asked.request, job.plan.files);
	const body = await unlessStopped(end, withFiles).catch((thrown: unknown) => ({ thrown }));
	// Storing a file takes a while, and the run may have ended since.
	if (end.aborted) return { failure: unsentFailure(session, job, undefined) };
	return 'thrown' in body ? { failure: invalidFailure(body.thrown) } : await sent(outgoing, body);
}

/** The order is `sent` before its request leaves, and gets the answer right after. */
async function sent(
	{ session, job, unconnected }: Outgoing,
	body: GenerationRequest,
): Promise<Turn> {
	const { creating, gates, ledger, log, service, timer } = session;
	const { order } = job;
	const sentAt = timer.clock.now();
	ledger.send(order);
	const answer = await service.create(body, order.key);
	if (answer.kind === 'task') {
		ledger.apply(order, { type: 'created', task: answer.task });
		log.task(job, answer.task.id);
		gates.creates.accepted();
		creating.note(undefined);
		return { task: answer.task };
	}
	const { error } = answer;
	const taskId = namedTaskIdOf(error);
	applyError(session, order, error, taskId);
	if (taskId !== undefined) log.task(job, taskId);
	const { closesGate } = createRow(error);
	if (closesGate) gates.creates.refused(error, sentAt);
	else gates.creates.accepted();
	const isLast = !isConnected(error) && unconnected + 1 >= MAX_UNCONNECTED;
	return closesGate && !isLast ? { again: error } : failed(session, order, error);
}

function applyError(
	{ baseUrl, ledger }: Session,
	order: Order,
	error: ServiceError,
	taskId: string | undefined,
): void {
	const { made, kind, closesGate } = createRow(error);
	const facts = { request: order.asked.request, baseUrl };
	if (made === 'maybe') {
		ledger.apply(order, { type: 'unclear', refusal: laterFailureOf(error, facts), taskId });
	} else {
		const content = kind === 'moderation' ? failureOfCreate(error, facts) : undefined;
		ledger.apply(order, { type: 'no', content }, closesGate);
	}
}

function failed(session: Session, order: Order, error: ServiceError): Outcome {
	session.creating.note(error);
	if (!isConnected(error)) session.creating.stop(error);
	return { failure: failureOf(session, order, error) };
}

const failureOf = ({ baseUrl }: Session, { asked, state }: Order, error: ServiceError): Failure =>
	failureOfCreate(error, { request: asked.request, wasSent: state.is === 'sent', baseUrl });

/** For an order that did not get its turn, or not again. */
function unsentFailure(
	session: Session,
	{ order }: OrderJob,
	refusal: ServiceError | undefined,
): Failure {
	const { isOver, stoppedBy } = session.creating;
	const reason = stoppedBy ?? (isOver ? undefined : refusal);
	if (reason) return failureOf(session, order, reason);
	if (order.state.is === 'sent') return order.state.refusal ?? messageOf('noAnswerBefore');
	const why = isOver ? 'the node had already stopped' : 'it was still queued at the timeout';
	return messageOf('notStarted', { values: { why } });
}
