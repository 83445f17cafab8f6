import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Failure } from '../shared/messages';
import { resultUrls, type Task } from '../service/task';
import { keptTaskOf } from '../work/order';
import { type Result, taskIdIn } from '../work/session';

/** Why an item failed, and what is known about its task. */
export interface ItemError extends Failure {
	orderId?: string;
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** The task of an item as last read, if it is known. */
export const taskIn = ({ job: { order }, outcome }: Result): Task | undefined =>
	outcome.task ?? (order && keptTaskOf(order));

/** An item's output. With `error` as its only key, n8n passes it on unchanged. */
export function outputOf(result: Result): INodeExecutionData {
	const { job, outcome } = result;
	const { failure, files = [] } = outcome;
	const { downloadTo, index } = job.plan;
	const pairedItem = { item: index };
	if (failure) return { json: { error: { ...itemErrorOf(result, failure) } }, pairedItem };
	const json = recordOf(result);
	if (downloadTo === undefined || files.length === 0) return { json, pairedItem };
	const binary: IBinaryKeyData = Object.fromEntries(
		files.map((file, nth) => [nth === 0 ? downloadTo : `${downloadTo}_${nth}`, file]),
	);
	return { json, binary, pairedItem };
}

/** A failure, with what is known about the task that exists or may exist. */
export function itemErrorOf(result: Result, { message, description, kind }: Failure): ItemError {
	const { order, plan } = result.job;
	// An item without an order keeps the one that it came back with, so that its next turn finds it.
	const orderId = order?.id ?? plan.returned?.orderId;
	const taskId = taskIdIn(result.job);
	const task = taskIn(result);
	return {
		message,
		description,
		kind,
		...(orderId !== undefined && { orderId }),
		...(taskId !== undefined && { taskId }),
		...(task && { status: task.status, task: task.record }),
	};
}

/** The record of the task as received, or reduced to the fields that most people use. */
function recordOf({ job, outcome: { task } }: Result): IDataObject {
	const record = task?.record ?? {};
	if (!job.plan.simplify) return { ...record };
	const { id, status, progress, results, model, usage } = record;
	const { prompt, duration, quality } = job.order?.asked.request ?? {};
	const simple = {
		id,
		status,
		progress: task?.state === 'unfinished' ? progress : undefined,
		videoUrl: resultUrls(record)[0],
		results,
		prompt,
		duration,
		quality,
		model,
		usage,
		// Only for a failed task that nobody waits for. n8n takes the key `error` for its own.
		failure: task?.state === 'failed' ? record.error : undefined,
	};
	return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}
