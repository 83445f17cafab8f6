import { hashOf } from '../shared/json';
import { type Failure, LABELS, messageOf, shown } from '../shared/messages';
import type { Book } from './book';
import type { Memory } from './memory';
import {
	type Asked,
	continues,
	continuesReturned,
	type Decision,
	decide,
	isOpen,
	type Order,
	refusalOf,
} from './order';
import type { CreatePlan, ReadJob, StopJob, StopPlan } from './session';

/** Whose orders these are. */
export interface Scope {
	readonly executionId: string;
	/** Which run of the node in its execution this is. */
	readonly run: number;
	readonly isTool: boolean;
	/** Whether a person started this execution in the editor. */
	readonly isManual: boolean;
	/** Hash of the node, its workflow and the account, under which its orders are remembered. */
	readonly node: string;
	/** What keys are derived from, besides the user's text: the n8n instance, workflow and node. */
	readonly keyParts: readonly string[];
}

/** The order that an item continues, if there is one, and what is done with it. */
export interface Choice {
	readonly plan: CreatePlan;
	readonly place: string;
	readonly order?: Order;
	/** The place of the order, if it is of this execution or one that it retries. */
	readonly formerPlace?: string;
	readonly decision: Decision;
}

/** Finds the orders that the items of a run continue, and gives each to one item. */
export class Chooser {
	/** Places by the ID of their order. */
	private readonly places: ReadonlyMap<string, string>;

	/** The place that uses a text as its idempotency key. */
	private readonly texts: Map<string, string>;

	/** What an item may continue that has no order at its place, by request. */
	private readonly reusable = new Map<string, Order[]>();

	private readonly given = new Set<string>();

	constructor(
		private readonly scope: Scope,
		private readonly book: Book,
		private readonly memory: Memory,
	) {
		const own = Object.entries(book.orders);
		this.places = new Map(own.map(([place, { id }]) => [id, place]));
		const placed = own.filter(([place, { id }]) => place !== id);
		this.texts = new Map(placed.map(([place, { asked }]) => [asked.keyText, place]));
		this.findReusable();
	}

	/**
	 * Orders that lost their places and, in the editor, those of other executions. One that is or may
	 * be under way comes before one that has ended.
	 */
	private findReusable(): void {
		const { book, memory, places, scope } = this;
		const displaced = Object.values(book.orders).filter(({ id }) => places.get(id) === id);
		const remembered = book.isManual && !scope.isTool ? memory.ordersOf(scope.node) : [];
		// Executions that share an order have the same copy of it.
		const others = [...new Set(remembered)].filter(({ id }) => !places.has(id));
		const all = [...displaced, ...others];
		const isUnderWay = (order: Order) => isOpen(order) || memory.isHeld(order, this);
		const ended = all.filter((order) => !isUnderWay(order) && order.state.is !== 'new');
		for (const order of [...all.filter(isUnderWay), ...ended]) {
			const request = requestOf(order.asked);
			const equal = this.reusable.get(request) ?? [];
			equal.push(order);
			this.reusable.set(request, equal);
		}
	}

	/** The order that an item continues, or why it may not. */
	choose(plan: CreatePlan): Choice | StopJob {
		const place = this.placeOf(plan);
		const own = this.ownOrder(plan, place);
		const failure = this.textFailure(plan, place, own);
		if (failure) return { do: 'stop', plan, failure, order: own };
		const isOwn = this.scope.isTool || (own && own.state.is !== 'new');
		const order = isOwn ? own : (this.reusableOrder(plan) ?? own);
		if (!order) return { plan, place, decision: 'create' };
		this.given.add(order.id);
		this.texts.set(order.asked.keyText, place);
		const formerPlace = this.places.get(order.id);
		const decision = decide(order.state, this.scope.executionId, plan.settings.resendAfterNoReply);
		return { plan, place, order, formerPlace, decision };
	}

	/** An item that can ask for nothing, for example because its file is gone, still has its task. */
	continueStopped(plan: StopPlan): ReadJob | StopJob {
		const { executionId, run } = this.scope;
		const order = this.ownOrder(plan, `${run}:${plan.index}`);
		if (!order) return { do: 'stop', plan, failure: plan.failure };
		this.given.add(order.id);
		const decision = decide(order.state, executionId, false);
		if (decision === 'read') return { do: 'read', plan, order };
		const isCreated = decision === 'create' || decision === 'anew';
		return { do: 'stop', plan, order, failure: isCreated ? plan.failure : refusalOf(order) };
	}

	/** The calls of an agent file their orders by what they ask for, all others by their place. */
	private placeOf({ asked, index }: CreatePlan): string {
		return `${this.scope.isTool ? asked.requestHash : this.scope.run}:${index}`;
	}

	/** The order at the item's place, else the one in the error it came back with. */
	private ownOrder(plan: CreatePlan | StopPlan, place: string): Order | undefined {
		const { asked = {}, returned } = plan;
		const here = this.orderAt(place);
		if (this.scope.isTool || (here && continues(here, asked))) return here;
		const back = this.orderAt(this.places.get(returned?.orderId ?? ''));
		return back && continuesReturned(back, asked) ? back : undefined;
	}

	/** The order at a place, unless an earlier item has it. */
	private orderAt(place = ''): Order | undefined {
		const order = this.book.orders[place];
		return order && this.given.has(order.id) ? undefined : order;
	}

	/**
	 * Takes it out, so that thousands of equal items do not each pass over the same orders. Without
	 * reuse in the editor, it is one of this execution and its Retries.
	 */
	private reusableOrder({ asked, settings }: CreatePlan): Order | undefined {
		const equal = this.reusable.get(requestOf(asked)) ?? [];
		const isOwn = ({ id }: Order) => this.places.has(id) && !this.given.has(id);
		if (!settings.reuseInEditor) return equal.find(isOwn);
		let order = equal.shift();
		while (order && this.given.has(order.id)) order = equal.shift();
		return order;
	}

	/** Why an item's text cannot be its key: another item of this execution has used it. */
	private textFailure({ asked }: CreatePlan, place: string, own?: Order): Failure | undefined {
		const { keyText } = asked;
		if (keyText === '' || this.scope.isTool) return undefined;
		const usedAt = this.texts.get(keyText) ?? place;
		this.texts.set(keyText, usedAt);
		const isOwn = [this.orderAt(place), own].some((order) => order?.asked.keyText === keyText);
		if (usedAt === place || isOwn) return undefined;
		return messageOf('invalid', {
			values: {
				what: `'${LABELS.idempotencyKey}': ${shown(keyText)} is used by another item of this execution`,
				next: 'Nothing new was created for this item. Give each item a key of its own, for example with the ID of its row.',
			},
		});
	}
}

/** What is asked of a provider. With another Callback URL, it is another request. */
const requestOf = ({ request, requestHash }: Asked): string =>
	hashOf([requestHash, request.callback_url]);
