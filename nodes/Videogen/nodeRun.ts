import type { INodeExecutionData } from 'n8n-workflow';
import { continuesOnError, isTool } from './common/onError';
import { Timer } from './common/timer';
import { Downloader } from './downloads/downloader';
import { n8nFiles } from './downloads/n8nFiles';
import { itemJob, type RunParts } from './itemJob';
import { hint, logCreated, logStopped, logUnanswered, showOrphaned } from './items/log';
import { stopError } from './items/nodeError';
import {
	endedItem,
	errorOf,
	hasResults,
	isCutShort,
	type ItemState,
	outputItem,
} from './items/result';
import { buildingHint, LINKS_HINT } from './messages/hints';
import type { Message } from './messages/message';
import type { OtherItems } from './messages/otherItems';
import { STOPPED_MESSAGE, tooManyMessage } from './messages/outcomeMessage';
import { type CreateSettings, createSettingsFrom } from './parameters/options';
import { rest } from './resting/rest';
import { type Outcome, type TaskEvent, type TaskJob, taskOf } from './tasks/job';
import { runTasks } from './tasks/runTasks';

/** A task is left so long after it was created: before it is read, or after it was read once. */
const NO_READ_MS = 0;
const ONE_READ_MS = 1;

/** From checked items to output items: which tasks are run, when the node stops, what it returns. */
export class NodeRun {
	/** Unless the node is set to continue, one item without its result stops it. */
	private readonly stopsOnError: boolean;

	/** Whether it can only end in an error, and reads what exists before that. */
	private isBoundToStop = false;

	private hasCreated = false;

	/** Indexed by item. */
	private readonly items: ItemState[];

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private readonly settings: CreateSettings;

	/** Ends everything that can end, downloads included. */
	private readonly ending = new AbortController();

	private readonly timer: Timer;

	private readonly downloader: Downloader;

	constructor(private readonly parts: RunParts) {
		const { context, clock, planned } = parts;
		this.stopsOnError = !continuesOnError(context);
		this.items = [...planned];
		const intent = planned.find(({ plan }) => plan)?.plan?.intent;
		this.settings = intent?.kind === 'create' ? intent.settings : createSettingsFrom({});
		this.timer = new Timer(clock, this.ending.signal);
		this.downloader = new Downloader(n8nFiles(context), this.timer);
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { ending } = this;
		const { context, store, resumeUrl } = this.parts;
		const cancelled = context.getExecutionCancelSignal();
		const cancel = () => {
			logStopped(context, this.otherItems());
			ending.abort();
		};
		if (cancelled?.aborted) ending.abort();
		cancelled?.addEventListener('abort', cancel, { once: true });
		try {
			this.stopOnError();
			await this.makeJobs();
			if (resumeUrl !== undefined && (await this.rests())) return [[]];
			await this.runJobs();
			if (this.isCancelled()) throw this.stopErrorOf(0, STOPPED_MESSAGE);
			this.stopOnError();
			return [this.output()];
		} finally {
			cancelled?.removeEventListener('abort', cancel);
			ending.abort();
			store.release();
		}
	}

	/**
	 * When an item may not be sent again and that stops the node, the tasks that exist are read and
	 * waited for all the same, but none is created for an execution that can only end in an error.
	 */
	private async makeJobs(): Promise<void> {
		for (const [itemIndex, { plan }] of this.items.entries()) {
			if (!plan) continue;
			const job = itemJob(plan, itemIndex, this.parts, this.settings.maxNewTasks);
			this.items[itemIndex] = 'read' in job ? { plan, job } : { plan, result: { error: job } };
		}
		this.refuseTooMany();
		if (this.stoppingItem() < 0) return;
		this.isBoundToStop = true;
		for (const [itemIndex, item] of this.items.entries()) {
			const { job } = item;
			item.job = job?.existing && { ...job, submit: undefined };
			if (job && !item.job) await this.finish(itemIndex, { kind: 'notStarted' });
		}
	}

	/** Creates all tasks, reads them once more when the last one is there, and rests. */
	private async rests(): Promise<boolean> {
		await this.runJobs(NO_READ_MS);
		this.readCreated();
		await this.runJobs(ONE_READ_MS);
		this.readCreated();
		return !this.isCancelled() && (await rest(this.parts.context, this.items, this.parts));
	}

	/** From now on, the jobs are only to read the tasks that this run has created. */
	private readCreated(): void {
		for (const item of this.items) {
			const task = taskOf(item.outcome);
			const existing = task && { taskId: task.id, isOwn: true, lastSeen: task };
			item.job = item.job && existing && { ...item.job, existing, submit: undefined };
		}
	}

	/** All creates are sent or none, if they are more than this execution may still send. */
	private refuseTooMany(): void {
		const creates = this.items.filter(({ job }) => job && !job.existing);
		const before = this.parts.store.newTasks;
		const message = tooManyMessage(creates.length, before, this.settings.maxNewTasks);
		if (message === undefined) return;
		for (const item of creates) {
			item.result = { error: errorOf(message, item.job?.failed?.id, item.job?.failed) };
			item.job = undefined;
		}
	}

