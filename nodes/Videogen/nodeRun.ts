import type { INodeExecutionData } from 'n8n-workflow';
import { continuesOnError, isTool } from './common/onError';
import type { Clock } from './common/timer';
import type { Downloader } from './downloads/downloader';
import { itemJob, type JobParts } from './itemJob';
import {
	hintAtLinks,
	hintAtPinning,
	logCreated,
	logStopped,
	logUnanswered,
	showOrphaned,
} from './items/log';
import { stopError } from './items/nodeError';
import { hasResults, isCutShort, type ItemState, outputItem, resultOf } from './items/result';
import type { Message } from './messages/message';
import type { OtherItems } from './messages/otherItems';
import { STOPPED_MESSAGE, tooManyMessage } from './messages/outcomeMessage';
import { type CreateSettings, createSettingsFrom } from './parameters/options';
import { rest } from './resting/rest';
import { type Outcome, type TaskEvent, type TaskJob, taskOf } from './tasks/job';
import { runTasks } from './tasks/runTasks';

/** What a run of the node works with. */
export interface RunParts extends JobParts {
	clock: Clock;
	downloader: Downloader;
	planned: ItemState[];
	/** Ends everything that can end, downloads included. */
	ending: AbortController;
}

interface ItemJob {
	itemIndex: number;
	job: TaskJob;
}

/** A job that leaves its task so long after it began, without files. */
const leaving = ({ itemIndex, job }: ItemJob, leaveAfterMs: number): ItemJob => {
	const wait = job.wait && { ...job.wait, leaveAfterMs };
	return { itemIndex, job: { ...job, wait, complete: undefined } };
};

/** From checked items to output items: which tasks are run, when the node stops, what it returns. */
export class NodeRun {
	/** Unless the node is set to continue, one item without its result stops it. */
	private readonly stopsOnError: boolean;

	/** Whether it can only end in an error, and reads what exists before that. */
	private isBoundToStop = false;

	private hasCreated = false;

	/** Indexed by item. */
	private readonly items: ItemState[];

