import { quotable, wholeId } from '../common/quotable';
import type { StoredTask } from '../tasks/taskStore';
import { listed, NO_STATUS, RESEND_ADVICE } from './message';

/** What a run that ends in an error leaves, as far as it cost or may have cost. */
export interface OtherItems {
	tasks: StoredTask[];
	/** Indexes of items whose create got no clear answer: a task may exist whose id nobody knows. */
	unansweredItems: number[];
}

/** What decides what a retry does. */
interface RetryFacts {
	/** Whether there are tasks from which a retry goes on. */
	mayContinue: boolean;
	isOfMany: boolean;
	/** Of an execution that another workflow has started. */
	subExecutionId?: string;
}

/**
 * Sentences that name all of them, up to a limit each, and say what a retry does with them; n8n has
 * nothing to retry after an error that goes out as an item.
 */
export function otherItemsText(
	{ tasks, unansweredItems }: OtherItems,
	limit: number,
	{ mayContinue, isOfMany, subExecutionId }: RetryFacts,
): string[] {
	const items = unansweredItems.map((itemIndex) => `item ${itemIndex}`);
	const unanswered = `Sent without a clear answer, so a task may exist and be charged: ${listed(items, limit)}. Retries do not send these again, ${RESEND_ADVICE}.`;
	// An item that may not be sent again stops every retry until the node is set to continue.
	const mustContinue = unansweredItems.length > 0 && isOfMany;
	const advice =
		subExecutionId === undefined ? retryAdvice(isOfMany) : subWorkflowAdvice(subExecutionId);
	const retry = mayContinue ? [advice] : [];
	const isCalled = subExecutionId !== undefined && unansweredItems.length > 0;
	const needsCaller = isCalled && (mustContinue || !mayContinue);
	return [
		...(tasks.length > 0 ? [`Other tasks: ${listed(tasks.map(taskText), limit)}.`] : []),
		...(unansweredItems.length > 0 ? [unanswered] : []),
		...(mustContinue ? [CONTINUE_ADVICE] : retry),
		...(needsCaller ? [`Retry execution ${subExecutionId} of this sub-workflow. ${CALLER}`] : []),
	];
}

const retryAdvice = (isOfMany: boolean): string =>
	[
		'To continue with the tasks that exist, retry this execution: only failed ones are created again.',
		...(isOfMany ? [CHANGE_ADVICE] : []),
	].join(' ');
/** What an item asks for is known by its fields, and most fields are the same for all items. */
const CHANGE_ADVICE =
	'A field that you change for all items before that creates all of them again: make an item that needs a change in a new workflow.';
/** Whoever retries what called the sub-workflow starts a new one, which knows of no task. */
const CALLER =
	'Do not retry the execution that called it: that creates and charges for all of them again.';
const subWorkflowAdvice = (executionId: string): string =>
	`To continue with the tasks that exist, retry execution ${executionId} of this sub-workflow: only failed ones are created again. ${CALLER} If n8n has not saved execution ${executionId}, use Get Task with the IDs.`;
const CONTINUE_ADVICE =
	'To get the videos of the other items without paying again, set On Error in the settings of the node to Continue, save, and choose “Retry with currently saved workflow”.';

export const taskText = ({ itemIndex, taskId, status = NO_STATUS }: StoredTask): string =>
	`item ${itemIndex}: ${wholeId(taskId)} (${quotable(status)})`;

const TASKS_PER_LINE = 20;

/** For n8n's log, where all of them are named: lines of a length that log viewers show. */
export function otherItemsLines({ tasks, unansweredItems }: OtherItems): string[] {
	const texts = [
		...tasks.map(taskText),
		...unansweredItems.map((itemIndex) => `item ${itemIndex}: sent, no clear answer`),
	];
	const lineCount = Math.ceil(texts.length / TASKS_PER_LINE);
	return Array.from({ length: lineCount }, (_, line) =>
		texts.slice(line * TASKS_PER_LINE, (line + 1) * TASKS_PER_LINE).join(', '),
	);
}
