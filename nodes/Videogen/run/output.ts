import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { DownloadResult } from '../files/download';
import { resultUrls } from '../service/task';
import { type ErrorKind, errorKindOf } from './errorKind';
import { downloadMessage } from '../files/downloadWords';
import type { Message } from '../ground/words';
import { outcomeMessage } from './outcomeMessage';
import { binaryFieldOf } from '../fields/output';
import { type Entry, isCreate, taskIdOf } from '../work/entry';

/** Why an item did not get what it asked for, and what is known of its task. */
export interface ItemError extends Message {
	kind: ErrorKind;
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** The content of an output item. */
export type ItemResult = { json: IDataObject; binary?: IBinaryKeyData } | { error: ItemError };

/** Whether the entry ended with a video. */
export const hasResults = ({ outcome, task }: Entry): boolean =>
	outcome?.kind === 'done' && task?.state === 'completed';

/** What an item becomes. */
export function resultOf(entry: Entry, downloaded?: DownloadResult): ItemResult {
	const { outcome, task, wait, download } = entry;
	if (outcome?.kind === 'done' && task) {
		if (downloaded?.kind === 'notDownloaded') {
			const message = downloadMessage(task, downloaded, isCreate(entry));
			return { error: errorOf('download', message, entry) };
		}
		const files = downloaded?.files ?? [];
		if (!download || files.length === 0) return { json: recordOf(entry) };
		const binary = Object.fromEntries(
			files.map((file, index) => [binaryFieldOf(download, index), file]),
		);
		return { json: recordOf(entry), binary };
	}
	const isLate = outcome?.kind === 'timedOut';
	const ending = outcome?.kind === 'failed' ? wait?.onFailure : isLate && wait?.onTimeout;
	if (task && ending === 'returnTask') return { json: recordOf(entry) };
	return { error: errorOf(errorKindOf(entry), outcomeMessage(entry), entry) };
}

/** The record of the task as received, or simplified: the fields that most people use. */
export function recordOf({ task, request, simplify }: Entry): IDataObject {
	const record = task?.record ?? {};
	if (!simplify) return record;
	const { id, status, progress, results, model, usage, error } = record;
	const simple = {
		id,
		status,
		progress: task?.state === 'unfinished' ? progress : undefined,
		videoUrl: resultUrls(record)[0],
		results,
		prompt: request?.prompt,
		duration: request?.duration,
		quality: request?.quality,
		model,
		usage,
		error: task?.state === 'failed' ? error : undefined,
	};
	return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}

/** Whether an item was only ended by the end of the run. */
export const isCutShort = ({ outcome }: Entry, downloaded?: DownloadResult): boolean =>
	outcome?.kind === 'stopped' ||
	outcome?.kind === 'notStarted' ||
	(downloaded?.kind === 'notDownloaded' && downloaded.error.kind === 'stopped');

function errorOf(kind: ErrorKind, { message, description }: Message, entry: Entry): ItemError {
	const { task } = entry;
	const taskId = taskIdOf(entry);
	return {
		message,
		description,
		kind,
		...(taskId === undefined ? {} : { taskId }),
		...(task === undefined ? {} : { status: task.status, task: task.record }),
	};
}

/** The output item. An error is its only key: n8n passes such an item on unchanged. */
export function outputItem(result: ItemResult, item: number): INodeExecutionData {
	const { binary } = 'json' in result ? result : {};
	return {
		json: 'json' in result ? { ...result.json } : { error: { ...result.error } },
		...(binary && { binary }),
		pairedItem: { item },
	};
}
