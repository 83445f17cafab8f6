import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod';
import { isJsonObject } from '../shared/json';
import { ERROR_KINDS, type Failure } from '../shared/messages';
import { DURATION_SECONDS } from '../service/contract/limits';
import type { GenerationRequest } from '../service/contract/request';
import type { Task } from '../service/task';

const object = <Value extends object>() => z.custom<Value>((value: unknown) => isJsonObject(value));

/**
 * How far an order has come. `new`: no send may have made a task. `sent`: a task may exist. `task`:
 * its ID is known, and no read said that it ended without a video. `failed`: its task failed, but
 * may succeed if it is created anew. `final`: the same request would end in the same way.
 */
const STATES = ['new', 'sent', 'task', 'failed', 'final'] as const;
export type State = (typeof STATES)[number];

export const orderSchema = z.object({
	id: z.string(),
	state: z.enum(STATES),
	/** Sent as `Idempotency-Key`, a UUID. */
	key: z.string(),
	/** The user's text that the key is derived from. Empty for a random key. */
	keyText: z.string(),
	/** How many tasks with this text had ended before. */
	keyCount: z.number(),
	/** The create, with files identified by their content. A resend uses this request. */
	request: object<GenerationRequest>(),
	/**
	 * Hash of the environment, the service, the key's text and the request without its Callback URL.
	 */
	requestHash: z.string(),
	/** Hash of the service and the saved node parameters that affect which video is made. */
	parametersHash: z.string(),
	/**
	 * Hash of the parameters and the item's JSON. It stays the same where `$now` changes the request.
	 */
	fieldsHash: z.string(),
	/** The execution that last sent it or found its end. */
	executionId: z.string().optional(),
	/** The execution that counted it toward its limit. */
	countedBy: z.string().optional(),
	/** The ID of its task. In `sent`, of a task that an answer named, which may be its own. */
	taskId: z.string().optional(),
	task: object<Task>().optional(),
	/**
	 * What every further try ends with: the error that ended it, or that its key is already known.
	 */
	error: z
		.object({ kind: z.enum(ERROR_KINDS), message: z.string(), description: z.string() })
		.optional(),
});

/** What one item asks for, and how far it has come. Plain data, saved as it is. */
export type Order = z.infer<typeof orderSchema>;

/** What an item asks for now, before it is known which order it continues. */
export interface Wish extends Pick<
	Order,
	'keyText' | 'request' | 'requestHash' | 'parametersHash' | 'fieldsHash'
> {
	/** The key after `count` ended tasks with its text. Random without a text. */
	keyFor(count: number): string;
	/** The saved request as it is sent, with links in place of files. @throws InvalidParameter */
	toSend(saved: GenerationRequest): Promise<GenerationRequest>;
	/** Whether executions in the editor may share it. */
	mayReuse: boolean;
	/** Whether a person's retry may resend a create that got no answer. */
	mayResend: boolean;
}

/** How an item waits for its task. */
export interface WaitSettings {
	/** How often to read the task at first. The gaps grow over time. */
	intervalMs: number;
	/** Applies to the create while it gets 429s, and again to the task that it made. */
	timeoutMs: number;
}

/** Where the first result goes. The others go to the same name with `_1`, `_2`… */
export interface DownloadSettings {
	binaryProperty: string;
}

/** What to do with an order that is asked for again. */
export type Decision = 'create' | 'read' | 'refuse' | 'same' | 'anew';

/** An input item in this run of the node: what it wants, its order, and its outcome. */
export interface Item {
	/** Its position in the input, from 0. */
	index: number;
	/** What to create. Absent for a task that is only read, and for an invalid item. */
	wish?: Wish;
	/** The task to read, if the item creates none. */
	readId?: string;
	/** Set if the item came back with an error of this node, with the order that the error names. */
	returned?: { orderId?: string };
	/** Absent if the first record is enough. */
	wait?: WaitSettings;
	/** Set if the files of a completed task are wanted. */
	download?: DownloadSettings;
	/** Whether to output only the fields that most workflows use instead of the whole record. */
	simplify: boolean;
	order?: Order;
	decision?: Decision;
	/** Set if it reuses a video: from which execution, and since when in milliseconds since 1970. */
	reused?: { executionId: string; atMs?: number };
	/** Its task as last read. */
	task?: Task;
	/** Its results in n8n's storage, in order. */
	files?: IBinaryData[];
	/** Why it did not get what it asked for. */
	failure?: Failure;
}

/** The ID of the task that an item is about, if it is known. */
export const taskIdOf = ({ order, readId }: Pick<Item, 'order' | 'readId'>): string | undefined =>
	order ? order.taskId : readId;

/** The total length of the videos of these orders. */
export const secondsOf = (orders: Order[]): number =>
	orders.reduce((sum, { request }) => sum + (request.duration ?? DURATION_SECONDS.default), 0);

type Asked = 'automatic' | 'person';

/** What to do when an order is asked for again (docs/payment-and-retries.md). */
const TABLE: Record<State, Record<Asked, Decision>> = {
	new: { automatic: 'create', person: 'create' },
	sent: { automatic: 'refuse', person: 'refuse' },
	task: { automatic: 'read', person: 'read' },
	failed: { automatic: 'anew', person: 'anew' },
	final: { automatic: 'same', person: 'anew' },
};

/**
 * What an execution does with an order. A person is asking if another execution last sent the order
 * or found its end.
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

/** What an answer says about the task of a create. */
export type Made =
	| { made: 'yes'; task: Task }
	| { made: 'maybe'; namedTaskId?: string }
	| { made: 'no'; isContent: boolean; keepsKey: boolean };

/**
 * Call before a create leaves: until its answer says otherwise, a task may exist.
 * @returns the previous state
 */
export function send(order: Order, executionId: string): State {
	const before = order.state;
	Object.assign(order, { state: 'sent', executionId });
	return before;
}

/**
 * Applies the answer to an order that was sent.
 * @param before The order's state before it was sent.
 * @param newKey Returns the key for its next send, after a no to a `new` order.
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

/** Larger records are not kept. They would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

/** Drops an order's record if it is too large to be saved with an execution. */
export function trim(order: Order): void {
	if (JSON.stringify(order.task ?? null).length > MAX_RECORD_CHARACTERS) delete order.task;
}
