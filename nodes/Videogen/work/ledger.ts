import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { hashOf } from '../shared/json';
import { type Failure, LABELS, messageOf, shown, videosOf } from '../shared/messages';
import { isSaved, type Kept, type Memory, type Remembered, type Saved } from './memory';
import { decide, type Item, type Order, secondsOf, trim, type Wish } from './order';

/** The one name under which everything is kept in n8n's node context. */
export const CONTEXT_KEY = 'videogen';

/** Whose orders these are. */
export interface Scope {
	/** n8n's own object, which outlives a single try of the node. */
	context: IDataObject;
	memory: Memory;
	executionId: string;
	/** Which run of the node in its execution this is. */
	run: number;
	isTool: boolean;
	/** Whether a person started this execution in the editor. */
	isManual: boolean;
	/**
	 * Hash of the node, its workflow and the account, under which the editor's orders are remembered.
	 */
	node: string;
}

/** How many tasks an execution may create, and whether the user set this limit. */
interface Limit {
	max: number;
	isAdded: boolean;
}

type WishingItem = Item & { wish: Wish };
type OrderedItem = WishingItem & { order: Order };

const isWishing = (item: Item): item is WishingItem =>
	item.wish !== undefined && item.failure === undefined;

/**
 * Finds the order that each item continues, and keeps what is known about it
 * (docs/payment-and-retries.md).
 */
export class Ledger {
	private readonly saved: Saved;

	/** The IDs of the orders that items of this run have. None is given to a second item. */
	private readonly given = new Set<string>();

	/** Whether this version of the node cannot read what was kept. */
	readonly isUnreadable: boolean;

	constructor(private readonly scope: Scope) {
		const { context, executionId, isManual, memory } = scope;
		const kept: unknown = context[CONTEXT_KEY];
		this.isUnreadable = kept !== undefined && !isSaved(kept);
		this.saved = isSaved(kept)
			? kept
			: { id: randomUUID(), startedBy: executionId, isManual, orders: {}, ended: {}, texts: {} };
		if (this.isUnreadable) return;
		const { id, orders, ended } = this.saved;
		const shared: Kept = memory.keptUnder(id, { orders, ended });
		Object.assign(this.saved, { orders: shared.orders, ended: shared.ended });
		Object.assign(context, { [CONTEXT_KEY]: this.saved });
	}

	/** Whether someone else is currently creating what one of these items asks for or continues. */
	isBusy(items: Item[]): boolean {
		const { memory, node } = this.scope;
		return items.filter(isWishing).some((item) => {
			const remembered = this.isReused(item.wish) ? memory.ordersOf(node) : [];
			const equal = remembered
				.map(({ order }) => order)
				.filter(({ requestHash }) => requestHash === item.wish.requestHash);
			return [this.find(item).order, ...equal].some((order) => memory.isHeld(order, this));
		});
	}

	/** Gives every item that creates its order and a decision, or a failure. */
	begin(items: Item[], limit: Limit): void {
		const creating: OrderedItem[] = [];
		for (const item of items.filter(isWishing)) {
			item.failure = this.isUnreadable ? messageOf('unreadableOrders') : this.textFailure(item);
			const ordered = item.failure ? undefined : this.assign(item);
			if (ordered?.decision === 'create') creating.push(ordered);
		}
		const tooMany = this.tooManyFailure(creating, limit);
		for (const item of creating) {
			if (tooMany) Object.assign(item, { failure: tooMany, decision: undefined });
			else this.scope.memory.hold(item.order, this);
		}
	}

	/** A read found that an order's task has ended without a video. */
	ended(order: Order, state: 'failed' | 'final', error: Failure): void {
		Object.assign(order, { state, error, executionId: this.scope.executionId });
		this.countEnd(order);
	}

	/** Call when the outcome of an order is known, so that others stop waiting for it. */
	release(order: Order): void {
		if (!this.scope.memory.isHeld(order, this)) this.scope.memory.release(order);
	}

	/**
	 * Call when the node is done.
	 * @param served Items whose orders only another retry of the same execution asks for again.
	 */
	close(served: Item[]): void {
		const { orders, startedBy } = this.saved;
		for (const order of Object.values(orders)) trim(order);
		if (this.scope.isTool) return;
		const places = served.map((item) => this.placeOf(item));
		const rest = Object.entries(orders).filter(([place]) => !places.includes(place));
		this.saved.orders = Object.fromEntries(rest);
		if (startedBy !== this.scope.executionId) return;
		for (const place of places) Reflect.deleteProperty(orders, place);
	}

	private assign(item: WishingItem): OrderedItem {
		const { executionId, memory, node } = this.scope;
		const { wish } = item;
		const remembered = this.find(item);
		const found = remembered.order;
		const decided = decide(found, executionId, wish.mayResend);
		const isAnew = decided === 'anew';
		const order = isAnew ? this.replace(found, wish) : found;
		const decision = isAnew ? 'create' : decided;
		if (order.state === 'new') this.renew(order, wish);
		this.put(item, order);
		this.given.add(order.id);
		if (this.isReused(wish)) memory.remember(node, order, executionId);
		if (decision === 'read' && found.executionId !== executionId) {
			item.reused = { executionId: found.executionId ?? '', atMs: remembered.atMs };
		}
		return Object.assign(item, { order, decision });
	}

