import type { IBinaryData } from 'n8n-workflow';
import { backoffMs } from '../shared/clock';
import { type Failure, invalidFailure, messageOf, withoutRetry } from '../shared/messages';
import { type FileProgress, NO_FILES } from '../files/download';
import { hasResults, resultUrls, type Task } from '../service/task';
import { createTask } from './create';
import { follow, type ReadJob, readOnce } from './follow';
import { PATIENCE_MS } from './nextStep';
import { taskIdOf } from './order';
import type { Job, Outcome, Plan, Result, Session } from './session';

/** The longest gaps between two tries for a file: our own, and one that its host asks for. */
const MAX_FILE_GAP_MS = 15_000;
const MAX_ASKED_GAP_MS = 60_000;

/** What came of all items. */
export interface Finished {
	/** One per item, in order. */
	readonly results: readonly Result[];
	/** The one that failed first. */
	readonly first?: Result;
}

/** Gives each item its order, creates and reads tasks, and fetches files, for all items together. */
export async function finishAll(
	session: Session,
	plans: readonly Plan[],
	maxNewTasks: number,
): Promise<Finished> {
	const { creating, ledger, places, timer } = session;
	const jobs = await ledger.assign(plans, maxNewTasks, timer.signal);
	if (jobs.some((job) => job.do === 'stop') && !session.continues) creating.stop();
	// Their tasks are already unfinished at the service, so they count first.
	for (const job of jobs) if (job.do === 'read') places.acquireOverLimit();
	let first: Result | undefined;
	const finishing = jobs.map(async (job) => {
		const result = { job, outcome: await finish(session, job) };
		if (result.outcome.failure) first ??= result;
		return result;
	});
	return { results: await Promise.all(finishing), first };
}

/** Resolves when an item can get no further. An unexpected error ends its own item alone. */
async function finish(session: Session, job: Job): Promise<Outcome> {
	const outcome = await outcomeOf(session, job).catch((thrown: unknown) => ({
		failure: isSent(job) ? messageOf('noAnswer') : invalidFailure(thrown),
	}));
	if (!outcome.failure) return outcome;
	if (!session.continues) session.creating.stop();
	return { ...outcome, failure: forCaller(session, job, outcome.failure) };
}

const isSent = (job: Job): boolean => job.do === 'create' && job.order.state.is === 'sent';

async function outcomeOf(session: Session, job: Job): Promise<Outcome> {
	if (job.do === 'stop') return { failure: job.failure };
	const found = await taskFor(session, job);
	const isWanted = job.plan.download && !found.failure && found.task?.state === 'completed';
	return isWanted && found.task ? await fetchFiles(session, job, found.task) : found;
}

/** An agent would ask again for a video that may exist. */
function forCaller({ continues, isTool }: Session, job: Job, failure: Failure): Failure {
	const order = job.do === 'look' ? undefined : job.order;
	const isNamed = order !== undefined && taskIdOf(order) !== undefined;
	if (isTool && !isNamed && failure.kind === 'noAnswer') {
		return messageOf('noAnswerForTool', { values: { message: failure.message } });
	}
	return continues ? withoutRetry(failure) : failure;
}

/** Creates the task of an item if it has none, and reads it to its end. */
async function taskFor(session: Session, job: ReadJob): Promise<Outcome> {
	if (job.do === 'look') return await follow(session, job);
	const { creating, ledger, places } = session;
	const isPlaced = job.do === 'read' || (await places.acquire(creating.timer.signal));
	try {
		// When the outcome is known, others that wait for this order go on.
		const created =
			job.do === 'create'
				? await createTask(session, job).finally(() => ledger.release(job.order))
				: {};
		return created.failure ? created : await follow(session, job, created.task);
	} finally {
		if (isPlaced) places.release();
	}
}

/**
 * Fetches the files of a completed task. They may be late, so the task is read again between tries,
 * which may give a new link. What is stored is not fetched again.
 */
async function fetchFiles(session: Session, job: ReadJob, task: Task): Promise<Outcome> {
	const { downloads, timer } = session;
	const wanted = {
		prompt: job.do === 'look' ? undefined : job.order.asked.request.prompt,
		timeoutMs: job.plan.wait?.timeoutMs,
	};
	let current = task;
	let progress: FileProgress = NO_FILES;
	let giveUpAt: number | undefined;
	for (let tries = 1; ; tries += 1) {
		if (resultUrls(current.record).length === 0) return { task, failure: noFiles(task) };
		progress = await downloads.next(current, wanted, progress);
		const { error } = progress;
		if (!error) return { task: current, files: storedIn(progress) };
		const now = timer.clock.now();
		giveUpAt ??= now + PATIENCE_MS;
		const mayCome = error.mayPass || error.mayCome;
		if (!mayCome || now >= giveUpAt) {
			return { task: current, failure: error.failureOf(current.id) };
		}
		const gapMs = backoffMs(tries, MAX_FILE_GAP_MS, timer.clock.random);
		const askedMs = Math.min(error.retryAfterMs, MAX_ASKED_GAP_MS);
		await timer.until(Math.min(now + Math.max(gapMs, askedMs), giveUpAt));
		current = (await readAgain(session, job, giveUpAt)) ?? current;
	}
}

const storedIn = ({ files }: FileProgress): IBinaryData[] =>
	files.filter((file) => file !== undefined);

const noFiles = ({ id }: Task): Failure => messageOf('noResults', { values: { id } });

/** Only a completed record with results says more than the one before. */
async function readAgain(
	session: Session,
	job: ReadJob,
	giveUpAt: number,
): Promise<Task | undefined> {
	const end = session.timer.signalAt(giveUpAt);
	const answer = await readOnce(session, job, end, giveUpAt);
	if (answer?.kind !== 'task') return undefined;
	const { task } = answer;
	return task.state === 'completed' && hasResults(task) ? task : undefined;
}
