import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../common/json';
import { MAX_TIMER_MS, Timer } from '../common/timer';
import { Downloader } from '../downloads/downloader';
import { n8nFiles } from '../downloads/n8nFiles';
import { endedItem, outputItem } from '../items/result';
import { serviceOf } from '../parameters/connection';
import { readRetryPolicy } from '../service/retryPolicy';
import { finalOutcome, type Outcome, type TaskJob } from '../tasks/job';
import { runTasks } from '../tasks/runTasks';
import type { CallbackGate, Look } from './callbackGate';
import { isOpen, type Rest, REST_KEY, restIn, resumedItem } from './rest';

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
			const leftMs = rest.untilMs - gate.clock.date() - END_MARGIN_MS;
			const signal = AbortSignal.timeout(Math.min(Math.max(leftMs, 0), MAX_TIMER_MS));
			const timer = new Timer(gate.clock, signal);
			const outcomes = await finalOutcomes(context, rest, gate, timer);
			if (typeof outcomes === 'string') return outcomes;
			const items = await outputOf(context, rest, outcomes, timer);
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
	const saved = context.evaluateExpression(`{{ JSON.stringify($(${name}).context.${REST_KEY}) }}`);
	const rest = restIn(typeof saved === 'string' ? parseJson(saved) : undefined);
	if (rest === undefined) throw new Error('The tasks of this execution are not known');
	return rest;
}

/** Tells a rest from all others. */
const keyOf = ({ executionId, items }: Rest): string =>
	`${executionId} ${items.find(isOpen)?.taskId}`;

/** What every task of a rest came to, by its id; or why that cannot be said yet. */
async function finalOutcomes(
	context: IWebhookFunctions,
	rest: Rest,
	gate: CallbackGate,
	timer: Timer,
): Promise<Map<string, Outcome> | Exclude<Look, 'finished'>> {
	const { client } = await serviceOf(context, gate.clock);
	const read: TaskJob['read'] = async (...request) => await client.read(...request);
	const open = rest.items.filter(isOpen).map(({ taskId }) => taskId);
	const ids = gate.inOrder(keyOf(rest), open);
	const outcomes = new Map<string, Outcome>();
	// Few reads while one is unfinished: first one task, then as many as were final so far.
	while (outcomes.size < ids.length) {
		const batch = ids.slice(outcomes.size, 2 * outcomes.size || 1);
		const jobs = batch.map((taskId): TaskJob => ({ read, existing: { taskId, isOwn: true } }));
		const reached = await runTasks(jobs, jobs.length, timer);
		for (const [index, outcome] of reached.entries()) {
			const final = outcome.kind === 'done' ? finalOutcome(outcome.task) : outcome;
			const taskId = batch[index] ?? '';
			if (final === undefined) gate.foundUnfinished(keyOf(rest), taskId);
			if (final === undefined || final.kind === 'stopped') return 'waiting';
			if (final.kind === 'notRead' && mayBeRead(final)) return 'unavailable';
			outcomes.set(taskId, final);
		}
	}
	return outcomes;
}

const mayBeRead = ({ error }: Outcome & { kind: 'notRead' }): boolean =>
	!['stop', 'notFound'].includes(readRetryPolicy(error));

/** One output item for each input item, files included, in order: n8n pairs them by position. */
async function outputOf(
	context: IWebhookFunctions,
	rest: Rest,
	outcomes: Map<string, Outcome>,
	timer: Timer,
): Promise<INodeExecutionData[]> {
	const downloader = new Downloader(n8nFiles(context), timer);
	return await Promise.all(
		rest.items.map(async (item, index) => {
			const state = resumedItem(item);
			const outcome = isOpen(item) ? outcomes.get(item.taskId) : undefined;
			const { result } = outcome ? await endedItem(state, outcome, downloader) : state;
			return outputItem(result, index);
		}),
	);
}
