import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { binaryFieldOf } from '../fields/output';
import type { Fault } from '../shared/messages';
import { resultUrls } from '../service/task';
import { type Item, taskIdOf } from '../work/order';

/** Why an item did not get what it asked for, and what is known of its task. */
export interface ItemError extends Fault {
	orderId?: string;
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** What an item becomes. An error is its only key: n8n passes such an item on unchanged. */
export function outputOf(item: Item): INodeExecutionData {
	const { fault, files = [], download, index } = item;
	const pairedItem = { item: index };
	if (fault) return { json: { error: { ...errorOf(item, fault) } }, pairedItem };
	const json = recordOf(item);
	if (!download || files.length === 0) return { json, pairedItem };
	const binary: IBinaryKeyData = Object.fromEntries(
		files.map((file, place) => [binaryFieldOf(download, place), file]),
	);
	return { json, binary, pairedItem };
}

/** A fault with what is known of the task that exists, or may exist. */
export function errorOf(item: Item, { message, description, kind }: Fault): ItemError {
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

/** The record of the task as received, or simplified: the fields that most people use. */
function recordOf({ order, simplify, task }: Item): IDataObject {
	const record = task?.record ?? {};
	if (!simplify) return { ...record };
	const { id, status, progress, results, model, usage } = record;
	const { prompt, duration, quality } = order?.request ?? {};
	const simple = {
		...{ id, status, progress: task?.state === 'unfinished' ? progress : undefined },
		...{ videoUrl: resultUrls(record)[0], results },
		...{ prompt, duration, quality, model, usage },
		// For a failed task that is only read.
		error: task?.state === 'failed' ? record.error : undefined,
	};
	return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}
