import { hashOf } from '../common/json';
import type { Entry } from './entry';

const LIFETIME_MS = 24 * 60 * 60_000;
const MAX_ORDERS_OF_NODE = 200;

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
	/** Aborts when it is known what came of its create. */
	underWay?: AbortController;
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

	/** @param epochMs Milliseconds since 1970. */
	constructor(readonly epochMs: () => number) {}

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
		const order: Order = { hash, orderedBy: executionId, usedBy: executionId, ...when };
		order.underWay = new AbortController();
		this.byNode.set(node, [...this.of(node), order].slice(-MAX_ORDERS_OF_NODE));
		for (const one of this.byNode.keys()) if (this.of(one).length === 0) this.byNode.delete(one);
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
		order.underWay?.abort();
		delete order.underWay;
		if (!task && !unanswered) this.forget(node, (one) => one === order);
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
		for (const oldest of [...this.places.keys()].slice(0, -MAX_PLACES)) this.places.delete(oldest);
	}

	/** The same for every link to one result of a task that a node of this process has read. */
	placeOf(service: string, url: string): string | undefined {
		return this.places.get(hashOf([service, url]));
	}

	private of(node: string): Order[] {
		const orders = this.byNode.get(node) ?? [];
		const sinceMs = this.epochMs() - LIFETIME_MS;
		return orders.filter(({ orderedAtMs }) => orderedAtMs > sinceMs);
	}
}
