import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ServiceClient } from './client/serviceClient';
import type { Task } from './client/task';
import type { Delivery } from './download/download';
import type { Downloader } from './download/downloader';
import { continuesOnError, isTool } from './errorPolicy';
import { MAX_CONCURRENT_TASKS } from './input/generation';
import type { PlannedRequest } from './input/plannedRequest';
import type { ItemPlan, PlannedItem } from './itemPlan';
import type { Expectation, ItemError, ItemResult } from './itemResult';
import { hasResults, outputItem, resultOf, taskFacts } from './itemResult';
import type { RememberedTask, TaskMemory } from './memory';
import { NO_STATUS, unansweredBeforeMessage } from './messages';
import type { NodeError } from './nodeError';
import { stopError } from './nodeError';
import type { OtherItems } from './otherItems';
import { hintAtLinks, logCreated, logStopped, showLeftBehind } from './runReport';
import type { Clock } from './waiting/clock';
import type { Job, Outcome, Start } from './waiting/job';
import { runTasks } from './waiting/runTasks';

/** A job and the items that it serves: several items may ask for the same task. */
interface SharedJob extends Job<PlannedRequest> {
	itemIndexes: number[];
	/** Whether the results of its task are wanted as files. */
	isDownloaded: boolean;
	/** What came of that. */
	delivery?: Delivery;
}

/** What a run works with. */
export interface RunParts {
	context: IExecuteFunctions;
	clock: Clock;
	client: ServiceClient;
	downloader: Downloader;
	memory: TaskMemory;
	planned: PlannedItem[];
}

/** For an item that has no plan, and so asks for nothing. */
const NOTHING_EXPECTED: Expectation = { wait: undefined, download: undefined };

/** From checked items to output items: which tasks are run, what is kept, when it stops. */
export class NodeRun {
	/** What each item came to; sparse until the run is over. */
	private readonly outcomes: Outcome[] = [];

	private readonly results: ItemResult[] = [];

	/** Items that only ended because the run did. */
	private readonly cutShort = new Set<number>();

	private readonly context: IExecuteFunctions;

	private readonly memory: TaskMemory;

	private readonly planned: PlannedItem[];

	constructor(private readonly parts: RunParts) {
		({ context: this.context, memory: this.memory, planned: this.planned } = parts);
	}

	async run(): Promise<INodeExecutionData[][]> {
		try {
			const jobs = this.jobs();
			this.stopOnError();
			await this.runJobs(jobs);
			this.stopWhenCancelled();
			this.stopOnError();
			return [this.output()];
		} finally {
			this.memory.release();
		}
	}

	/** Jobs for all valid items; the others have their result at once. */
	private jobs(): SharedJob[] {
		const jobs = new Map<string, SharedJob>();
		this.planned.forEach((item, itemIndex) => {
			if ('invalid' in item) {
				this.results[itemIndex] = { error: item.invalid };
				return;
			}
			const start = this.startOf(item.plan, itemIndex);
			if (start === undefined) return;
			const isDownloaded = item.plan.download !== undefined;
			const wait = item.plan.wait?.plan;
			const key = keyOf(start, itemIndex, [wait, isDownloaded]);
			const shared = jobs.get(key);
			if (shared) shared.itemIndexes.push(itemIndex);
			else jobs.set(key, { start, wait, isDownloaded, itemIndexes: [itemIndex] });
		});
		return [...jobs.values()];
	}

	/** Where an item's job begins, unless it may not begin at all. */
	private startOf(
		{ intent, createSettings }: ItemPlan,
		itemIndex: number,
	): Start<PlannedRequest> | undefined {
		if (intent.kind === 'read') return intent;
		const remembered = this.memory.startFor(itemIndex, intent.request);
		if (remembered !== 'unanswered') return remembered;
		if (createSettings?.resendAfterNoReply) return intent;
		this.results[itemIndex] = { error: unansweredBeforeMessage };
		return undefined;
	}

	private async runJobs(jobs: SharedJob[]): Promise<void> {
		const { client, clock, downloader } = this.parts;
		const outcomes = await runTasks(jobs, {
			service: {
				create: async (request: PlannedRequest) => await client.create(request.toSend()),
				read: async (taskId, atMostMs) => await client.read(taskId, atMostMs),
			},
			clock,
			maxUnfinished: this.maxUnfinished(),
			signal: this.context.getExecutionCancelSignal(),
			onSend: (jobIndex) =>
				this.eachCreated(jobs[jobIndex], (itemIndex) => this.memory.keepSent(itemIndex)),
			onRefused: (jobIndex) =>
				this.eachCreated(jobs[jobIndex], (itemIndex) => this.memory.keepRefused(itemIndex)),
			onTask: (jobIndex, task) => this.noteTask(jobs[jobIndex], task),
			afterwards: async (jobIndex, outcome) => {
				const job = jobs[jobIndex];
				if (!job?.isDownloaded || !hasResults(outcome)) return;
				job.delivery = await downloader.download(outcome.task);
			},
			stopAfterwards: () => downloader.stop(),
			endsRun: (jobIndex, outcome) =>
				!continuesOnError(this.context) && 'error' in this.resultFor(jobs[jobIndex], outcome),
		});
		outcomes.forEach((outcome, jobIndex) => this.take(jobs[jobIndex], outcome));
	}

	/** In n8n's log too: when a server is killed, that may be all that is left of an execution. */
	private noteTask(job: SharedJob | undefined, task: Task): void {
		this.eachCreated(job, (itemIndex) => {
			if (this.memory.taskOf(itemIndex)?.taskId !== task.id) {
				logCreated(this.context, task, itemIndex);
			}
			this.memory.keepTask(itemIndex, task);
		});
	}

