import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { binaryFieldOf } from '../fields/output';
import { kindOfFailed, wordsOfFailed } from '../service/failure';
import { resultUrls } from '../service/task';
import { type Fault, type Item, taskIdOf, taskOf } from '../work/order';
import { NOT_STARTED, stoppedFault } from '../work/orderWords';

/** Why an item did not get what it asked for, and what is known of its task. */
export interface ItemError extends Omit<Fault, 'isCutShort'> {
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** Why an item did not get what it asked for; `undefined` when it did. */
export function faultOf(item: Item): Fault | undefined {
	const { order, wait } = shared(item);
	const { state } = order;
	switch (state.is) {
		case 'new':
			return NOT_STARTED;
		case 'running':
			return wait ? stoppedFault(item) : undefined;
		case 'completed':
			return undefined;
		case 'failed': {
			const isReturned = !wait || wait.onFailure === 'returnTask';
			const { task } = state;
			if (isReturned) return undefined;
			return { kind: kindOfFailed(task), ...wordsOfFailed(task, order.request) };
		}
		case 'error': {
			const isLate = state.fault.kind === 'timeout' && !state.fault.isCutShort;
			return isLate && state.task && wait?.onTimeout === 'returnTask' ? undefined : state.fault;
		}
	}
}

/** Whether it came to a video, with a link to it. */
export function hasLinkOf(item: Item): boolean {
	const { state } = shared(item).order;
	return state.is === 'completed' && resultUrls(state.task.record).length > 0;
}

/** What an item becomes. An error is its only key: n8n passes such an item on unchanged. */
export function outputOf(item: Item): INodeExecutionData {
	const pairedItem = { item: item.index };
	const fault = faultOf(item);
	if (fault) return { json: { error: { ...errorOf(item, fault) } }, pairedItem };
	const { files = [], download } = shared(item);
	const json = recordOf(item);
	if (!download || files.length === 0) return { json, pairedItem };
	const binary: IBinaryKeyData = Object.fromEntries(
		files.map((file, index) => [binaryFieldOf(download, index), file]),
	);
	return { json, binary, pairedItem };
}

/** A fault with what is known of the task. */
export function errorOf(item: Item, { kind, message, description }: Fault): ItemError {
	const { order, ended = order } = shared(item);
	const task = taskOf(order) ?? taskOf(ended);
	const taskId = taskIdOf(order) ?? order.mayExist?.taskId ?? taskIdOf(ended);
	return {
		...{ message, description, kind },
		...(taskId === undefined ? {} : { taskId }),
		...(task === undefined ? {} : { status: task.status, task: task.record }),
	};
}

/** The record of the task as received, or simplified: the fields that most people use. */
export function recordOf(item: Item): IDataObject {
	const { order, simplify } = shared(item);
	const task = taskOf(order);
	const record = task?.record ?? {};
	if (!simplify) return { ...record };
	const { id, status, progress, results, model, usage, error } = record;
	const { prompt, duration, quality } = order.request ?? {};
	const simple = {
		id,
		status,
		progress: task?.state === 'unfinished' ? progress : undefined,
		videoUrl: resultUrls(record)[0],
		results,
		...{ prompt, duration, quality, model, usage },
		error: task?.state === 'failed' ? error : undefined,
	};
	return Object.fromEntries(Object.entries(simple).filter(([, value]) => value !== undefined));
}

/** The item whose order it is; the settings are its own where they differ. */
const shared = (item: Item): Item => item.sharedWith ?? item;
