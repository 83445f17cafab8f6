import { z } from 'zod';
import type { Timer } from '../ground/clock';
import {
	type Draft,
	fail,
	type Item,
	newOrder,
	type Order,
	orderSchema,
	type StoredTask,
	taskIdOf,
	taskOf,
	TOOL_RUN,
	trim,
} from './order';
import { nextKey, randomKey } from './orderKey';
import { orderedElsewhereFault, unansweredBefore } from './orderWords';
import type { Remembered } from './memory';
import { type Match, Matching, type Scope } from './matching';
import type { Decision } from './orderedBefore';

/** The one name under which everything is kept in n8n's node context. */
export const CONTEXT_KEY = 'videogen';

/** What n8n keeps between the tries of a node, and saves with a failed execution. */
const savedSchema = z.object({
	/** How many tasks an execution has created, or may have created, in all runs of the node. */
	created: z.object({ executionId: z.string(), count: z.number() }).optional(),
	orders: z.array(orderSchema),
});
type Saved = z.infer<typeof savedSchema>;

/** So long an order of another run is waited for. */
const MAX_WAIT_MS = 60_000;

/** Finds the order that an item continues, of this execution or of the editor's last day (docs/billing-and-retries.md). */
export class Ledger {
	private readonly saved: Saved;

	/** Orders that this run is working on. */
	private readonly current = new Set<Order>();

	private readonly matching: Matching;

	/** Whether something was kept that this version of the node cannot read. */
	readonly isForgetful: boolean;

	constructor(private readonly scope: Scope) {
		const kept: unknown = scope.context[CONTEXT_KEY];
		const { data } = savedSchema.safeParse(kept);
		this.isForgetful = kept !== undefined && data === undefined;
		this.saved = isSaved(kept) ? kept : { orders: [] };
		Object.assign(scope.context, { [CONTEXT_KEY]: this.saved });
		this.matching = new Matching(scope, () => this.saved.orders, this.current);
	}

	/** How many tasks all runs of the node in this execution have created, or may have created. */
	get newTasks(): number {
		const { created } = this.saved;
		return created?.executionId === this.scope.executionId ? created.count : 0;
	}

	/** A create goes out (1), or certainly made no task (-1). */
	count(more: number): void {
		const { executionId } = this.scope;
		this.saved.created = { executionId, count: Math.max(0, this.newTasks + more) };
	}

	/**
	 * Gives every item its order. One that another run has in hand is waited for first.
	 * @param onWait Told once, with the execution that is waited for.
	 */
	async begin(drafts: Draft[], timer: Timer, onWait: (executionId: string) => void): Promise<void> {
		const endAt = timer.clock.now() + MAX_WAIT_MS;
		const over = timer.signalAt(endAt);
		for (let isTold = false; ; isTold = true) {
			const matches = this.matching.all(drafts);
			const busy = matches.find(({ decision }) => decision === 'await');
			if (!busy || over.aborted || timer.signal.aborted) {
				for (const match of matches) this.settle(match);
				return;
			}
			if (!isTold) onWait(busy.remembered?.heldBy.at(-1) ?? '');
			await this.scope.memory.nextChange(over);
		}
	}

	/** Puts another order in the place of one that has ended, once no other run is about to do so. */
	async replace(item: Item, timer: Timer): Promise<void> {
		const over = timer.signalAt(timer.clock.now() + MAX_WAIT_MS);
		while (this.matching.successorOf(item.order)?.known === 'underWay' && !over.aborted) {
			await this.scope.memory.nextChange(over);
		}
		this.putInPlace(item);
	}

	/** Something has become known of an order that is in hand. */
	note(order: Order): void {
		const { memory, node } = this.scope;
		if (node !== undefined) memory.note(node, order, order.state.is === 'new');
	}

	/** Every task that was created in this run, those of earlier tries included. */
	tasks(): StoredTask[] {
		return this.ofRun().flatMap((order) => {
			const taskId = taskIdOf(order) ?? order.mayExist?.taskId;
			const status = taskOf(order)?.status;
			return taskId === undefined ? [] : [{ itemIndex: order.item, taskId, status }];
		});
	}

	/** Items whose create was sent without an answer that says whether it made a task. */
	unansweredItems(): number[] {
		return this.ofRun().flatMap(({ item, mayExist }) => (mayExist ? [item] : []));
	}

	/** Whether no item can find an order, whatever its files are. */
	get isEmpty(): boolean {
		const { memory, node } = this.scope;
		return this.saved.orders.length === 0 && (node === undefined || memory.count(node) === 0);
	}

	/** To be called when the node is done, however it ended: nothing of it goes out any more. */
	close(): void {
		const { memory, node, run } = this.scope;
		for (const order of this.current) {
			trim(order);
			if (node === undefined) continue;
			memory.note(node, order, false);
			// The execution itself keeps what its tools have ordered.
			if (run === TOOL_RUN) memory.forget(node, order.id);
		}
	}

