import { randomUUID } from 'node:crypto';
import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../ground/json';
import { ERROR_KINDS, type ErrorKind, type Message } from '../ground/words';
import type { GenerationRequest } from '../service/contract/request';
import { hasResults, type Task } from '../service/task';

/** What an item becomes when its task did not complete. */
export const WAIT_ENDINGS = ['error', 'returnTask'] as const;
export type WaitEnding = (typeof WAIT_ENDINGS)[number];

/** How an item waits for its task, and what it becomes when that does not complete. */
export interface WaitSettings {
	/** How often the task is read at first; the gaps grow with the time that it takes. */
	intervalMs: number;
	/** Counted from the answer to the create, or from when this run began to wait. */
	timeoutMs: number;
	onTimeout: WaitEnding;
	onFailure: WaitEnding;
	/** Whether an answer that n8n streams says how far the videos are. */
	streamProgress: boolean;
}

/** Where the first result goes; the others go to the same name with `_1`, `_2`… */
export interface DownloadSettings {
	binaryProperty: string;
}

/** Why an item did not get what it asked for: one word for workflows, and words for people. */
export interface Fault extends Message {
	kind: ErrorKind;
	/** Whether only the end of the run has ended it. */
	isCutShort?: boolean;
}

/** All calls of an agent's tool share the orders of one run: n8n counts the tries of a call as runs. */
export const TOOL_RUN = 'tool';

const object = <Value extends object>() => z.custom<Value>((value: unknown) => isJsonObject(value));

const stateSchema = z.discriminatedUnion('is', [
	z.object({ is: z.literal('new') }),
	z.object({ is: z.literal('running'), taskId: z.string(), task: object<Task>().optional() }),
	z.object({ is: z.literal('completed'), taskId: z.string(), task: object<Task>() }),
	z.object({
		is: z.literal('failed'),
		taskId: z.string(),
		task: object<Task>(),
		/** Whether the service has made its video, which is gone since. */
		hadVideo: z.boolean(),
	}),
	z.object({
		is: z.literal('error'),
		fault: z.object({
			kind: z.enum(ERROR_KINDS),
			message: z.string(),
			description: z.string(),
			isCutShort: z.boolean().optional(),
		}),
		taskId: z.string().optional(),
		task: object<Task>().optional(),
	}),
]);

/**
 * How far an order has come. `new`: no task is known. `running`: there is one; what is known of it may
 * be its id alone. `completed` and `failed`: a read has said so. `error`: what this try came to instead;
 * its task, if it has one, may go on.
 */
export type State = z.infer<typeof stateSchema>;

export const orderSchema = z.object({
	/** Names it in this process. */
	id: z.string(),
	/** The execution that asked for it last. */
	executionId: z.string(),
	/** The run of the node that asked for it; loops run a node many times. */
	run: z.string(),
	/** Index of the input item. */
	item: z.number(),
	/** The create, with files by their names; absent for a task that is only read. */
	request: object<GenerationRequest>().optional(),
	/** The id of the order that had ended, in whose place it is. */
	inPlaceOf: z.string().optional(),
	/** Of the request without its Callback URL, and of the service. */
	requestHash: z.string(),
	/** Of the node as n8n saved it, and of the input item: where `$now` changes the request, it stays. */
	itemHash: z.string().optional(),
	/** `Idempotency-Key`: a UUID, which stays until the service has said no. */
	key: z.string(),
	/**
	 * Set before a create leaves, until a task is known or the only create was answered with a no; with
	 * the id of the task that an answer has named, whether the last answer refused the content, and the
	 * key of the person's own that the service knew already: under another one it is another order.
	 */
	mayExist: z
		.object({
			taskId: z.string().optional(),
			isContentRefused: z.boolean().optional(),
			knownKey: z.string().optional(),
		})
		.optional(),
	state: stateSchema,
});
/** What one item asks for, and how far that has come. It is saved as it is. */
export type Order = z.infer<typeof orderSchema>;

