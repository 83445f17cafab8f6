import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Answer } from '../service/answer';
import type { ServiceClient } from '../service/client';
import type { Task } from '../service/task';
import type { GenerationRequest } from '../service/contract/request';
import type { Downloader } from '../downloads/downloader';
import { continuesOnError, isTool } from './errorPolicy';
import { MAX_CONCURRENT_TASKS } from '../parameters/generation';
import type { PlannedRequest } from '../parameters/plannedRequest';
import type { ItemJob } from './itemJobs';
import { itemJobs } from './itemJobs';
import type { ItemPlan, PlannedItem } from './plan';
import { planOf } from './plan';
import { hasResults, outputItem, taskFacts } from './result';
import type { TaskMemory } from '../tasks/memory';
import type { WayBack } from '../messages/messages';
import { invalidMessage, unansweredBeforeMessage } from '../messages/messages';
import { stopError } from './nodeError';
import { RunLedger } from './runLedger';
import { requestIdentity } from './requestIdentity';
import { hintAtLinks, logCreated, logCreatedLate, logStopped, showLeftBehind } from './log';
import type { Clock } from '../tasks/clock';
import type { Outcome, Start } from '../tasks/job';
import { runTasks } from '../tasks/runTasks';

/** What a run works with. */
export interface RunParts {
	context: IExecuteFunctions;
	clock: Clock;
	client: ServiceClient;
	downloader: Downloader;
	memory: TaskMemory;
	planned: PlannedItem[];
}

/** From checked items to output items: which tasks are run, what is kept, when it stops. */
export class NodeRun {
	private readonly context: IExecuteFunctions;

	private readonly memory: TaskMemory;

	/** By item; `undefined` for an item that is not valid. */
	private readonly plans: Array<ItemPlan | undefined>;

	private readonly wayBack: WayBack;

	private readonly ledger: RunLedger;

	constructor(private readonly parts: RunParts) {
		({ context: this.context, memory: this.memory } = parts);
		this.plans = parts.planned.map(planOf);
		this.wayBack = continuesOnError(this.context) ? 'getTask' : 'retry';
		this.ledger = new RunLedger(this.plans, this.memory, this.wayBack);
	}

	async run(): Promise<INodeExecutionData[][]> {
		try {
			this.refuseInvalid();
			this.stopOnError();
			await this.runJobs(this.jobs());
			this.stopWhenCancelled();
			this.stopOnError();
			return [this.output()];
		} finally {
			this.memory.release();
		}
	}

	private refuseInvalid(): void {
		this.parts.planned.forEach((item, itemIndex) => {
			if ('invalid' in item) this.ledger.refuse(itemIndex, item.invalid);
		});
	}

	/**
	 * When an item may not be sent again and that stops the node, the tasks that exist are read and
	 * waited for all the same, but none is created for an execution that can only end in an error.
	 */
	private jobs(): ItemJob[] {
		const jobs = itemJobs(this.plans, (plan, itemIndex) => this.startOf(plan, itemIndex));
		if (continuesOnError(this.context) || !this.ledger.stoppingItem()) return jobs;
		return jobs.flatMap(({ start, ...job }) => {
			if (start.kind !== 'create') return { ...job, start: { ...start, request: undefined } };
			for (const itemIndex of job.itemIndexes) {
				this.ledger.enter(itemIndex, { kind: 'notStarted' }, undefined);
			}
			return [];
		});
	}

	/** Where an item's job begins, unless it may not begin at all. */
	private startOf(
		{ intent, createSettings }: ItemPlan,
		itemIndex: number,
	): Start<PlannedRequest> | undefined {
		if (intent.kind === 'read') return intent;
		const { request } = intent;
		const identity = requestIdentity(this.context, itemIndex, request);
		const remembered = this.memory.startFor(itemIndex, request, identity);
		if (remembered !== 'unanswered') return remembered;
		if (createSettings?.resendAfterNoReply) return { kind: 'create', request, mayExist: true };
		const isOnlyItem = this.plans.length === 1;
		this.ledger.refuse(itemIndex, unansweredBeforeMessage(this.wayBack, isOnlyItem));
		return undefined;
	}

