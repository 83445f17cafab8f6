import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { isForMcpClient, mayRunAgain, streamOf, continuesOnError, isTool } from '../ground/n8n';
import { type Clock, Timer } from '../ground/clock';
import { Downloader, type DownloadResult } from '../files/download';
import { n8nFiles } from '../files/fetchFile';
import { createReport, requestFor } from './creating';
import { hint, logHeldUp, logStopped, sayReused, showOrphaned } from './log';
import { holdUpReturned } from './returned';
import { stopError } from './nodeError';
import { hasResults, isCutShort, type ItemError, outputItem, resultOf } from './output';
import { linksHint, SAME_TASK } from './hints';
import type { OtherItems } from './otherItems';
import { endText, RESTS } from './progressMessages';
import {
	STOPPED_MESSAGE,
	tooManyInEditorMessage,
	tooManyMessage,
	UNANSWERED_BEFORE,
} from './outcomeMessage';
import type { PlannedCreate } from '../fields/operation';
import type { Connection } from '../fields/credential';
import { type CreateSettings, createSettingsFrom, maxNewTasksIn } from '../fields/options';
import { withProgress } from './progress';
import { readBeforeRest, rest } from './rest';
import type { Reuse } from './reuse';
import type { ServiceError } from '../service/answer';
import { TaskRun } from '../work/advance';
import type { Creating } from '../work/creates';
import { type Entry, isCreate, taskIdOf } from '../work/entry';
import type { RunReport } from '../work/runReport';
import type { TaskStore } from '../work/taskStore';
import type { Throttle } from '../work/throttle';

/** An MCP client gives up after a minute, and may then order again. */
const MCP_CREATE_MS = 40_000;

/** What a run of the node works with. */
export interface RunParts {
	context: IExecuteFunctions;
	clock: Clock;
	connection: Connection;
	/** Shared with other executions. */
	throttle: Throttle;
	store: TaskStore;
	reuse: Reuse;
	/** One for each item, in their order. */
	entries: Entry[];
	/** How the create of each is sent, files included; without this, tasks are only read. */
	creates: Array<PlannedCreate | undefined> | undefined;
	/** Where the service calls back when the node rests instead of waiting. */
	resumeUrl: string | undefined;
}

/** From entries to output items: which are sent, when the node stops, what it returns. */
export class NodeRun {
	/** Unless the node is set to continue, one item without its result stops it. */
	private readonly stopsOnError: boolean;

	/** Whether it can only end in an error, and reads what exists before that. */
	private isBoundToStop = false;

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private readonly settings: CreateSettings;

	/** Ends everything that can end, downloads included. */
	private readonly ending = new AbortController();

	private readonly timer: Timer;

	private readonly downloader: Downloader;

	private taskRun: TaskRun | undefined;

	/** IDs of tasks that earlier tries have created. */
	private readonly known: Set<string>;

	private readonly downloads = new Map<Entry, DownloadResult>();

	/** What creates have waited for since a minute. */
	private heldUpBy: ServiceError | undefined;

	constructor(private readonly parts: RunParts) {
		const { context, clock, connection, creates, entries } = parts;
		this.stopsOnError = !continuesOnError(context);
		const created = entries.filter(isCreate);
		this.known = new Set(created.flatMap(({ task }) => task?.id ?? []));
		this.settings = creates?.find((create) => create)?.settings ?? createSettingsFrom({});
		this.timer = new Timer(clock, this.ending.signal);
		this.downloader = new Downloader(n8nFiles(context, connection.baseUrl), this.timer);
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { ending } = this;
		const { context, clock, store, reuse, entries } = this.parts;
		const cancelled = context.getExecutionCancelSignal();
		const cancel = () => {
			logStopped(context, this.otherItems());
			ending.abort();
		};
		if (cancelled?.aborted) ending.abort();
		cancelled?.addEventListener('abort', cancel, { once: true });
		try {
			this.stopOnError();
			this.refuse();
			const followed = entries.filter(({ wait }) => wait?.streamProgress);
			const shown = {
				clock,
				stream: streamOf(context),
				first: reuse.text(entries),
				heldUpBy: () => this.heldUpBy,
			};
			const advance = async () => await this.advance();
			const whyNot = (entry: Entry) => this.errorOf(entry)?.message;
			const meanwhile = await withProgress(followed, shown, advance, (resting) =>
				resting ? RESTS : endText(followed, whyNot),
			);
			if (meanwhile) return [meanwhile];
			if (this.isCancelled())
				throw this.stopErrorOf(undefined, { kind: 'timeout', ...STOPPED_MESSAGE });
			this.stopOnError();
			const output = this.output();
			await holdUpReturned(context, store, output, this.timer);
			return [output];
		} finally {
			cancelled?.removeEventListener('abort', cancel);
			ending.abort();
			reuse.close();
			store.close();
		}
	}

