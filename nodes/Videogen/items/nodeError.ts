import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { ServiceError } from '../service/answer';
import type { ItemError } from './result';
import type { Message } from '../messages/message';
import type { OtherItems } from '../messages/otherItems';
import { otherItemsText } from '../messages/otherItems';
import type { Outcome } from '../tasks/job';

/** A description that lists more than this is not read; the error's context has them all. */
const MAX_LISTED_TASKS = 50;

/** Of n8n's two kinds: for an answer of the service, and for all else. */
export type NodeError = NodeApiError | NodeOperationError;

/** What the error tells with which the node stops. */
export interface StopFacts {
	itemIndex: number;
	itemCount: number;
	error: ItemError;
	/** What it came from; `undefined` for what was found before anything was sent. */
	outcome?: Outcome;
	others: OtherItems;
}

/** The error with which the node stops, complete in its text and in its `context`. */
export function stopError(context: IExecuteFunctions, facts: StopFacts): NodeError {
	const { itemIndex, error, outcome, others } = facts;
	const text: Message = { message: error.message, description: descriptionOf(facts) };
	const answered = serviceErrorOf(outcome);
	const nodeError = answered
		? new NodeApiError(
				context.getNode(),
				{ message: text.message },
				{ ...text, itemIndex, httpCode: httpCodeOf(answered) },
			)
		: new NodeOperationError(context.getNode(), text.message, { ...text, itemIndex });
	// n8n replaces texts in which it finds the name of a system error, even inside a quote.
	nodeError.message = text.message;
	const { taskId, status, task } = error;
	const { tasks: otherTasks, unansweredItems } = others;
	Object.assign(nodeError.context, {
		itemIndex,
		taskId,
		status,
		task,
		otherTasks,
		unansweredItems,
	});
	return nodeError;
}

/** What the service answered, or why it did not, in place of a task. */
const serviceErrorOf = (outcome: Outcome | undefined): ServiceError | undefined =>
	outcome?.kind === 'notCreated' || outcome?.kind === 'notRead' ? outcome.error : undefined;

const httpCodeOf = (error: ServiceError): string | undefined =>
	error.kind === 'status' ? String(error.status) : undefined;

function descriptionOf({ itemIndex, itemCount, error, others }: StopFacts): string {
	const item = itemCount > 1 ? `Item ${itemIndex} (of ${itemCount}, counted from 0). ` : '';
	const listed = otherItemsText(others, MAX_LISTED_TASKS);
	return [`${item}${error.description}`, ...listed].join(' ');
}
