import { unlessStopped } from '../shared/clock';
import { invalidFailure, messageOf, type Failure } from '../shared/messages';
import { withLinks } from '../files/inputs';
import {
	createRow,
	failureOfCreate,
	isConnected,
	laterFailureOf,
	namedTaskIdOf,
} from '../service/responseRules';
import type { ServiceError } from '../service/types';
import { type Order, refusalOf } from './order';
import type { CreateJob, Outcome, Session } from './session';

/** How long a create is sent again after a 429 if the item has no timeout. */
const CREATE_MS = 60 * 60_000;

/** How many times a create is sent if no connection is made. */
const MAX_UNCONNECTED = 4;

/** The end of a turn. With `again`, the create is sent again after this answer. */
type Turn = Outcome & { readonly again?: ServiceError };

/** Sends an order until an answer says what became of it. */
export async function createTask(session: Session, job: CreateJob): Promise<Outcome> {
	const { continues, createLimitMs, creating, timer } = session;
	const { creates } = session.gates;
	const waitMs = createLimitMs ?? job.plan.wait?.timeoutMs ?? CREATE_MS;
	const deadlineAt = timer.clock.now() + waitMs;
	const end = creating.timer.signalAt(deadlineAt);
	let last: ServiceError | undefined;
	let unconnected = 0;
	for (;;) {
		const turn = await creates.inTurn(end, deadlineAt, async () => {
			const sent = await sendOnce(session, job, end);
			// Before the next one has its turn.
			if (sent?.failure && !continues) creating.stop();
			return sent;
		});
		if (!turn) return { failure: unsentFailure(session, job, last ?? creates.refusal) };
		if (!turn.again) return turn;
		last = turn.again;
		if (!isConnected(last)) unconnected += 1;
		if (unconnected < MAX_UNCONNECTED) continue;
		creating.stop(last);
		return { failure: failureWith(session, job.order, last) };
	}
}

/**
 * The order is `sent` before its request leaves, and gets the answer right after. Files are read
 * when it is the order's turn: there may be many, and links live for hours only.
 * @returns `undefined` if the run ended before it was sent
 */
async function sendOnce(
	session: Session,
	job: CreateJob,
	end: AbortSignal,
): Promise<Turn | undefined> {
	const { creating, gates, ledger, log, service, timer } = session;
	const { order, plan } = job;
	const withFiles = async () => await withLinks(order.asked.request, plan.files);
	const body = await unlessStopped(end, withFiles).catch((thrown: unknown) => ({ thrown }));
	// Storing a file takes a while, and the run may have ended since.
	if (end.aborted) return undefined;
	if ('thrown' in body) return { failure: invalidFailure(body.thrown) };
	const sentAt = timer.clock.now();
	ledger.send(order);
	const answer = await service.create(body, order.key);
	if (answer.kind === 'error') return withoutTask(session, job, answer.error, sentAt);
	const { task } = answer;
	ledger.apply(order, { type: 'created', task });
	log.task(job, task.id);
	gates.creates.accepted();
	creating.note(undefined);
	return { task };
}

function withoutTask(session: Session, job: CreateJob, error: ServiceError, sentAt: number): Turn {
	const { baseUrl, creating, gates, ledger, log } = session;
	const { order } = job;
	const { made, kind, closesGate } = createRow(error);
	const facts = { request: order.asked.request, baseUrl };
	const taskId = namedTaskIdOf(error);
	if (made === 'maybe') {
		ledger.apply(order, { type: 'unclear', refusal: laterFailureOf(error, facts), taskId });
	} else {
		const content = kind === 'moderation' ? failureOfCreate(error, facts) : undefined;
		ledger.apply(order, { type: 'no', content }, closesGate);
	}
	if (taskId !== undefined) log.task(job, taskId);
	if (closesGate) {
		gates.creates.refused(error, sentAt);
		return { again: error };
	}
	gates.creates.accepted();
	creating.note(error);
	return { failure: failureWith(session, order, error) };
}

const failureWith = ({ baseUrl }: Session, { asked, state }: Order, error: ServiceError): Failure =>
	failureOfCreate(error, { request: asked.request, wasSent: state.is === 'sent', baseUrl });

/** For an order that did not get its turn, or not again. */
function unsentFailure(
	session: Session,
	{ order }: CreateJob,
	refusal: ServiceError | undefined,
): Failure {
	const { isOver, stoppedBy } = session.creating;
	const reason = stoppedBy ?? (isOver ? undefined : refusal);
	if (reason) return failureWith(session, order, reason);
	if (order.state.is === 'sent') return refusalOf(order);
	const why = isOver ? 'the node had already stopped' : 'it was still queued at the timeout';
	return messageOf('stopped.notStarted', { values: { why } });
}
