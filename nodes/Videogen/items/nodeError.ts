import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type OtherItems, otherItemsText, retryAdvice } from '../messages/otherItems';
import type { Outcome } from '../tasks/job';
import type { ItemError } from './result';

/** A description that lists more than this is not read; the error's context has them all. */
const MAX_LISTED_TASKS = 50;

/** What the error tells with which the node stops. */
export interface StopFacts {
	itemIndex: number;
	itemCount: number;
	error: ItemError;
	/** What it came from; `undefined` for what was found before anything was sent. */
	outcome?: Outcome;
	others: OtherItems;
}

/**
 * The error with which the node stops, complete in its text and in its `context`: a NodeApiError for
 * an answer of the service, a NodeOperationError for all else.
 */
export function stopError(
	context: IExecuteFunctions,
	{ itemIndex, itemCount, error, outcome, others }: StopFacts,
): NodeApiError | NodeOperationError {
	const { message, taskId, status, task } = error;
	const item = itemCount > 1 ? `Item ${itemIndex} (of ${itemCount}, counted from 0). ` : '';
	const listed = otherItemsText(others, MAX_LISTED_TASKS);
	const retry = retryAdvice(others, { hasTask: taskId !== undefined, itemCount });
	const description = [`${item}${error.description}`, ...listed, ...retry].join(' ');
	const text = { message, description, itemIndex };
	const isAnswer = outcome?.kind === 'notCreated' || outcome?.kind === 'notRead';
	const httpCode =
		isAnswer && outcome.error.kind === 'status' ? String(outcome.error.status) : undefined;
	const nodeError = isAnswer
		? new NodeApiError(context.getNode(), { message }, { ...text, httpCode })
		: new NodeOperationError(context.getNode(), message, text);
	// n8n replaces texts in which it finds the name of a system error, even inside a quote.
	nodeError.message = message;
	const { tasks: otherTasks, unansweredItems } = others;
	const facts = { itemIndex, taskId, status, task, otherTasks, unansweredItems };
	Object.assign(nodeError.context, facts);
	return nodeError;
}