	constructor(private readonly parts: RunParts) {
		this.stopsOnError = !continuesOnError(parts.context);
		this.items = [...parts.planned];
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { context, ending, store, resumeUrl } = this.parts;
		const cancelled = context.getExecutionCancelSignal();
		const cancel = () => {
			logStopped(context, this.otherItems());
			ending.abort();
		};
		if (cancelled?.aborted) ending.abort();
		cancelled?.addEventListener('abort', cancel, { once: true });
		try {
			this.stopOnError();
			const jobs = this.jobs();
			if (resumeUrl !== undefined && (await this.rests(jobs))) return [[]];
			await this.runJobs(resumeUrl === undefined ? jobs : this.jobsOfCreated(jobs));
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
	private jobs(): ItemJob[] {
		const jobs = this.items.flatMap(({ plan }, itemIndex): ItemJob[] => {
			if (!plan) return [];
			const complete = async (outcome: Outcome) => await this.download(itemIndex, outcome);
			const job = itemJob({ plan, itemIndex, complete }, this.parts);
			if ('read' in job) return [{ itemIndex, job }];
			this.items[itemIndex] = { result: { error: job } };
			return [];
		});
		const error = this.tooMany(jobs.filter(({ job }) => !job.existing).length);
		if (error) {
			this.items.fill({ result: { error } });
			for (const { itemIndex, job } of jobs) {
				const { taskId } = job.existing ?? {};
				this.items[itemIndex] = { result: { error: { ...error, taskId } } };
			}
			return [];
		}
		if (!this.stopsOnError || this.stoppingItem() === undefined) return jobs;
		this.isBoundToStop = true;
		return jobs.flatMap(({ itemIndex, job }) => {
			if (job.existing) return [{ itemIndex, job: { ...job, submit: undefined } }];
			this.finish(itemIndex, { kind: 'notStarted' });
			return [];
		});
	}

	/** Creates all tasks, reads them once more when the last one is there, and rests. */
	private async rests(jobs: ItemJob[]): Promise<boolean> {
		await this.runJobs(jobs.map((job) => leaving(job, 0)));
		await this.runJobs(this.jobsOfCreated(jobs).map((job) => leaving(job, 1)));
		return !this.isCancelled() && (await rest(this.parts.context, this.items));
	}

	/** The same jobs for tasks that this run has created. */
	private jobsOfCreated(jobs: ItemJob[]): ItemJob[] {
		return jobs.flatMap(({ itemIndex, job }) => {
			const task = taskOf(this.items[itemIndex]?.outcome);
			const existing = task && { taskId: task.id, isOwn: true, lastSeen: task };
			return existing ? [{ itemIndex, job: { ...job, existing, submit: undefined } }] : [];
		});
	}

	/** Why so many creates may not be sent in this execution, if they may not. */
	private tooMany(newTasks: number): Message | undefined {
		const { maxNewTasks } = this.settings;
		const before = this.parts.store.newTasks;
		const isOver = maxNewTasks > 0 && newTasks > 0 && before + newTasks > maxNewTasks;
		return isOver ? tooManyMessage(newTasks, before, maxNewTasks) : undefined;
	}

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private get settings(): CreateSettings {
		const intent = this.items.find(({ plan }) => plan)?.plan?.intent;
		return intent?.kind === 'create' ? intent.settings : createSettingsFrom({});
	}

	private async runJobs(jobs: ItemJob[]): Promise<void> {
		const { clock, ending } = this.parts;
		const { maxConcurrentTasks } = this.settings;
		const onEvent = (jobIndex: number, event: TaskEvent) =>
			this.take(jobs[jobIndex]?.itemIndex ?? 0, event);
		await runTasks(
			jobs.map(({ job }) => job),
			{ clock, maxConcurrentTasks, signal: ending.signal, onEvent },
		);
	}

	private async download(itemIndex: number, outcome: Outcome): Promise<void> {
		const item = this.items[itemIndex];
		if (item?.plan?.download === undefined || !hasResults(outcome)) return;
		item.downloaded = await this.parts.downloader.download(outcome.task);
	}

	private take(itemIndex: number, event: TaskEvent): void {
		const { context } = this.parts;
		this.hasCreated ||= event.kind === 'created';
		if (event.kind === 'created') logCreated(context, event.task, itemIndex, this.isCancelled());
		if (event.kind === 'unanswered') logUnanswered(context, event.error, itemIndex);
		this.parts.store.take(itemIndex, event);
		if (event.kind === 'finished') this.finish(itemIndex, event.outcome);
	}

	private finish(itemIndex: number, outcome: Outcome): void {
		const item = { ...this.items[itemIndex], outcome };
		const result = resultOf(item);
		this.items[itemIndex] = { ...item, result };
		const endsRun = this.stopsOnError && !this.isBoundToStop && 'error' in result;
		if (endsRun) this.parts.ending.abort();
	}

	private isCancelled(): boolean {
		return this.parts.context.getExecutionCancelSignal()?.aborted === true;
	}

	/** The first item that went wrong itself, not one that was only cut short by it. */
	private stoppingItem(): number | undefined {
		const itemIndex = this.items.findIndex(
			(item) => item.result && 'error' in item.result && !isCutShort(item),
		);
		return itemIndex < 0 ? undefined : itemIndex;
	}

	private stopOnError(): void {
		const itemIndex = this.stopsOnError ? this.stoppingItem() : undefined;
		const { result } = this.items[itemIndex ?? -1] ?? {};
		if (itemIndex === undefined || !result || !('error' in result)) return;
		throw this.stopErrorOf(itemIndex, result.error);
	}

	private stopErrorOf(itemIndex: number, error: Message & { taskId?: string }) {
		return stopError(this.parts.context, {
			itemIndex,
			itemCount: this.items.length,
			error,
			outcome: this.items[itemIndex]?.outcome,
			others: this.otherItems(error.taskId),
		});
	}

	/** Tasks of this try and of earlier ones, and those that were only read. */
	private otherItems(exceptTaskId?: string): OtherItems {
		const { store } = this.parts;
		const read = this.items.flatMap(({ plan, outcome }, itemIndex) => {
			if (plan?.intent.kind !== 'read' || !outcome) return [];
			const status = taskOf(outcome)?.status;
			return [{ itemIndex, taskId: plan.intent.taskId, status }];
		});
		const tasks = [...read, ...store.tasks()].filter(({ taskId }) => taskId !== exceptTaskId);
		return { tasks, unansweredItems: store.unansweredItems() };
	}

	private output(): INodeExecutionData[] {
		const { context, store } = this.parts;
		const output = this.items.map(({ result }, itemIndex) => outputItem(result, itemIndex));
		const hasLinksOnly = ({ plan, outcome }: ItemState) =>
			outcome !== undefined && hasResults(outcome) && plan?.download === undefined;
		if (this.items.some(hasLinksOnly)) hintAtLinks(context);
		if (context.getMode() === 'manual' && this.hasCreated) hintAtPinning(context);
		if (this.mayRunAgain(output[0])) return output;
		showOrphaned(context, store.orphanedTasks());
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
		if (isTool(context)) return this.items.some(({ result }) => result && 'error' in result);
		return context.getNode().retryOnFail === true && first?.json.error !== undefined;
	}
}
