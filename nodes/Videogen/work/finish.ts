import { backoffMs } from '../shared/clock';
import { invalidFailure, messageOf, withoutRetry } from '../shared/messages';
import { type FileProgress, NO_FILES } from '../files/download';
import { reasonIn } from '../service/providerMessage';
import { hasResults, resultUrls, type Task } from '../service/task';
import { createTask } from './create';
import { follow, readOnce, type TaskJob } from './follow';
import { type Job, type Outcome, type Plan, type Result, type Session, taskIdIn } from './session';

/** How long results and files may be late. */
const LATE_MS = 2 * 60_000;

/** The longest gaps between two tries for them: our own, and one that their host asks for. */
const MAX_GAP_MS = 15_000;
const MAX_ASKED_GAP_MS = 60_000;

/** What came of all items. */
export interface Finished {
	/** One per item, in order. */
	readonly results: readonly Result[];
	/** The one that failed first, and that others may have been stopped for. */
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
	const failed: Result[] = [];
	const finishing = jobs.map(async (job) => {
		const result = { job, outcome: await finish(session, job) };
		if (result.outcome.failure) failed.push(result);
		return result;
	});
	const results = await Promise.all(finishing);
	const cause = failed.find(({ outcome }) => outcome.failure?.kind !== 'stopped');
	return { results, first: cause ?? failed[0] };
}

/** Resolves when an item can get no further. An unexpected error ends its own item alone. */
async function finish(session: Session, job: Job): Promise<Outcome> {
	const outcome = await outcomeOf(session, job).catch((thrown: unknown) => ({
		failure: job.order?.state.is === 'sent' ? messageOf('noAnswer') : invalidFailure(thrown),
	}));
	const { failure } = outcome;
	if (!failure) return outcome;
	if (!session.continues) session.creating.stop();
	const mayExist = failure.kind === 'noAnswer' && taskIdIn(job) === undefined;
	if (session.isTool && mayExist) {
		// An agent would ask again.
		return { failure: messageOf('noAnswer.forTool', { values: { message: failure.message } }) };
	}
	return session.continues ? { ...outcome, failure: withoutRetry(failure) } : outcome;
}

async function outcomeOf(session: Session, job: Job): Promise<Outcome> {
	if (job.do === 'stop') return { failure: job.failure };
	const found = await taskFor(session, job);
	const { wait, downloadTo } = job.plan;
	if (found.failure || found.task?.state !== 'completed' || !(wait ?? downloadTo)) return found;
	return await withResults(session, job, found.task);
}

/** Creates the task of an item if it has none, and reads it to its end. */
async function taskFor(session: Session, job: TaskJob): Promise<Outcome> {
	const { creating, ledger, places } = session;
	const isPlaced = job.do === 'read' || (await places.acquire(creating.timer.signal));
	try {
		if (job.do === 'read') return await follow(session, job);
		// When the outcome is known, others that wait for this order go on.
		const created = await createTask(session, job).finally(() => ledger.release(job.order));
		return created.failure ? created : await follow(session, job, created.task);
	} finally {
		if (isPlaced) places.release();
	}
}

/**
 * Waits for the results of a completed task and, if they are wanted, fetches its files. Both may be
 * late, so the task is read again between tries, which may give a new link. What is stored is not
 * fetched again.
 */
async function withResults(session: Session, job: TaskJob, completed: Task): Promise<Outcome> {
	const { downloads, timer } = session;
	const { downloadTo, wait } = job.plan;
	const wanted = { prompt: job.order?.asked.request.prompt, timeoutMs: wait?.timeoutMs };
	let task = completed;
	let progress: FileProgress = NO_FILES;
	let giveUpAt: number | undefined;
	for (let tries = 1; ; tries += 1) {
		if (hasResults(task)) {
			if (downloadTo === undefined) return { task };
			if (resultUrls(task.record).length === 0) return noResults(task);
			progress = await downloads.next(task, wanted, progress);
		}
		const { error, files } = progress;
		if (!error && hasResults(task))
			return { task, files: files.filter((one) => one !== undefined) };
		const now = timer.clock.now();
		giveUpAt ??= now + LATE_MS;
		const mayPass = error?.mayPass ?? true;
		if (!mayPass || now >= giveUpAt || timer.signal.aborted) {
			return error ? { task, failure: error.failureOf(task.id) } : noResults(task);
		}
		const gapMs = backoffMs(tries, MAX_GAP_MS, timer.clock.random);
		const askedMs = Math.min(error?.retryAfterMs ?? 0, MAX_ASKED_GAP_MS);
		await timer.until(Math.min(now + Math.max(gapMs, askedMs), giveUpAt));
		task = (await readAgain(session, job, giveUpAt)) ?? task;
	}
}

const noResults = (task: Task): Outcome => ({
	task,
	failure: messageOf('download.noResults', {
		values: { id: task.id },
		said: reasonIn(task.record),
	}),
});

/** Only a completed record with results says more than the one before. */
async function readAgain(
	session: Session,
	job: TaskJob,
	giveUpAt: number,
): Promise<Task | undefined> {
	const end = session.timer.signalAt(giveUpAt);
	const answer = await readOnce(session, job, end, giveUpAt);
	if (answer?.kind !== 'task') return undefined;
	const { task } = answer;
	return task.state === 'completed' && hasResults(task) ? task : undefined;
}