	/** @param leaveAfterMs Then every task is left as it is, and for now without its files. */
	private async runJobs(leaveAfterMs?: number): Promise<void> {
		const downloader = leaveAfterMs === undefined ? this.downloader : undefined;
		const jobs = this.items.flatMap(({ job }, itemIndex): TaskJob[] => {
			if (!job) return [];
			const wait = job.wait && { ...job.wait, leaveAfterMs };
			const onEvent = (event: TaskEvent) => this.take(itemIndex, event);
			const complete = async (outcome: Outcome) =>
				await this.finish(itemIndex, outcome, downloader);
			return [{ ...job, wait, onEvent, complete }];
		});
		await runTasks(jobs, this.settings.maxConcurrentTasks, this.timer);
	}

	private take(itemIndex: number, event: TaskEvent): void {
		const { context, store } = this.parts;
		this.hasCreated ||= event.kind === 'created';
		if (event.kind === 'created') logCreated(context, event.task, itemIndex, this.isCancelled());
		if (event.kind === 'unanswered') logUnanswered(context, event.error, itemIndex);
		store.take(itemIndex, event);
	}

	private async finish(itemIndex: number, outcome: Outcome, downloader?: Downloader) {
		const item = await endedItem(this.items[itemIndex] ?? {}, outcome, downloader);
		this.items[itemIndex] = item;
		const endsRun = this.stopsOnError && !this.isBoundToStop && 'error' in item.result;
		if (endsRun && !this.ending.signal.aborted) this.ending.abort();
	}

	private isCancelled(): boolean {
		return this.parts.context.getExecutionCancelSignal()?.aborted === true;
	}

	/** The first item that went wrong itself, not one that was only cut short by it; or -1. */
	private stoppingItem(): number {
		const isStopping = (item: ItemState) =>
			item.result && 'error' in item.result && !isCutShort(item);
		return this.stopsOnError ? this.items.findIndex(isStopping) : -1;
	}

	private stopOnError(): void {
		const itemIndex = this.stoppingItem();
		const { result } = this.items[itemIndex] ?? {};
		if (result && 'error' in result) throw this.stopErrorOf(itemIndex, result.error);
	}

	private stopErrorOf(itemIndex: number, error: Message & { taskId?: string }) {
		const { items } = this;
		const others = this.otherItems(error.taskId);
		return stopError(this.parts.context, error, { itemIndex, items, others });
	}

	/** Tasks of this try and of earlier ones, and those that were only read. */
	private otherItems(exceptTaskId?: string): OtherItems {
		const { store } = this.parts;
		const read = this.items.flatMap(({ plan, outcome }, itemIndex) => {
			if (plan?.intent.kind !== 'read' || !outcome) return [];
			const status = taskOf(outcome)?.status;
			return [{ itemIndex, taskId: plan.intent.taskId, status }];
		});
		const named = new Set([exceptTaskId, ...read.map(({ taskId }) => taskId)]);
		const stored = store.tasks().filter(({ taskId }) => !named.has(taskId));
		const tasks = [...read.filter(({ taskId }) => taskId !== exceptTaskId), ...stored];
		return { tasks, unansweredItems: store.unansweredItems() };
	}

	private output(): INodeExecutionData[] {
		const { context, store } = this.parts;
		const output = this.items.map(({ result }, itemIndex) => outputItem(result, itemIndex));
		const hasLinksOnly = ({ plan, outcome }: ItemState) =>
			outcome !== undefined && hasResults(outcome) && plan?.download === undefined;
		if (this.items.some(hasLinksOnly)) hint(context, LINKS_HINT);
		const isBuilding = context.getMode() === 'manual' && this.hasCreated;
		if (isBuilding) hint(context, buildingHint(output.some(({ binary }) => binary)));
		if (this.mayRunAgain(output[0])) return output;
		// After a rest that was interrupted, tasks of this run are read like any others.
		const read = this.items.flatMap(({ plan }) =>
			plan?.intent.kind === 'read' ? plan.intent.taskId : [],
		);
		const orphaned = store.orphanedTasks().filter(({ taskId }) => !read.includes(taskId));
		showOrphaned(context, orphaned);
		store.forget();
		return output;
	}

	/**
	 * Retry On Fail looks at the first item: n8n runs the node again when it has an error, older
	 * versions even when that is null. Then the tasks are still needed. So they are when an agent
	 * gets an error, because it may well ask for the same again.
	 */
	private mayRunAgain(first: INodeExecutionData | undefined): boolean {
		const { context } = this.parts;
		const isTriedAgain = context.getNode().retryOnFail === true && first?.json.error !== undefined;
		const isAskedAgain =
			isTool(context) && this.items.some(({ result }) => result && 'error' in result);
		return isTriedAgain || isAskedAgain;
	}
}
