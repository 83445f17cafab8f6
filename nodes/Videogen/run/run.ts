import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Connection } from '../fields/credential';
import { createSettingsFrom, maxNewTasksIn } from '../fields/options';
import { Downloader } from '../files/download';
import { n8nFiles } from '../files/fetch';
import type { Timer } from '../shared/clock';
import { continuesOnError, isForMcpClient, mayRunAgain } from '../shared/n8n';
import type { Task } from '../service/task';
import { Ledger } from '../work/ledger';
import type { Process } from '../work/memory';
import type { Item } from '../work/order';
import { type FetchedFiles, type Host, Work } from '../work/work';
import { STOPPED, thrownError } from './errors';
import { Hints, reuseText } from './hints';
import type { Identity } from './identity';
import { outputOf } from './output';
import type { PlannedItem } from './plan';

/** An MCP client gives up after a minute, and may then create again. */
const MCP_CREATE_MS = 40_000;

/** The pause when an item comes back and fails again at once. Otherwise a loop would spin. */
const RETURNED_PAUSE_MS = 5_000;

/** What a run of the node works with. */
export interface RunParts {
	context: IExecuteFunctions;
	process: Process;
	connection: Connection;
	identity: Identity;
	/** One per input item, in order. An invalid item already has its failure. */
	items: PlannedItem[];
	/** Ends with the execution. */
	timer: Timer;
}

/** Turns planned items into output: finds their orders and brings them to their ends. */
export class NodeRun {
	/** Taken from the first valid item, because they apply to the node as a whole. */
	private readonly settings;

	/** Whether one failed item stops the node. It does, unless the node is set to continue. */
	private readonly stopsOnError: boolean;

	private readonly hints: Hints;

	private readonly ledger: Ledger;

	private readonly work: Work;

	private readonly downloader: Downloader;

	/** The first item that failed. */
	private first: Item | undefined;

	constructor(private readonly parts: RunParts) {
		const { context, connection, identity, items, process, timer } = parts;
		this.settings = items.find(({ settings }) => settings)?.settings ?? createSettingsFrom({});
		this.stopsOnError = !continuesOnError(context);
		this.hints = new Hints(context);
		this.downloader = new Downloader(n8nFiles(context, connection.baseUrl), timer);
		const { memory } = process;
		this.ledger = new Ledger({ context: context.getContext('node'), memory, ...identity.scope });
		this.work = new Work(this.host());
	}

	async run(): Promise<INodeExecutionData[][]> {
		const { context, items, timer } = this.parts;
		const { ledger } = this;
		const stop = context.getExecutionCancelSignal();
		const onStop = () => this.hints.stopped(items);
		stop?.addEventListener('abort', onStop, { once: true });
		try {
			await this.begin();
			await this.work.bring(items);
			if (timer.signal.aborted) throw this.errorOf(STOPPED);
			const { first } = this;
			const inVain = items.some(
				(one) => one.returned && one.failure && one.failure.kind !== 'timeout',
			);
			if (inVain) await pauseInLoop(timer);
			if (first?.failure && this.stopsOnError) throw this.errorOf(first.failure, first);
			return [this.output()];
		} finally {
			stop?.removeEventListener('abort', onStop);
			for (const { order } of items) if (order) ledger.release(order);
			ledger.close([]);
		}
	}

	/** Assigns an order to each item, once nobody else is creating what it asks for. */
	private async begin(): Promise<void> {
		const { connection, identity, items, process, timer } = this.parts;
		const { ledger } = this;
		while (ledger.isBusy(items) && !timer.signal.aborted) {
			await process.memory.nextRelease(timer.signal);
		}
		if (timer.signal.aborted) throw this.errorOf(STOPPED);
		const max = maxNewTasksIn(this.settings, identity.scope.isManual);
		ledger.begin(items, { max, isAdded: this.settings.maxNewTasks !== undefined });
		if (connection.isPractice) this.hints.practice();
		for (const item of items) if (item.failure) this.noteFailure(item);
	}

	private host(): Host {
		const { context, connection, identity, process, timer } = this.parts;
		const { ledger } = this;
		const gates = process.gates.of(connection);
		return {
			...{ ledger, timer, gate: gates.creates, reads: gates.reads },
			...{ service: connection.service, baseUrl: connection.baseUrl, ...identity.scope },
			maxConcurrentTasks: this.settings.maxConcurrentTasks,
			createMs: isForMcpClient(context) ? MCP_CREATE_MS : undefined,
			fetchFiles: async (item, task) => await this.fetchFiles(item, task),
			onTask: (item, taskId) => this.hints.task(item, taskId, timer.signal.aborted),
			onFailure: (item) => this.noteFailure(item),
		};
	}

	private async fetchFiles({ order, wait }: Item, task: Task): Promise<FetchedFiles> {
		return await this.downloader.download(task, wait?.timeoutMs, order?.request.prompt);
	}

	/**
	 * An execution that can only end in an error creates nothing more, but follows existing tasks.
	 */
	private noteFailure(item: Item): void {
		this.first ??= item;
		if (this.stopsOnError) this.work.stopCreating();
	}

	private errorOf(failure: NonNullable<Item['failure']>, item?: Item) {
		const { context, identity, items, process } = this.parts;
		const { isManual, isTool } = identity.scope;
		const isReused = isManual && !isTool && this.settings.reuseInEditor;
		// Otherwise, the advice says that a retry continues with the existing videos.
		const reuse = isReused ? reuseText(items, process.memory.epochMs()) : undefined;
		return thrownError(context, failure, item, { items, isReused, reuse });
	}

	private output(): INodeExecutionData[] {
		const { connection, context, items, process } = this.parts;
		const { hints, ledger } = this;
		const output = items.map(outputOf);
		const reuse = reuseText(items, process.memory.epochMs());
		if (reuse) hints.hint(reuse);
		if (!connection.isPractice) hints.created(items);
		hints.failed(items);
		// With Retry On Fail, n8n may run all items again.
		if (!mayRunAgain(context, output)) ledger.close(items.filter(({ failure }) => !failure));
		return output;
	}
}

/** Pauses after an item came back with this node's error and failed again at once. */
export async function pauseInLoop(timer: Timer): Promise<void> {
	await timer.until(timer.clock.now() + RETURNED_PAUSE_MS);
}
