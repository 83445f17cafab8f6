import type { IDataObject } from 'n8n-workflow';
import type { Memory, Remembered } from './memory';
import { type Draft, isToCreate, type Order, taskIdOf, TOOL_RUN } from './order';
import { type Decision, decide, type Known, RANK, whatIsKnown } from './orderedBefore';

/** Whose orders these are. */
export interface Scope {
	/** n8n's own object, which outlives a try of the node. */
	context: IDataObject;
	/** Which run of the node this is; or `TOOL_RUN`. */
	run: string;
	executionId: string;
	/** What this process remembers beside it: of a node in the editor, or of the calls of a tool. */
	memory: Memory;
	/** Under which; absent in production, where nothing is remembered. */
	node?: string;
}

/** The order that an item finds. */
export interface Match {
	draft: Draft;
	decision: Decision;
	known?: Known;
	/** One of this execution. */
	own?: Order;
	/** One that this process remembers. */
	remembered?: Remembered;
}

/** Finds the order that each item continues: of this execution, or of those that this process remembers. */
export class Matching {
	constructor(
		private readonly scope: Scope,
		/** Those of this execution. */
		private readonly orders: () => Order[],
		/** Those that this run has in hand itself. */
		private readonly inHand: ReadonlySet<Order>,
	) {}

	/** The order of each item that is to be created; each is given once. */
	all(drafts: Draft[]): Match[] {
		const given = new Set<string>();
		return drafts.filter(isToCreate).map((draft) => {
			const match = this.matchOf(draft, given);
			const id = match.own?.id ?? match.remembered?.id;
			if (id !== undefined) given.add(id);
			return match;
		});
	}

	private matchOf(draft: Draft, given: Set<string>): Match {
		const mayResend = draft.create?.mayResend === true;
		const own = this.ownOrder(draft, given);
		if (own) {
			const byPerson = own.executionId !== this.scope.executionId;
			const known = whatIsKnown(own, this.isUnderWay(own));
			const match = { draft, own, known, decision: decide(own, { known, byPerson, mayResend }) };
			return match.decision === 'anew' ? this.waitingFor(match) : match;
		}
		const remembered = this.rememberedFor(draft, given);
		if (!remembered) return { draft, decision: 'send' };
		const { known } = remembered;
		const order = this.taken(draft.order, remembered);
		const match = { draft, remembered, known };
		const decision = decide(order, { known, byPerson: true, mayResend });
		return { ...match, decision };
	}

	/** What has ended may have a successor, which another run has in hand. */
	private waitingFor(match: Match): Match {
		const next = match.own && this.successorOf(match.own);
		return next?.known === 'underWay' ? { ...match, remembered: next, decision: 'await' } : match;
	}

	/** The last of the orders that have taken the place of one that had ended. */
	successorOf({ id }: Order): Remembered | undefined {
		const { memory, node } = this.scope;
		return node === undefined ? undefined : memory.successorOf(node, id);
	}

	/** The best of the orders of this execution that ask for the same. */
	private ownOrder(draft: Draft, given: Set<string>): Order | undefined {
		const { run } = this.scope;
		const free = this.orders().filter((one) => !given.has(one.id) && isOfKey(one, draft));
		const ofRun = free.filter((one) => one.run === run && isSame(one, draft.order));
		const found = ofRun.length > 0 ? ofRun : free.filter((one) => this.isReturned(one, draft));
		const atPlace = ({ item }: Order) => Number(item === draft.index);
		const rank = (one: Order) => RANK[whatIsKnown(one, this.isUnderWay(one))];
		return found
			.reverse()
			.sort((one, other) => rank(one) - rank(other) || atPlace(other) - atPlace(one))[0];
	}

	/** Whether an order of another run is that of an item which comes back with its error. */
	private isReturned(order: Order, { order: asked, returned }: Draft): boolean {
		if (!returned || order.run === TOOL_RUN || !isSame(order, asked)) return false;
		const { taskId } = returned;
		return taskId === undefined || [taskIdOf(order), order.mayExist?.taskId].includes(taskId);
	}

	private rememberedFor(draft: Draft, given: Set<string>): Remembered | undefined {
		const { memory, node, executionId } = this.scope;
		const { contentHash, mayReuse } = draft;
		if (node === undefined || contentHash === undefined || !mayReuse) return undefined;
		return memory
			.matching(node, contentHash, executionId)
			.find((one) => !given.has(one.id) && isOfKey(one, draft));
	}

	private isUnderWay(order: Order): boolean {
		const { memory, node } = this.scope;
		const known = node === undefined ? undefined : memory.find(node, order.id)?.known;
		return known === 'underWay' && !this.inHand.has(order);
	}

	/** An order of another execution, as one of this. */
	taken(order: Order, { id, key, mayExist, taskId }: Remembered): Order {
		const state: Order['state'] = taskId === undefined ? { is: 'new' } : { is: 'running', taskId };
		return { ...order, id, key, state, ...(mayExist && { mayExist: { ...mayExist } }) };
	}
}

/** Not one that the service refused for an Order Key which the person has changed since, as advised. */
const isOfKey = ({ mayExist }: Pick<Order, 'mayExist'>, { create }: Draft): boolean =>
	mayExist?.knownKey === undefined || mayExist.knownKey === create?.ownKey;

/** The same request, or the same item of the same node: a prompt with `$now` differs at every try. */
const isSame = (one: Order, other: Order): boolean =>
	one.requestHash === other.requestHash ||
	(one.itemHash !== undefined && one.itemHash === other.itemHash);