	private async runJobs(jobs: ItemJob[]): Promise<void> {
		const { client, clock, downloader } = this.parts;
		const signal = this.context.getExecutionCancelSignal();
		const logStop = () => logStopped(this.context, this.ledger.otherItems());
		if (!signal?.aborted) signal?.addEventListener('abort', logStop, { once: true });
		const outcomes = await runTasks(jobs, {
			service: {
				create: async (request) => await this.send(request),
				read: async (taskId, atMostMs) => await client.read(taskId, atMostMs),
			},
			clock,
			maxUnfinished: this.maxUnfinished(),
			signal,
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
				!continuesOnError(this.context) && this.isError(jobs[jobIndex], outcome),
		});
		signal?.removeEventListener('abort', logStop);
		outcomes.forEach((outcome, jobIndex) => this.take(jobs[jobIndex], outcome));
	}

	private async send(request: PlannedRequest): Promise<Answer> {
		let body: GenerationRequest;
		try {
			body = request.toSend();
		} catch (thrown) {
			return { kind: 'trouble', trouble: { kind: 'notSent', ...invalidMessage(thrown) } };
		}
		return await this.parts.client.create(body);
	}

	/** In n8n's log too: when a server is killed, that may be all that is left of an execution. */
	private noteTask(job: ItemJob | undefined, task: Task): void {
		this.eachCreated(job, (itemIndex) => {
			if (this.memory.taskOf(itemIndex)?.taskId !== task.id) {
				const log = this.isCancelled() ? logCreatedLate : logCreated;
				log(this.context, task, itemIndex);
			}
			this.memory.keepTask(itemIndex, task);
		});
	}

	/** Items of one job may differ in what is an error to them. */
	private isError(job: ItemJob | undefined, outcome: Outcome): boolean {
		const items = job?.itemIndexes ?? [];
		return items.some(
			(itemIndex) => 'error' in this.ledger.resultFor(itemIndex, outcome, job?.delivery),
		);
	}

	private take(job: ItemJob | undefined, outcome: Outcome): void {
		const { task } = taskFacts(outcome);
		if (task) this.eachCreated(job, (itemIndex) => this.memory.keepTask(itemIndex, task));
		for (const itemIndex of job?.itemIndexes ?? []) {
			this.ledger.enter(itemIndex, outcome, job?.delivery);
		}
	}

	/** Only tasks that this node made are remembered, not those that it was asked to read. */
	private eachCreated(job: ItemJob | undefined, use: (itemIndex: number) => void): void {
		for (const itemIndex of job?.itemIndexes ?? []) {
			if (this.plans[itemIndex]?.intent.kind === 'create') use(itemIndex);
		}
	}

	/** The first valid item's value counts, as for every setting of the node as a whole. */
	private maxUnfinished(): number {
		const first = this.plans.find((plan) => plan !== undefined);
		return first?.createSettings?.maxConcurrentTasks ?? MAX_CONCURRENT_TASKS.default;
	}

	/** Unless the node is set to continue, one item without its result stops it. */
	private stopOnError(): void {
		if (continuesOnError(this.context)) return;
		const stopping = this.ledger.stoppingItem();
		if (!stopping) return;
		const others = this.ledger.otherItems(stopping.itemIndex, stopping.error.taskId);
		throw stopError(this.context, { ...stopping, itemCount: this.plans.length, others });
	}

	private stopWhenCancelled(): void {
		if (!this.isCancelled()) return;
		const others = this.ledger.otherItems();
		const error = {
			message: 'The execution was stopped',
			description: 'Tasks that were submitted go on at the service; Get Task fetches them.',
		};
		throw stopError(this.context, { itemIndex: 0, itemCount: 1, error, others });
	}

	private isCancelled(): boolean {
		return this.context.getExecutionCancelSignal()?.aborted === true;
	}

	private output(): INodeExecutionData[] {
		const output = this.ledger.allResults().map(outputItem);
		if (this.ledger.hasLinksOnly()) hintAtLinks(this.context);
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
		if (isTool(this.context)) return this.ledger.hasErrors();
		return this.context.getNode().retryOnFail === true && first?.json.error !== undefined;
	}
}
