import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Connection } from '../fields/credential';
import { createSettingsFrom, type CreateSettings } from '../fields/options';
import { Downloader } from '../files/download';
import { filesFaultOf } from '../files/downloadWords';
import { n8nFiles } from '../files/fetchFile';
import { Timer } from '../ground/clock';
import { continuesOnError, isForMcpClient, isTool, mayRunAgain, streamOf } from '../ground/n8n';
import type { ServiceError } from '../service/answer';
import type { Ledger } from '../work/ledger';
import {
	type Fault,
	fail,
	isCreate,
	isToCreate,
	type Item,
	type StoredTask,
	taskIdOf,
	taskOf,
} from '../work/order';
import { NOT_STARTED } from '../work/orderWords';
import type { Process } from '../work/process';
import type { Throttle } from '../work/throttle';
import { type Host, Work } from '../work/work';
import type { Identity } from './identity';
import { Log, reuseText } from './log';
import { errorOf, faultOf, hasLinkOf, type ItemError, outputOf } from './output';
import type { PlannedItem } from './plan';
import { withProgress } from './progress';
import { slowDownReturned } from './returned';
import { SpendingLimit } from './spendingLimit';
import { STOPPED_MESSAGE, stopError } from './stopError';

/** An MCP client gives up after a minute, and may then order again. */
const MCP_CREATE_MS = 40_000;

/** What a run of the node works with. */
export interface RunParts {
	context: IExecuteFunctions;
	process: Process;
	connection: Connection;
	identity: Identity;
	ledger: Ledger;
	/** One for each input item, in their order; a bad one is born in `error`. */
	items: PlannedItem[];
	/** Shared with other executions. */
	throttle: Throttle;
}

/** From planned items to output items: which are sent, when the node stops, what it returns. */
export class NodeRun {
	private readonly items: PlannedItem[];

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

	private readonly log: Log;

	private readonly limit: SpendingLimit;

	private work: Work | undefined;

	/** What creates have waited for since a minute. */
	private heldUpBy: ServiceError | undefined;

	constructor(private readonly parts: RunParts) {
		const { context, process, connection, ledger, items } = parts;
		this.items = items;
		this.stopsOnError = !continuesOnError(context);
		const first = this.items.find(({ create }) => create);
		this.settings = first?.create?.settings ?? createSettingsFrom({});
		this.timer = new Timer(process.clock, this.ending.signal);
		this.downloader = new Downloader(n8nFiles(context, connection.baseUrl), this.timer);
		this.log = new Log(context);
		const isPaidClick = context.getMode() === 'manual' && !connection.isPractice;
		this.limit = new SpendingLimit(ledger, this.settings, isPaidClick);
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { context, ledger } = this.parts;
		const cancelled = context.getExecutionCancelSignal();
		const cancel = () => {
			this.log.stopped(this.otherTasks(), ledger.unansweredItems());
			this.ending.abort();
		};
		if (cancelled?.aborted) this.ending.abort();
		cancelled?.addEventListener('abort', cancel, { once: true });
		try {
			await this.begin();
			await this.bring();
			if (cancelled?.aborted) throw this.stopErrorOf({ kind: 'timeout', ...STOPPED_MESSAGE });
			this.stopOnError();
			const output = this.output();
			await slowDownReturned(context, output, this.timer);
			return [output];
		} finally {
			cancelled?.removeEventListener('abort', cancel);
			this.ending.abort();
			ledger.close();
		}
	}

	/** Gives each item its order. Limits come first: to look at files takes time. */
	private async begin(): Promise<void> {
		const { ledger, identity } = this.parts;
		const toCreate = () => this.items.filter(isToCreate);
		if (ledger.isEmpty) this.limit.refuse(toCreate());
		for (const item of toCreate()) {
			const { create } = item;
			if (!create) continue;
			item.contentHash = await identity.contentOf(create, this.timer.signal);
			item.mayReuse = identity.isEditor && create.settings.reuseInEditor;
			item.keyAfter = identity.keyAfter(create);
		}
		await ledger.begin(this.items, this.timer, (id) => this.log.waiting(id));
		this.limit.refuse(toCreate());
		this.stopCreatingWhereBound();
	}

	/**
	 * When an item is at its end without what it asked for and that stops the node, nothing is created
	 * for an execution that can only end in an error. The tasks that exist are waited for all the same:
	 * a retry would otherwise stop here each time, and never bring them.
	 */
	private stopCreatingWhereBound(): void {
		if (!this.stopsOnError || !this.items.some((item) => this.endedFault(item))) return;
		this.isBoundToStop = true;
		for (const { order } of this.items.filter(isToCreate)) {
			fail(order, NOT_STARTED);
			this.parts.ledger.note(order);
		}
		if (!this.hasKnownTasks()) this.ending.abort();
	}

	/** Whether there are tasks that earlier tries have ordered. */
	private hasKnownTasks(): boolean {
		return this.items.some(({ order, isTaken }) => isCreate(order) && isTaken);
	}

