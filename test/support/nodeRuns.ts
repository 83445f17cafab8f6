import type { IDataObject } from 'n8n-workflow';
import type { Scope } from '../../nodes/Videogen/work/choose';
import { Ledger } from '../../nodes/Videogen/work/ledger';
import { Memory } from '../../nodes/Videogen/work/memory';
import type { Order, OrderEvent } from '../../nodes/Videogen/work/order';
import type { Job, Plan } from '../../nodes/Videogen/work/session';
import { failureOf, productionScope, taskOf } from './orders';

/** What the ledger made of the items of a run. */
export interface NodeRun {
	readonly ledger: Ledger;
	readonly jobs: readonly Job[];
	readonly orders: readonly Order[];
	/** What is done for each item, or the kind of its failure. */
	readonly does: string;
}

/** How far an order has come when its run is over. */
export type Reached = 'new' | 'sent' | 'named' | 'task' | 'failed' | 'final' | 'content';

/** An execution in the editor. */
export const click = (executionId = '1'): Partial<Scope> => ({ executionId, isManual: true });

export const orderIdsOf = ({ orders }: NodeRun): string[] => orders.map(({ id }) => id);

/** The order of the first item. */
export function firstOf({ orders: [order] }: NodeRun): Order {
	if (!order) throw new Error('The first item has no order');
	return order;
}

/** The runs of one node: what n8n has kept of an execution, and what a process remembers. */
export class NodeRuns {
	context: IDataObject = {};
	nowMs = 1_000;
	memory = this.newMemory();

	private newMemory(): Memory {
		return new Memory({ now: () => this.nowMs, date: () => this.nowMs });
	}

	/** What follows belongs to another execution, no Retry. */
	startAnew(): void {
		this.context = {};
	}

	/** What follows runs in another process, which knows what n8n has saved. */
	changeProcess(): void {
		this.context = JSON.parse(JSON.stringify(this.context));
		this.memory = this.newMemory();
	}

	async assign(
		plans: readonly Plan[],
		more: Partial<Scope> = {},
		max = 100_000,
		end = new AbortController().signal,
	): Promise<NodeRun> {
		const ledger = new Ledger(productionScope(more), this.memory, this.context);
		const jobs = await ledger.assign(plans, max, end);
		return {
			ledger,
			jobs,
			orders: jobs.flatMap(({ order }) => order ?? []),
			does: jobs.map((job) => (job.do === 'stop' ? job.failure.kind : job.do)).join(' '),
		};
	}

	/** A whole run, in which each order that is created gets this far: all the same, or one each. */
	async bring(
		plans: readonly Plan[],
		more: Partial<Scope> = {},
		reached: Reached | readonly Reached[] = 'task',
	): Promise<NodeRun> {
		const run = await this.assign(plans, more);
		run.jobs.forEach((job, index) => {
			if (job.do !== 'create') return;
			reach(run, job.order, typeof reached === 'string' ? reached : (reached[index] ?? 'task'));
		});
		run.ledger.close();
		return run;
	}
}

/** Sends an order, and applies what makes it come this far. */
export function reach({ ledger }: NodeRun, order: Order, reached: Reached): void {
	ledger.send(order);
	const task = taskOf('queued', { id: `task of ${order.id}` });
	const created: OrderEvent = { type: 'created', task };
	const unclear: OrderEvent = { type: 'unclear', refusal: failureOf('noAnswer') };
	const ended = (is: 'failed' | 'final'): OrderEvent => ({
		type: 'ended',
		by: order.state.by.at(-1) ?? '',
		is,
		failure: failureOf(is === 'failed' ? 'failed' : 'cancelled'),
		task,
	});
	const events: Record<Reached, OrderEvent[]> = {
		new: [{ type: 'no' }],
		sent: [unclear],
		named: [{ ...unclear, taskId: task.id }],
		task: [created],
		failed: [created, ended('failed')],
		final: [created, ended('final')],
		content: [{ type: 'no', content: failureOf('moderation') }],
	};
	for (const event of events[reached]) ledger.apply(order, event);
}
