import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../common/json';
import type { Clock } from '../common/timer';
import { Downloader } from '../downloads/downloader';
import { n8nFiles } from '../downloads/n8nFiles';
import { hasResults, outputItem, resultOf } from '../items/result';
import { connectionFrom, CREDENTIAL_NAME } from '../parameters/connection';
import { ServiceClient } from '../service/client';
import { executionTransport } from '../service/transport';
import type { Task } from '../service/task';
import { finalOutcome } from '../tasks/job';
import type { CallbackGate, Look } from './callbackGate';
import type { RestingItem } from './rest';
import { REST_KEY, restIn, resumedItem } from './rest';

/**
 * Answers a callback for a node that rests. Nothing in it is believed: it only makes the node read
 * its tasks. Never throws, as n8n would go on with an empty item and forget what it had.
 */
export async function onCallback(
	context: IWebhookFunctions,
	{ gate, clock }: { gate: CallbackGate; clock: Clock },
): Promise<IWebhookResponseData> {
	let items: INodeExecutionData[] | undefined;
	const look = async (resting: RestingItem[]): Promise<Look> => {
		const tasks = await finalTasks(context, resting);
		if (typeof tasks === 'string') return tasks;
		items = await outputOf(context, { resting, tasks, clock });
		return 'finished';
	};
	try {
		const resting = savedItems(context);
		const key = resting.map((item) => ('taskId' in item ? item.taskId : '')).join(' ');
		const result = await gate.pass(key, async () => await look(resting));
		if (result !== 'unavailable') return items ? { workflowData: [items] } : {};
	} catch (thrown) {
		context.logger.warn(`A callback could not be used: ${String(thrown)}`);
	}
	context.getResponseObject().status(503).json({ message: 'Send this callback again later' });
	return { noWebhookResponse: true };
}

/** n8n has no other way to the node's context here than by an expression. */
function savedItems(context: IWebhookFunctions): RestingItem[] {
	const name = JSON.stringify(context.getNode().name);
	const saved = context.evaluateExpression(`{{ JSON.stringify($(${name}).context.${REST_KEY}) }}`);
	const items = restIn(typeof saved === 'string' ? parseJson(saved) : undefined)?.items;
	if (items === undefined) throw new Error('The tasks of this execution are not known');
	return items;
}

/** All tasks of a rest, in the order of its items and all final; or why not. */
async function finalTasks(
	context: IWebhookFunctions,
	resting: RestingItem[],
): Promise<Task[] | Exclude<Look, 'finished'>> {
	const { apiKey, baseUrl } = connectionFrom(await context.getCredentials(CREDENTIAL_NAME));
	const send = executionTransport(context, CREDENTIAL_NAME, apiKey);
	const client = new ServiceClient(send, baseUrl, () => Date.now());
	const ids = resting.flatMap((item) => ('taskId' in item ? [item.taskId] : []));
	let tasks: Task[] = [];
	// Few reads while one is unfinished: the last one first, then twice as many each time.
	while (tasks.length < ids.length) {
		const batch = ids.slice(0, ids.length - tasks.length).slice(-2 * tasks.length - 1);
		const answers = await Promise.all(batch.map(async (id) => await client.read(id)));
		const read = answers.flatMap((answer) => (answer.kind === 'task' ? [answer.task] : []));
		if (read.some(({ state }) => state === 'unfinished')) return 'waiting';
		if (read.length < batch.length) return 'unavailable';
		tasks = [...read, ...tasks];
	}
	return tasks;
}

/** One output item for each input item, files included, in order: n8n pairs them by position. */
async function outputOf(
	context: IWebhookFunctions,
	{ resting, tasks, clock }: { resting: RestingItem[]; tasks: Task[]; clock: Clock },
): Promise<INodeExecutionData[]> {
	const { signal } = new AbortController();
	const downloader = new Downloader({ ...n8nFiles(context), clock, now: () => Date.now(), signal });
	const outcomes = new Map(tasks.map((task) => [task.id, finalOutcome(task)]));
	return await Promise.all(
		resting.map(async (item, index) => {
			const outcome = 'taskId' in item ? outcomes.get(item.taskId) : undefined;
			const state = { ...resumedItem(item), outcome };
			if (!outcome) return outputItem(state.result, index);
			const wantsFiles = state.plan?.download !== undefined && hasResults(outcome);
			const downloaded = wantsFiles ? await downloader.download(outcome.task) : undefined;
			return outputItem(resultOf({ ...state, outcome, downloaded }), index);
		}),
	);
}
