import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Downloader, DownloadResult } from '../downloads/downloader';
import { downloadMessage } from '../messages/downloadMessages';
import type { Message } from '../messages/message';
import { outcomeMessage } from '../messages/outcomeMessage';
import { binaryFieldOf } from '../parameters/download';
import type { Task } from '../service/task';
import { type Outcome, type TaskJob, taskOf } from '../tasks/job';
import type { ItemPlan } from './plan';

/** Why an item did not get what it asked for, with all that is known of its task. */
export interface ItemError extends Message {
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** What an item becomes. */
export type ItemResult = { json: IDataObject; binary?: IBinaryKeyData } | { error: ItemError };

/** An item on its way through a run: what it asks for, what came of it, what it becomes. */
export interface ItemState {
	/** `undefined` for an item for which nothing is done. */
	plan?: ItemPlan;
	/** What is done for it. */
	job?: TaskJob;
	outcome?: Outcome;
	downloaded?: DownloadResult;
	result?: ItemResult;
}

/**
 * An item whose job came to this outcome.
 * @param downloader Brings its files, if it wants them and there are some.
 */
export async function endedItem(
	item: ItemState,
	outcome: Outcome,
	downloader: Downloader | undefined,
): Promise<ItemState & { result: ItemResult }> {
	const wantsFiles = item.plan?.download !== undefined && hasResults(outcome);
	const downloaded = wantsFiles ? await downloader?.download(outcome.task) : undefined;
	const ended = { ...item, outcome, downloaded };
	return { ...ended, result: resultOf(ended) };
}

/** The one result of an item whose job came to an outcome, its results downloaded or not. */
export function resultOf(item: ItemState & { outcome: Outcome }): ItemResult {
	const { outcome, plan } = item;
	if (outcome.kind === 'done') return doneResult(outcome.task, item);
	const task = taskOf(outcome);
	const ending = outcome.kind === 'failed' ? plan?.wait?.onFailure : plan?.wait?.onTimeout;
	const mayReturn = outcome.kind === 'failed' || outcome.kind === 'timedOut';
	if (task && mayReturn && ending === 'returnTask') return { json: task.record };
	const taskId = 'taskId' in outcome ? outcome.taskId : task?.id;
	return { error: errorOf(outcomeMessage(outcome), taskId, task) };
}

/** Only a completed task has results to download; any other comes as its record says. */
export const hasResults = (outcome: Outcome): outcome is Outcome & { kind: 'done' } =>
	outcome.kind === 'done' && outcome.task.state === 'completed';

/** Whether an item only ended because the run did. */
export const isCutShort = ({ outcome, downloaded }: ItemState): boolean =>
	outcome?.kind === 'stopped' ||
	outcome?.kind === 'notStarted' ||
	(downloaded?.kind === 'notDownloaded' && downloaded.error.kind === 'stopped');

function doneResult(task: Task, { plan, downloaded }: ItemState): ItemResult {
	const json = task.record;
	if (downloaded?.kind === 'notDownloaded') {
		return { error: errorOf(downloadMessage(task, downloaded), task.id, task) };
	}
	const settings = plan?.download;
	if (downloaded === undefined || settings === undefined) return { json };
	const binary: IBinaryKeyData = {};
	downloaded.files.forEach((file, index) => {
		binary[binaryFieldOf(settings, index)] = file;
	});
	return { json, binary };
}

export const errorOf = (
	{ message, description }: Message,
	taskId: string | undefined,
	task: Task | undefined,
): ItemError => ({
	message,
	description,
	...(taskId === undefined ? {} : { taskId }),
	...(task === undefined ? {} : { status: task.status, task: task.record }),
});

/** The output item; `error` is the only key, the one shape that n8n passes on whole. */
export const outputItem = (
	result: ItemResult | undefined,
	itemIndex: number,
): INodeExecutionData => ({
	json: result && 'json' in result ? { ...result.json } : { error: { ...result?.error } },
	...(result && 'json' in result && result.binary && { binary: result.binary }),
	pairedItem: { item: itemIndex },
});
