import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { binaryFieldOf } from '../fields/output';
import type { Failure } from '../shared/messages';
import { resultUrls, type Task } from '../service/task';
import { type Order, taskIdOf, taskOf } from '../work/order';
import type { Job, Result } from '../work/session';

/** Why an item failed, and what is known about its task. */
export interface ItemError extends Failure {
	orderId?: string;
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

export const orderIn = (job: Job): Order | undefined => (job.do === 'look' ? undefined : job.order);

/** The ID of the task that an item is about, if it is known. */
export function taskIdIn({ job }: Result): string | undefined {
	if (job.do === 'look') return job.plan.taskId;
	return job.order && taskIdOf(job.order);
}

/** The task of an item as last read, if it is known. */
export function taskIn({ job, outcome }: Result): Task | undefined {
	const order = orderIn(job);
	return outcome.task ?? (order && taskOf(order));
}

/** An item's output. With `error` as its only key, n8n passes it on unchanged. */
export function outputOf(result: Result): INodeExecutionData {
	const { job, outcome } = result;
	const { failure, files = [] } = outcome;
	const { download, index } = job.plan;
	const pairedItem = { item: index };
	if (failure) return { json: { error: { ...errorOf(result, failure) } }, pairedItem };
	const json = recordOf(result);
	if (!download || files.length === 0) return { json, pairedItem };
	const binary: IBinaryKeyData = Object.fromEntries(
		files.map((file, place) => [binaryFieldOf(download, place), file]),
	);
	return { json, binary, pairedItem };
}

/** A failure, with what is known about the task that exists or may exist. */
export function errorOf(result: Result, { message, description, kind }: Failure): ItemError {
	const orderId = orderIn(result.job)?.id;
	const taskId = taskIdIn(result);
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
	const { prompt, duration, quality } = orderIn(job)?.asked.request ?? {};
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