	/** @returns what the node puts out while it rests, if it does */
	private async advance(): Promise<INodeExecutionData[] | undefined> {
		const { context, clock, store, entries, resumeUrl } = this.parts;
		const run = (this.taskRun = this.newTaskRun());
		if (resumeUrl !== undefined) {
			// All are created, and read once more when the last one is there.
			await run.advance(entries, 'created');
			await readBeforeRest(run, entries);
			const meanwhile = this.isCancelled() ? undefined : await rest(context, store, entries, clock);
			if (meanwhile) return meanwhile;
		}
		await run.advance(entries, 'final');
		return undefined;
	}

	private newTaskRun(): TaskRun {
		const { context, connection, creates, resumeUrl, store, reuse, throttle } = this.parts;
		const { maxConcurrentTasks } = this.settings;
		const report: RunReport = {
			...createReport(context, store, reuse),
			onHeldUp: (error) => this.onHeldUp(error),
			onOutcome: (entry) => {
				reuse.settle(entry);
				this.endOnError(entry);
			},
			deliver: async (entry) => await this.deliver(entry),
		};
		const creating: Creating = {
			throttle,
			requestFor: async (entry) => {
				const limit = { store, maxNewTasks: this.maxNewTasks };
				return await requestFor(entry, creates?.[entry.item], resumeUrl, limit);
			},
			mostMs: isForMcpClient(context) ? MCP_CREATE_MS : undefined,
		};
		const mayCreate = creates !== undefined && !this.isBoundToStop;
		const limits = { timer: this.timer, maxConcurrentTasks };
		return new TaskRun(connection.service, report, limits, mayCreate ? creating : undefined);
	}

	/**
	 * When an item may not be sent again and that stops the node, the tasks that exist are read and
	 * waited for all the same, but none is created for an execution that can only end in an error.
	 */
	private refuse(): void {
		const { entries, creates } = this.parts;
		for (const [index, entry] of entries.entries()) {
			const hasTask = entry.taskId ?? (entry.task && entry.task.state !== 'failed');
			const mayBeSent =
				hasTask || !entry.unanswered || creates?.[index]?.settings.resendAfterNoReply;
			if (!mayBeSent) entry.outcome ??= { kind: 'notSent', why: 'noAnswer', ...UNANSWERED_BEFORE };
		}
		this.refuseTooMany(entries.filter(isToCreate));
		if (this.stoppingItem() < 0) return;
		this.isBoundToStop = true;
		for (const entry of entries.filter(isToCreate)) entry.outcome = { kind: 'notStarted' };
	}

	private get isEditor(): boolean {
		const { context, connection } = this.parts;
		return context.getMode() === 'manual' && !connection.isPractice;
	}

	private get maxNewTasks(): number {
		return maxNewTasksIn(this.settings, this.isEditor);
	}

	/** All creates are sent or none, if they are more than this execution may still send. */
	private refuseTooMany(entries: Entry[]): void {
		const before = this.parts.store.newTasks;
		const isOwnLimit = this.settings.maxNewTasks === undefined && this.isEditor;
		const message = isOwnLimit
			? tooManyInEditorMessage(
					entries.map(({ request }) => request?.duration),
					before,
					this.maxNewTasks,
				)
			: tooManyMessage(entries.length, before, this.maxNewTasks);
		if (!message) return;
		for (const entry of entries) entry.outcome = { kind: 'notSent', why: 'limit', ...message };
	}

	private onHeldUp(error: ServiceError | undefined): void {
		this.heldUpBy = error;
		if (error) logHeldUp(this.parts.context, error);
	}

