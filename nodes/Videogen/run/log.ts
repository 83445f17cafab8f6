import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { runIndexOf } from '../ground/n8n';
import { asSentence, wholeId } from '../ground/text';
import { ELSEWHERE, fetchAdvice, LABELS, listed, nthOf } from '../ground/words';
import type { ServiceError } from '../service/answer';
import { wordsOfCreate } from '../service/answerMeaning';
import { RESULT_LINK_LIFETIME } from '../service/task';
import { isCreate, type Item, type StoredTask, taskIdOf } from '../work/order';
import { faultOf } from './output';
import { RUN_AGAIN, taskLines } from './stopError';

/** For a practice credential. */
const PRACTICE_HINT = `Practice: no video was made, nothing was charged, and links lead nowhere. Name this credential Practice, so that you do not mix it up. For real videos, choose one whose '${LABELS.environment}' is Live.`;

/** What of n8n tells people something. */
type Context = Pick<
	IExecuteFunctions,
	'logger' | 'addExecutionHints' | 'getInputData' | 'getNode' | 'getMode' | 'getWorkflowDataProxy'
>;

/** What a run says beside its output: in n8n's log, and in hints. */
export class Log {
	constructor(private readonly context: Context) {}

	/**
	 * Logs the id of a new task. When a server is killed, the log may be all that is left of an execution.
	 * @param isLate The execution was stopped before, and n8n shows nothing of the task.
	 */
	created(item: Item, isLate: boolean): void {
		const { logger } = this.context;
		const id = taskIdOf(item.order) ?? '';
		const created = `Task ${wholeId(id)} was created for ${this.nth(item)}`;
		if (!isLate) logger.info(created);
		else logger.warn(`${created} while the execution was being stopped. ${fetchAdvice(id)}`);
	}

	/** Logs the task that an answer names, or an answer that may hold an id in an unexpected place. */
	unanswered(item: Item, error: ServiceError): void {
		const { logger } = this.context;
		const answer = `The answer to the create of ${this.nth(item)}`;
		const named = error.kind === 'network' ? undefined : error.namedTaskId;
		if (named !== undefined) {
			logger.warn(`${answer} names task ${wholeId(named)}, which may exist. ${fetchAdvice(named)}`);
		} else if (error.kind === 'unreadable' && error.excerpt !== '') {
			logger.warn(`${answer} has no task ID that can be read. It begins with: ${error.excerpt}`);
		}
	}

	/** Logs why no task is created, and none is refused either. */
	heldUp(error: ServiceError): void {
		this.context.logger.warn(`No video was created for a minute: ${heldUpText(error)}`);
	}

	/** Another execution has an order of this one in hand. */
	waiting(executionId: string): void {
		this.context.logger.info(
			`Execution ${executionId} is ordering the same video now. This one waits for it, at most a minute.`,
		);
	}

	/** Logs the tasks of a run that was stopped, because n8n then shows no error of the node. */
	stopped(tasks: StoredTask[], unansweredItems: number[]): void {
		const lines = taskLines(tasks, unansweredItems);
		if (lines.length === 0) return;
		const why = `The execution was stopped. ${RUN_AGAIN} The tasks of this run:`;
		this.context.logger.warn([why, ...lines].join('\n'));
	}

	/** What was kept of the orders of this execution cannot be read. */
	forgetful(): void {
		this.context.logger.warn(
			`The node “${this.context.getNode().name}” cannot read what an earlier try has ordered, and orders it again.`,
		);
	}

	/** Images went along with requests, as the service could not have fetched them. */
	inline(): void {
		this.hint(
			'Images were sent inside the requests, because the service cannot fetch files from this n8n. Not every service takes that.',
		);
	}

	/** Links will not last, and a file costs nothing more. A hint of one sentence has no period. */
	linksOnly(items: Item[]): void {
		if (items.length === 0) return;
		const isOne = items.length === 1;
		const ids = isOne
			? `ID ${wholeId(items.map(({ order }) => taskIdOf(order)).join())}`
			: 'the IDs';
		const where = items.some(({ order }) => isCreate(order)) ? ELSEWHERE : '';
		this.hint(
			`${isOne ? 'The link usually stops' : 'Links usually stop'} working after ${RESULT_LINK_LIFETIME}: save what you want to keep, or use ${LABELS.getTask} with ${ids} and '${LABELS.downloadResults}' on${where}, which costs nothing more`,
		);
	}

