import { type Failure, messageOf } from '../shared/messages';
import { quotable } from '../shared/text';
import { endOf, failureOfRead, readRow } from '../service/responseRules';
import type { Task } from '../service/task';
import type { Answer } from '../service/types';
import { type End, type Followed, nextStep, READ_MS, withError, withRecord } from './nextStep';
import { refusalOf } from './order';
import { type CreateJob, type Outcome, type ReadJob, type Session, taskIdIn } from './session';

/** How late after the deadline a read may be sent, if many tasks have the same deadline. */
const LATE_READ_MS = 1_000;

/** The least time for a read: what is left until the deadline may be too short for an answer. */
const LEAST_READ_MS = 5_000;

/** An item whose task is known, or will be once it is created. */
export type TaskJob = CreateJob | ReadJob;

/**
 * Reads the task of an item until there is what was asked for, or reading can no longer succeed.
 * @param created Its first record, if this run created it.
 */
export async function follow(session: Session, job: TaskJob, created?: Task): Promise<Outcome> {
	const { creating, timer } = session;
	const { clock, signal } = timer;
	const { wait } = job.plan;
	if (created && !wait) return { task: created };
	const sinceAt = clock.now();
	const deadlineAt = sinceAt + (wait?.timeoutMs ?? Infinity);
	let known: Followed = {
		sinceAt,
		wait: wait && { deadlineAt, intervalMs: wait.intervalMs },
		isCreated: job.order !== undefined,
		reports: [],
	};
	// Only a read may say that a task failed, not the answer to its create.
	if (created && created.state !== 'failed') known = withRecord(known, created, sinceAt);
	const end = timer.signalAt(deadlineAt + LATE_READ_MS);
	for (;;) {
		const step = nextStep(known, clock.now(), creating.isKeyAccepted);
		if (typeof step === 'string') return conclude(session, job, known, step);
		await timer.until(step.readAt);
		const answer = await readOnce(session, job, end, deadlineAt);
		if (signal.aborted) return conclude(session, job, known, 'stopped');
		if (answer?.kind === 'task') known = withRecord(known, answer.task, clock.now());
		if (answer?.kind === 'error') {
			known = withError(known, answer.error, clock.now(), clock.random);
		}
	}
}

/**
 * Reads the task of an item once, when the service lets it.
 * @returns `undefined` if there was no turn before `end`
 */
export async function readOnce(
	{ creating, gates: { reads }, service, timer }: Session,
	job: TaskJob,
	end: AbortSignal,
	deadlineAt: number,
): Promise<Answer | undefined> {
	return await reads.inTurn(end, Infinity, async () => {
		const sentAt = timer.clock.now();
		const leftMs = Math.max(LEAST_READ_MS, deadlineAt - sentAt);
		const answer = await service.read(taskIdIn(job) ?? '', timer.signal, leftMs);
		const error = answer.kind === 'error' ? answer.error : undefined;
		if (error && readRow(error).again === 'limited') reads.refused(error, sentAt);
		else reads.accepted();
		creating.note(error);
		return answer;
	});
}

/** Writes what was read into the order. */
function conclude(session: Session, job: TaskJob, known: Followed, end: End | 'stopped'): Outcome {
	const { executionId, ledger } = session;
	const { order, plan } = job;
	const { task } = known;
	if (order && task) ledger.apply(order, { type: 'read', task });
	if (end !== 'done') return { task, failure: whyUnread(session, job, known, end) };
	const ended = task && endOf(task);
	// Nobody waits for the task of a plain Get Task: its record is enough, whatever it says.
	if (!ended || (!order && !plan.wait)) return { task };
	const { state: is, failure } = ended;
	if (order) ledger.apply(order, { type: 'ended', by: executionId, is, failure, task });
	return { task, failure };
}

function whyUnread(
	{ baseUrl, gates, isTool }: Session,
	job: TaskJob,
	{ failing, task }: Followed,
	end: Exclude<End, 'done'> | 'stopped',
): Failure | undefined {
	const { order, plan } = job;
	const id = taskIdIn(job) ?? '';
	const minutes = minutesOf(plan.wait?.timeoutMs ?? READ_MS);
	const values = { id, minutes, taskStatus: quotable(task?.status ?? 'not known') };
	if (end === 'stopped') return messageOf('stopped', { values });
	if (end === 'timeout' && isTool && task) return undefined;
	const error = failing?.error ?? (task ? undefined : gates.reads.refusal);
	const isUnknown = error !== undefined && readRow(error).kind === 'notFound';
	// The answer named a task that the provider does not know: its own may still exist.
	if (isUnknown && order?.state.is === 'sent') return refusalOf(order);
	const ofTimeout = order ? 'timeout' : 'timeout.toRead';
	if (!error) return messageOf(isTool ? 'timeout.forTool' : ofTimeout, { values });
	const isKnown = order?.state.is === 'task' || task !== undefined;
	const unread = failureOfRead(error, { taskId: id, isKnown, baseUrl });
	return end === 'timeout' && plan.wait ? { ...unread, kind: 'timeout' } : unread;
}

function minutesOf(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
