import { Semaphore } from '../shared/semaphore';
import { type Failure, invalidFailure, messageOf } from '../shared/messages';
import { quotable } from '../shared/text';
import type { ServiceError } from '../service/types';
import { endOf, failureOfRead, rejectsKey } from '../service/responseRules';
import { reasonIn } from '../service/providerMessage';
import { hasResults, type Task } from '../service/task';
import { Creates, type CreateTools } from './create';
import { type End, follow, type Known, noteRecord, PATIENCE_MS } from './follow';
import type { Gate } from './gate';
import type { Ledger } from './ledger';
import { type Item, taskIdOf } from './order';

/** How long to keep asking for a record that nobody waits for. */
const READ_MS = 2 * 60_000;

/** The gap between two tries for a late file. */
const FILE_GAP_MS = { first: 5_000, max: 15_000 };

/** The files of a completed task, or why they are missing and whether they may still come. */
export type FetchedFiles =
	{ files: NonNullable<Item['files']> } | { failure: Failure; mayCome: boolean };

/** What the work needs from its run. */
export interface Host extends CreateTools {
	ledger: Ledger;
	reads: Gate;
	/** Whether an AI agent is calling, for which an unfinished task is a valid answer. */
	isTool: boolean;
	/** How many unfinished tasks of this run the service may have at once. */
	maxConcurrentTasks: number;
	fetchFiles(item: Item, task: Task): Promise<FetchedFiles>;
	/** An item ended without what it asked for. Called before the next one gets its turn. */
	onFailure(item: Item): void;
}

/** Creates tasks, follows existing ones and fetches their files, for all items together. */
export class Work {
	private readonly creates: Creates;

	private readonly places: Semaphore;

	constructor(private readonly host: Host) {
		this.creates = new Creates(host);
		this.places = new Semaphore(host.maxConcurrentTasks);
	}

	/** Sends no more creates. Existing tasks are followed to their end. */
	stopCreating(): void {
		this.creates.stop();
	}

	/** Resolves when no item can get any further. */
	async bring(items: Item[]): Promise<void> {
		const open = items.filter(({ failure }) => !failure);
		// Tasks from an earlier try are already unfinished at the service, so they count first.
		const placed = open.filter(({ order, decision }) => order && decision === 'read');
		placed.forEach(() => this.places.acquireOverLimit());
		await Promise.all(open.map(async (item) => await this.bringOne(item, placed.includes(item))));
	}

	private async bringOne(item: Item, hasPlace: boolean): Promise<void> {
		const { order, decision } = item;
		const isToCreate = decision === 'create';
		const isPlaced = isToCreate ? await this.places.acquire(this.creates.end) : hasPlace;
		await this.guard(item, async () => await this.createAndFollow(item));
		if (order) this.host.ledger.release(order);
		if (isPlaced) this.places.release();
		if (!item.failure) await this.guard(item, async () => await this.fetchFiles(item));
	}

	/** An unexpected error ends its own item and loses none of the others. */
	private async guard(item: Item, work: () => Promise<void>): Promise<void> {
		await work().catch((thrown: unknown) => {
			const { message, ...failure } = invalidFailure(thrown);
			const values = { id: taskIdOf(item) ?? '', why: quotable(message) };
			if (item.order?.state === 'sent') item.failure = messageOf('noAnswer');
			else if (item.task) item.failure = messageOf('download', { values });
			else item.failure = { message, ...failure };
		});
		const { failure } = item;
		if (failure?.kind === 'noAnswer' && this.host.isTool && taskIdOf(item) === undefined) {
			item.failure = messageOf('noAnswerForTool', { values: { message: failure.message } });
		}
		if (failure) this.host.onFailure(item);
	}

	private async createAndFollow(item: Item): Promise<void> {
		const { order, wish, decision } = item;
		if (decision === 'refuse') item.failure = order?.error ?? messageOf('noAnswerBefore');
		if (decision === 'same') item.failure = order?.error ?? messageOf('failed');
		if (decision === 'create' && order && wish) await this.creates.create(item, order, wish);
		// Others may be waiting for the outcome.
		if (order) this.host.ledger.release(order);
		if (!item.failure) await this.follow(item);
	}