	private take(job: SharedJob | undefined, outcome: Outcome): void {
		const { task } = taskFacts(outcome);
		if (task) this.eachCreated(job, (itemIndex) => this.memory.keepTask(itemIndex, task));
		for (const itemIndex of job?.itemIndexes ?? []) {
			this.outcomes[itemIndex] = outcome;
			if (isCutShort(outcome, job?.delivery)) this.cutShort.add(itemIndex);
			this.results[itemIndex] = this.resultFor(job, outcome, itemIndex);
		}
	}

	private resultFor(
		job: SharedJob | undefined,
		outcome: Outcome,
		itemIndex = job?.itemIndexes[0],
	): ItemResult {
		return resultOf(outcome, job?.delivery, this.planOf(itemIndex) ?? NOTHING_EXPECTED);
	}

	/** Only tasks that this node made are remembered, not those that it was asked to read. */
	private eachCreated(job: SharedJob | undefined, use: (itemIndex: number) => void): void {
		for (const itemIndex of job?.itemIndexes ?? []) {
			if (this.planOf(itemIndex)?.intent.kind === 'create') use(itemIndex);
		}
	}

	private planOf(itemIndex: number | undefined): ItemPlan | undefined {
		const item = itemIndex === undefined ? undefined : this.planned[itemIndex];
		return item && 'plan' in item ? item.plan : undefined;
	}

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private maxUnfinished(): number {
		const first = this.planned.find((item) => 'plan' in item);
		const settings = first && 'plan' in first ? first.plan.createSettings : undefined;
		return settings?.maxConcurrentTasks ?? MAX_CONCURRENT_TASKS.default;
	}

	/** Unless the node is set to continue, one item without its result stops it. */
	private stopOnError(): void {
		if (continuesOnError(this.context)) return;
		const itemIndex = this.stoppingItem();
		const result = this.results[itemIndex];
		if (result && 'error' in result) throw this.stopErrorFor(itemIndex, result.error);
	}

	/** The item that went wrong itself, not one that was only cut short by it. */
	private stoppingItem(): number {
		return this.results.findIndex(
			(result, itemIndex) => result && 'error' in result && !this.cutShort.has(itemIndex),
		);
	}

	private stopWhenCancelled(): void {
		if (!this.context.getExecutionCancelSignal()?.aborted) return;
		const error = this.stopErrorFor(0, {
			message: 'The execution was stopped',
			description: 'Tasks that were submitted go on at the service; Get Task fetches them.',
		});
		logStopped(this.context, this.otherItems());
		throw error;
	}

	private stopErrorFor(itemIndex: number, error: ItemError): NodeError {
		return stopError(this.context, {
			itemIndex,
			itemCount: this.planned.length,
			error,
			outcome: this.outcomes[itemIndex],
			others: this.otherItems(itemIndex, error.taskId),
		});
	}

	/** Tasks of this try, of an earlier one for items whose turn did not come, and replaced ones. */
	private otherItems(exceptItem?: number, exceptTaskId?: string): OtherItems {
		const current = this.planned.flatMap((_, itemIndex) => this.taskOf(itemIndex) ?? []);
		const tasks = [...current, ...this.memory.leftBehind()]
			.filter(({ taskId }) => taskId !== exceptTaskId)
			.map(({ status = NO_STATUS, ...task }) => ({ ...task, status }));
		const unansweredItems = [...this.planned.keys()].filter(
			(itemIndex) => itemIndex !== exceptItem && this.memory.isUnanswered(itemIndex),
		);
		return { tasks, unansweredItems };
	}

	private taskOf(itemIndex: number): RememberedTask | undefined {
		const outcome = this.outcomes[itemIndex];
		const { taskId, task } = outcome ? taskFacts(outcome) : {};
		if (taskId === undefined) return this.memory.taskOf(itemIndex);
		return { itemIndex, taskId, status: task?.status };
	}

	private output(): INodeExecutionData[] {
		const output = this.results.map(outputItem);
		if (this.hasLinksOnly()) hintAtLinks(this.context);
		if (this.mayRunAgain(output[0])) return output;
		showLeftBehind(this.context, this.memory.leftBehind());
		this.memory.forgetRun();
		return output;
	}

	/**
	 * Retry On Fail looks at the first item: n8n runs the node again when it has an error, older
	 * versions even when that is null. Then the tasks are still needed. So they are when an agent
	 * gets an error, because it may well ask for the same again.
	 */
	private mayRunAgain(first: INodeExecutionData | undefined): boolean {
		if (isTool(this.context)) return this.results.some((result) => 'error' in result);
		return this.context.getNode().retryOnFail === true && first?.json.error !== undefined;
	}

	private hasLinksOnly(): boolean {
		return this.outcomes.some(
			(outcome, itemIndex) => hasResults(outcome) && this.planOf(itemIndex)?.download === undefined,
		);
	}
}

/** Tells jobs apart: a task that several items ask for in the same way is read once for all. */
const keyOf = (start: Start<PlannedRequest>, itemIndex: number, way: unknown[]): string =>
	start.kind === 'read' ? JSON.stringify([start.taskId, ...way]) : `item ${itemIndex}`;

const isCutShort = ({ kind }: Outcome, delivery: Delivery | undefined): boolean =>
	kind === 'left' ||
	kind === 'notStarted' ||
	(delivery?.kind === 'notDownloaded' && delivery.trouble.kind === 'stopped');
