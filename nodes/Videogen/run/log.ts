import type { IExecuteFunctions } from 'n8n-workflow';
import { wholeId } from '../ground/text';
import { heldUpText } from './progressMessages';
import { PRACTICE_HINT } from './hints';
import { fetchAdvice, nth, nthOf } from '../ground/words';
import { RUN_AGAIN } from './outcomeMessage';
import { type OtherItems, otherItemsLines, taskText } from './otherItems';
import { type RunContext, runIndexOf } from '../ground/n8n';
import type { ServiceError } from '../service/answer';
import type { Task } from '../service/task';
import type { StoredTask } from '../work/taskStore';

/** n8n's log, and the hints beside the output. */
type Report = Pick<IExecuteFunctions, 'logger' | 'addExecutionHints'>;

/** n8n's log, and the number of items. */
type Log = Pick<IExecuteFunctions, 'logger' | 'getInputData'>;

const itemOf = (context: Log, index: number): string => nthOf(index, context.getInputData().length);

/**
 * Logs the id of a new task. When a server is killed, the log may be all that is left of an execution.
 * @param isLate The execution was stopped before, and n8n shows nothing of the task.
 */
export function logCreated(context: Log, { id }: Task, itemIndex: number, isLate: boolean) {
	const { logger } = context;
	const created = `Task ${wholeId(id)} was created for ${itemOf(context, itemIndex)}`;
	if (!isLate) logger.info(created);
	else logger.warn(`${created} while the execution was being stopped. ${fetchAdvice(id)}`);
}

/** Logs the task that an answer names, or an answer that may hold an id in an unexpected place. */
export function logUnanswered(context: Log, error: ServiceError, itemIndex: number): void {
	const { logger } = context;
	const answer = `The answer to the create of ${itemOf(context, itemIndex)}`;
	if (error.kind !== 'network' && error.namedTaskId !== undefined) {
		const id = error.namedTaskId;
		logger.warn(`${answer} names task ${wholeId(id)}, which may exist. ${fetchAdvice(id)}`);
		return;
	}
	if (error.kind !== 'unreadable' || error.excerpt === '') return;
	logger.warn(`${answer} has no task ID that can be read. It begins with: ${error.excerpt}`);
}

/** Logs why no task is created, and none is refused either. */
export const logHeldUp = ({ logger }: Report, error: ServiceError): void =>
	logger.warn(`No video was created for a minute: ${heldUpText(error)}`);

/** Logs the tasks of a run that was stopped, because n8n then shows no error of the node. */
export const logStopped = (report: Report, items: OtherItems): void =>
	logTasks(report, `The execution was stopped. ${RUN_AGAIN}`, items);

/** Logs all tasks of a run that does not put them out. */
export function logTasks({ logger }: Report, why: string, items: OtherItems): void {
	const lines = otherItemsLines(items);
	if (lines.length === 0) return;
	logger.warn([`${why} The tasks of this run:`, ...lines].join('\n'));
}

/** Shows a text beside the output. */
export const hint = (report: Report, message: string, type?: 'warning'): void =>
	report.addExecutionHints({ message, location: 'outputPane', ...(type && { type }) });

/**
 * Says that nothing is made: beside the output, and once in the log of a production execution.
 * @param isFirst Whether the execution has created nothing so far.
 */
export function sayPractice(
	context: Report & RunContext & Pick<IExecuteFunctions, 'getMode'>,
	isFirst: boolean,
): void {
	hint(context, PRACTICE_HINT);
	if (context.getMode() === 'manual' || !isFirst || runIndexOf(context) > 0) return;
	context.logger.warn(
		`The node “${context.getNode().name}” runs with a practice credential. ${PRACTICE_HINT}`,
	);
}

/** Says what was taken, beside the output and in the log. */
export function sayReused(report: Report, text: string): void {
	hint(report, text);
	report.logger.info(text);
}

/** Names tasks of earlier tries that no item of the output has. */
export function showOrphaned(report: Report, tasks: StoredTask[]): void {
	if (tasks.length === 0) return;
	const named = tasks.map(taskText).join(', ');
	const message = `Not in the output: tasks of earlier tries of this node, ${named}. Use Get Task to get them.`;
	report.logger.warn(message);
	hint(report, message, 'warning');
}

/** An item that comes back to the node again and again, as a loop around it does. */
export function logTurns(
	context: Log & Pick<IExecuteFunctions, 'getNode'>,
	itemIndex: number,
	turns: number,
): void {
	const { name } = context.getNode();
	context.logger.warn(
		`For the ${nth(turns - 1)} time the node “${name}” has nothing new for ${itemOf(context, itemIndex)}, which came back with its error. Check the loop.`,
	);
}
