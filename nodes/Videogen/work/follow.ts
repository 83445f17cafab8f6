import { type Failure, messageOf } from '../shared/messages';
import { quotable } from '../shared/text';
import { endOf, failureOfRead, readRow } from '../service/responseRules';
import { reasonIn } from '../service/providerMessage';
import type { Task } from '../service/task';
import type { Answer } from '../service/types';
import { type End, type Known, nextStep, READ_MS, withError, withRecord } from './nextStep';
import { taskIdOf } from './order';
import type { Job, Outcome, Session, StopJob } from './session';

/** How late after the deadline a read may be sent, if many tasks have the same deadline. */
const LATE_READ_MS = 1_000;

/** The least time for a read: what is left until the deadline may be too short for an answer. */
const LEAST_READ_MS = 5_000;

/** An item whose task is known. */
export type ReadJob = Exclude<Job, StopJob>;

const readIdOf = (job: ReadJob): string =>
	job.do === 'look' ? job.plan.taskId : (taskIdOf(job.order) ?? '');

/**
 * Reads the task of an item until there is what was asked for, or reading can no longer succeed.
 * @param created Its first record, if this run created it.
 */
export async function follow(session: Session, job: ReadJob, created?: Task): Promise<Outcome> {
	const { creating, timer } = session;
	const { clock, signal } = timer;
	if (created && !job.plan.wait) return { task: created };
	let known = knownAtFirst(job, clock.now(), created);
	const deadlineAt = known.wait?.deadlineAt ?? Infinity;
	const inTime = timer.signalAt(deadlineAt + LATE_READ_MS);
	for (;;) {
		const step = nextStep(known, clock.now(), creating.isKeyAccepted);
		if (typeof step === 'string') return conclude(session, job, known, step);
		await timer.until(step.readAt);
		// Late results may come after the deadline.
		const answer = await readOnce(session, job, inTime.aborted ? signal : inTime, deadlineAt);
		if (signal.aborted) return conclude(session, job, known, 'stopped');
		if (answer?.kind === 'task') known = withRecord(known, answer.task, clock.now());
		if (answer?.kind === 'error') {
			known = withError(known, answer.error, clock.now(), clock.random);
		}
	}
}

function knownAtFirst(job: ReadJob, now: number, created: Task | undefined): Known {
	const { wait, download } = job.plan;
	const known: Known = {
		sinceAt: now,
		wait: wait && { deadlineAt: now + wait.timeoutMs, intervalMs: wait.intervalMs },
		needsResults: (wait ?? download) !== undefined,
		isCreated: job.do !== 'look',
		reports: [],
	};
	// Only a read may say that a task failed, not the answer to its create.
	return created && created.state !== 'failed' ? withRecord(known, created, now) : known;
}

/**
 * Reads the task of an item once, when the service lets it.
 * @returns `undefined` if there was no turn before `end`
 */
export async function readOnce(
	{ creating, gates, service, timer }: Session,
	job: ReadJob,
	end: AbortSignal,
	deadlineAt: number,
): Promise<Answer | undefined> {
	const { reads } = gates;
	return await reads.inTurn(end, Infinity, async () => {
		const sentAt = timer.clock.now();
		const leftMs = Math.max(LEAST_READ_MS, deadlineAt - sentAt);
		const answer = await service.read(readIdOf(job), timer.signal, leftMs);
		const error = answer.kind === 'error' ? answer.error : undefined;
		if (error && readRow(error).again === 'limited') reads.refused(error, sentAt);
		else reads.accepted();
		creating.note(error);
		return answer;
	});
}

/** Writes what was read into the order. */
function conclude(session: Session, job: ReadJob, known: Known, end: End | 'stopped'): Outcome {
	const { executionId, ledger } = session;
	const { task } = known;
	const ended = end === 'done' && task ? endOf(task) : undefined;
	if (job.do !== 'look' && task) ledger.apply(job.order, { type: 'read', task });
	if (end !== 'done') return { task, failure: failureOf(session, job, known, end) };
	if (!ended || !task) return { task };
	const { state: is, failure } = ended;
	if (job.do === 'look') return job.plan.wait ? { task, failure } : { task };
	ledger.apply(job.order, { type: 'ended', by: executionId, is, failure, task });
	return { task, failure };
}

function failureOf(
	{ baseUrl, gates, isTool }: Session,
	job: ReadJob,
	{ failing, task }: Known,
	end: Exclude<End, 'done'> | 'stopped',
): Failure | undefined {
	const id = readIdOf(job);
	const values = {
		id,
		minutes: minutesOf(job.plan.wait?.timeoutMs ?? READ_MS),
		taskStatus: quotable(task?.status ?? 'not known'),
	};
	if (end === 'stopped') return messageOf('stopped', { values });
	// The answer named a task that the provider does not know: its own may still exist.
	const { state } = job.do === 'look' ? {} : job.order;
	if (end === 'unread' && state?.is === 'sent') return state.refusal ?? messageOf('noAnswerBefore');
	if (end === 'noResults') {
		return messageOf('noResults', { values, said: task && reasonIn(task.record) });
	}
	const error = failing?.error ?? (task ? undefined : gates.reads.refusal);
	if (end === 'timeout' && isTool && task) return undefined;
	const ofTimeout = job.do === 'look' ? 'timeoutToRead' : 'timeout';
	if (!error) return messageOf(isTool ? 'timeoutForTool' : ofTimeout, { values });
	const isKnown = state?.is === 'task' || task !== undefined;
	const unread = failureOfRead(error, { taskId: id, isKnown, baseUrl });
	return end === 'timeout' && job.plan.wait ? { ...unread, kind: 'timeout' } : unread;
}

function minutesOf(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
