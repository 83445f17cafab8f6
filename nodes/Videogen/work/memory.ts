import { z } from 'zod';
import { type Clock, onAbort } from '../shared/clock';
import { Gates } from './gate';
import { type Order, orderSchema } from './order';

const LIFETIME_MS = 24 * 60 * 60_000;

/** Enough for a day: orders per node in the editor, and executions that may be retried. */
const MAX_ORDERS_OF_NODE = 1_000;
const MAX_EXECUTIONS = 1_000;

/** What n8n keeps between the tries of a node, and saves with a failed execution. */
const savedSchema = z.object({
	/** Shared by an execution and its retries. */
	id: z.string(),
	/** The ID of the first of these executions. */
	startedBy: z.string(),
	/** Whether a person started the first of these executions in the editor. */
	isManual: z.boolean(),
	orders: z.record(z.string(), orderSchema),
	ended: z.record(z.string(), z.number()),
	/** The place that used a text as its idempotency key, by the hash of the text. */
	texts: z.record(z.string(), z.string()),
	/** How many creates an execution has decided on. */
	created: z.object({ executionId: z.string(), count: z.number() }).optional(),
});
export type Saved = z.infer<typeof savedSchema>;

export const isSaved = (value: unknown): value is Saved => savedSchema.safeParse(value).success;

/** What an execution shares with its retries. */
export interface Kept {
	/** Orders by place. */
	orders: Record<string, Order>;
	/** How many tasks with the same idempotency key text have ended, by the hash of the text. */
	ended: Record<string, number>;
}

/** An order of a node in the editor. */
export interface Remembered {
	order: Order;
	/** When its creation was decided, in milliseconds since 1970. */
	atMs: number;
	/** Executions in which an item uses this order. */
	servedTo: Set<string>;
}

/**
 * What this process remembers for a day: orders of executions, orders of nodes in the editor, and
 * who is creating an order.
 */
export class Memory {
	private readonly executions = new Map<string, { kept: Kept; atMs: number }>();

	/** Newest first. */
	private readonly nodes = new Map<string, Remembered[]>();

	/** Who is creating an order, by the order's ID. */
	private readonly holders = new Map<string, object>();

	private changing = new AbortController();

	/** @param epochMs Milliseconds since 1970. */
	constructor(readonly epochMs: () => number) {}

	/** What an execution, or one that it retries, kept under this ID; `own` if nothing is known. */
	keptUnder(id: string, own: Kept): Kept {
		const known = this.executions.get(id);
		const kept = known && !this.isOld(known) ? known.kept : own;
		this.executions.delete(id);
		this.executions.set(id, { kept, atMs: this.epochMs() });
		for (const [oldest, entry] of this.executions) {
			if (this.executions.size <= MAX_EXECUTIONS && !this.isOld(entry)) break;
			this.executions.delete(oldest);
		}
		return kept;
	}

	/** The orders of a node in the editor, newest first. */
	ordersOf(node: string): Remembered[] {
		const orders = (this.nodes.get(node) ?? []).filter((one) => !this.isOld(one));
		this.nodes.set(node, orders);
		return orders;
	}

	/** Notes that an item of this execution uses this order. */
	remember(node: string, order: Order, executionId: string): void {
		const orders = this.ordersOf(node);
		const known = orders.find((one) => one.order.id === order.id);
		if (known) known.servedTo.add(executionId);
		else {
			const servedTo = new Set([executionId]);
			orders.unshift({ order, atMs: this.epochMs(), servedTo });
			orders.splice(MAX_ORDERS_OF_NODE);
		}
	}

	/** Replaces an order that has ended with a new one. */
	replace(node: string, ended: Order, order: Order): void {
		for (const one of this.ordersOf(node)) {
			if (one.order.id === ended.id) Object.assign(one, { order, atMs: this.epochMs() });
		}
	}

	/** Whether someone else is creating this order right now. */
	isHeld({ id }: Order, asking: object): boolean {
		return this.holders.has(id) && this.holders.get(id) !== asking;
	}

	hold({ id }: Order, holder: object): void {
		if (!this.holders.has(id)) this.holders.set(id, holder);
	}

	/** The outcome of the order is known, so waiting executions can continue. */
	release({ id }: Order): void {
		if (!this.holders.delete(id)) return;
		this.changing.abort();
		this.changing = new AbortController();
	}

	/** Resolves when an order is released, or when `end` aborts. */
	async nextRelease(end: AbortSignal): Promise<void> {
		const { signal } = this.changing;
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

	private isOld({ atMs }: { atMs: number }): boolean {
		return atMs <= this.epochMs() - LIFETIME_MS;
	}
}

/** Shared by all executions in this process. */
export class Process {
	readonly memory: Memory;

	readonly gates: Gates;

	constructor(readonly clock: Clock) {
		this.memory = new Memory(() => clock.date());
		this.gates = new Gates(clock);
	}
}
