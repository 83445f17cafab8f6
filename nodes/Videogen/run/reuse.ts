import type { IExecuteFunctions } from 'n8n-workflow';
import { hashOf } from '../ground/json';
import { onAbort } from '../ground/clock';
import { resultUrls, asCreatedTask } from '../service/task';
import { UNCLEAR_BEFORE } from './outcomeMessage';
import { reuseText } from './reuseText';
import { executionIdOf, isTool } from '../ground/n8n';
import type { PlannedCreate } from '../fields/operation';
import type { Connection } from '../fields/credential';
import { type Entry, isCreate } from '../work/entry';
import { MAX_ORDERS_OF_NODE, type Order, type Orders } from '../work/orders';

/** An item that would be created, and the hash of its request. */
interface Wanted {
	entry: Entry;
	create: PlannedCreate;
	hash: string;
}

/**
 * What a run of the node takes of what was ordered before, and what it leaves for later ones
 * (interface.md, `reuseInEditor`). Only executions in the editor take; all but tools leave.
 */
export class Reuse {
	/** Hashes: of the node with its service, and of the service. */
	private readonly node: string;

	private readonly service: string;

	private readonly executionId: string;

	/** Of entries whose create may go out in this run, as far as they will be remembered. */
	private readonly sent = new Map<Entry, Order>();