	/**
	 * The order at the item's place, else the one in the error it came back with, else one that this
	 * process remembers, else a new one.
	 */
	private find(item: WishingItem): { order: Order; atMs?: number } {
		const { wish } = item;
		const here = this.saved.orders[this.placeOf(item)];
		if (this.scope.isTool) return { order: here ?? this.newOrder(wish) };
		const own = here && isOf(here, wish) ? here : this.returnedOrder(item);
		if (own && own.state !== 'new') return { order: own };
		return this.remembered(wish) ?? { order: own ?? this.newOrder(wish) };
	}

	private returnedOrder({ wish, returned }: WishingItem): Order | undefined {
		return Object.values(this.saved.orders).find(
			(order) =>
				order.id === returned?.orderId &&
				!this.given.has(order.id) &&
				(isOf(order, wish) || (isOpen(order) && order.parametersHash === wish.parametersHash)),
		);
	}

	private remembered(wish: Wish): Remembered | undefined {
		const { memory, node, executionId } = this.scope;
		if (!this.isReused(wish)) return undefined;
		const own = Object.values(this.saved.orders).map(({ id }) => id);
		const fitting = memory
			.ordersOf(node)
			.filter(
				({ order, servedTo }) =>
					order.state !== 'new' &&
					order.requestHash === wish.requestHash &&
					!servedTo.has(executionId) &&
					!own.includes(order.id),
			);
		return fitting.find(({ order }) => isOpen(order)) ?? fitting[0];
	}

	/** Puts an order at its item's place, moving it there if the item came back. */
	private put(item: WishingItem, order: Order): void {
		const { orders } = this.saved;
		for (const [place, one] of Object.entries(orders)) {
			if (item.returned && one.id === order.id) Reflect.deleteProperty(orders, place);
		}
		orders[this.placeOf(item)] = order;
	}

	private placeOf({ wish, index }: Item): string {
		const { isTool, run } = this.scope;
		return `${isTool && wish ? wish.requestHash : run}:${index}`;
	}

	private newOrder(wish: Wish): Order {
		return { id: randomUUID(), state: 'new', ...this.keyOf(wish), ...askedBy(wish) };
	}

	/** An order that has no task asks for what its item asks for now. */
	private renew(order: Order, wish: Wish): void {
		const key = order.keyText === wish.keyText ? {} : this.keyOf(wish);
		Object.assign(order, key, askedBy(wish));
	}

	private replace(ended: Order, wish: Wish): Order {
		const { orders } = this.saved;
		this.countEnd(ended);
		const order = this.newOrder(wish);
		for (const [place, one] of Object.entries(orders)) {
			if (one.id === ended.id) orders[place] = order;
		}
		if (this.isReused(wish)) this.scope.memory.replace(this.scope.node, ended, order);
		return order;
	}

	private keyOf(wish: Wish): Pick<Order, 'key' | 'keyCount'> {
		const keyCount = this.saved.ended[hashOf(wish.keyText)] ?? 0;
		return { keyCount, key: wish.keyFor(keyCount) };
	}

	/**
	 * Gives the next task of the same text another key. All executions use the same sequence of keys.
	 */
	private countEnd({ keyText, keyCount, taskId }: Order): void {
		const { ended } = this.saved;
		if (keyText === '' || taskId === undefined) return;
		ended[hashOf(keyText)] = Math.max(ended[hashOf(keyText)] ?? 0, keyCount + 1);
	}

	/** Whether executions in the editor share what an item asks for. */
	private isReused({ mayReuse }: Wish): boolean {
		return mayReuse && this.saved.isManual && !this.scope.isTool;
	}

	/** Why an item's text cannot be its key: another item of this execution has used it. */
	private textFailure(item: WishingItem): Failure | undefined {
		const { keyText } = item.wish;
		const { orders, texts } = this.saved;
		if (keyText === '' || this.scope.isTool) return undefined;
		const place = this.placeOf(item);
		texts[hashOf(keyText)] ??= place;
		const own = Object.values(orders).find(({ id }) => id === item.returned?.orderId);
		if (own?.keyText === keyText && !this.given.has(own.id)) return undefined;
		if (texts[hashOf(keyText)] === place) return undefined;
		return messageOf('invalid', {
			values: {
				what: `${LABELS.idempotencyKey}: ${shown(keyText)} is used by another item of this execution`,
				next: 'Nothing was created for this item. Give each item a key of its own, for example with the ID of its row.',
			},
		});
	}

	/** Why these orders may not be created: either all of them are, or none. */
	private tooManyFailure(items: OrderedItem[], { max, isAdded }: Limit): Failure | undefined {
		const { executionId } = this.scope;
		const { created } = this.saved;
		const orders = new Set(items.map(({ order }) => order));
		const more = [...orders].filter(({ countedBy }) => countedBy !== executionId);
		const before = created?.executionId === executionId ? created.count : 0;
		if (before + more.length <= max) {
			for (const order of more) order.countedBy = executionId;
			this.saved.created = { executionId, count: before + more.length };
			return undefined;
		}
		const values = {
			...{ max, videos: videosOf(orders.size), seconds: secondsOf([...orders]) },
			before: before > 0 ? `, after ${before} in this execution` : '',
			change: isAdded ? 'raise' : 'add',
		};
		return messageOf('limit', { values });
	}
}

const askedBy = ({ keyText, request, requestHash, parametersHash, fieldsHash }: Wish) => ({
	...{ keyText, request, requestHash, parametersHash, fieldsHash },
});

/** Whether an order is equal to what an item asks for, or has the same fields. */
const isOf = (order: Order, { requestHash, fieldsHash }: Wish): boolean =>
	order.requestHash === requestHash || order.fieldsHash === fieldsHash;

/** Whether its task is, or may be, under way. */
const isOpen = ({ state }: Order): boolean => state === 'sent' || state === 'task';