	/** n8n itself shows success when all items went out with an error. */
	failures(items: Item[]): void {
		const faults = items.flatMap((item) => faultOf(item) ?? []);
		const [first] = faults;
		if (!first) return;
		const { onError } = this.context.getNode();
		const where = onError === 'continueErrorOutput' ? ' Open the Error branch.' : '';
		const videos = items.length === 1 ? 'video was' : 'videos were';
		const reason = `First reason: ${asSentence(first.message)}`;
		const text = `${faults.length} of ${items.length} ${videos} not made. ${reason}${where}`;
		this.hint(text, 'warning');
	}

	/**
	 * Says that nothing is made: beside the output, and once in the log of a production execution.
	 * @param hasCreatedNothing In this execution, so far.
	 */
	practice(hasCreatedNothing: boolean): void {
		const { context } = this;
		this.hint(PRACTICE_HINT);
		if (context.getMode() === 'manual' || !hasCreatedNothing || runIndexOf(context) > 0) return;
		context.logger.warn(
			`The node “${context.getNode().name}” runs with a practice credential. ${PRACTICE_HINT}`,
		);
	}

	/** For the model of an agent that asked again for the same video; it stands beside the task. */
	sameTask(): INodeExecutionData {
		const note =
			'An earlier call with the same request made this task. Nothing new was created or paid. For another video, use another prompt.';
		return { json: { note }, pairedItem: { item: 0 } };
	}

	/** Says what was used of earlier executions. */
	reused(items: Item[], nowMs: number): void {
		const text = reuseText(items, nowMs);
		if (text === undefined) return;
		this.hint(text);
		this.context.logger.info(text);
	}

	private hint(message: string, type?: 'warning'): void {
		this.context.addExecutionHints({ message, location: 'outputPane', ...(type && { type }) });
	}

	private nth({ index }: Item): string {
		return nthOf(index, this.context.getInputData().length);
	}
}

/** What creates wait for. */
export const heldUpText = (error: ServiceError): string =>
	`the node waits for the service, and tries again. ${asSentence(wordsOfCreate(error).message)}`;

const MAX_LISTED_EXECUTIONS = 3;
const MINUTE_MS = 60_000;

/** How long ago something was, as people say it. */
function ago(ms: number): string {
	const minutes = Math.round(ms / MINUTE_MS);
	if (minutes < 1) return 'just now';
	if (minutes < 120) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
	return `${Math.round(minutes / 60)} hours ago`;
}

/** What was used of earlier executions, and how to get another take. */
export function reuseText(items: Item[], nowMs: number): string | undefined {
	const creates = items.filter(({ order }) => isCreate(order));
	const from = creates.flatMap(({ isTaken, orderedBy }) => (isTaken && orderedBy) || []);
	if (from.length === 0) return undefined;
	const isOfEditor = from.some(({ atMs }) => atMs !== undefined);
	const executions = new Map(
		from.map(({ executionId, atMs }) => [
			executionId,
			`execution ${executionId}${atMs === undefined ? '' : ` (${ago(nowMs - atMs)})`}`,
		]),
	);
	const videos = creates.length === 1 ? 'video' : 'videos';
	const hasUrls = creates.some(({ order }) =>
		Object.keys(order.request ?? {}).some((name) => name.endsWith('_urls')),
	);
	return [
		`Nothing was ordered for ${from.length} of ${creates.length} ${videos}: they exist already, from ${listed([...executions.values()], MAX_LISTED_EXECUTIONS)}.`,
		...(hasUrls ? ['Files behind URLs were not compared.'] : []),
		`For another take, change something${isOfEditor ? `, or switch off '${LABELS.reuseInEditor}' in '${LABELS.options}'` : ''}.`,
	].join(' ');
}
