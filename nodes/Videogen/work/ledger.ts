import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { hashOf, uuidOf } from '../shared/json';
import { type Failure, messageOf, videosOf } from '../shared/messages';
import { type Book, CONTEXT_KEY, newBook, savedBook } from './book';
import { type Choice, Chooser, type Scope } from './choose';
import type { Memory } from './memory';
import {
	type Asked,
	next,
	type Order,
	type OrderEvent,
	refusalOf,
	secondsOf,
	taskIdOf,
} from './order';
import type { Job, Plan } from './session';

/** Keeps what is known about the orders of a run, and is the only one to write it. */
export class Ledger {
	private readonly book: Book;

	/** Whether this version of the node cannot read what was kept. */
	private readonly isUnreadable: boolean;

	/** The orders of this run. */
	private orders: readonly Order[] = [];

	/** @param context n8n's own object, which outlives a single try of the node. */
	constructor(
		private readonly scope: Scope,
		private readonly memory: Memory,
		context: IDataObject,
	) {
		const saved = savedBook(context, scope.isManual);
		this.isUnreadable = saved === undefined;
		this.book = memory.open(saved ?? newBook(false));
		if (saved) Object.assign(context, { [CONTEXT_KEY]: this.book });
	}

	/**
	 * Gives every item that creates its order, once nobody else is creating what it asks for. Either
	 * all new orders are within the limit, or none is created.
	 * @param maxNewTasks How many tasks the execution may create.
	 */
	async assign(plans: readonly Plan[], maxNewTasks: number, end: AbortSignal): Promise<Job[]> {
		let found = this.chooseAll(plans);
		const isWaiting = () => !end.aborted && found.some((one) => this.isBusy(one));
		while (isWaiting()) {
			// To choose for thousands of items at every release would take minutes.
			while (isWaiting()) await this.memory.nextRelease(end);
			found = this.chooseAll(plans);
		}
		const tooMany = this.tooManyFailure(found.filter(isCreate), maxNewTasks);
		const jobs = found.map((one): Job => {
			if (!('decision' in one)) return one;
			const { plan, order } = one;
			const failure = this.isBusy(one) ? STOPPED : isCreate(one) && tooMany;
			return failure ? { do: 'stop', plan, order, failure } : this.take(one);
		});
		this.orders = jobs.flatMap(({ order }) => order ?? []);
		return jobs;
	}

	/** Call before a create leaves: until its answer says otherwise, a task may exist. */
	send(order: Order): void {
		this.write(order, { sentAtMs: this.memory.clock.date() });
		this.apply(order, { type: 'send', by: this.scope.executionId });
	}

	/** @param keepsKey Whether the next send after a no uses the same random key. */
	apply(order: Order, event: OrderEvent, keepsKey = false): void {
		const state = next(order.state, event);
		const isFree = event.type === 'no' && state.is === 'new' && order.asked.keyText === '';
		this.write(order, { state, key: isFree && !keepsKey ? randomUUID() : order.key });
		if (event.type === 'ended') this.countEnd(order);
	}

	/** The outcome of a create is known, so that others stop waiting for it. */
	release(order: Order): void {
		this.memory.release(order, this);
	}

	/** Call when the run is over, however it ended. */
	close(): void {
		for (const order of this.orders) this.release(order);
		this.memory.close(this.book, this.orders);
	}

	private chooseAll(plans: readonly Plan[]): Array<Choice | Job> {
		const chooser = new Chooser(this.scope, this.book, this.memory);
		return plans.map((plan) => {
			if (plan.do === 'read') return { do: 'read', plan };
			if (plan.do === 'stop') return chooser.continueStopped(plan);
			if (!this.isUnreadable) return chooser.choose(plan);
			return { do: 'stop', plan, failure: messageOf('noAnswer.unreadableOrders') };
		});
	}

	/** Whether someone else is currently creating the order that an item continues. */
	private isBusy({ order }: Choice | Job): boolean {
		return this.memory.isHeld(order, this);
	}

