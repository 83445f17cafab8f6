import type { IBinaryData } from 'n8n-workflow';
import type { Timer } from '../shared/clock';
import type { Failure } from '../shared/messages';
import type { Semaphore } from '../shared/semaphore';
import type { Downloads } from '../files/download';
import type { ItemFile } from '../files/inputs';
import type { Service } from '../service/types';
import type { Task } from '../service/task';
import type { Creating } from './creating';
import type { GatesOfService } from './gate';
import type { Ledger } from './ledger';
import { type Asked, type Order, taskIdOf } from './order';

/** How an item waits for its task. */
export interface WaitSettings {
	/** How often to read the task at first. The gaps grow over time. */
	readonly intervalMs: number;
	/** Applies to the create while it gets 429s, and again to the task that it made. */
	readonly timeoutMs: number;
}

/** How the node handles the create of an item. */
export interface CreateSettings {
	readonly maxConcurrentTasks: number;
	/** Absent if the user did not add it. */
	readonly maxNewTasks?: number;
	/** The user's text that the key is derived from. Empty for a random key. */
	readonly idempotencyKey: string;
	/** Whether a person's retry may resend a create that the service did not confirm. */
	readonly resendAfterNoReply: boolean;
	/** Whether executions in the editor may share the order. */
	readonly reuseInEditor: boolean;
}

/** What every item has, whatever it asks for. */
interface PlanBase {
	/** Its position in the input, from 0. */
	readonly index: number;
	/** Set if the item came back with an error of this node, with the order that the error names. */
	readonly returned?: { readonly orderId?: string };
	/** Absent if the first record is enough. */
	readonly wait?: WaitSettings;
	/**
	 * The binary field of the first file, if those of a completed task are wanted. The others go to
	 * the same name with `_1`, `_2`…
	 */
	readonly downloadTo?: string;
	/** Whether to output only the fields that most workflows use instead of the whole record. */
	readonly simplify: boolean;
}

/** An item that asks for a new task. */
export interface CreatePlan extends PlanBase {
	readonly do: 'create';
	readonly asked: Asked;
	/** The files in the request. */
	readonly files: readonly ItemFile[];
	readonly settings: CreateSettings;
}

/** An item that asks for an existing task. */
export type ReadPlan = PlanBase & Readonly<{ do: 'read'; taskId: string }>;

/** An item whose values are invalid. `asked`: what is known of it, to find its order. */
export type StopPlan = PlanBase &
	Readonly<{ do: 'stop'; failure: Failure; asked?: Partial<Asked> }>;

/** What an item wants. Made once, before anything is sent. */
export type Plan = CreatePlan | ReadPlan | StopPlan;

/** A task is created for an item. */
export type CreateJob = Readonly<{ do: 'create'; plan: CreatePlan; order: Order }>;

/**
 * A task is read for an item: that of its order or, without one, the one that the item names.
 * `reusedFrom`: the execution that created its video, if it was another one.
 */
export type ReadJob = Readonly<{
	do: 'read';
	plan: Plan;
	order?: Order;
	reusedFrom?: string;
}>;

/** An item that gets no further, with its order if it has one. */
export type StopJob = Readonly<{ do: 'stop'; plan: Plan; failure: Failure; order?: Order }>;

/** What is done for an item. Made once, before anything is sent. */
export type Job = CreateJob | ReadJob | StopJob;

/** The ID of the task that an item is about, if it is known. */
export const taskIdIn = ({ order, plan }: Job): string | undefined =>
	plan.do === 'read' ? plan.taskId : order && taskIdOf(order);

/** What came of an item. */
export interface Outcome {
	/** Its task as last read. */
	readonly task?: Task;
	/** Its results in n8n's storage, in order. */
	readonly files?: readonly IBinaryData[];
	/** Why it did not get what it asked for. */
	readonly failure?: Failure;
}

export type Result = Readonly<{ job: Job; outcome: Outcome }>;

/** Tells a person at once that a task exists, or may exist. */
export interface TaskLog {
	task(job: CreateJob, taskId: string): void;
}

/** What a run of the node works with. Passed down; nothing below calls up. */
export interface Session {
	readonly executionId: string;
	/** Ends with the execution. Creates that were sent are still awaited. */
	readonly timer: Timer;
	readonly service: Service;
	/** The credential's Base URL, for messages. */
	readonly baseUrl: string;
	readonly gates: GatesOfService;
	readonly ledger: Ledger;
	readonly creating: Creating;
	/** Limits how many unfinished tasks of this run the service has at once. */
	readonly places: Semaphore;
	readonly downloads: Downloads;
	readonly log: TaskLog;
	/** Whether an AI agent is calling, for which an unfinished task is a valid answer. */
	readonly isTool: boolean;
	/** Whether an error becomes output instead of stopping the node. */
	readonly continues: boolean;
	/** Limits how long a create is sent again, whatever its item says. */
	readonly createLimitMs?: number;
}
