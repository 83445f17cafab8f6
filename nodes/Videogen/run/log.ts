import type { IExecuteFunctions } from 'n8n-workflow';
import { wholeId } from '../common/quotable';
import { fetchAdvice } from '../messages/message';
import { type OtherItems, otherItemsLines, taskText } from '../messages/otherItems';
import type { Answer, ServiceError } from '../service/answer';
import type { Task } from '../service/task';
import type { StoredTask } from '../tasks/taskStore';

/** What a run says besides its output and its error: in n8n's log, and beside the output. */
type Report = Pick<IExecuteFunctions, 'logger' | 'addExecutionHints'>;

/**
 * In the log, because when a server is killed that may be all that is left of an execution. After a
 * stop, n8n does not wait for a create that was under way, and shows nothing of it.
 */
export function logCreated({ logger }: Report, { id }: Task, itemIndex: number, isLate: boolean) {
	const created = `Task ${wholeId(id)} was created for item ${itemIndex}`;
	if (!isLate) logger.info(created);
	else logger.warn(`${created} while the execution was being stopped. ${fetchAdvice(id)}`);
}

/** After the node stopped waiting for it, which has told that a task may exist. */
export function logLateAnswer(report: Report, answer: Answer, itemIndex: number): void {
	if (answer.kind === 'error') return logUnanswered(report, answer.error, itemIndex);
	const { id } = answer.task;
	const late = 'after the node had stopped waiting for an answer';
	report.logger.warn(
		`Task ${wholeId(id)} was created for item ${itemIndex} ${late}. ${fetchAdvice(id)}`,
	);
}

/** An answer without a task record may hold an id in an unexpected place. */
export function logUnanswered({ logger }: Report, error: ServiceError, itemIndex: number): void {
	if (error.kind !== 'unreadable' || error.excerpt === '') return;
	logger.warn(
		`The answer to the create of item ${itemIndex} has no task ID that can be read. It begins with: ${error.excerpt}`,
	);
}

/** n8n shows no node's error after a stop, so its log is where the ids stay. */
export function logStopped({ logger }: Report, items: OtherItems): void {
	const lines = otherItemsLines(items);
	if (lines.length === 0) return;
	const heading = 'The execution was stopped. Use Get Task to get the tasks of this run:';
	logger.warn([heading, ...lines].join('\n'));
}

/** Says it beside the output. */
export const hint = (report: Report, message: string, type?: 'warning'): void =>
	report.addExecutionHints({ message, location: 'outputPane', ...(type && { type }) });

/** Tasks that were paid for in earlier tries, and that no item of the output holds. */
export function showOrphaned(report: Report, tasks: StoredTask[]): void {
	if (tasks.length === 0) return;
	const named = tasks.map(taskText).join(', ');
	const message = `Not in the output: tasks of earlier tries of this node, ${named}. Use Get Task to get them.`;
	report.logger.warn(message);
	hint(report, message, 'warning');
}

/** An item that comes back to the node again and again, as a loop around it does. */
export function logTurns(
	context: Pick<IExecuteFunctions, 'getNode' | 'logger'>,
	itemIndex: number,
	turns: number,
): void {
	const { name } = context.getNode();
	context.logger.warn(
		`Item ${itemIndex} came back to the node “${name}” for the ${turns}th time without a new result. Check the loop around it.`,
	);
}
