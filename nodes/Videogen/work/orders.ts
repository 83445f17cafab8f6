import { hashOf } from '../ground/json';
import type { Entry } from './entry';

const LIFETIME_MS = 24 * 60 * 60_000;
export const MAX_ORDERS_OF_NODE = 200;

/** A service may sign the links of a task in another way at each read. */
const MAX_PLACES = 10_000;

/** A create that went out, or is about to: hashes and ids only. */
export interface Order {
	/** Of the request. */
	hash: string;
	orderedBy: string;
	/** Milliseconds since 1970. */
	orderedAtMs: number;
	/** The execution that ordered or took it last, and the how-many-th of all uses that was. */
	usedBy: string;
	use: number;
	/** Whether it is not known yet what came of its create. */
	underWay?: boolean;
	taskId?: string;
	/** What its entry held when its create had got no clear answer. */
	unclear?: Pick<Entry, 'taskId' | 'unanswered' | 'orderKey'>;
	/** The execution to which it was refused for that. */
	refusedTo?: string;
}

/** What the nodes of this process have ordered within a day. */
export class Orders {
	/** In the order in which they were ordered. */
	private readonly byNode = new Map<string, Order[]>();

	/** Which result of which task is behind a link, by hashes. */
	private readonly places = new Map<string, string>();

	private uses = 0;

	/** For those who wait for what comes of a create; one for each order would take more memory. */
	private settling: AbortController | undefined;

	/** @param epochMs Milliseconds since 1970. */
	constructor(readonly epochMs: () => number) {}

	/** Aborts as soon as it is known what came of a create. */
	get nextSettled(): AbortSignal {
		return (this.settling ??= new AbortController()).signal;
	}

	/**
	 * The orders of the same request that an execution may take, the best first: those of the latest
	 * execution that used them, in the order in which they were ordered; then the newest.
	 */
	matching(node: string, hash: string, executionId: string): Order[] {
		const found = this.of(node).filter((one) => one.hash === hash && one.usedBy !== executionId);
		const last = Math.max(...found.map(({ use }) => use));
		const latest = found.find(({ use }) => use === last)?.usedBy;
		const ofLatest = found.filter(({ usedBy }) => usedBy === latest);
		return [...ofLatest, ...found.filter((one) => !ofLatest.includes(one)).reverse()];
	}

	/** A create is about to go out. */
	add(node: string, hash: string, executionId: string): Order {
		const when = { orderedAtMs: this.epochMs(), use: (this.uses += 1) };
		const by = { orderedBy: executionId, usedBy: executionId };
		const order: Order = { hash, ...by, ...when, underWay: true };
		if (!this.byNode.has(node)) this.forgetOldNodes();
		this.byNode.set(node, [...this.of(node), order].slice(-MAX_ORDERS_OF_NODE));
		return order;
	}

	/** The order that has the task of an entry, or whose create is the unanswered one of an entry. */
	orderOf(node: string, { task, orderKey }: Entry): Order | undefined {
		return this.of(node).find(({ taskId, unclear }) =>
			task ? taskId === task.id : unclear?.orderKey !== undefined && unclear.orderKey === orderKey,
		);
	}

	use(order: Order, executionId: string): void {
		Object.assign(order, { usedBy: executionId, use: (this.uses += 1) });
		delete order.refusedTo;
	}

	/** What came of its create, if that is known by now. */
	settle(node: string, order: Order, { task, taskId, unanswered, orderKey }: Entry): void {
		if (task && order.taskId !== task.id) {
			Object.assign(order, { orderedBy: order.usedBy, orderedAtMs: this.epochMs() });
		}
		// What is ordered in the place of a task that failed may get no clear answer.
		order.taskId = task?.id;
		order.unclear = !task && unanswered ? { taskId, unanswered, orderKey } : undefined;
		order.underWay = false;
		if (!task && !unanswered) this.forget(node, (one) => one === order);
		this.settling?.abort();
		this.settling = undefined;
	}

	forget(node: string, isForgotten: (order: Order) => boolean): void {
		this.byNode.set(
			node,
			this.of(node).filter((one) => !isForgotten(one)),
		);
	}

	/** The links to the results of a task, as they were read now. */
	recordResults(service: string, taskId: string, urls: string[]): void {
		for (const [index, url] of urls.entries()) {
			this.places.set(hashOf([service, url]), hashOf([service, taskId, index]));
		}
		for (const oldest of this.places.keys()) {
			if (this.places.size <= MAX_PLACES) return;
			this.places.delete(oldest);
		}
	}

	/** The same for every link to one result of a task that a node of this process has read. */
	placeOf(service: string, url: string): string | undefined {
		return this.places.get(hashOf([service, url]));
	}

	private forgetOldNodes(): void {
		for (const node of this.byNode.keys()) if (this.of(node).length === 0) this.byNode.delete(node);
	}

	private of(node: string): Order[] {
		const orders = this.byNode.get(node) ?? [];
		const sinceMs = this.epochMs() - LIFETIME_MS;
		return orders.filter(({ orderedAtMs }) => orderedAtMs > sinceMs);
	}
}
