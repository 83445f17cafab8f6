import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { DownloadResult } from '../downloads/download';
import type { Downloader } from '../downloads/downloader';
import type { Message, Recovery } from '../messages/message';
import { NO_STATUS } from '../messages/message';
import {
	invalidMessage,
	STOPPED_MESSAGE,
	unansweredBeforeMessage,
} from '../messages/outcomeMessage';
import type { OtherItems } from '../messages/otherItems';
import { MAX_CONCURRENT_TASKS } from '../parameters/options';
import type { PlannedRequest } from '../operations/operation';
import { requestIdentity } from '../parameters/requestIdentity';
import type { Answer } from '../service/answer';
import type { ServiceClient } from '../service/client';
import type { Outcome, TaskEvent, TaskJob } from '../tasks/job';
import { runTasks } from '../tasks/runTasks';
import type { TaskStore } from '../tasks/taskStore';
import type { Clock } from '../tasks/timer';
import { continuesOnError, isTool } from './onError';
import { hintAtLinks, logCreated, logStopped, showOrphaned } from './log';
import { stopError } from './nodeError';
import type { ItemPlan, PlannedItem } from './plan';
import type { ItemError, ItemResult } from './result';
import { hasResults, outputItem, resultOf, taskFacts } from './result';

/** What a run of the node works with. */
export interface RunParts {
	context: IExecuteFunctions;
	clock: Clock;
	client: ServiceClient;
	/** Ends with the run, by the same signal. */
	downloader: Downloader;
	store: TaskStore;
	planned: PlannedItem[];
	baseUrl: string;
	/** Ends everything that can end. */
	ending: AbortController;
}

/** What became of an item. */
interface ItemState {
	result: ItemResult;
	/** `undefined` for an item for which nothing was done. */
	outcome?: Outcome;
	/** Whether it only ended because the run did. */
	isCutShort: boolean;
}

interface ItemJob {
	itemIndex: number;
	job: TaskJob;
}

/** From checked items to output items: which tasks are run, when the node stops, what it returns. */
export class ItemRun {
	private readonly recovery: Recovery;

	/** Indexed by item. */
	private readonly items: ItemState[] = [];

	private readonly downloads = new Map<number, DownloadResult>();

	constructor(private readonly parts: RunParts) {
		this.recovery = this.stopsOnError ? 'retry' : 'getTask';
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { context, clock, ending, planned, store } = this.parts;
		const cancelled = context.getExecutionCancelSignal();
		const cancel = () => {
			logStopped(context, this.otherItems());
			ending.abort();
		};
		if (cancelled?.aborted) ending.abort();
		cancelled?.addEventListener('abort', cancel, { once: true });
		try {
			planned.forEach((item, itemIndex) => {
				if ('invalid' in item) this.refuse(itemIndex, item.invalid);
			});
			this.stopOnError();
			const jobs = this.jobs();
			await runTasks(
				jobs.map(({ job }) => job),
				{
					clock,
					maxConcurrentTasks: this.maxConcurrentTasks(),
					signal: ending.signal,
					onEvent: (index, event) => this.take(jobs[index]?.itemIndex ?? 0, event),
				},
			);
			this.stopWhenCancelled();
			this.stopOnError();
			return [this.output()];
		} finally {
			cancelled?.removeEventListener('abort', cancel);
			store.release();
		}
	}

	/** Unless the node is set to continue, one item without its result stops it. */
	private get stopsOnError(): boolean {
		return !continuesOnError(this.parts.context);
	}

	/**
	 * When an item may not be sent again and that stops the node, the tasks that exist are read and
	 * waited for all the same, but none is created for an execution that can only end in an error.
	 */
	private jobs(): ItemJob[] {
		const jobs = this.parts.planned.flatMap((item, itemIndex): ItemJob[] => {
			const job = 'plan' in item ? this.jobOf(item.plan, itemIndex) : undefined;
			return job ? [{ itemIndex, job }] : [];
		});
		if (!this.stopsOnError || !this.stoppingItem()) return jobs;
		return jobs.flatMap(({ itemIndex, job }) => {
			if (job.existing) return [{ itemIndex, job: { ...job, submit: undefined } }];
			this.finish(itemIndex, { kind: 'notStarted' });
			return [];
		});
	}

	/** An item's job, unless it may not begin at all. */
	private jobOf(plan: ItemPlan, itemIndex: number): TaskJob | undefined {
		const { client, context, store, baseUrl, planned } = this.parts;
		const { intent, createSettings } = plan;
		const job: TaskJob = {
			read: async (taskId, signal, atMostMs) => await client.read(taskId, signal, atMostMs),
			wait: plan.wait?.plan,
			complete: async (outcome) => await this.download(plan, itemIndex, outcome),
		};
		if (intent.kind === 'read') {
			return { ...job, existing: { taskId: intent.taskId, isOwn: false } };
		}
		const submit = async () => await this.submit(intent.request);
		const identity = requestIdentity(intent.request, {
			written: isTool(context) ? undefined : context.getNode().parameters,
			item: context.getInputData()[itemIndex]?.json,
			baseUrl,
		});
		const earlier = store.begin(itemIndex, identity);
		if (earlier === 'nothing') return { ...job, submit };
		if (earlier !== 'unanswered') return { ...job, submit, existing: earlier };
		if (createSettings?.resendAfterNoReply) return { ...job, submit, mayExist: true };
		this.refuse(itemIndex, unansweredBeforeMessage(this.recovery, planned.length === 1));
		return undefined;
	}