	private async bring(): Promise<void> {
		const { context, process } = this.parts;
		const work = (this.work = new Work(this.host()));
		if (this.isBoundToStop) work.stopCreating();
		const followed = this.items.filter(({ wait }) => wait?.streamProgress);
		const shown = {
			clock: process.clock,
			stream: streamOf(context),
			first: reuseText(this.items, process.memory.epochMs()),
			heldUpBy: () => this.heldUpBy,
		};
		await withProgress(followed, shown, async () => await work.bring(this.items));
	}

	private host(): Host {
		const { context, connection, ledger, throttle } = this.parts;
		const isCancelled = () => context.getExecutionCancelSignal()?.aborted === true;
		return {
			service: connection.service,
			...{ ledger, throttle, timer: this.timer },
			maxNewTasks: this.limit.max,
			maxConcurrentTasks: this.settings.maxConcurrentTasks,
			mostMs: isForMcpClient(context) ? MCP_CREATE_MS : undefined,
			onCreated: (item) => this.log.created(item, isCancelled()),
			onUnanswered: (item, error) => this.log.unanswered(item, error),
			onHeldUp: (error) => {
				this.heldUpBy = error;
				if (error) this.log.heldUp(error);
			},
			onEnded: (item) => this.endOnError(item),
			fetchFiles: async (item) => await this.fetchFiles(item),
		};
	}

	private async fetchFiles(item: Item) {
		const { order, wait } = item;
		const task = taskOf(order);
		if (!task) return undefined;
		const prompt = order.request?.prompt;
		const result = await this.downloader.download(task, wait?.timeoutMs, prompt);
		if (result.kind === 'notDownloaded') return filesFaultOf(task, result, isCreate(order));
		item.files = result.files;
		return undefined;
	}

	/**
	 * The first error ends the run. In a retry, it only ends the creates: with tasks that it knows, the
	 * next retry would run into the same error before they are final, and so would every one after it.
	 */
	private endOnError(item: Item): void {
		if (!this.stopsOnError || this.isBoundToStop || !faultOf(item)) return;
		if (!this.hasKnownTasks()) return this.ending.abort();
		this.isBoundToStop = true;
		this.work?.stopCreating();
	}

	/** Why an item went wrong itself, and was not only ended by the end of the run. */
	private endedFault(item: Item): Fault | undefined {
		const { order } = item.sharedWith ?? item;
		const isUnderWay = ['new', 'running'].includes(order.state.is);
		const fault = isUnderWay ? undefined : faultOf(item);
		return fault?.isCutShort ? undefined : fault;
	}

	private stopOnError(): void {
		if (!this.stopsOnError) return;
		const item = this.items.find((one) => this.endedFault(one));
		const fault = item && this.endedFault(item);
		if (fault) throw this.stopErrorOf(fault, item);
	}

	/** @param item Absent for what is of no single item. */
	private stopErrorOf(fault: Fault, item?: Item) {
		const { context, ledger, identity } = this.parts;
		const error: ItemError = item ? errorOf(item, fault) : fault;
		const tasks = this.otherTasks().filter(({ taskId }) => taskId !== error.taskId);
		const isOfAll = this.items.every((one) => faultOf(one)?.message === fault.message);
		const isReused = identity.isEditor && this.settings.reuseInEditor;
		const facts = { total: this.items.length, isOfAll, isReused };
		const others = { tasks, unansweredItems: ledger.unansweredItems() };
		return stopError(context, error, { item, ...facts, ...others });
	}

	/** Tasks of this try and of earlier ones, and those that were only read. */
	private otherTasks(): StoredTask[] {
		const read = this.items.flatMap(({ index, order }) => {
			const taskId = taskIdOf(order);
			const status = taskOf(order)?.status;
			const wasRead = !isCreate(order) && status !== undefined;
			return wasRead && taskId !== undefined ? [{ itemIndex: index, taskId, status }] : [];
		});
		return [...read, ...this.parts.ledger.tasks()];
	}

	private sentInline(): boolean {
		return this.items.some(
			({ order, isTaken, create }) =>
				create?.usesInline && !isTaken && taskIdOf(order) !== undefined,
		);
	}

	private output(): INodeExecutionData[] {
		const { context, ledger, process } = this.parts;
		const { items, log } = this;
		const output = items.map(outputOf);
		log.linksOnly(items.filter((item) => hasLinkOf(item) && !item.download));
		if (this.sentInline()) log.inline();
		log.failures(items);
		log.reused(items, process.memory.epochMs());
		const isShared =
			isTool(context) && items.some(({ isTaken, order }) => isTaken && isCreate(order));
		if (isShared) output.push(log.sameTask());
		// Then the tasks are still needed.
		if (mayRunAgain(context, output)) return output;
		ledger.forgetAllBut(items.filter((item) => faultOf(item)).map(({ order }) => order));
		return output;
	}
}
