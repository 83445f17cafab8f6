import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../ground/json';
import { type Clock, Timer } from '../ground/clock';
import { Downloader } from '../files/download';
import { n8nFiles } from '../files/fetchFile';
import { contextInWebhook } from '../ground/n8n';
import { hasResults, outputItem, resultOf } from './output';
import { connect } from '../fields/credential';
import type { ServiceError } from '../service/answer';
import { readRetryPolicy } from '../service/answerTable';
import { asTask, mayBeFilled } from '../service/task';
import { TaskRun } from '../work/advance';
import { type Entry, isOpen, lastOutcome } from '../work/entry';
import { RESULTS_GRACE_MS } from '../work/taskReader';
import { CONTEXT_KEY, type Rest, restIn } from '../work/taskStore';
import type { Found, RestWorker, RestWorkers } from './restWorker';
import { END_MARGIN_MS, openTaskIds } from './rest';

/** The statuses that the contract gives a task on its way; every other word may mean its end. */
const ON_ITS_WAY = ['pending', 'processing'];

/** A task that the service does not know for so long is gone; no callback is followed for longer. */
const MISSING_MS = 20_000;

/**
 * Answers a callback for a node that rests. Nothing in it is believed: it only makes the node read
 * its tasks. Never throws, as n8n would go on with an empty item and forget what it had.
 *
 * While a task that a callback calls final is not read as final, the service is asked to call again,
 * which helps even when n8n ends. It may not call for long enough, and n8n takes an output only from
 * a call that is open, so this one stays open and checks again for a while.
 */
export async function onCallback(
	context: IWebhookFunctions,
	workers: RestWorkers,
): Promise<IWebhookResponseData> {
	const answer = context.getResponseObject();
	const askAgain = (): IWebhookResponseData => {
		if (!answer.headersSent) answer.status(503).json({ message: 'Send this callback again later' });
		return { noWebhookResponse: true };
	};
	try {
		const rest = savedRest(context);
		const worker = workers.of(keyOf(rest));
		if (worker.finish === 'certain') return {};
		const claims = calledFinal(context.getBodyData(), rest);
		worker.claim(claims);
		if (worker.isWorking && claims.length === 0) return {};
		if (worker.isWorking || worker.finish === 'uncertain') return askAgain();
		let output: INodeExecutionData[] | undefined;
		const check = async (): Promise<Found> => {
			// Each check begins with what was saved: what an earlier one has read may be outdated.
			const checked = structuredClone(rest);
			return await inTime(checked, workers.clock, async (timer) => {
				const found = await readTasks(context, checked, worker, timer);
				if (found === 'finished') output = await outputOf(context, checked, timer);
				return found;
			});
		};
		await worker.work(check, askAgain);
		const workflowData = output && [output];
		if (answer.headersSent) return { noWebhookResponse: true, workflowData };
		// n8n answers this when it continues with the output, or could not.
		answer.once('finish', () => output && worker.settleFinish(answer.statusCode < 400));
		return { workflowData };
	} catch (thrown) {
		context.logger.warn(`A callback could not be used: ${String(thrown)}`);
		return askAgain();
	}
}

function savedRest(context: IWebhookFunctions): Rest {
	const rest = restIn(parseJson(contextInWebhook(context, CONTEXT_KEY)));
	if (rest === undefined) throw new Error('The tasks of this execution are not known');
	return rest;
}

/** Tells a rest from all others. */
const keyOf = (rest: Rest): string => `${rest.executionId} ${rest.endsAt} ${openTaskIds(rest)[0]}`;

/** The tasks that a callback may mean to be final: the one whose record it brings, else any. */
function calledFinal(body: unknown, rest: Rest): string[] {
	const open = openTaskIds(rest);
	const task = asTask(body);
	if (task === undefined || !open.includes(task.id)) return open;
	return ON_ITS_WAY.includes(task.status) ? [] : [task.id];
}

/** Work for which there is only the time until shortly before the end of the rest. */
async function inTime(
	{ endsAt }: Rest,
	clock: Clock,
	work: (timer: Timer) => Promise<Found>,
): Promise<Found> {
	const leftMs = Math.floor(endsAt - END_MARGIN_MS - clock.date());
	if (leftMs <= 0) throw new Error('The rest is over');
	const end = new AbortController();
	const done = new AbortController();
	void clock.sleep(leftMs, done.signal).then(() => end.abort());
	return await work(new Timer(clock, end.signal)).finally(() => done.abort());
}

/** Reads the tasks of a rest, few of them while one is unfinished. */
async function readTasks(
	context: IWebhookFunctions,
	rest: Rest,
	worker: RestWorker,
	timer: Timer,
): Promise<Found> {
	const { service } = await connect(context, timer.clock);
	const run = new TaskRun(service, {}, { timer, maxConcurrentTasks: rest.entries.length });
	const all = rest.entries.filter(isOpen);
	const open = worker
		.inOrder(openTaskIds(rest))
		.flatMap((id) => all.filter(({ task }) => task?.id === id));
	for (const entry of open) delete entry.outcome;
	// First one task, then as many as were final so far.
	for (let read = 0; read < open.length; read = 2 * read || 1) {
		const batch = open.slice(read, 2 * read || 1);
		await run.advance(batch, 'record', 0);
		if (timer.signal.aborted) throw new Error('The rest ended before its tasks were read');
		for (const entry of batch) {
			const found = foundOf(entry, run.readErrors.get(entry), worker);
			if (found !== 'finished') return found;
		}
	}
	return 'finished';
}

/** What a check found of one task, which has an outcome after it if it is final. */
function foundOf(entry: Entry, error: ServiceError | undefined, worker: RestWorker): Found {
	const { task, outcome } = entry;
	const id = task?.id ?? '';
	const isMissing = error !== undefined && readRetryPolicy(error) === 'notFound';
	const isEmpty = !error && outcome !== undefined && !!task && mayBeFilled(task);
	const oddMs = worker.oddMs(id, isMissing || isEmpty);
	if (isEmpty && oddMs < RESULTS_GRACE_MS) return 'unconfirmed';
	if (error && isMissing && oddMs >= MISSING_MS) entry.outcome = lastOutcome(entry, error);
	if (error && !entry.outcome) return 'unconfirmed';
	worker.record(id, entry.outcome !== undefined);
	return entry.outcome ? 'finished' : 'waiting';
}

/**
 * One output item for each input item, in order: n8n pairs them by position. Files that have not
 * come by the end are said to be missing, with the record that has their URLs.
 */
async function outputOf(
	context: IWebhookFunctions,
	{ entries }: Rest,
	timer: Timer,
): Promise<INodeExecutionData[]> {
	const { baseUrl } = await connect(context, timer.clock);
	const downloader = new Downloader(n8nFiles(context, baseUrl), timer);
	return await Promise.all(
		entries.map(async (entry, index) => {
			const { task, download, wait, request } = entry;
			const wantsFiles = task && download && hasResults(entry);
			const downloaded = wantsFiles
				? await downloader.download(task, wait?.timeoutMs, request?.prompt)
				: undefined;
			return outputItem(resultOf(entry, downloaded), index);
		}),
	);
}