	/** Of entries that took a task; as it was then. */
	private readonly taken = new Map<Entry, Order>();

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly orders: Orders,
		{ baseUrl, apiKey }: Pick<Connection, 'baseUrl' | 'apiKey'>,
	) {
		this.service = hashOf([baseUrl, apiKey]);
		this.node = hashOf([context.getWorkflow().id, context.getNode().id, this.service]);
		this.executionId = executionIdOf(context) ?? '';
	}

	/** Gives entries the tasks of equal orders, once those are settled, and remembers the others. */
	async begin(entries: Entry[], creates: Array<PlannedCreate | undefined>): Promise<void> {
		if (isTool(this.context)) return;
		this.goOn(entries);
		const wanted = await this.wanted(entries, creates);
		const end = this.context.getExecutionCancelSignal() ?? new AbortController().signal;
		for (;;) {
			const pairs = this.pairs(wanted);
			if (end.aborted) return;
			const isUnderWay = pairs.some(([, order]) => order?.underWay);
			if (!isUnderWay) return this.give(pairs);
			const next = AbortSignal.any([end, this.orders.nextSettled]);
			await new Promise<void>((resolve) => void onAbort(next, resolve));
		}
	}

	/** What an earlier try has taken or ordered stays that order, whatever comes of it now. */
	private goOn(entries: Entry[]): void {
		for (const entry of entries) {
			const order = this.orders.orderOf(this.node, entry);
			if (order && entry.isTaken) this.recordTaken(entry, order);
			else if (order) this.sent.set(entry, order);
		}
	}

	/** An execution that takes nothing needs only the last, which it leaves. */
	private async wanted(
		entries: Entry[],
		creates: Array<PlannedCreate | undefined>,
	): Promise<Wanted[]> {
		const unordered = entries.flatMap((entry, index) => {
			const create = creates[index];
			return create && isUnordered(entry) ? [{ entry, create }] : [];
		});
		const wanted: Wanted[] = [];
		for (const one of unordered.reverse()) {
			if (!this.isManual && wanted.length === MAX_ORDERS_OF_NODE) break;
			const hash = await this.hashOf(one.create);
			if (hash !== undefined) wanted.push({ ...one, hash });
		}
		return wanted.reverse();
	}

	private get isManual(): boolean {
		return this.context.getMode() === 'manual';
	}

	private recordTaken(entry: Entry, order: Order): void {
		this.taken.set(entry, { ...order });
		this.sent.set(entry, order);
	}

	/** Each item with the order that is to be its own. */
	private pairs(wanted: Wanted[]): Array<[Wanted, Order | undefined]> {
		const given = new Set<Order>();
		return wanted.map((one) => {
			const mayTake = this.isManual && one.create.settings.reuseInEditor;
			const matching = this.orders.matching(this.node, one.hash, this.executionId);
			// A task that failed in this execution is followed by another one.
			const order = mayTake && !one.entry.task ? matching.find((it) => !given.has(it)) : undefined;
			if (order) given.add(order);
			return [one, order];
		});
	}

	private give(pairs: Array<[Wanted, Order | undefined]>): void {
		// Of more, the first would be forgotten at once.
		const added = new Set(pairs.filter(([, order]) => !order).slice(-MAX_ORDERS_OF_NODE));
		for (const pair of pairs) {
			const [one, order] = pair;
			if (order) this.take(one, order);
			else if (added.has(pair)) this.add(one);
		}
	}

	private add({ entry, hash }: Wanted): void {
		this.sent.set(entry, this.orders.add(this.node, hash, this.executionId));
	}

	private take({ entry, create }: Wanted, order: Order): void {
		const { orders, executionId } = this;
		const { taskId, unclear, refusedTo = executionId } = order;
		if (taskId !== undefined) {
			this.recordTaken(entry, order);
			Object.assign(entry, { task: asCreatedTask({ id: taskId }), isTaken: true });
		} else if (refusedTo === executionId && !create.settings.resendAfterNoReply) {
			order.refusedTo = executionId;
			entry.outcome = { kind: 'notSent', why: 'noAnswer', ...UNCLEAR_BEFORE };
			return;
		} else {
			Object.assign(entry, unclear);
			create.settings.resendAfterNoReply = true;
			order.underWay = true;
		}
		orders.use(order, executionId);
		this.sent.set(entry, order);
	}

	/** An entry has its task, or an outcome. */
	settle(entry: Entry): void {
		const { task, outcome } = entry;
		const order = this.sent.get(entry);
		if (order) this.orders.settle(this.node, order, entry);
		if (task?.state === 'failed' && outcome) {
			this.orders.forget(this.node, ({ taskId }) => taskId === task.id);
		}
		// Those of a task that nothing can take are not asked for again.
		if (!task || (isCreate(entry) && !this.orders.orderOf(this.node, entry))) return;
		this.orders.recordResults(this.service, task.id, resultUrls(task.record));
	}

	/** Nothing of the run goes out any more. */
	close(): void {
		for (const entry of this.sent.keys()) this.settle(entry);
	}

	/** What was taken, in words; `undefined` where nothing was. */
	text(entries: Entry[]): string | undefined {
		const all = [...this.taken];
		const kept = all.filter(([{ task }, { taskId }]) => task?.id === taskId);
		const { length: creates } = entries.filter(isCreate);
		return all.length === 0
			? undefined
			: reuseText({
					taken: kept.map(([, order]) => order),
					orderedAgain: all.length - kept.length,
					creates,
					nowMs: this.orders.epochMs(),
				});
	}

	/** Of the request as it is sent; `undefined` for one that is ordered again each time. */
	private async hashOf({ request, files }: PlannedCreate): Promise<string | undefined> {
		if (request.callback_url !== undefined || (!this.isManual && files.length > 0))
			return undefined;
		const contents = new Map<unknown, string>();
		for (const file of files) {
			const content = await file.contentHash();
			if (content === undefined) return undefined;
			contents.set(file.reference, content);
		}
		const meant = (value: unknown): unknown => {
			if (Array.isArray(value)) return value.map(meant);
			const place = typeof value === 'string' && this.orders.placeOf(this.service, value);
			return contents.get(value) ?? (place || value);
		};
		return hashOf(Object.entries(request).map(([name, value]) => [name, meant(value)]));
	}
}

/** Whether nothing is known of a task for it, in this execution. */
const isUnordered = ({ outcome, unanswered, taskId, task }: Entry): boolean =>
	!outcome && !unanswered && taskId === undefined && (!task || task.state === 'failed');
