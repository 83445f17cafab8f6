import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Task } from './client/task';
import type { WaitSettings } from './input/wait';
import type { Message } from './messages';
import { outcomeMessage } from './messages';
import type { Outcome } from './waiting/job';

/** Why an item did not get what it asked for, with all that is known of its task. */
export interface ItemError extends Message {
	taskId?: string;
	status?: string;
	task?: IDataObject;
}

/** What an item becomes. */
export type ItemResult = { json: IDataObject } | { error: ItemError };

/** The one result of an item whose job came to this outcome. */
export function resultOf(outcome: Outcome, wait: WaitSettings | undefined): ItemResult {
	if (outcome.kind === 'done') return { json: outcome.task.record };
	const returned = returnedTask(outcome, wait);
	return returned ? { json: returned.record } : { error: errorOf(outcome) };
}

/** The task that the user prefers to an error, by On Failed Task and On Timeout. */
function returnedTask(outcome: Outcome, wait: WaitSettings | undefined): Task | undefined {
	if (outcome.kind === 'failed' && wait?.onFailure === 'returnTask') return outcome.task;
	if (outcome.kind === 'timedOut' && wait?.onTimeout === 'returnTask') return outcome.task;
	return undefined;
}

function errorOf(outcome: Exclude<Outcome, { kind: 'done' }>): ItemError {
	const { task, taskId } = taskFacts(outcome);
	const { message, description } = outcomeMessage(outcome);
	return {
		message,
		description,
		...(taskId === undefined ? {} : { taskId }),
		...(task === undefined ? {} : { status: task.status, task: task.record }),
	};
}

/** The task that an outcome is about, as far as it is known. */
export function taskFacts(outcome: Outcome): { taskId?: string; task?: Task } {
	const task = 'task' in outcome ? outcome.task : undefined;
	const taskId = 'taskId' in outcome ? outcome.taskId : task?.id;
	return { taskId, task };
}

/** The output item; `error` is the only key, the one shape that both n8n lines pass on whole. */
export const outputItem = (result: ItemResult, itemIndex: number): INodeExecutionData => ({
	json: 'json' in result ? { ...result.json } : { error: { ...result.error } },
	pairedItem: { item: itemIndex },
});