	/**
	 * Forgets this run but for the items that ended in an error, which a loop may bring back: a node
	 * that succeeded has nothing else to continue from. An agent may ask again for what it has got.
	 */
	forgetAllBut(failed: Order[]): void {
		const { run } = this.scope;
		if (run === TOOL_RUN) return;
		this.saved.orders = this.saved.orders.filter((one) => one.run !== run || failed.includes(one));
	}

	/** The order that another execution has put there, or a new one. */
	private putInPlace(item: Item): void {
		const { order, create } = item;
		const next = this.matching.successorOf(order);
		const draft = newOrder(create ?? order, item.index);
		item.ended = order;
		const isTask = next?.known === 'task';
		if (next && (isTask || next.known === 'mayExist')) {
			this.adopt(item, this.matching.taken(draft, next), next.contentHash);
			item.isTaken = isTask;
			item.orderedBy = whoOrdered(next);
			this.prepare(item.order, isTask ? 'read' : 'refuse');
		} else if (next?.known === 'underWay') {
			item.order = draft;
			fail(draft, orderedElsewhereFault(next.heldBy.at(-1)));
		} else {
			const last = next ?? { key: order.key, taskId: taskIdOf(order) };
			const key = create?.hasDerivedKey ? keyAfterEnd(last) : randomKey();
			this.adopt(item, { ...draft, key }, this.contentHashIn(order), order.id);
			item.isTaken = false;
		}
	}

	private ofRun(): Order[] {
		const { run } = this.scope;
		if (run === TOOL_RUN) return [...this.current];
		return this.saved.orders.filter((one) => one.run === run);
	}

	/** Does what the table says, all but the sending and reading. */
	private settle({ draft, decision, own, remembered }: Match): void {
		const order = own ?? (remembered ? this.matching.taken(draft.order, remembered) : draft.order);
		draft.isAskedAgain = own ? own.executionId !== this.scope.executionId : !!remembered;
		if (own && draft.isAskedAgain) draft.orderedBy = { executionId: own.executionId };
		draft.isTaken = decision === 'read';
		if (remembered) draft.orderedBy = whoOrdered(remembered);
		if (decision === 'await') {
			fail(draft.order, orderedElsewhereFault(remembered?.heldBy.at(-1)));
			return;
		}
		if (decision === 'send' && !own) this.adopt(draft, { ...order, key: this.keyOf(draft) });
		else if (decision === 'anew') {
			draft.order = order;
			this.putInPlace(draft);
		} else this.adopt(draft, order);
		this.prepare(draft.order, decision);
	}

	/** Brings an order into the state from which this run goes on. */
	private prepare(order: Order, decision: Decision): void {
		const taskId = taskIdOf(order);
		if (decision === 'refuse') fail(order, unansweredBefore(order));
		else if (decision === 'read' && taskId !== undefined) {
			order.state = { is: 'running', taskId, task: taskOf(order) };
		} else if (decision === 'send' || decision === 'resend') order.state = { is: 'new' };
		// What is not sent by this run keeps no other one waiting.
		this.note(order);
	}

	/** An item has this order from now on. */
	private adopt(
		item: Draft,
		order: Order,
		contentHash = item.contentHash,
		inPlaceOf?: string,
	): void {
		const { run, executionId, memory, node } = this.scope;
		item.order = Object.assign(order, { run, executionId, item: item.index });
		if (inPlaceOf !== undefined) order.inPlaceOf = inPlaceOf;
		item.ended ??= this.saved.orders.find(({ id }) => id === order.inPlaceOf);
		if (!this.saved.orders.includes(order)) this.saved.orders.push(order);
		this.current.add(order);
		if (node !== undefined && contentHash !== undefined)
			memory.hold(node, order, contentHash, inPlaceOf);
	}

	private contentHashIn({ id }: Order): string | undefined {
		const { memory, node } = this.scope;
		return node === undefined ? undefined : memory.find(node, id)?.contentHash;
	}

	/** Which of the equal ones of this execution it is counts: as many are wanted. */
	private keyOf({ keyAfter, contentHash }: Draft): string {
		if (!keyAfter) return randomKey();
		const { memory, node, executionId } = this.scope;
		const isCounted = node !== undefined && contentHash !== undefined;
		return keyAfter(isCounted ? memory.countHeld(node, contentHash, executionId) : 0);
	}
}

const whoOrdered = ({ orderedBy, orderedAtMs }: Remembered) => ({
	executionId: orderedBy,
	atMs: orderedAtMs,
});

/** A no ends no derived key: other processes would look for its task under that one. */
const keyAfterEnd = ({ key, taskId }: Pick<Remembered, 'key' | 'taskId'>): string =>
	taskId === undefined ? key : nextKey(key, taskId);

const isSaved = (value: unknown): value is Saved => savedSchema.safeParse(value).success;
