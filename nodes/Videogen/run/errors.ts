import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type ErrorKind, type Failure, itemOf, LABELS } from '../shared/messages';
import { quotable, wholeId } from '../shared/text';
import { type Item, taskIdOf } from '../work/order';
import { errorOf, type ItemError } from './output';

/** Kinds that are the service's failure, not the node's. n8n has its own error class for them. */
const API_KINDS: ErrorKind[] = [
	...(['refused', 'moderation', 'balance', 'key', 'address'] as const),
	...(['rateLimited', 'serviceError', 'notFound', 'noAnswer'] as const),
];

/** Kinds that a retry runs into again if no task was created. */
const LASTING_KINDS: ErrorKind[] = ['invalid', 'refused', 'moderation', 'noAnswer'];

/** What an error needs from n8n. */
type Context = Pick<IExecuteFunctions, 'getNode' | 'getMode' | 'getExecutionId'>;

/** The task of an item, as n8n shows and logs it. */
interface ItemTask {
	itemIndex: number;
	taskId: string;
	status?: string;
}

/** The tasks of these items: those that exist, and those that an answer named. */
export const tasksOf = (items: Item[]): ItemTask[] =>
	items.flatMap((item) => {
		const taskId = taskIdOf(item);
		const isKnown = item.order !== undefined || item.task !== undefined;
		const status = (item.task ?? item.order?.task)?.status;
		return taskId === undefined || !isKnown ? [] : [{ itemIndex: item.index, taskId, status }];
	});

/** Items whose create was sent and may have made a task, but whose task ID is unknown. */
export const unconfirmedItems = (items: Item[]): number[] =>
	items.flatMap(({ index, order }) =>
		order?.state === 'sent' && order.taskId === undefined ? [index] : [],
	);

/** The state of a run that ends in an error. */
export interface Stopped {
	items: Item[];
	/** Whether the next click in the editor reuses the existing videos. */
	isReused: boolean;
	/** What was reused, as a sentence. */
	reuse?: string;
}

/**
 * The error that stops the node. Its `context` has the same facts as its text. `data` in it lists
 * the tasks of the other items, which n8n's editor shows with the error details.
 * @param item Absent if the error concerns all items.
 */
export function thrownError(
	context: Context,
	failure: Failure,
	item: Item | undefined,
	stopped: Stopped,
): NodeApiError | NodeOperationError {
	const { items } = stopped;
	const others = items.filter((one) => one !== item);
	const { message, kind, description, ...facts }: ItemError = item
		? errorOf(item, failure)
		: failure;
	const isOfAll = items.every((one) => one.failure?.message === message);
	const which = item && items.length > 1 && !isOfAll ? itemOf(item.index, items.length) : '';
	const text = which ? `${which}: ${message}` : message;
	const advice = adviceFor(context, kind, item, others, stopped);
	const task = taskText(`${message} ${description}`, facts);
	const all = [description, task, ...advice].filter(Boolean);
	const options = { message: text, description: all.join(' ') };
	const error = API_KINDS.includes(kind)
		? new NodeApiError(context.getNode(), { message: text }, options)
		: new NodeOperationError(context.getNode(), text, options);
	const data = { otherTasks: tasksOf(others), unansweredItems: unconfirmedItems(items) };
	const hasData = data.otherTasks.length > 0 || data.unansweredItems.length > 0;
	Object.assign(error.context, { kind, ...facts, ...data, ...(hasData && { data }) });
	if (item) Object.assign(error.context, { item: item.index + 1 });
	// n8n replaces a message that contains the name of a system error, even inside a quote.
	error.message = text;
	return error;
}

/** Names the task, unless the message already does. */
const taskText = (text: string, { taskId, status }: Pick<ItemError, 'taskId' | 'status'>) =>
	taskId === undefined || text.includes(wholeId(taskId))
		? ''
		: `Task ID: ${wholeId(taskId)}${status === undefined ? '' : `, status: ${quotable(status)}`}.`;

/** How to get the videos of the other items, what else may exist, and what was reused. */
function adviceFor(
	context: Context,
	kind: ErrorKind,
	item: Item | undefined,
	others: Item[],
	{ isReused, reuse }: Stopped,
): string[] {
	const unconfirmed = unconfirmedItems(others).map((index) => index + 1);
	const hasOthers = tasksOf(others.filter(({ order }) => order)).length > 0;
	const isOpen = item?.order?.state === 'task' || hasOthers;
	const isLasting = LASTING_KINDS.includes(kind) && item?.order?.taskId === undefined;
	const advice: string[] = [];
	if (unconfirmed.length > 0) {
		advice.push(`A video may also exist for these items: ${unconfirmed.join(', ')}.`);
	}
	const isNothing = unconfirmed.length === 0 && !hasOthers && others.some(({ wish }) => wish);
	if (kind === 'invalid' && isNothing) {
		advice.push('Nothing was created for the other items either.');
	}
	if (isOpen && isReused) {
		if (hasOthers && !reuse) advice.push('The other videos are reused at no cost.');
	} else if (isOpen && context.getMode() === 'integrated') {
		advice.push(`Retry execution ${context.getExecutionId()} of this sub-workflow, ${NOT_CALLER}`);
	} else if (hasOthers) advice.push(isLasting ? CONTINUE_ADVICE : RETRY_ADVICE);
	return reuse ? [...advice, reuse] : advice;
}

const NOT_CALLER = 'not the workflow that called it, which would create all of them again.';

const RETRY_ADVICE =
	'Open this execution in Executions and press Retry: it continues with the videos that exist. Running the workflow again would create them again.';

/** An item that is refused again would stop every retry. */
const CONTINUE_ADVICE =
	"To get the other videos, set 'On Error' in the node's settings to Continue, save, and retry this execution with the currently saved workflow. Running the workflow again would create them again.";

/** For an execution that a person stopped. n8n saves it with the execution and shows it nowhere. */
export const STOPPED: Failure = {
	kind: 'stopped',
	message: 'The execution was stopped',
	description: `Videos that were created are still generated and charged: use '${LABELS.getTask}' with the IDs in the log of n8n.`,
};
