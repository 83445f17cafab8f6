import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { parseJson } from '../common/json';
import { Downloader } from '../downloads/downloader';
import { n8nFiles } from '../downloads/n8nFiles';
import { hasResults, outputItem, resultOf } from '../items/result';
import { connectionFrom, CREDENTIAL_NAME } from '../parameters/connection';
import { ServiceClient } from '../service/client';
import { executionTransport } from '../service/transport';
import type { FinalOutcome } from '../tasks/job';
import { finalOutcome } from '../tasks/job';
import type { CallbackGate, Look } from './callbackGate';
import type { RestingItem } from './rest';
import { isOpen, REST_KEY, restIn, resumedItem } from './rest';

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
		const resting = savedItems(context);
		const look = async (): Promise<Look> => {
			const outcomes = await finalOutcomes(context, resting);
			if (typeof outcomes === 'string') return outcomes;
			const { signal } = new AbortController();
			const clocks = { clock: gate.clock, now: () => Date.now() };
			const downloader = new Downloader({ ...n8nFiles(context), ...clocks, signal });
			response = { workflowData: [await outputOf(resting, outcomes, downloader)] };
			return 'finished';
		};
		const [first] = resting.filter(isOpen);
		if ((await gate.pass(first?.taskId ?? '', look)) !== 'unavailable') return response;
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

/** What every task of a rest came to, by its id; or why that cannot be said yet. */
async function finalOutcomes(
	context: IWebhookFunctions,
	resting: RestingItem[],
): Promise<Map<string, FinalOutcome> | Exclude<Look, 'finished'>> {
	const { apiKey, baseUrl } = connectionFrom(await context.getCredentials(CREDENTIAL_NAME));
	const send = executionTransport(context, CREDENTIAL_NAME, apiKey);
	const client = new ServiceClient(send, baseUrl, () => Date.now());
	const ids = resting.filter(isOpen).map(({ taskId }) => taskId);
	const outcomes = new Map<string, FinalOutcome>();
	// Few reads while one is unfinished: first one task, then as many as were final so far.
	while (outcomes.size < ids.length) {
		const batch = ids.slice(outcomes.size, 2 * outcomes.size || 1);
		for (const answer of await Promise.all(batch.map(async (id) => await client.read(id)))) {
			if (answer.kind === 'error') return 'unavailable';
			const outcome = finalOutcome(answer.task);
			if (outcome === undefined) return 'waiting';
			outcomes.set(answer.task.id, outcome);
		}
	}
	return outcomes;
}

/** One output item for each input item, files included, in order: n8n pairs them by position. */
async function outputOf(
	resting: RestingItem[],
	outcomes: Map<string, FinalOutcome>,
	downloader: Downloader,
): Promise<INodeExecutionData[]> {
	return await Promise.all(
		resting.map(async (item, index) => {
			const outcome = isOpen(item) ? outcomes.get(item.taskId) : undefined;
			const state = { ...resumedItem(item), outcome };
			if (!outcome) return outputItem(state.result, index);
			const wantsFiles = state.plan?.download !== undefined && hasResults(outcome);
			const downloaded = wantsFiles ? await downloader.download(outcome.task) : undefined;
			return outputItem(resultOf({ ...state, outcome, downloaded }), index);
		}),
	);
}
