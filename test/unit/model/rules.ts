import { type Fault, messageOf } from '../../../nodes/Videogen/shared/messages';
import { isJsonObject } from '../../../nodes/Videogen/shared/json';
import { mayRunAgain } from '../../../nodes/Videogen/shared/n8n';
import { unconfirmedItems } from '../../../nodes/Videogen/run/errors';
import { errorOf, outputOf } from '../../../nodes/Videogen/run/output';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	createRow,
	endOf,
	faultOfCreate,
	isConnected,
	namedTaskIdOf,
	rejectsKey,
} from '../../../nodes/Videogen/service/answers';
import { madeOf } from '../../../nodes/Videogen/work/create';
import { CONTEXT_KEY, Ledger } from '../../../nodes/Videogen/work/ledger';
import { Memory } from '../../../nodes/Videogen/work/memory';
import {
	answered,
	type Item,
	type Order,
	send,
	taskIdOf,
	type Wish,
} from '../../../nodes/Videogen/work/order';
import { answerOf, taskOf } from './answers';
import type { ItemEnd } from './executions';
import type { NodeRun, PlayedNode } from './node';
import type { Routine } from './scheduler';
import { contextOf, wishesOf } from './wishes';

/** How often a create is sent by itself. */
const MAX_SENDS = 4;

/** The decisions of this node; how they are put into practice is played. */
export const videogen: PlayedNode = {
	startProcess() {
		const memory = new Memory(() => 0);
		return (run) => new PlayedRun(run, memory).execute();
	},
	unreadableContext: () => ({ [CONTEXT_KEY]: { orders: { '0:0': { state: 'ordered' } } } }),
	ordersIn(context) {
		const kept = context[CONTEXT_KEY];
		if (kept === undefined) return [];
		const orders = isJsonObject(kept) && 'id' in kept ? kept.orders : undefined;
		if (!isJsonObject(orders)) return undefined;
		return Object.values(orders).map((order) => {
			const { state, taskId } = isJsonObject(order) ? order : {};
			return { state: String(state), taskId: typeof taskId === 'string' ? taskId : undefined };
		});
	},
};

/** A run of the node, in the steps of this world in place of awaits. */
class PlayedRun {
	private readonly ledger: Ledger;

	private readonly items: Item[];

	/** No create leaves any more; with an answer that every other one would get, too. */
	private isClosed = false;

	private closedBy: ServiceError | undefined;

	private isKeyAccepted = false;

	constructor(
		private readonly run: NodeRun,
		memory: Memory,
	) {
		const { items, identity } = wishesOf(run);
		this.items = items;
		this.ledger = new Ledger({ ...identity.scope, context: run.context, memory });
	}

	*execute(): Routine<ItemEnd[]> {
		const { run, ledger, items } = this;
		yield () => run.isStopped() || !ledger.isBusy(items);
		ledger.begin(items, { max: run.settings.maxNewTasks, isAdded: true });
		const open = items.filter((item) => !this.hasFailed(item));
		const jobs = open.map((item) => run.spawn(this.bring(item)));
		yield () => jobs.every(({ isDone }) => isDone);
		for (const { order } of items) if (order) ledger.release(order);
		this.forgetServed();
		ledger.close([]);
		return items.map(endOfItem);
	}

	private forgetServed(): void {
		const { run, ledger, items } = this;
		const hasFailed = items.some(({ fault }) => fault);
		if (run.isStopped() || (hasFailed && !run.continuesOnError)) return;
		if (!mayRunAgain(contextOf(run), items.map(outputOf))) {
			ledger.close(items.filter(({ fault }) => !fault));
		}
	}

	private *bring(item: Item): Routine<void> {
		const { order, wish, decision } = item;
		if (!order || !wish) throw new Error('No order');
		if (decision === 'refuse') item.fault = messageOf('noAnswerBefore');
		if (decision === 'same') item.fault = order.error ?? messageOf('failed');
		if (decision === 'create') item.fault = yield* this.create(order, wish);
		this.ledger.release(order);
		if (!item.fault) item.fault = yield* this.follow(order);
		this.hasFailed(item);
	}

	/** Unless the node continues, nothing is created after the first error. */
	private hasFailed({ fault }: Item): boolean {
		if (fault && !this.run.continuesOnError) this.isClosed = true;
		return fault !== undefined;
	}

	private *create(order: Order, wish: Wish): Routine<Fault | undefined> {
		const { run } = this;
		for (let sends = 1; ; sends += 1) {
			yield;
			if (run.isStopped() || this.isClosed) return this.unsentFault(order);
			const before = send(order, run.executionId);
			const { key, keyText, request } = order;
			const sent = { prompt: request.prompt, key, keyText };
			const answer = answerOf(yield* run.create(this.indexOf(order), sent));
			answered(order, madeOf(answer), before, () => wish.keyFor(order.keyCount));
			const taskId = answer.kind === 'task' ? answer.task.id : namedTaskIdOf(answer.error);
			if (taskId !== undefined) run.log(taskId);
			if (answer.kind === 'task') {
				this.isKeyAccepted = true;
				return undefined;
			}
			const { error } = answer;
			if (createRow(error).made === 'later' && sends < MAX_SENDS) continue;
			if (!isConnected(error) || (rejectsKey(error) && !this.isKeyAccepted)) this.close(error);
			const fault = faultOfCreate(error, { wasSent: before === 'sent' });
			if (order.state === 'final') order.error = fault;
			return fault;
		}
	}

	private close(error: ServiceError): void {
		this.isClosed = true;
		this.closedBy ??= error;
	}

	private unsentFault({ state }: Order): Fault {
		if (this.closedBy) return faultOfCreate(this.closedBy, { wasSent: state === 'sent' });
		return messageOf(state === 'sent' ? 'noAnswerBefore' : 'notStarted');
	}

	private *follow(order: Order): Routine<Fault | undefined> {
		const { run, ledger } = this;
		const values = { id: order.taskId ?? '' };
		for (let reads = 0; reads < run.settings.timeout; reads += 1) {
			yield;
			if (run.isStopped()) return messageOf('stopped', { values });
			const task = taskOf(run.read(order.taskId ?? ''));
			Object.assign(order, { state: 'task', task });
			if (task.state === 'completed') return undefined;
			const end = endOf(task);
			if (!end) continue;
			ledger.ended(order, end.state, end.fault);
			return end.fault;
		}
		return messageOf('timeout', { values });
	}

	private indexOf(order: Order): number {
		return this.items.findIndex((item) => item.order === order);
	}
}

function endOfItem(item: Item): ItemEnd {
	const { fault } = item;
	const orderTaskId = taskIdOf(item);
	const isUnconfirmed = unconfirmedItems([item]).length > 0;
	if (!fault) return { taskId: orderTaskId, orderTaskId, isUnconfirmed };
	return { error: { ...errorOf(item, fault) }, orderTaskId, isUnconfirmed };
}
