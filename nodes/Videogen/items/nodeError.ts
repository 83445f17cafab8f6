import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type OtherItems, otherItemsText } from '../messages/otherItems';
import type { ItemError, ItemResult, ItemState } from './result';

/** A description that lists more than this is not read; the error's context has them all. */
const MAX_LISTED_TASKS = 50;

/**
 * The error with which the node stops, complete in its text and in its `context`: a NodeApiError for
 * an answer of the service, a NodeOperationError for all else.
 */
export function stopError(
	context: IExecuteFunctions,
	error: ItemError,
	run: { itemIndex: number; items: ItemState[]; others: OtherItems },
): NodeApiError | NodeOperationError {
	const { itemIndex, items, others } = run;
	const { message, taskId, status, task } = error;
	const isOfMany = items.length > 1;
	const isOfAll = items.every(({ result }) => messageOf(result) === message);
	const item =
		isOfMany && !isOfAll ? `Item ${itemIndex} (of ${items.length}, counted from 0). ` : '';
	const isGetTask = items.some(({ plan }) => plan?.intent.kind === 'read');
	const hasTask = (taskId !== undefined && status !== 'failed') || others.tasks.length > 0;
	const facts = { mayContinue: hasTask && !isGetTask, isOfMany };
	const more = otherItemsText(others, MAX_LISTED_TASKS, facts);
	const description = [`${item}${error.description}`, ...more].join(' ');
	const text = { message, description, itemIndex };
	const outcome = items[itemIndex]?.outcome;
	const isAnswer = outcome?.kind === 'notCreated' || outcome?.kind === 'notRead';
	const httpCode =
		isAnswer && outcome.error.kind === 'status' ? String(outcome.error.status) : undefined;
	const nodeError = isAnswer
		? new NodeApiError(context.getNode(), { message }, { ...text, httpCode })
		: new NodeOperationError(context.getNode(), message, text);
	// n8n replaces texts in which it finds the name of a system error, even inside a quote.
	nodeError.message = message;
	const { tasks: otherTasks, unansweredItems } = others;
	const known = { itemIndex, taskId, status, task, otherTasks, unansweredItems };
	Object.assign(nodeError.context, known);
	return nodeError;
}

const messageOf = (result: ItemResult | undefined): string | undefined =>
	result && 'error' in result ? result.error.message : undefined;