/** An input item in this run of the node: its order, and what it wants of it. */
export interface Item {
	/** Its place in the input, from 0. */
	index: number;
	order: Order;
	/** Without this, the first record is all that is asked for. */
	wait?: WaitSettings;
	/** Whether the files of a completed task are wanted. */
	download?: DownloadSettings;
	/** Whether the output is the fields that most workflows use, and not the whole record. */
	simplify: boolean;
	/** What can be sent for it; absent where nothing can. */
	create?: Create;
	/**
	 * For a task of another execution: which; and when, in milliseconds since 1970, which the editor's
	 * memory knows.
	 */
	orderedBy?: { executionId: string; atMs?: number };
	/** What was sent for it in this run, and its key: the same key is sent again with the same bytes. */
	sent?: { key: string; body: GenerationRequest };
	/** How many orders that had ended in another process were passed in this run. */
	keySteps?: number;
	/** Whether its order was asked for by an earlier execution, and this one asks again for a person. */
	isAskedAgain?: boolean;
	/** Whether the task of its order is one that another execution, or an earlier try, has ordered. */
	isTaken?: boolean;
	/** The order that had ended before, in whose place this one is. */
	ended?: Order;
	/** Its results in n8n's storage, in their order. */
	files?: IBinaryData[];
	/** When the time that it waits is up, on the clock of the run. */
	endsAt?: number;
	/** The item whose order it shares. */
	sharedWith?: Item;
}

/** An item with what finds its order: filled in by the plan and the run, for the ledger. */
export interface Draft extends Item {
	/** The task that the error of this node names with which the item came back, if it did. */
	returned?: { taskId?: string };
	/** Of the request with files by their content; absent where it is ordered each time. */
	contentHash?: string;
	/** Whether what executions in the editor have ordered counts. */
	mayReuse?: boolean;
	/** Its key, where it is derived. @param before How many equal orders this execution has before it. */
	keyAfter?: (before: number) => string;
}

/** A task with the item that it was made for. */
export interface StoredTask {
	itemIndex: number;
	taskId: string;
	status?: string;
}

/** How the create of an item is made. */
export interface Create {
	/** The request as it is saved: files by their names. */
	request: GenerationRequest;
	/** See `Order`. */
	requestHash: string;
	itemHash?: string;
	/** What is sent: with links to files, which expire, or the files themselves. */
	toSend(): Promise<GenerationRequest>;
	/** Whether a create that got no answer may be sent again. */
	mayResend: boolean;
	/** Whether its key follows from what is asked for, so that every process finds the same one. */
	hasDerivedKey?: boolean;
	/** The key that follows from the Order Key of the person, where there is one. */
	ownKey?: string;
}

/** An order that nothing is known of. */
export const newOrder = (
	{ request, requestHash, itemHash }: Pick<Order, 'request' | 'requestHash' | 'itemHash'>,
	item: number,
): Order => ({
	...{ id: randomUUID(), executionId: '', run: '', item, key: '' },
	...{ request, requestHash, itemHash },
	state: { is: 'new' },
});

/** The id of the task that an order is about, if one is known. */
export const taskIdOf = ({ state }: Order): string | undefined =>
	'taskId' in state ? state.taskId : undefined;

/** The task of an order as it last was. */
export const taskOf = ({ state }: Order): Task | undefined =>
	'task' in state ? state.task : undefined;

/** Whether the node itself creates the task of an order. */
export const isCreate = ({ request }: Order): boolean => request !== undefined;

/** Whether a create is still to be sent for an item. */
export const isToCreate = ({ order, sharedWith }: Item): boolean =>
	!sharedWith && isCreate(order) && order.state.is === 'new';

/** Ends the try of an order without what was asked for; what is known of its task stays. */
export function fail(order: Order, fault: Fault): void {
	const { kind, message, description, isCutShort } = fault;
	const taskId = taskIdOf(order);
	const task = taskOf(order);
	order.state = {
		is: 'error',
		fault: { kind, message, description, ...(isCutShort && { isCutShort }) },
		...(taskId !== undefined && { taskId }),
		...(task && { task }),
	};
}

/** Larger records are not kept: they would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** Takes out of an order what is too large to be saved with an execution. */
export function trim(order: Order): void {
	const task = taskOf(order);
	if (!task || JSON.stringify(task.record).length <= MAX_RECORD_CHARACTERS) return;
	// That there are results stays: without them, its video would be ordered again.
	const results = hasResults(task) ? { results: [true] } : {};
	const record: IDataObject = { id: task.id, status: task.status, ...results };
	Object.assign(order.state, { task: { ...task, record } });
}
