import type { IExecuteFunctions } from 'n8n-workflow';
import { asSentence, quotable, wholeId } from '../shared/text';
import { itemOf, LABELS, listed, videosOf } from '../shared/messages';
import { isTool } from '../shared/n8n';
import { type Item, secondsOf, taskIdOf } from '../work/order';
import { tasksOf, unconfirmedItems } from './errors';

/** Shown with a practice credential. */
const PRACTICE_HINT = `Practice: no video was created, nothing was charged, and links lead nowhere. For real videos, choose a credential whose '${LABELS.environment}' is Live.`;

const MAX_LISTED_EXECUTIONS = 3;
const MINUTE_MS = 60_000;

/** What hints need from n8n. */
type Context = Pick<
	IExecuteFunctions,
	'logger' | 'addExecutionHints' | 'getInputData' | 'getNode' | 'getMode' | 'continueOnFail'
>;

/** What a run reports besides its output, in n8n's log and in hints. */
export class Hints {
	constructor(private readonly context: Context) {}

	/** Logs a task ID at once: if the server is killed, the log may be all that is left. */
	task({ index, order }: Item, taskId: string, isStopped: boolean): void {
		const { logger } = this.context;
		const which = `item ${index + 1} of ${this.context.getInputData().length}`;
		const did = order?.state === 'task' ? 'was created' : 'may have been created';
		const text = `Task ${wholeId(taskId)} ${did} for ${which}`;
		if (order?.state === 'task' && !isStopped) logger.info(text);
		else logger.warn(`${text}. Use ${LABELS.getTask} with this ID.`);
	}

	/** Logs the tasks of a stopped run, because n8n shows no error of the node in this case. */
	stopped(items: Item[]): void {
		const texts = [
			...tasksOf(items).map(
				({ itemIndex, taskId, status = 'not known' }) =>
					`item ${itemIndex + 1}: ${wholeId(taskId)} (${quotable(status)})`,
			),
			...unconfirmedItems(items).map((index) => `item ${index + 1}: sent, not confirmed`),
		];
		if (texts.length === 0) return;
		const what = 'The execution was stopped. The tasks of this run:';
		this.context.logger.warn([what, ...texts].join('\n'));
	}

	practice(): void {
		this.hint(PRACTICE_HINT);
	}

	/** What a click created, because it costs money. */
	created(items: Item[]): void {
		const created = items.flatMap(({ decision, order }) =>
			decision === 'create' && order?.taskId !== undefined && order.state !== 'sent' ? [order] : [],
		);
		if (created.length === 0 || this.context.getMode() !== 'manual') return;
		const what = `Created ${videosOf(created.length)}, ${secondsOf(created)} seconds in total`;
		this.hint(`${what}. The provider charges for ${created.length > 1 ? 'them' : 'it'}.`);
	}

	/** n8n itself shows success even if every item ended in an error. */
	failed(items: Item[]): void {
		const failed = items.filter(({ failure }) => failure);
		const [first] = failed;
		if (!first?.failure) return;
		const isBranch = this.context.getNode().onError === 'continueErrorOutput';
		const where = isBranch ? " Open the 'Error Branch' tab." : '';
		const many = `${failed.length} of ${items.length} items ended in an error. ${itemOf(first.index, items.length)}:`;
		const what = items.length === 1 ? 'The item ended in an error:' : many;
		this.hint(`${what} ${asSentence(first.failure.message)}${where}`, 'warning');
	}

	hint(message: string, type: 'info' | 'warning' = 'info'): void {
		if (isTool(this.context)) return;
		this.context.addExecutionHints({ message, type, location: 'outputPane' });
	}
}

/** What was reused from earlier executions, if anything, and how to get a new version. */
export function reuseText(items: Item[], nowMs: number): string | undefined {
	const creates = items.filter(({ wish }) => wish);
	const reused = creates.flatMap((item) => (taskIdOf(item) && item.reused) || []);
	if (reused.length === 0) return undefined;
	const executions = new Set(
		reused.map(
			({ executionId, atMs }) =>
				`execution ${executionId}${atMs === undefined ? '' : ` (${ago(nowMs - atMs)})`}`,
		),
	);
	const what = creates.length === 1 ? 'the video' : `${reused.length} of ${creates.length} videos`;
	const nothing = reused.length === creates.length ? ' Nothing new was created.' : '';
	const how = reused.some(({ atMs }) => atMs !== undefined) ? NEW_VERSION : '';
	return `Reused ${what} from ${listed([...executions], MAX_LISTED_EXECUTIONS)}.${nothing}${how}`;
}

const NEW_VERSION = ` For a new version, change the prompt, or add '${LABELS.reuseInEditor}' in '${LABELS.options}' and turn it off.`;

function ago(ms: number): string {
	const minutes = Math.round(ms / MINUTE_MS);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
	return `${Math.round(minutes / 60)} hours ago`;
}