	/** Reads the task of an item, if there is one, until there is what was asked for. */
	private async follow(item: Item): Promise<void> {
		const { reads, service, timer } = this.host;
		const { order, wait, download, decision } = item;
		const taskId = taskIdOf(item);
		if (taskId === undefined) return;
		const created = decision === 'create' ? order?.task : undefined;
		item.task = created;
		if (created && !wait) return;
		const now = timer.clock.now();
		const known: Known = {
			sinceAt: now,
			deadlineAt: now + (wait?.timeoutMs ?? READ_MS),
			intervalMs: wait?.intervalMs,
			needsResults: (wait ?? download) !== undefined,
			isCreated: order !== undefined,
			reports: [],
		};
		// Only a read may say that a task failed, not the answer to its create.
		if (created && created.state !== 'failed') noteRecord(known, created, now);
		const isAccepted = () => this.creates.isAccepted;
		const onAnswer = (error?: ServiceError) => this.noteRead(error);
		const tools = { service, gate: reads, timer, isAccepted, onAnswer };
		this.conclude(item, taskId, known, await follow(taskId, known, tools));
	}

	private noteRead(error: ServiceError | undefined): void {
		const { creates } = this;
		if (!error) creates.isAccepted = true;
		else if (rejectsKey(error) && !creates.isAccepted) creates.stop(error);
	}

	private conclude(item: Item, taskId: string, known: Known, end: End | 'stopped'): void {
		const { order, wait } = item;
		const { task } = known;
		if (task) item.task = task;
		if (order && task) Object.assign(order, { state: 'task', task });
		if (end !== 'done') {
			item.failure = this.failureOf(item, taskId, known, end);
			return;
		}
		const ended = task && endOf(task);
		if (!ended) return;
		if (order) this.host.ledger.ended(order, ended.state, ended.failure);
		// A record that nobody waits for is returned as it is.
		if (order || wait) item.failure = ended.failure;
	}

	private failureOf(
		{ order, wait, task }: Item,
		id: string,
		{ failure }: Known,
		end: Exclude<End, 'done'> | 'stopped',
	): Failure | undefined {
		const { baseUrl, isTool, reads } = this.host;
		const values = {
			id,
			minutes: minutesOf(wait?.timeoutMs ?? READ_MS),
			taskStatus: quotable(task?.status ?? 'not known'),
		};
		if (end === 'stopped') return messageOf('stopped', { values });
		if (end === 'noResults') {
			return messageOf('noResults', { values, said: task && reasonIn(task.record) });
		}
		const error = failure?.error ?? (task ? undefined : reads.refusal);
		if (end === 'timeout' && isTool && task) return undefined;
		if (!error) return messageOf(isTool ? 'timeoutForTool' : 'timeout', { values });
		const isKnown = order?.state === 'task' || task !== undefined;
		const unread = failureOfRead(error, { taskId: id, isKnown, baseUrl });
		return end === 'timeout' && wait ? { ...unread, kind: 'timeout' } : unread;
	}

	/**
	 * Fetches the files, if the item wants them and its task is completed. They may be late, so the
	 * task is read again between tries, which may give a new link.
	 */
	private async fetchFiles(item: Item): Promise<void> {
		const { timer, fetchFiles } = this.host;
		if (!item.download || item.task?.state !== 'completed') return;
		const giveUpAt = timer.clock.now() + PATIENCE_MS;
		for (let gapMs = FILE_GAP_MS.first; ; gapMs = Math.min(gapMs * 1.5, FILE_GAP_MS.max)) {
			const fetched = await fetchFiles(item, item.task);
			if ('files' in fetched) {
				item.files = fetched.files;
				return;
			}
			const now = timer.clock.now();
			if (!fetched.mayCome || now >= giveUpAt || timer.signal.aborted) {
				item.failure = fetched.failure;
				return;
			}
			await timer.until(Math.min(now + gapMs, giveUpAt));
			item.task = (await this.readAgain(item)) ?? item.task;
		}
	}

	/** A record without results says no more than the one before. */
	private async readAgain(item: Item): Promise<Task | undefined> {
		const { reads, service, timer } = this.host;
		if (!(await reads.enter(timer.signal))) return undefined;
		const answer = await service
			.read(taskIdOf(item) ?? '', timer.signal)
			.finally(() => reads.leave());
		return answer.kind === 'task' && hasResults(answer.task) ? answer.task : undefined;
	}
}

function minutesOf(ms: number): string {
	const minutes = Math.ceil(ms / 60_000);
	return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
