import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { withMessage, isSubWorkflow } from '../ground/n8n';
import { type OtherItems, otherItemsText } from './otherItems';
import { endingOf } from '../service/task';
import { nthOf } from '../ground/words';
import { type Entry, isCreate } from '../work/entry';
import type { ErrorKind } from './errorKind';
import { failureOf } from './failure';
import { logTasks } from './log';
import type { ItemError } from './output';

/** The description lists no more; the context of the error has all of them. */
const MAX_LISTED_TASKS = 50;

/** Kinds of errors that a retry meets again where no task was made. */
const LASTING_KINDS: ErrorKind[] = ['invalid', 'refused', 'moderation'];

/**
 * The error with which the node stops: a NodeApiError for an answer of the service, else a
 * NodeOperationError. Its `context` has the same facts as its text.
 */
export function stopError(
	context: IExecuteFunctions,
	error: ItemError,
	run: { itemIndex?: number; entries: Entry[]; isOfAll: boolean; others: OtherItems },
): NodeApiError | NodeOperationError {
	const { itemIndex, entries, isOfAll, others } = run;
	const { message, kind, taskId, status, task } = error;
	const isOfMany = entries.length > 1;
	const item =
		isOfMany && !isOfAll && itemIndex !== undefined
			? `T${nthOf(itemIndex, entries.length).slice(1)}: `
			: '';
	const isGetTask = entries.some((entry) => !isCreate(entry) && entry.taskId !== undefined);
	const isEnded = status !== undefined && endingOf(status) !== undefined;
	const hasTask = (taskId !== undefined && !isEnded) || others.tasks.length > 0;
	const subExecutionId = isSubWorkflow(context) ? context.getExecutionId() : undefined;
	const isRefused = taskId === undefined && LASTING_KINDS.includes(kind);
	const facts = { mayContinue: hasTask && !isGetTask, isOfMany, isRefused, subExecutionId };
	if (others.tasks.length > MAX_LISTED_TASKS) logTasks(context, `${message}.`, others);
	const more = otherItemsText(others, MAX_LISTED_TASKS, facts);
	const description = [`${item}${error.description}`, ...more].join(' ');
	const text = { message, description, itemIndex, ...failureOf(kind) };
	const { outcome } = entries[itemIndex ?? -1] ?? {};
	const answer =
		outcome?.kind === 'notCreated' || outcome?.kind === 'notRead' ? outcome.error : undefined;
	const httpCode = answer?.kind === 'status' ? String(answer.status) : undefined;
	const nodeError = answer
		? new NodeApiError(context.getNode(), { message }, { ...text, httpCode })
		: new NodeOperationError(context.getNode(), message, text);
	const { tasks: otherTasks, unansweredItems } = others;
	const known = { kind, itemIndex, taskId, status, task, otherTasks, unansweredItems };
	Object.assign(nodeError.context, known);
	return withMessage(nodeError, message);
}