	/**
	 * The first error ends the run. In a retry, it only ends the creates: with tasks that it knows, the
	 * next retry would run into the same error before they are final, and so would every one after it.
	 */
	private endOnError(entry: Entry): void {
		if (!this.stopsOnError || this.isBoundToStop || !this.errorOf(entry)) return;
		if (this.known.size === 0) return this.ending.abort();
		this.isBoundToStop = true;
		this.taskRun?.stopCreating();
	}

	/** Brings its files, if it wants them and there are some. */
	private async deliver(entry: Entry): Promise<void> {
		const { task, download } = entry;
		if (!task || !download || !hasResults(entry) || this.downloads.has(entry)) return;
		this.downloads.set(
			entry,
			await this.downloader.download(task, entry.wait?.timeoutMs, entry.request?.prompt),
		);
		this.endOnError(entry);
	}

	private isCancelled(): boolean {
		return this.parts.context.getExecutionCancelSignal()?.aborted === true;
	}

	private errorOf(entry: Entry): ItemError | undefined {
		const result = resultOf(entry, this.downloads.get(entry));
		return 'error' in result ? result.error : undefined;
	}

	/** The first item that went wrong itself, not one that was only cut short by it; or -1. */
	private stoppingItem(): number {
		const isStopping = (entry: Entry) =>
			entry.outcome && this.errorOf(entry) && !isCutShort(entry, this.downloads.get(entry));
		return this.stopsOnError ? this.parts.entries.findIndex(isStopping) : -1;
	}

	private stopOnError(): void {
		const itemIndex = this.stoppingItem();
		const entry = this.parts.entries[itemIndex];
		const error = entry && this.errorOf(entry);
		if (error) throw this.stopErrorOf(itemIndex, error);
	}

	/** @param itemIndex Absent for what is of no single item. */
	private stopErrorOf(itemIndex: number | undefined, error: ItemError) {
		const { context, entries } = this.parts;
		const others = this.otherItems(error.taskId);
		const isOfAll = entries.every((entry) => this.errorOf(entry)?.message === error.message);
		return stopError(context, error, { itemIndex, entries, isOfAll, others });
	}

	/** Tasks of this try and of earlier ones, and those that were only read. */
	private otherItems(exceptTaskId?: string): OtherItems {
		const { store, entries } = this.parts;
		const read = entries.flatMap((entry) => {
			const taskId = taskIdOf(entry);
			const wasRead = !isCreate(entry) && entry.outcome && taskId !== undefined;
			return wasRead ? [{ itemIndex: entry.item, taskId, status: entry.task?.status }] : [];
		});
		const tasks = [...read, ...store.tasks()].filter(({ taskId }) => taskId !== exceptTaskId);
		return { tasks, unansweredItems: store.unansweredItems() };
	}

	private output(): INodeExecutionData[] {
		const { context, store, reuse, entries } = this.parts;
		const output = entries.map((entry, index) =>
			outputItem(resultOf(entry, this.downloads.get(entry)), index),
		);
		const linksOnly = entries.filter((entry) => hasResults(entry) && !entry.download);
		if (linksOnly.length > 0) {
			const taskIds = linksOnly.flatMap((one) => taskIdOf(one) ?? []);
			hint(context, linksHint(taskIds, linksOnly.some(isCreate)));
		}
		const reused = reuse.text(entries);
		if (reused !== undefined) sayReused(context, reused);
		if (this.isKnownToAgent()) output.push({ json: { note: SAME_TASK }, pairedItem: { item: 0 } });
		// Then the tasks are still needed.
		showOrphaned(context, store.orphanedTasks());
		if (mayRunAgain(context, output)) return output;
		store.forgetAllBut(entries.filter((_, index) => output[index]?.json.error));
		return output;
	}

	/** Whether an agent gets a task that an earlier call of its tool has made. */
	private isKnownToAgent(): boolean {
		const { context, entries } = this.parts;
		const isKnown = ({ task }: Entry) => task !== undefined && this.known.has(task.id);
		return isTool(context) && entries.some(isKnown);
	}
}

/** Whether a create is to be sent for it: it has no task to read, or one that failed in an earlier try. */
const isToCreate = ({ outcome, request, task, taskId }: Entry): boolean =>
	outcome === undefined &&
	request !== undefined &&
	(task ? task.state === 'failed' : taskId === undefined);
