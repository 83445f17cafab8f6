import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { binaryFieldOf } from '../fields/output';
import type { Failure } from '../shared/messages';
import { resultUrls } from '../service/task';
import { type Item, taskIdOf } from '../work/order';

/** Why an item failed, and what is known about its task. */
export interface ItemError extends Failure {
	orderId?: string;
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** An item's output. With `error` as its only key, n8n passes it on unchanged. */
export function outputOf(item: Item): INodeExecutionData {
	const { failure, files = [], download, index } = item;
	const pairedItem = { item: index };
	if (failure) return { json: { error: { ...errorOf(item, failure) } }, pairedItem };
	const json = recordOf(item);
	if (!download || files.length === 0) return { json, pairedItem };
	const binary: IBinaryKeyData = Object.fromEntries(
		files.map((file, place) => [binaryFieldOf(download, place), file]),
	);
	return { json, binary, pairedItem };
}

/** A failure, with what is known about the task that exists or may exist. */
export function errorOf(item: Item, { message, description, kind }: Failure): ItemError {
	const { order } = item;
	const task = item.task ?? order?.task;
	const taskId = taskIdOf(item);
	return {
		...{ message, description, kind },
		...(order && { orderId: order.id }),
		...(taskId !== undefined && { taskId }),
		...(task && { status: task.status, task: task.record }),
	};
}

/** The record of the task as received, or reduced to the fields that most people use. */
function recordOf({ order, simplify, task }: Item): IDataObject {
	const record = task?.record ?? {};
	if (!simplify) return { ...record };
	const { id, status, progress, results, model, usage } = record;
	const { prompt, duration, quality } = order?.request ?? {};
	const simple = {
		...{ id, status, progress: task?.state === 'unfinished' ? progress : undefined },
		...{ videoUrl: resultUrls(record)[0], results },
		...{ prompt, duration, quality, model, usage },
		// Only for a failed task that was just read.
		error: task?.state === 'failed' ? record.error : undefined,
	};
	return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}
