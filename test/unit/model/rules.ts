import type { IDataObject } from 'n8n-workflow';
import { type Failure, messageOf } from '../../../nodes/Videogen/shared/messages';
import { mayRunAgain } from '../../../nodes/Videogen/shared/n8n';
import { unconfirmedItems } from '../../../nodes/Videogen/run/errors';
import { errorOf, outputOf } from '../../../nodes/Videogen/run/output';
import type { Answer, ServiceError } from '../../../nodes/Videogen/service/types';
import {
	createRow,
	endOf,
	failureOfCreate,
	isConnected,
	namedTaskIdOf,
	rejectsKey,
} from '../../../nodes/Videogen/service/responseRules';
import { providerMessageIn } from '../../../nodes/Videogen/service/providerMessage';
import { createdTaskIn, namedTaskIdIn, readTaskIn } from '../../../nodes/Videogen/service/task';
import { madeOf } from '../../../nodes/Videogen/work/create';
import { CONTEXT_KEY, Ledger } from '../../../nodes/Videogen/work/ledger';
import { isSaved } from '../../../nodes/Videogen/work/memory';
import {
	answered,
	type Item,
	type Order,
	send,
	taskIdOf,
	type Wish,
} from '../../../nodes/Videogen/work/order';
import { noReply, refusal } from '../../support/work';
import type { ItemEnd } from './executions';
import type { NodeRun } from './node';
import type { Routine } from './scheduler';
import type { Reply } from './service';
import { contextOf, wishesOf } from './wishes';

/** How often a create is sent by itself. */
const MAX_SENDS = 4;

/** A node context that this version of the node cannot read. */
export const UNREADABLE: IDataObject = {
	[CONTEXT_KEY]: { orders: { '0:0': { state: 'ordered' } } },
};

/** The orders in a saved node context; `undefined` when it cannot be read. */
export function ordersIn(context: IDataObject): Order[] | undefined {
	const kept: unknown = context[CONTEXT_KEY];
	if (kept === undefined) return [];
	return isSaved(kept) ? Object.values(kept.orders) : undefined;
}

/**
 * A run of the node: its own decisions, in the steps of this world in place of awaits, without HTTP
 * and time.
 */
export class PlayedRun {
	private readonly ledger: Ledger;

	private readonly items: Item[];

	/** No create leaves any more; with an answer that every other one would get, too. */
	private isClosed = false;

	private closedBy: ServiceError | undefined;

	private isKeyAccepted = false;

	constructor(private readonly run: NodeRun) {
		const { items, identity } = wishesOf(run);
		const { context } = run.execution;
		this.items = items;
		this.ledger = new Ledger({ ...identity.scope, context, memory: run.world.memory });
	}

	*execute(): Routine<ItemEnd[]> {
		const { run, ledger, items } = this;
		const { scheduler } = run.world;
		yield () => run.isStopped || !ledger.isBusy(items);
		ledger.begin(items, { max: run.execution.settings.maxNewTasks, isAdded: true });
		const open = items.filter((item) => !this.hasFailed(item));
		const jobs = open.map((item) => scheduler.spawn(this.bring(item)));
		yield () => jobs.every(({ isDone }) => isDone);
		for (const { order } of items) if (order) ledger.release(order);
		this.forgetServed();
		ledger.close([]);
		return items.flatMap((item) => this.endOf(item));
	}

	private forgetServed(): void {
		const { run, ledger, items } = this;
		const hasFailed = items.some(({ failure }) => failure);
		if (run.isStopped || (hasFailed && !run.continuesOnError)) return;
		if (!mayRunAgain(contextOf(run), items.map(outputOf)))
			ledger.close(items.filter(({ failure }) => !failure));
	}

	private *bring(item: Item): Routine<void> {
		const { order, wish, decision } = item;
		if (!order || !wish) throw new Error('No order');
		if (decision === 'refuse') item.failure = messageOf('noAnswerBefore');
		if (decision === 'same') item.failure = order.error ?? messageOf('failed');
		if (decision === 'create') item.failure = yield* this.create(order, wish);
		this.ledger.release(order);
		if (!item.failure) item.failure = yield* this.follow(order);
		this.hasFailed(item);
	}

	/** Unless the node continues, nothing is created after the first error. */
	private hasFailed({ failure }: Item): boolean {
		if (failure && !this.run.continuesOnError) this.isClosed = true;
		return failure !== undefined;
	}

	private *create(order: Order, wish: Wish): Routine<Failure | undefined> {
		const { run } = this;
		for (let sends = 1; ; sends += 1) {
			yield;
			if (run.isStopped || this.isClosed) return this.unsentFailure(order);
			const before = send(order, run.execution.id);
			const { key, keyText, request } = order;
			const index = this.items.findIndex((item) => item.order === order);
			const answer = answerOf(yield* run.create(index, request.prompt, key, keyText));
			answered(order, madeOf(answer), before, () => wish.keyFor(order.keyCount));
			const taskId = answer.kind === 'task' ? answer.task.id : namedTaskIdOf(answer.error);
			if (taskId !== undefined) run.world.logged.add(taskId);
			if (answer.kind === 'task') {
				this.isKeyAccepted = true;
				return undefined;
			}
			const { error } = answer;
			if (createRow(error).made === 'later' && sends < MAX_SENDS) continue;
			if (!isConnected(error) || (rejectsKey(error) && !this.isKeyAccepted)) this.close(error);
			const failure = failureOfCreate(error, { wasSent: before === 'sent' });
			if (order.state === 'final') order.error = failure;
			return failure;
		}
	}

	private close(error: ServiceError): void {
		this.isClosed = true;
		this.closedBy ??= error;
	}

	private unsentFailure({ state }: Order): Failure {
		if (this.closedBy) return failureOfCreate(this.closedBy, { wasSent: state === 'sent' });
		return messageOf(state === 'sent' ? 'noAnswerBefore' : 'notStarted');
	}

	private *follow(order: Order): Routine<Failure | undefined> {
		const { run, ledger } = this;
		const { taskId: id = '' } = order;
		const values = { id };
		for (let reads = 0; reads < run.execution.settings.timeout; reads += 1) {
			yield;
			if (run.isStopped) return messageOf('stopped', { values });
			const task = readTaskIn(run.world.service.read(id), id);
			if (!task) throw new Error('No record');
			Object.assign(order, { state: 'task', task });
			if (task.state === 'completed') return undefined;
			const end = endOf(task);
			if (!end) continue;
			ledger.ended(order, end.state, end.failure);
			return end.failure;
		}
		return messageOf('timeout', { values });
	}

	private endOf(item: Item): ItemEnd[] {
		const given = this.run.due.items[item.index];
		if (!given) return [];
		return [
			{
				item: given,
				taskId: taskIdOf(item),
				isUnconfirmed: unconfirmedItems([item]).length > 0,
				error: item.failure && { ...errorOf(item, item.failure) },
			},
		];
	}
}

/** The answer to a create as the node's client gives it. */
function answerOf(reply: Reply): Answer {
	if (reply === 'noConnection') return noReply('connectionRefused');
	if (reply === 'lost') return noReply();
	const { status, body } = reply;
	if (!body) return refusal(status, { isJson: false, isPage: true });
	const task = status < 300 ? createdTaskIn(body) : undefined;
	if (task) return { kind: 'task', task };
	return refusal(status, { namedTaskId: namedTaskIdIn(body), ...providerMessageIn(body) });
}
