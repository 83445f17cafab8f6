import { quotable, wholeId } from '../ground/text';
import type { StoredTask } from '../work/taskStore';
import { listed, NO_STATUS, nthItem, RESEND_ADVICE } from '../ground/words';

/** What a run that ends in an error has paid for, or may have. */
export interface OtherItems {
	tasks: StoredTask[];
	/** Indexes of items whose create got no clear answer: a task may exist, and nobody knows its id. */
	unansweredItems: number[];
}

/** What decides what a retry does. */
interface RetryFacts {
	/** Whether a retry continues with tasks that exist. */
	mayContinue: boolean;
	isOfMany: boolean;
	/** Whether the item that stops the node would be refused again. */
	isRefused: boolean;
	/** The id of an execution that another workflow has started. */
	subExecutionId?: string;
}

/**
 * Sentences that name all of them, up to a limit each, and say what a retry does with them. After an
 * error that goes out as an item, n8n offers no retry.
 */
export function otherItemsText(
	{ tasks, unansweredItems }: OtherItems,
	limit: number,
	{ mayContinue, isOfMany, isRefused, subExecutionId }: RetryFacts,
): string[] {
	const items = unansweredItems.map(nthItem);
	const unanswered = `Sent without a clear answer, so a task may exist and be charged: ${listed(items, limit)}. Retries do not send these again, ${RESEND_ADVICE}.`;
	const isUnanswered = unansweredItems.length > 0;
	// An item that is not sent again, or refused again, stops every retry until the node is set to continue.
	const mustContinue = isOfMany && (isUnanswered || (isRefused && mayContinue));
	const isSub = subExecutionId !== undefined;
	return [
		...(tasks.length > 0 ? [`Other tasks: ${listed(tasks.map(taskText), limit)}.`] : []),
		...(tasks.length > limit ? [ALL_OF_THEM] : []),
		...(isUnanswered ? [unanswered] : []),
		...(mustContinue ? [CONTINUE_ADVICE] : []),
		...(isSub && (mayContinue || isUnanswered) ? [subWorkflowAdvice(subExecutionId)] : []),
		...(!isSub && mayContinue && !mustContinue ? [RETRY_ADVICE] : []),
		...(!isSub && mayContinue && !isUnanswered && isOfMany ? [CHANGE_ADVICE] : []),
	];
}

const ALL_OF_THEM = "All of them are in the details of this error and in n8n's log.";
const RETRY_ADVICE =
	'In Executions, open this one and press Retry: it continues with the tasks that exist, and orders only failed ones again.';
/** What an item asks for is known by its fields, and most fields are the same for all items. */
const CHANGE_ADVICE = 'Change no field of the node before that: it would order all of them again.';
/** A retry of the workflow that called it starts a new execution, which knows of no task. */
const subWorkflowAdvice = (executionId: string): string =>
	`Retry execution ${executionId} of this sub-workflow, not the one that called it, which would order all of them again. Or use Get Task with the IDs.`;
const CONTINUE_ADVICE =
	"To get the videos of the other items, set 'On Error' in the settings of the node to Continue, save, and choose “Retry with currently saved workflow” in Executions.";

export const taskText = ({ itemIndex, taskId, status = NO_STATUS }: StoredTask): string =>
	`${nthItem(itemIndex)}: ${wholeId(taskId)} (${quotable(status)})`;

const TASKS_PER_LINE = 20;

/** All of them, for n8n's log, in lines of a length that log viewers show. */
export function otherItemsLines({ tasks, unansweredItems }: OtherItems): string[] {
	const texts = [
		...tasks.map(taskText),
		...unansweredItems.map((itemIndex) => `${nthItem(itemIndex)}: sent, no clear answer`),
	];
	const lineCount = Math.ceil(texts.length / TASKS_PER_LINE);
	return Array.from({ length: lineCount }, (_, line) =>
		texts.slice(line * TASKS_PER_LINE, (line + 1) * TASKS_PER_LINE).join(', '),
	);
}
