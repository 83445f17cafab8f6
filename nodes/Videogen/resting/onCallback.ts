import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../common/json';
import { MAX_TIMER_MS, Timer } from '../common/timer';
import { Downloader } from '../downloads/downloader';
import { n8nFiles } from '../downloads/n8nFiles';
import { hasResults, outputItem, resultOf } from '../items/output';
import { serviceOf } from '../parameters/connection';
import { readRetryPolicy } from '../service/retryPolicy';
import { TaskRun } from '../tasks/advance';
import { CONTEXT_KEY, type Rest, restIn } from '../tasks/taskStore';
import type { CallbackGate, Look } from './callbackGate';
import { isOpen } from './rest';

/** So long before the end of its rest n8n resumes the execution by itself, and takes nothing more. */
const END_MARGIN_MS = 5_000;

/**
 * Answers a callback for a node that rests. Nothing in it is believed: it only makes the node read
 * its tasks. Never throws, as n8n would go on with an empty item and forget what it had.
 */
export async function onCallback(
	context: IWebhookFunctions,
	gate: CallbackGate,
): Promise<IWebhookResponseData> {
	let response: IWebhookResponseData = {};
	try {
		const rest = savedRest(context);
		const look = async (): Promise<Look> => {
			// All of it ends with the rest.
			const leftMs = rest.endsAt - gate.clock.date() - END_MARGIN_MS;
			const signal = AbortSignal.timeout(Math.min(Math.max(leftMs, 0), MAX_TIMER_MS));
			const timer = new Timer(gate.clock, signal);
			const look = await advanced(context, rest, gate, timer);
			if (look !== 'finished') return look;
			const items = await outputOf(context, rest, timer);
			if (signal.aborted) return 'waiting';
			response = { workflowData: [items] };
			return 'finished';
		};
		if ((await gate.pass(keyOf(rest), look)) !== 'unavailable') return response;
	} catch (thrown) {
		context.logger.warn(`A callback could not be used: ${String(thrown)}`);
	}
	context.getResponseObject().status(503).json({ message: 'Send this callback again later' });
	return { noWebhookResponse: true };
}

/** n8n has no other way to the node's context here than by an expression. */
function savedRest(context: IWebhookFunctions): Rest {
	const name = JSON.stringify(context.getNode().name).replaceAll('}', '\\u007d');
	const saved = context.evaluateExpression(
		`{{ JSON.stringify($(${name}).context.${CONTEXT_KEY}) }}`,
	);
	const rest = restIn(typeof saved === 'string' ? parseJson(saved) : undefined);
	if (rest === undefined) throw new Error('The tasks of this execution are not known');
	return rest;
}

/** Tells a rest from all others. */
const keyOf = ({ executionId, entries }: Rest): string =>
	`${executionId} ${entries.find(isOpen)?.task?.id}`;

/** Reads the tasks of a rest, few of them while one is unfinished. */
async function advanced(
	context: IWebhookFunctions,
	rest: Rest,
	gate: CallbackGate,
	timer: Timer,
): Promise<Look> {
	const { client } = await serviceOf(context, gate.clock);
	let isAnswered = true;
	const run = new TaskRun({
		timer,
		maxConcurrentTasks: rest.entries.length,
		read: async (...request) => {
			const answer = await client.read(...request);
			const mayPass =
				answer.kind === 'error' && !['stop', 'notFound'].includes(readRetryPolicy(answer.error));
			if (mayPass) isAnswered = false;
			return answer;
		},
	});
	const open = gate.inOrder(keyOf(rest), rest.entries.filter(isOpen));
	for (const entry of open) delete entry.outcome;
	// First one task, then as many as were final so far.
	for (let read = 0; read < open.length; read = 2 * read || 1) {
		const batch = open.slice(read, 2 * read || 1);
		await run.advance(batch, 'readOnce');
		const unfinished = batch.find(({ outcome }) => !outcome || outcome.kind === 'stopped');
		if (unfinished?.task) gate.foundUnfinished(keyOf(rest), unfinished.task.id);
		if (unfinished) return isAnswered ? 'waiting' : 'unavailable';
	}
	return 'finished';
}

/** One output item for each input item, files included, in order: n8n pairs them by position. */
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
