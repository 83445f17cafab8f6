import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../shared/json';
import { ERROR_KINDS, type Fault } from '../shared/messages';
import { DURATION_SECONDS } from '../service/contract/limits';
import type { GenerationRequest } from '../service/contract/request';
import type { Task } from '../service/task';

const object = <Value extends object>() => z.custom<Value>((value: unknown) => isJsonObject(value));

/**
 * How far an order has come. `new`: no send may have made a task. `sent`: a task may exist. `task`: its
 * id is known, and no read said that it has ended without a video. `failed`: its task has failed, and
 * may succeed when it is created anew. `final`: the same request would end in the same way.
 */
const STATES = ['new', 'sent', 'task', 'failed', 'final'] as const;
export type State = (typeof STATES)[number];

export const orderSchema = z.object({
	id: z.string(),
	state: z.enum(STATES),
	/** `Idempotency-Key`, a UUID. */
	key: z.string(),
	/** The person's own text from which the key is derived; empty for a random key. */
	keyText: z.string(),
	/** How many tasks of that text had ended before. */
	keyCount: z.number(),
	/** The create with files by their content; what is sent again is this one. */
	request: object<GenerationRequest>(),
	/** Of the environment, the service, the key's text and the request without its Callback URL. */
	requestHash: z.string(),
	/** Of the node's parameters that make the request, as n8n saved them, and of the service. */
	parametersHash: z.string(),
	/** Of these and of the item's JSON: where `$now` changes the request, it stays. */
	fieldsHash: z.string(),
	/** The execution that last sent it, or found its end. */
	executionId: z.string().optional(),
	/** The execution whose limit has counted it. */
	countedBy: z.string().optional(),
	/** Of its task; in `sent`, of one that an answer has named, which may be its own. */
	taskId: z.string().optional(),
	task: object<Task>().optional(),
	/** What ended it, for the next try that ends in the same way. */
	error: z
		.object({ kind: z.enum(ERROR_KINDS), message: z.string(), description: z.string() })
		.optional(),
});

/** What one item asks for, and how far that has come. It is plain data, saved as it is. */
export type Order = z.infer<typeof orderSchema>;

/** What an item asks for now, before it is known which order it continues. */
export interface Wish extends Pick<
	Order,
	'keyText' | 'request' | 'requestHash' | 'parametersHash' | 'fieldsHash'
> {
	/** The key of the nth task of its text; random where it has none. */
	keyFor(count: number): string;
	/** What is sent for a saved request: with links in place of files. @throws InvalidParameter */
	toSend(saved: GenerationRequest): Promise<GenerationRequest>;
	/** Whether executions in the editor share it. */
	mayReuse: boolean;
	/** Whether a person's retry may send again what got no answer. */
	mayResend: boolean;
}

/** How an item waits for its task. */
export interface WaitSettings {
	/** How often the task is read at first; the gaps grow with the time that it takes. */
	intervalMs: number;
	/** For the create, against 429, and again for the task that it made. */
	timeoutMs: number;
}

/** Where the first result goes; the others go to the same name with `_1`, `_2`… */
export interface DownloadSettings {
	binaryProperty: string;
}

/** What the table of states says when an order is asked for again. */
export type Decision = 'create' | 'read' | 'refuse' | 'same' | 'anew';

/** An input item in this run of the node: what it wants, its order, and what has come of it. */
export interface Item {
	/** Its place in the input, from 0. */
	index: number;
	/** What it asks to be created; absent for a task that is only read, and for a bad item. */
	wish?: Wish;
	/** The task that it asks for, where it creates none. */
	readId?: string;
	/** The order that the error of this node names with which the item came back, if it did. */
	returned?: { orderId?: string };
	/** Without this, the first record is all that is asked for. */
	wait?: WaitSettings;
	/** Whether the files of a completed task are wanted. */
	download?: DownloadSettings;
	/** Whether the output is the fields that most workflows use, and not the whole record. */
	simplify: boolean;
	order?: Order;
	decision?: Decision;
	/** Where it reuses the video of an earlier execution: which, and since when in milliseconds since 1970. */
	reused?: { executionId: string; atMs?: number };
	/** Its task as it was last read. */
	task?: Task;
	/** Its results in n8n's storage, in their order. */
	files?: IBinaryData[];
	/** Why it did not get what it asked for. */
	fault?: Fault;
}

/** The id of the task that an item is about, if one is known. */
export const taskIdOf = ({ order, readId }: Pick<Item, 'order' | 'readId'>): string | undefined =>
	order ? order.taskId : readId;

/** How long the videos of these orders are together. */
export const secondsOf = (orders: Order[]): number =>
	orders.reduce((sum, { request }) => sum + (request.duration ?? DURATION_SECONDS.default), 0);

type Asked = 'automatic' | 'person';

/** What is done when an order is asked for again (docs/billing-and-retries.md). */
const TABLE: Record<State, Record<Asked, Decision>> = {
	new: { automatic: 'create', person: 'create' },
	sent: { automatic: 'refuse', person: 'refuse' },
	task: { automatic: 'read', person: 'read' },
	failed: { automatic: 'anew', person: 'anew' },
	final: { automatic: 'same', person: 'anew' },
};

/**
 * What an execution does with an order. It is a person who asks when another execution has last sent
 * the order or found its end.
 */
export function decide(
	{ state, taskId, executionId: last }: Order,
	executionId: string,
	mayResend: boolean,
): Decision {
	const isPerson = last !== undefined && last !== executionId;
	if (state !== 'sent' || !isPerson) return TABLE[state][isPerson ? 'person' : 'automatic'];
	if (taskId !== undefined) return 'read';
	return mayResend ? 'create' : TABLE.sent.person;
}

/** What an answer says of the task of a create. */
export type Made =
	| { made: 'yes'; task: Task }
	| { made: 'maybe'; namedTaskId?: string }
	| { made: 'no'; isContent: boolean; keepsKey: boolean };

/** A create leaves: until its answer says otherwise, a task may exist. @returns the state before */
export function send(order: Order, executionId: string): State {
	const before = order.state;
	Object.assign(order, { state: 'sent', executionId });
	return before;
}

/**
 * What an answer makes of an order that was sent.
 * @param before Its state before it was sent.
 * @param newKey Gives the key of its next send, after a no to a `new` order.
 */
export function answered(order: Order, made: Made, before: State, newKey: () => string): void {
	if (made.made === 'yes') {
		Object.assign(order, {
			state: 'task',
			taskId: made.task.id,
			task: made.task,
			error: undefined,
		});
	} else if (made.made === 'maybe') {
		order.taskId ??= made.namedTaskId;
	} else {
		order.state = before === 'new' && made.isContent ? 'final' : before;
		if (before === 'new' && !made.keepsKey && order.keyText === '') order.key = newKey();
	}
}

/** Larger records are not kept: they would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** Takes the record out of an order where it is too large to be saved with an execution. */
export function trim(order: Order): void {
	if (JSON.stringify(order.task ?? null).length > MAX_RECORD_CHARACTERS) delete order.task;
}
