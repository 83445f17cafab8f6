import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Task } from '../service/task';
import type { DownloadResult } from '../downloads/download';
import { downloadMessage } from '../messages/downloadMessages';
import type { DownloadSettings } from '../parameters/download';
import { binaryFieldOf } from '../parameters/download';
import type { WaitSettings } from '../parameters/wait';
import type { Message, Recovery } from '../messages/message';
import { outcomeMessage } from '../messages/outcomeMessage';
import type { Outcome } from '../tasks/job';

/** Why an item did not get what it asked for, with all that is known of its task. */
export interface ItemError extends Message {
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** What an item becomes. */
export type ItemResult = { json: IDataObject; binary?: IBinaryKeyData } | { error: ItemError };

/** What an item asks for that decides what it becomes. */
export interface Expectation {
	wait: WaitSettings | undefined;
	download: DownloadSettings | undefined;
	recovery: Recovery;
}

/** The one result of an item whose job came to this outcome, its files delivered or not. */
export function resultOf(
	outcome: Outcome,
	downloaded: DownloadResult | undefined,
	{ wait, download, recovery }: Expectation,
): ItemResult {
	if (outcome.kind === 'done') return deliveredResult(outcome.task, downloaded, download, recovery);
	const returned = returnedTask(outcome, wait);
	return returned
		? { json: returned.record }
		: { error: errorOf(outcomeMessage(outcome, recovery), taskFacts(outcome)) };
}

/** Only a completed task has results to download; any other comes as its record says. */
export const hasResults = (outcome: Outcome): outcome is Outcome & { kind: 'done' } =>
	outcome.kind === 'done' && outcome.task.state === 'completed';

function deliveredResult(
	task: Task,
	downloaded: DownloadResult | undefined,
	download: DownloadSettings | undefined,
	recovery: Recovery,
): ItemResult {
	const json = task.record;
	if (downloaded === undefined || download === undefined) return { json };
	if (downloaded.kind === 'notDownloaded') {
		return {
			error: errorOf(downloadMessage(task, downloaded, recovery), { taskId: task.id, task }),
		};
	}
	const binary: IBinaryKeyData = {};
	downloaded.files.forEach((file, index) => {
		binary[binaryFieldOf(download, index)] = file;
	});
	return { json, binary };
}

/** The task that the user prefers to an error, by On Failed Task and On Timeout. */
function returnedTask(outcome: Outcome, wait: WaitSettings | undefined): Task | undefined {
	if (outcome.kind === 'failed' && wait?.onFailure === 'returnTask') return outcome.task;
	if (outcome.kind === 'timedOut' && wait?.onTimeout === 'returnTask') return outcome.task;
	return undefined;
}

const errorOf = ({ message, description }: Message, { taskId, task }: TaskFacts): ItemError => ({
	message,
	description,
	...(taskId === undefined ? {} : { taskId }),
	...(task === undefined ? {} : { status: task.status, task: task.record }),
});

/** What is known of a task: at first its id alone. */
export interface TaskFacts {
	taskId?: string;
	task?: Task;
}

/** The task that an outcome is about, as far as it is known. */
export function taskFacts(outcome: Outcome): TaskFacts {
	const task = 'task' in outcome ? outcome.task : undefined;
	const taskId = 'taskId' in outcome ? outcome.taskId : task?.id;
	return { taskId, task };
}

/** The output item; `error` is the only key, the one shape that both n8n lines pass on whole. */
export const outputItem = (result: ItemResult, itemIndex: number): INodeExecutionData => ({
	json: 'json' in result ? { ...result.json } : { error: { ...result.error } },
	...('json' in result && result.binary && { binary: result.binary }),
	pairedItem: { item: itemIndex },
});
