import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { isSubWorkflow, withMessage } from '../ground/n8n';
import { quotable, wholeId } from '../ground/text';
import {
	type ErrorKind,
	LABELS,
	listed,
	type Message,
	NO_STATUS,
	NOTHING_CREATED,
	nthItem,
	nthOf,
} from '../ground/words';
import { isCreate, type Item, type StoredTask } from '../work/order';
import { n8nFailure } from './n8nFailure';
import type { ItemError } from './output';

/** Not everybody can read n8n's log. */
export const RUN_AGAIN = `In the editor, run it again: videos that exist are used, not ordered again. Or use ${LABELS.getTask} with the IDs in n8n’s log.`;

/** For an execution that a person stopped; n8n keeps it in the execution's data and shows it nowhere. */
export const STOPPED_MESSAGE: Message = {
	message: 'The execution was stopped',
	description: RUN_AGAIN,
};

/** Kinds of errors that a retry meets again where no task was made. */
const LASTING_KINDS: ErrorKind[] = ['invalid', 'refused', 'moderation', 'noAnswer'];

/** Kinds that n8n knows as a fault of the service, and not of the node. */
const API_KINDS: ErrorKind[] = [
	...([
		'refused',
		'balance',
		'key',
		'address',
		'rateLimited',
		'serviceError',
		'notFound',
		'noAnswer',
	] as const),
];

/** What of n8n an error needs. */
type Context = Pick<IExecuteFunctions, 'getNode' | 'getMode' | 'getExecutionId'>;

/** What a run that ends in an error has come to. */
export interface Stopped {
	/** The item that stops it; absent for what is of all. */
	item?: Item;
	/** How many items there are. */
	total: number;
	/** Whether all of them say the same. */
	isOfAll: boolean;
	/** Whether the next click in the editor uses the videos that exist. */
	isReused: boolean;
	/** The other tasks that it has paid for, or may have. */
	tasks: StoredTask[];
	/** Indexes of items whose create was not answered clearly: a task may exist, and nobody knows its id. */
	unansweredItems: number[];
}

/**
 * The error with which the node stops: a NodeApiError for an answer of the service, else a
 * NodeOperationError. Its `context` has the same facts as its text, and in `data` the tasks of the
 * other items, which n8n's editor shows among the details.
 */
export function stopError(
	context: Context,
	error: ItemError,
	stopped: Stopped,
): NodeApiError | NodeOperationError {
	const { item, total, isOfAll, tasks, unansweredItems } = stopped;
	const { message, kind, taskId, status, task } = error;
	const which = item && total > 1 && !isOfAll ? `T${nthOf(item.index, total).slice(1)}: ` : '';
	const advice = adviceFor(context, error, stopped);
	// Who reads how to get the other videos knows that this one was not made.
	const own =
		advice.length > 0 ? error.description.replace(` ${NOTHING_CREATED}`, '') : error.description;
	const description = [`${which}${own}`, ...advice].join(' ');
	const text = { message, description, ...n8nFailure(kind) };
	const nodeError = API_KINDS.includes(kind)
		? new NodeApiError(context.getNode(), { message }, text)
		: new NodeOperationError(context.getNode(), message, text);
	const others = { otherTasks: tasks, unansweredItems };
	Object.assign(nodeError.context, {
		...{ kind, taskId, status, task, ...others },
		...(item && { item: item.index + 1 }),
		...((tasks.length > 0 || unansweredItems.length > 0) && { data: others }),
	});
	return withMessage(nodeError, message);
}

/** What brings the videos of the other items, in one sentence; and what may be paid, in another. */
function adviceFor(
	context: Context,
	{ kind, taskId }: ItemError,
	{ item, total, isReused, tasks, unansweredItems }: Stopped,
): string[] {
	const isUnanswered = unansweredItems.length > 0;
	const others = unansweredItems.filter((index) => index !== item?.index);
	const mayExist = others.length > 0 ? [unansweredAdvice(others)] : [];
	const hasOthers = tasks.length > 0;
	if (item && !isCreate(item.order) && item.create === undefined && !hasOthers) return mayExist;
	if (isReused) return [...mayExist, ...(hasOthers ? [CLICK_ADVICE] : [])];
	// A person's Retry orders again what has failed for its content.
	const isLasting = kind === 'moderation' || (taskId === undefined && LASTING_KINDS.includes(kind));
	const isOpen = hasOthers || (taskId !== undefined && kind === 'timeout');
	if (isSubWorkflow(context)) {
		const id = context.getExecutionId();
		return [...mayExist, ...(isOpen || isUnanswered ? [subWorkflowAdvice(id)] : [])];
	}
	if (total > 1 && ((isLasting && hasOthers) || isUnanswered))
		return [...mayExist, CONTINUE_ADVICE];
	return [...mayExist, ...(isOpen ? [RETRY_ADVICE] : [])];
}

const CLICK_ADVICE = 'Execute again: you do not pay again for the other videos.';

const RETRY_ADVICE =
	'In Executions, open this one and press Retry: it continues with the videos that exist.';

/** What is refused again would stop every retry. */
const CONTINUE_ADVICE =
	"To get the videos of the other items, set 'On Error' in the settings of the node to Continue, save, and choose “Retry with currently saved workflow” in Executions.";

/** A retry of the workflow that called it starts a new execution, which knows of no task. */
const subWorkflowAdvice = (executionId: string): string =>
	`Retry execution ${executionId} of this sub-workflow, not the one that called it, which would order all of them again.`;

const MAX_LISTED_ITEMS = 50;

const unansweredAdvice = (items: number[]): string =>
	`A task may exist, and be charged, for the ${listed(items.map(nthItem), MAX_LISTED_ITEMS)}, too.`;

export const taskText = ({ itemIndex, taskId, status = NO_STATUS }: StoredTask): string =>
	`${nthItem(itemIndex)}: ${wholeId(taskId)} (${quotable(status)})`;

const TASKS_PER_LINE = 20;

/** All of them, for n8n's log, in lines of a length that log viewers show. */
export function taskLines(tasks: StoredTask[], unansweredItems: number[]): string[] {
	const texts = [
		...tasks.map(taskText),
		...unansweredItems.map((itemIndex) => `${nthItem(itemIndex)}: sent, not answered clearly`),
	];
	const lineCount = Math.ceil(texts.length / TASKS_PER_LINE);
	return Array.from({ length: lineCount }, (_, line) =>
		texts.slice(line * TASKS_PER_LINE, (line + 1) * TASKS_PER_LINE).join(', '),
	);
}
