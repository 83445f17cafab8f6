import type { IExecuteFunctions } from 'n8n-workflow';
import { quotable } from '../common/quotable';
import { RESULT_LINK_LIFETIME } from '../downloads/resultUrls';
import type { OtherItems } from '../messages/otherItems';
import { otherItemsLines, taskText } from '../messages/otherItems';
import { LABELS } from '../parameters/labels';
import type { ServiceError } from '../service/answer';
import type { Task } from '../service/task';
import type { StoredTask } from '../tasks/taskStore';

/** What a run says besides its output and its error: in n8n's log, and beside the output. */
type Report = Pick<IExecuteFunctions, 'logger' | 'addExecutionHints'>;

/**
 * In the log, because when a server is killed that may be all that is left of an execution. After a
 * stop, n8n does not wait for a create that was under way, and shows nothing of it.
 */
export function logCreated(
	{ logger }: Report,
	{ id }: Task,
	itemIndex: number,
	isStopped: boolean,
): void {
	const created = `Task ${quotable(id)} was created for item ${itemIndex}`;
	const late = `${created} while the execution was being stopped. Use Get Task with this ID to get the video without paying again.`;
	if (isStopped) logger.warn(late);
	else logger.info(created);
}

/** An answer without a task record may hold an id in an unexpected place. */
export function logUnanswered({ logger }: Report, error: ServiceError, itemIndex: number): void {
	if (error.kind !== 'unreadable' || error.excerpt === '') return;
	logger.warn(
		`The create of item ${itemIndex} was answered without a task ID that could be read. The answer begins with: ${error.excerpt}`,
	);
}

/** n8n shows no node's error after a stop, so its log is where the ids stay. */
export function logStopped({ logger }: Report, items: OtherItems): void {
	const lines = otherItemsLines(items);
	if (lines.length === 0) return;
	const heading = 'The execution was stopped. Tasks of this run, which Get Task fetches:';
	logger.warn([heading, ...lines].join('\n'));
}

/** Said when there is a link in the output that will not last, and no file. */
export function hintAtLinks(report: Report): void {
	const message = `Result links usually stop working after ${RESULT_LINK_LIFETIME}. Switch on ${LABELS.downloadResults} to keep the videos.`;
	report.addExecutionHints({ message, location: 'outputPane' });
}

/** Tasks that were paid for in earlier tries, and that no item of the output holds. */
export function showOrphaned(report: Report, tasks: StoredTask[]): void {
	if (tasks.length === 0) return;
	const named = tasks.map(taskText).join(', ');
	const message = `Earlier tries of this node left these tasks, which are not in the output: ${named}. Get Task fetches them.`;
	report.logger.warn(message);
	report.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}
