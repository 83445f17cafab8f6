import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../common/json';
import { Timer } from '../common/timer';
import { Downloader } from '../downloads/downloader';
import { n8nFiles } from '../downloads/n8nFiles';
import { contextInWebhook } from '../n8n/nodeContext';
import { hasResults, outputItem, resultOf } from './output';
import { serviceOf } from '../parameters/connection';
import type { ServiceError } from '../service/answer';
import { readRetryPolicy } from '../service/retryPolicy';
import { asTask } from '../service/task';
import { TaskRun } from '../tasks/advance';
import { isOpen } from '../tasks/entry';
import { CONTEXT_KEY, type Rest, restIn } from '../tasks/taskStore';
import type { CallbackGate, Found } from './callbackGate';
import { END_MARGIN_MS, openTaskIds } from './rest';

/** The statuses that the contract gives a task on its way; every other word may mean its end. */
const ON_ITS_WAY = ['pending', 'processing'];

/** A task that the service does not know for so long is gone; no callback is followed for longer. */
const MISSING_MS = 20_000;

type Output = INodeExecutionData[][];

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
	gate: CallbackGate,
): Promise<IWebhookResponseData> {
	const answer = context.getResponseObject();
	const askAgain = () => answer.status(503).json({ message: 'Send this callback again later' });
	try {
		const rest = savedRest(context);
		const key = keyOf(rest);
		let output: Output | undefined;
		const check = async (): Promise<Found> => {
			// Each check begins with what was saved: what an earlier one has read may be outdated.
			const checked = structuredClone(rest);
			return await inTime(checked, gate, async (timer) => {
				const state = await advance(context, checked, gate, timer);
				if (state === 'finished') output = [await outputOf(context, checked, timer)];
				return state;
			});
		};
		gate.claim(key, calledFinal(context.getBodyData(), rest));
		if ((await gate.pass(key, check)) !== 'unconfirmed') {
			// n8n answers this when it has gone on with the output, or could not.
			answer.once('finish', () => output && answer.statusCode >= 400 && gate.reopen(key));
			return { workflowData: output };
		}
		askAgain();
		await gate.follow(key, check);
		return { noWebhookResponse: true, workflowData: output };
	} catch (thrown) {
		context.logger.warn(`A callback could not be used: ${String(thrown)}`);
		if (!answer.headersSent) askAgain();
		return { noWebhookResponse: true };
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
	{ clock }: CallbackGate,
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
async function advance(
	context: IWebhookFunctions,
	rest: Rest,
	gate: CallbackGate,
	timer: Timer,
): Promise<Found> {
	const { client } = await serviceOf(context, gate.clock);
	const missing = new Map<string, ServiceError>();
	const run = new TaskRun({
		timer,
		maxConcurrentTasks: rest.entries.length,
		read: async (taskId, ...request) => {
			const answer = await client.read(taskId, ...request);
			const isMissing = answer.kind === 'error' && readRetryPolicy(answer.error) === 'notFound';
			if (isMissing) missing.set(taskId, answer.error);
			return answer;
		},
	});
	const key = keyOf(rest);
	const all = rest.entries.filter(isOpen);
	const open = gate
		.inOrder(key, openTaskIds(rest))
		.flatMap((id) => all.filter(({ task }) => task?.id === id));
	for (const entry of open) delete entry.outcome;
	// First one task, then as many as were final so far.
	for (let read = 0; read < open.length; read = 2 * read || 1) {
		const batch = open.slice(read, 2 * read || 1);
		await run.advance(batch, 'readOnce');
		if (timer.signal.aborted) throw new Error('The rest ended before its tasks were read');
		if (!run.isAnswered) return 'unconfirmed';
		for (const entry of batch) {
			const id = entry.task?.id ?? '';
			const error = missing.get(id);
			const missingMs = gate.missingMs(key, id, error !== undefined);
			if (error && missingMs < MISSING_MS) return 'unconfirmed';
			if (error) entry.outcome = { kind: 'notRead', error };
			if (!entry.outcome) return gate.endWith(key, id);
			gate.confirm(key, id);
		}
	}
	return 'finished';
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
	const downloader = new Downloader(n8nFiles(context), timer);
	return await Promise.all(
		entries.map(async (entry, index) => {
			const { task, download } = entry;
			const wantsFiles = task && download && hasResults(entry);
			const downloaded = wantsFiles ? await downloader.download(task) : undefined;
			return outputItem(resultOf(entry, downloaded), index);
		}),
	);
}
