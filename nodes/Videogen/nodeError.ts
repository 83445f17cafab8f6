import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ItemError } from './itemResult';
import type { Message } from './messages';
import type { Outcome } from './waiting/job';

/** A task of the same run that another item stopped. */
export interface OtherTask {
	itemIndex: number;
	taskId: string;
	status: string;
}

/** A description that lists more than this is not read; the error's context has them all. */
const MAX_LISTED_TASKS = 20;

export type NodeError = NodeApiError | NodeOperationError;

export interface StopFacts {
	itemIndex: number;
	itemCount: number;
	error: ItemError;
	/** What it came from; `undefined` for what was found before anything was sent. */
	outcome?: Outcome;
	otherTasks: OtherTask[];
}

/** The error with which the node stops, complete in its text and in its `context`. */
export function stopError(context: IExecuteFunctions, facts: StopFacts): NodeError {
	const { itemIndex, error, outcome, otherTasks } = facts;
	const text: Message = { message: error.message, description: descriptionOf(facts) };
	const nodeError = isAnswer(outcome)
		? new NodeApiError(
				context.getNode(),
				{ message: text.message },
				{ ...text, itemIndex, httpCode: httpCodeOf(outcome) },
			)
		: new NodeOperationError(context.getNode(), text.message, { ...text, itemIndex });
	// n8n replaces texts in which it finds the name of a system error, even inside a quote.
	nodeError.message = text.message;
	const { taskId, status, task } = error;
	Object.assign(nodeError.context, { itemIndex, taskId, status, task, otherTasks });
	return nodeError;
}

const isAnswer = (outcome: Outcome | undefined): boolean =>
	outcome?.kind === 'notCreated' || outcome?.kind === 'notRead';

function httpCodeOf(outcome: Outcome | undefined): string | undefined {
	const trouble = outcome && 'trouble' in outcome ? outcome.trouble : undefined;
	return trouble?.kind === 'status' ? String(trouble.status) : undefined;
}

function descriptionOf({ itemIndex, itemCount, error, otherTasks }: StopFacts): string {
	const item = itemCount > 1 ? `Item ${itemIndex + 1} of ${itemCount} (index ${itemIndex}). ` : '';
	return `${item}${error.description}${listOf(otherTasks)}`;
}

function listOf(tasks: OtherTask[]): string {
	if (tasks.length === 0) return '';
	const named = tasks
		.slice(0, MAX_LISTED_TASKS)
		.map(({ itemIndex, taskId, status }) => `item ${itemIndex}: ${taskId} (${status})`);
	const more = tasks.length > named.length ? ` and ${tasks.length - named.length} more` : '';
	return ` Other tasks of this run, which a retry picks up without paying again: ${named.join(', ')}${more}.`;
}
