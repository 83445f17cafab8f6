import { type IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	type ErrorKind,
	type Failure,
	forEditor,
	itemOf,
	LABELS,
	listed,
} from '../shared/messages';
import { quotable, wholeId } from '../shared/text';
import { type Result, taskIdIn } from '../work/session';
import { itemErrorOf, type ItemError, taskIn } from './output';

/** Kinds that are not the service's. n8n has another error class for the others. */
const OWN_KINDS: ErrorKind[] = ['invalid', 'limit', 'timeout', 'download', 'stopped'];

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
export const tasksOf = (results: readonly Result[]): ItemTask[] =>
	results.flatMap((result) => {
		const { order, plan } = result.job;
		const taskId = taskIdIn(result.job);
		const status = taskIn(result)?.status;
		const isKnown = order !== undefined || status !== undefined;
		return taskId !== undefined && isKnown ? [{ itemIndex: plan.index, taskId, status }] : [];
	});

/** Items whose create was sent and may have made a task, but whose task ID is unknown. */
export const unconfirmedItems = (results: readonly Result[]): number[] =>
	results
		.filter(({ job }) => job.order?.state.is === 'sent' && taskIdIn(job) === undefined)
		.map(({ job }) => job.plan.index);

/**
 * The error that stops the node. Its `context` has the same facts as its text. `data` in it lists
 * the tasks of the other items, which n8n's editor shows with the error details.
 * @param result Absent if the error concerns all items.
 * @param isReusing Whether the next click reuses what this one has created.
 */
export function thrownError(
	context: Context,
	failure: Failure,
	results: readonly Result[],
	result?: Result,
	isReusing = false,
): NodeApiError | NodeOperationError {
	const others = results.filter((one) => one !== result);
	const item: ItemError = result ? itemErrorOf(result, failure) : failure;
	const { message, kind, description, ...facts } = item;
	const isOfItem = result && results.length > 1 && kind !== 'limit';
	const which = isOfItem ? `${itemOf(result.job.plan.index, results.length)}: ` : '';
	const text = `${which}${message}${taskText(item)}`;
	const advice = adviceFor(context, kind, results, result, isReusing);
	const next = isReusing ? forEditor(description) : description;
	const options = { message: text, description: [next, advice].filter(Boolean).join(' ') };
	const error = OWN_KINDS.includes(kind)
		? new NodeOperationError(context.getNode(), text, options)
		: new NodeApiError(context.getNode(), { message: text }, options);
	const data = { otherTasks: tasksOf(others), unansweredItems: unconfirmedItems(results) };
	const hasData = data.otherTasks.length > 0 || data.unansweredItems.length > 0;
	Object.assign(error.context, { kind, ...facts, ...data, ...(hasData && { data }) });
	if (result) Object.assign(error.context, { item: result.job.plan.index + 1 });
	// n8n replaces a message that contains the name of a system error, even inside a quote.
	error.message = text;
	return error;
}

/** Names the task, unless the message already does. */
function taskText({ message, description, taskId, status }: ItemError): string {
	if (taskId === undefined) return '';
	const id = wholeId(taskId);
	// A number alone may be any other.
	const text = `${message} ${description}`;
	if (text.includes(`ID ${id}`) || text.includes(`task ${id}`)) return '';
	const state = status === undefined ? '' : `, status: ${quotable(status)}`;
	return ` (task ID: ${id}${state})`;
}

/** The one sentence that matters most: what else may exist, was reused, or is got by a retry. */
function adviceFor(
	context: Context,
	kind: ErrorKind,
	results: readonly Result[],
	result: Result | undefined,
	isReusing: boolean,
): string {
	const others = results.filter((one) => one !== result);
	const unconfirmed = unconfirmedItems(others).map((index) => String(index + 1));
	if (unconfirmed.length > 0) {
		return `A video may also exist for these items: ${listed(unconfirmed, MAX_LISTED)}.`;
	}
	const order = result?.job.order;
	const hasOthers = tasksOf(others.filter(({ job }) => job.order)).length > 0;
	if (isReusing) return reuseText(results) ?? (hasOthers ? EDITOR_ADVICE : '');
	if (context.getMode() === 'integrated' && (hasOthers || order?.state.is === 'task')) {
		return `Retry execution ${context.getExecutionId()} of this sub-workflow, ${NOT_CALLER}`;
	}
	if (!hasOthers) return '';
	const isNamed = result !== undefined && taskIdIn(result.job) !== undefined;
	return LASTING_KINDS.includes(kind) && !isNamed ? CONTINUE_ADVICE : RETRY_ADVICE;
}

const MAX_LISTED = 20;

const MAX_LISTED_EXECUTIONS = 3;

const NOT_CALLER = 'not the workflow that called it, which would create all of them again.';

const EDITOR_ADVICE =
	'Executing the node again with the same requests reuses the other videos, at no cost.';

const RETRY_ADVICE =
	'To get the other videos, open this execution in Executions and select Retry: running the workflow again would create them again.';

/** An item that is refused again would stop every retry. */
const CONTINUE_ADVICE =
	"To get the other videos, set 'On Error' in the node's settings to Continue, save, and retry this execution with the currently saved workflow.";

/**
 * For an execution that a person or n8n's time limit stopped. The editor offers no Retry for it, so
 * the IDs stand in the text.
 */
export function stoppedFailure(results: readonly Result[]): Failure {
	const ids = tasksOf(results).map(({ taskId }) => wholeId(taskId));
	const use = `Videos that were created are still generated and charged: use '${LABELS.getTask}' with ${listed(ids, MAX_LISTED)}.`;
	const items = unconfirmedItems(results).map((index) => String(index + 1));
	const look = `A video may exist for these items, so look in the provider's console: ${listed(items, MAX_LISTED)}.`;
	const parts = [ids.length > 0 ? use : '', items.length > 0 ? look : ''].filter(Boolean);
	const description = parts.join(' ') || 'No video was created.';
	return { kind: 'stopped', message: 'The execution was stopped', description };
}

/** What was reused from earlier executions, if anything, and how to get a new version. */
export function reuseText(results: readonly Result[]): string | undefined {
	const creates = results.filter(({ job }) => job.plan.do === 'create');
	const reused = creates.flatMap(({ job }) => (job.do === 'read' && job.reusedFrom) || []);
	if (reused.length === 0) return undefined;
	const what = creates.length === 1 ? 'the video' : `${reused.length} of ${creates.length} videos`;
	const executions = [...new Set(reused)].map((id) => `execution ${id}`);
	return `Reused ${what} from ${listed(executions, MAX_LISTED_EXECUTIONS)}; for a new version, change the prompt, or add '${LABELS.reuseInEditor}' in '${LABELS.options}' and turn it off.`;
}