	/** The job of an item, whose order is at the item's place from now on. */
	private take(choice: Choice): Job {
		const { plan, decision } = choice;
		const { executionId } = this.scope;
		const order = this.orderFor(choice);
		this.put(order, choice);
		if (isCreate(choice)) {
			if (order.countedBy !== executionId) this.book.created[executionId] = this.created + 1;
			this.write(order, { countedBy: executionId });
			this.memory.hold(order, this);
			return { do: 'create', plan, order };
		}
		if (decision !== 'read') return { do: 'stop', plan, order, failure: refusalOf(order) };
		const { countedBy = '' } = order;
		const reusedFrom = Object.hasOwn(this.book.created, countedBy) ? undefined : countedBy;
		return { do: 'read', plan, order, reusedFrom };
	}

	/** How many creates this execution has decided on. */
	private get created(): number {
		return this.book.created[this.scope.executionId] ?? 0;
	}

	private orderFor({ plan: { asked }, order, decision }: Choice): Order {
		if (!order || decision === 'anew') {
			if (order) this.countEnd(order);
			const state = { is: 'new', by: order?.state.by ?? [] } as const;
			const { node } = this.scope;
			return { id: randomUUID(), node, state, asked, sentAtMs: 0, ...this.keyOf(asked) };
		}
		if (order.state.is !== 'new') return order;
		// An order without a task asks for what its item asks for now. A service refuses another
		// request under the same key.
		const isSame = order.asked.requestHash === asked.requestHash;
		this.write(order, { asked, ...(isSame ? {} : this.keyOf(asked)) });
		return order;
	}

	/** An order moves to the place of its item if the item came back. */
	private put(order: Order, { order: found, formerPlace, place }: Choice): void {
		const { orders } = this.book;
		const former = formerPlace ?? place;
		// Another one may have come to its former place by now.
		if (former !== place && orders[former] === found) Reflect.deleteProperty(orders, former);
		// What was paid for stays known if its item asks for something else now.
		const other = orders[place];
		const isKept = other && (other.state.is !== 'new' || this.memory.isHeld(other, this));
		if (isKept && other !== found) orders[other.id] = other;
		orders[place] = order;
		this.book.revision += 1;
	}

	private keyOf({ keyText, requestHash }: Asked): Pick<Order, 'key' | 'keyCount'> {
		if (keyText === '') return { keyCount: 0, key: randomUUID() };
		const keyCount = this.book.ended[hashOf(keyText)] ?? 0;
		const { isTool, keyParts } = this.scope;
		// The calls of an agent share one text, so their request is part of the key.
		return { keyCount, key: uuidOf([...keyParts, keyText, keyCount, isTool ? requestHash : '']) };
	}

	/**
	 * Gives the next task of the same text another key. All executions use the same sequence of keys.
	 */
	private countEnd(order: Order): void {
		const { keyText } = order.asked;
		if (keyText === '' || taskIdOf(order) === undefined) return;
		const { ended } = this.book;
		const text = hashOf(keyText);
		ended[text] = Math.max(ended[text] ?? 0, order.keyCount + 1);
	}

	/** Why these orders may not be created: either all of them are, or none. */
	private tooManyFailure(creates: readonly Choice[], max: number): Failure | undefined {
		const { executionId } = this.scope;
		const counted = creates.filter(
			({ order, decision }) => decision === 'create' && order?.countedBy === executionId,
		);
		const before = this.created - counted.length;
		if (before + creates.length <= max) return undefined;
		const videos = videosOf(creates.length);
		const seconds = secondsOf(creates.map(({ plan }) => plan.asked));
		const after = before > 0 ? `, after ${before} before` : '';
		return messageOf('limit', { values: { max, videos, seconds, before: after } });
	}

	private write(order: Order, change: Partial<Order>): void {
		Object.assign(order, change);
		this.book.revision += 1;
	}
}

const isCreate = (one: Choice | Job): one is Choice =>
	'decision' in one && (one.decision === 'create' || one.decision === 'anew');

/** For an item whose order is still being created by another execution when this one is stopped. */
const STOPPED = messageOf('stopped.notStarted', {
	values: { why: 'the node had already stopped' },
});