	private async submit(request: PlannedRequest): Promise<Answer> {
		try {
			return await this.parts.client.create(request.toSend());
		} catch (thrown) {
			return { kind: 'error', error: { kind: 'notSent', ...invalidMessage(thrown) } };
		}
	}

	private async download(plan: ItemPlan, itemIndex: number, outcome: Outcome): Promise<void> {
		if (plan.download === undefined || !hasResults(outcome)) return;
		this.downloads.set(itemIndex, await this.parts.downloader.download(outcome.task));
	}

	private take(itemIndex: number, event: TaskEvent): void {
		if (event.kind === 'created') {
			logCreated(this.parts.context, event.task, itemIndex, this.isCancelled());
		}
		this.parts.store.take(itemIndex, event);
		if (event.kind === 'finished') this.finish(itemIndex, event.outcome);
	}

	private finish(itemIndex: number, outcome: Outcome): void {
		const downloaded = this.downloads.get(itemIndex);
		const { wait, download } = this.planOf(itemIndex) ?? {};
		const result = resultOf(outcome, downloaded, { wait, download, recovery: this.recovery });
		this.items[itemIndex] = { result, outcome, isCutShort: isCutShort(outcome, downloaded) };
		if (this.stopsOnError && 'error' in result) this.parts.ending.abort();
	}

	/** An item for which nothing is done. */
	private refuse(itemIndex: number, error: Message): void {
		this.items[itemIndex] = { result: { error }, isCutShort: false };
	}

	private planOf(itemIndex: number): ItemPlan | undefined {
		const item = this.parts.planned[itemIndex];
		return item && 'plan' in item ? item.plan : undefined;
	}

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private maxConcurrentTasks(): number {
		const first = this.parts.planned.find((item) => 'plan' in item);
		const settings = first && 'plan' in first ? first.plan.createSettings : undefined;
		return settings?.maxConcurrentTasks ?? MAX_CONCURRENT_TASKS.default;
	}

	/** The first item that went wrong itself, not one that was only cut short by it. */
	private stoppingItem(): { itemIndex: number; error: ItemError; outcome?: Outcome } | undefined {
		const itemIndex = this.items.findIndex(
			(item) => item && 'error' in item.result && !item.isCutShort,
		);
		const item = this.items[itemIndex];
		if (!item || !('error' in item.result)) return undefined;
		return { itemIndex, error: item.result.error, outcome: item.outcome };
	}

	private stopOnError(): void {
		const stopping = this.stopsOnError ? this.stoppingItem() : undefined;
		if (!stopping) return;
		const others = this.otherItems(stopping.itemIndex, stopping.error.taskId);
		const itemCount = this.parts.planned.length;
		throw stopError(this.parts.context, { ...stopping, itemCount, others });
	}

	private stopWhenCancelled(): void {
		if (!this.isCancelled()) return;
		const others = this.otherItems();
		throw stopError(this.parts.context, {
			itemIndex: 0,
			itemCount: 1,
			error: STOPPED_MESSAGE,
			others,
		});
	}

	private isCancelled(): boolean {
		return this.parts.context.getExecutionCancelSignal()?.aborted === true;
	}

	/** Tasks of this try, of an earlier one for items whose turn did not come, and replaced ones. */
	private otherItems(exceptItem?: number, exceptTaskId?: string): OtherItems {
		const { planned, store } = this.parts;
		const itemIndexes = [...planned.keys()];
		const current = itemIndexes.flatMap((itemIndex) => {
			const outcome = this.items[itemIndex]?.outcome;
			const { taskId, task } = outcome ? taskFacts(outcome) : {};
			if (taskId === undefined) return store.taskOf(itemIndex) ?? [];
			return { itemIndex, taskId, status: task?.status };
		});
		const tasks = [...current, ...store.orphanedTasks()]
			.filter(({ taskId }) => taskId !== exceptTaskId)
			.map(({ status = NO_STATUS, ...task }) => ({ ...task, status }));
		const unansweredItems = itemIndexes.filter(
			(itemIndex) => itemIndex !== exceptItem && store.isUnanswered(itemIndex),
		);
		return { tasks, unansweredItems };
	}

	private output(): INodeExecutionData[] {
		const { context, store } = this.parts;
		const output = this.items.map(({ result }, itemIndex) => outputItem(result, itemIndex));
		const hasLinksOnly = this.items.some(
			({ outcome }, itemIndex) =>
				outcome && hasResults(outcome) && this.planOf(itemIndex)?.download === undefined,
		);
		if (hasLinksOnly) hintAtLinks(context);
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
		if (isTool(context)) return this.items.some(({ result }) => 'error' in result);
		return context.getNode().retryOnFail === true && first?.json.error !== undefined;
	}
}

const isCutShort = ({ kind }: Outcome, downloaded: DownloadResult | undefined): boolean =>
	kind === 'stopped' ||
	kind === 'notStarted' ||
	(downloaded?.kind === 'notDownloaded' && downloaded.error.kind === 'stopped');
