import type { IExecuteFunctions } from 'n8n-workflow';
import { asSentence, quotable, wholeId } from '../shared/text';
import { itemOf, LABELS } from '../shared/messages';
import { isTool } from '../shared/n8n';
import { percentIn, type Task } from '../service/task';
import { type Order, secondsOf, taskIdOf } from '../work/order';
import type { Result, TaskLog } from '../work/session';
import { reuseText, tasksOf, unconfirmedItems } from './errors';

/** Shown with a practice credential. */
const PRACTICE_HINT = `Practice: no video was created, nothing was charged, and links lead nowhere. For real videos, choose a credential whose '${LABELS.environment}' is Live.`;

type LogContext = Pick<IExecuteFunctions, 'logger'>;

/** Writes tasks into n8n's log, which may be all that is left if the server is killed. */
export const taskLog = ({ logger }: LogContext, itemCount: number, stop: AbortSignal): TaskLog => ({
	task({ order, plan }, taskId) {
		const isCreated = order.state.is === 'task';
		const did = isCreated ? 'was created' : 'may have been created';
		const text = `Task ${wholeId(taskId)} ${did} for ${itemOf(plan.index, itemCount)}`;
		if (isCreated && !stop.aborted) logger.info(text);
		else logger.warn(`${text}. Use ${LABELS.getTask} with this ID.`);
	},
});

/** n8n shows no error of a node that was stopped. */
export function logStopped({ logger }: LogContext, results: readonly Result[]): void {
	const tasks = [
		...tasksOf(results).map(({ taskId }) => wholeId(taskId)),
		...unconfirmedItems(results).map((index) => `not confirmed (item ${index + 1})`),
	];
	if (tasks.length > 0) logger.warn(`The execution was stopped. Its tasks: ${tasks.join(', ')}`);
}

type HintContext = Pick<
	IExecuteFunctions,
	'addExecutionHints' | 'getExecutionId' | 'getMode' | 'getNode' | 'continueOnFail'
>;

/** Shows beside the output what it does not say. An agent has no use for it. */
export function showHints(
	context: HintContext,
	results: readonly Result[],
	isPractice: boolean,
): void {
	if (isTool(context)) return;
	const isPaid = !isPractice && context.getMode() === 'manual';
	const location = 'outputPane';
	const texts = [
		isPractice ? PRACTICE_HINT : undefined,
		reuseText(results),
		isPaid ? createdText(results, context.getExecutionId()) : undefined,
		unfinishedText(results),
	];
	for (const message of texts) if (message) context.addExecutionHints({ message, location });
	const message = failedText(results);
	if (message) context.addExecutionHints({ message, type: 'warning', location });
}

/** What a click created, in any of its tries, because it costs money. */
function createdText(results: readonly Result[], executionId: string): string | undefined {
	const created = results.flatMap(({ job: { do: action, order, plan } }): Order[] => {
		const hasTask = order && order.state.is !== 'sent' && taskIdOf(order) !== undefined;
		// If a loop sent it back, an earlier run of the node has said so.
		const isSaid = plan.returned && action !== 'create';
		const isOfRun = order?.countedBy === executionId && !isSaid;
		return hasTask && isOfRun ? [order] : [];
	});
	if (created.length === 0) return undefined;
	const what = `Created ${created.length === 1 ? '1 task' : `${created.length} tasks`}`;
	const charged = created.length === 1 ? 'it once it is completed' : 'those that it completes';
	return `${what}, ${secondsOf(created.map(({ asked }) => asked))} seconds in total. The provider charges for ${charged}.`;
}

/** Get Task does not wait unless it is told to. */
function unfinishedText(results: readonly Result[]): string | undefined {
	const unfinished = results.flatMap(({ job, outcome }): Task[] => {
		const { task, failure } = outcome;
		const isLook = job.plan.do === 'read' && !job.plan.wait && !failure;
		return isLook && task?.state === 'unfinished' ? [task] : [];
	});
	const [first] = unfinished;
	if (!first) return undefined;
	const percent = percentIn(first.record);
	const progress = percent === undefined ? '' : `, ${percent}%`;
	const which =
		results.length === 1 ? 'The task is' : `${unfinished.length} of ${results.length} tasks are`;
	return `${which} not finished (status: ${quotable(first.status)}${progress}). Turn on '${LABELS.waitForCompletion}', or run this node again later.`;
}

/** n8n itself shows success even if every item ended in an error. */
function failedText(results: readonly Result[]): string | undefined {
	const failed = results.filter(({ outcome }) => outcome.failure);
	const [first] = failed;
	if (!first?.outcome.failure) return undefined;
	const item = itemOf(first.job.plan.index, results.length);
	const many = `${failed.length} of ${results.length} items ended in an error. ${item}:`;
	const what = results.length === 1 ? 'The item ended in an error:' : many;
	return `${what} ${asSentence(first.outcome.failure.message)}`;
}
