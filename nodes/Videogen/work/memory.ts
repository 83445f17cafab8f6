import { onAbort } from '../ground/clock';
import { type Order, taskIdOf, taskOf } from './order';
import { type Known, RANK, whatIsKnown } from './orderedBefore';

const LIFETIME_MS = 24 * 60 * 60_000;
const MAX_ORDERS_OF_NODE = 200;

/** What this process knows of an order: hashes, keys, ids, who and when. */
export interface Remembered extends Pick<Order, 'id' | 'key' | 'mayExist'> {
	/** Of the request, its files by their content. */
	contentHash: string;
	known: Known;
	taskId?: string;
	orderedBy: string;
	/** Milliseconds since 1970. */
	orderedAtMs: number;
	/** The executions whose items have it; the last one has it in hand while it is under way. */
	heldBy: string[];
	/** Counts the executions in a row that have used it; the higher, the later. */
	use: number;
	/** Whether its task is at its end: it may be forgotten for others. */
	isOver: boolean;
	/** The order in its place, when it had ended. */
	next?: Remembered;
}

/** What the nodes of this process have ordered in the editor within a day, and what tools order now. */
export class Memory {
	/** In the order in which they were ordered. */
	private readonly byNode = new Map<string, Remembered[]>();

	private uses = 0;

	private lastHolder: string | undefined;

	/** For those who wait for another run; one for each order would take more memory. */
	private changing: AbortController | undefined;

	/** @param epochMs Milliseconds since 1970. */
	constructor(readonly epochMs: () => number) {}

	/** Resolves when something is known that was not known before, or when `end` aborts. */
	async nextChange(end: AbortSignal): Promise<void> {
		const { signal } = (this.changing ??= new AbortController());
		if (end.aborted) return;
		await new Promise<void>((resolve) => {
			const stops = [end, signal].map((one) =>
				onAbort(one, () => {
					for (const stop of stops) stop();
					resolve();
				}),
			);
		});
	}

	/**
	 * The orders of an equal request that an execution may take, the best first; of equally good ones
	 * those of the execution that used them last, in the order in which they were ordered.
	 */
	matching(node: string, contentHash: string, executionId: string): Remembered[] {
		return this.lastOnes(node, contentHash)
			.filter(({ heldBy }) => !heldBy.includes(executionId))
			.sort((one, other) => RANK[one.known] - RANK[other.known] || other.use - one.use);
	}

	/** How many orders of an equal request the items of an execution have. */
	countHeld(node: string, contentHash: string, executionId: string): number {
		return this.lastOnes(node, contentHash).filter(({ heldBy }) => heldBy.includes(executionId))
			.length;
	}

	/** Those of an equal request, each chain of successors once: by its end. */
	private lastOnes(node: string, contentHash: string): Remembered[] {
		return this.of(node).filter((one) => one.contentHash === contentHash && one.next === undefined);
	}

	count(node: string): number {
		return this.of(node).length;
	}

	find(node: string, id: string): Remembered | undefined {
		return this.of(node).find((one) => one.id === id);
	}

	/** The last of the orders that have taken the place of one, if there are any. */
	successorOf(node: string, id: string): Remembered | undefined {
		let last = this.find(node, id)?.next;
		while (last?.next) last = last.next;
		return last;
	}

	/**
	 * An execution has an order in hand: one that is to be sent, or whose task is read.
	 * @param contentHash Of its request; known already where it was remembered before.
	 * @param inPlaceOf The id of the one that had ended.
	 */
	hold(node: string, order: Order, contentHash: string, inPlaceOf?: string): void {
		const { id, executionId } = order;
		const one = this.find(node, id) ?? this.added(node, order, contentHash);
		const ended = inPlaceOf === undefined ? undefined : this.find(node, inPlaceOf);
		if (ended && ended !== one) ended.next = one;
		if (!one.heldBy.includes(executionId)) one.heldBy.push(executionId);
		if (this.lastHolder !== executionId) this.uses += 1;
		this.lastHolder = executionId;
		one.use = this.uses;
		this.note(node, order, true);
	}

	/**
	 * Something has become known of an order.
	 * @param isUnderWay Whether more is to come; without it, an order that was not sent is forgotten.
	 */
	note(node: string, order: Order, isUnderWay: boolean): void {
		const one = this.find(node, order.id);
		if (!one) return;
		const { key, mayExist } = order;
		const taskId = taskIdOf(order);
		const isNew = taskId !== undefined && one.taskId !== taskId;
		if (isNew && one.heldBy.length === 1) one.orderedAtMs = this.epochMs();
		const known = whatIsKnown(order, isUnderWay);
		const isOver = known === 'final' || known === 'ended' || taskOf(order)?.state === 'completed';
		Object.assign(one, { key, mayExist: mayExist && { ...mayExist }, taskId, known, isOver });
		if (known === 'unsent') this.forget(node, one.id);
		this.changing?.abort();
		this.changing = undefined;
	}

	private added(node: string, { id, key, executionId }: Order, contentHash: string): Remembered {
		const one: Remembered = {
			...{ id, key, contentHash, known: 'underWay', orderedBy: executionId, isOver: false },
			...{ orderedAtMs: this.epochMs(), heldBy: [], use: 0 },
		};
		if (!this.byNode.has(node)) this.forgetOldNodes();
		const all = [...this.of(node), one];
		const oldest = all.length > MAX_ORDERS_OF_NODE ? all.find(({ isOver }) => isOver) : undefined;
		this.byNode.set(
			node,
			all.filter((other) => other !== oldest),
		);
		return one;
	}

	forget(node: string, id: string): void {
		const others = this.of(node).filter((other) => other.id !== id);
		for (const other of others) if (other.next?.id === id) delete other.next;
		this.byNode.set(node, others);
	}

	private forgetOldNodes(): void {
		for (const node of this.byNode.keys()) if (this.of(node).length === 0) this.byNode.delete(node);
	}

	private of(node: string): Remembered[] {
		const sinceMs = this.epochMs() - LIFETIME_MS;
		return (this.byNode.get(node) ?? []).filter(({ orderedAtMs }) => orderedAtMs > sinceMs);
	}
}
