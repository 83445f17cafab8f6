import { type Failure, messageOf } from '../shared/messages';
import { DURATION_SECONDS } from '../service/contract/limits';
import type { GenerationRequest } from '../service/contract/request';
import type { Task } from '../service/task';

/**
 * The executions that have sent an order, or the ended one that it replaces, or found its end. The
 * latest comes last.
 */
type By = readonly string[];

/** How far an order has come. A `task` is absent if its record is too large to be saved. */
export type State = Readonly<
	/** No send may have made a task. */
	| { is: 'new'; by: By }
	/**
	 * A task may exist. `mayExist`: from an earlier send than the one under way. `taskId`: of a task
	 * that an answer named, which may be its own. `refusal`: what every try ends with that does not
	 * send it again; it repeats the unclear answer.
	 */
	| { is: 'sent'; by: By; mayExist: boolean; taskId?: string; refusal?: Failure }
	/** Its task is known, and no read said that it ended without a video. */
	| { is: 'task'; by: By; taskId: string; task?: Task }
	/**
	 * `failed` may succeed if it is created anew. `final` would end in the same way. `failure`: what
	 * every automatic try ends with from now on. Without a `taskId`, the provider rejected the request
	 * for its content.
	 */
	| { is: 'failed' | 'final'; by: By; failure: Failure; taskId?: string; task?: Task }
>;

export type OrderEvent =
	/** Call before a create leaves: until its answer says otherwise, a task may exist. */
	| { type: 'send'; by: string }
	| { type: 'created'; task: Task }
	/** A read returned the record of its task. */
	| { type: 'read'; task: Task }
	/** A task may exist. `refusal` is what later tries end with. */
	| { type: 'unclear'; refusal: Failure; taskId?: string }
	/** This send made no task. With `content`, the same request would be rejected again. */
	| { type: 'no'; content?: Failure }
	| { type: 'ended'; by: string; is: 'failed' | 'final'; failure: Failure; task: Task };

/** Larger records are not kept. They would be saved with the execution, once for every item. */
const MAX_RECORD_CHARACTERS = 8_192;

const kept = (task: Task): Task | undefined =>
	JSON.stringify(task).length > MAX_RECORD_CHARACTERS ? undefined : task;

/** The only way from one state to another. */
export function next(state: State, event: OrderEvent): State {
	const senders = state.by;
	switch (event.type) {
		case 'send': {
			const by = withEntry(senders, event.by);
			if (state.is !== 'sent') return { is: 'sent', by, mayExist: false };
			return { ...state, by, mayExist: true };
		}
		case 'created':
			return { is: 'task', by: senders, taskId: event.task.id, task: kept(event.task) };
		case 'read':
			// Another execution may have found its end in the meantime.
			if (state.is !== 'sent' && state.is !== 'task') return state;
			return { is: 'task', by: senders, taskId: event.task.id, task: kept(event.task) };
		case 'unclear': {
			if (state.is !== 'sent') return state;
			const taskId = state.taskId ?? event.taskId;
			return { ...state, mayExist: true, taskId, refusal: event.refusal };
		}
		case 'no':
			// It proves nothing about an earlier send.
			if (state.is !== 'sent' || state.mayExist) return state;
			return event.content
				? { is: 'final', by: senders, failure: event.content }
				: { is: 'new', by: senders };
		case 'ended': {
			const { is, failure, task } = event;
			const by = withEntry(senders, event.by);
			return { is, by, failure, taskId: task.id, task: kept(task) };
		}
	}
}

const withEntry = (by: By, entry: string): By => [...by.filter((one) => one !== entry), entry];

/** What to do with an order that is asked for again. */
export type Decision = 'create' | 'read' | 'refuse' | 'same' | 'anew';

/**
 * Who asks: n8n by itself, a person, or a person who allows an unconfirmed create to be sent again.
 */
type Asking = 'automatic' | 'person' | 'resending';

/** What to do when an order is asked for again (docs/payment-and-retries.md). */
const TABLE = {
	new: { automatic: 'create', person: 'create', resending: 'create' },
	sent: { automatic: 'refuse', person: 'refuse', resending: 'create' },
	/** Sent, and an answer named a task. */
	named: { automatic: 'refuse', person: 'read', resending: 'read' },
	task: { automatic: 'read', person: 'read', resending: 'read' },
	failed: { automatic: 'anew', person: 'anew', resending: 'anew' },
	final: { automatic: 'same', person: 'anew', resending: 'anew' },
} as const satisfies Record<State['is'] | 'named', Record<Asking, Decision>>;

/**
 * What an execution does with an order. A person is asking if the execution is none of those that
 * have sent the order or found its end.
 */
export function decide(state: State, executionId: string, mayResend: boolean): Decision {
	const isPerson = !state.by.includes(executionId);
	const byPerson = mayResend ? 'resending' : 'person';
	const row = state.is === 'sent' && state.taskId !== undefined ? 'named' : state.is;
	return TABLE[row][isPerson ? byPerson : 'automatic'];
}

/** What an item asks to create, and what tells it from others. */
export interface Asked {
	/** The user's text that the key is derived from. Empty for a random key. */
	readonly keyText: string;
	/** The create, with files identified by their content. A resend uses this request. */
	readonly request: GenerationRequest;
	/**
	 * Hash of the environment, the service, the key's text and the request without its Callback URL.
	 */
	readonly requestHash: string;
	/** Hash of the service and the saved node parameters that affect which video is made. */
	readonly parametersHash: string;
	/**
	 * Hash of the parameters and the item's JSON. It stays the same where `$now` changes the request.
	 */
	readonly fieldsHash: string;
}

/** What one item asks for, and how far it has come. Plain data, written by the ledger alone. */
export interface Order {
	readonly id: string;
	/** Hash of the node, its workflow and the account that it was created for. */
	readonly node: string;
	readonly state: State;
	readonly asked: Asked;
	/** Sent as `Idempotency-Key`, a UUID. */
	readonly key: string;
	/** How many tasks with this text had ended before. */
	readonly keyCount: number;
	/** When its create last left, in milliseconds since 1970; 0 if it never did. */
	readonly sentAtMs: number;
	/** The execution that counted it toward its limit. */
	readonly countedBy?: string;
}

/** Whether an item that finds this order at its place continues it. Invalid values ask for less. */
export const continues = (order: Order, asked: Partial<Asked>): boolean =>
	order.asked.requestHash === asked.requestHash || order.asked.fieldsHash === asked.fieldsHash;

/** The same for an item that came back with the order's ID: a loop may have changed its data. */
export const continuesReturned = (order: Order, asked: Partial<Asked>): boolean =>
	continues(order, asked) || (isOpen(order) && order.asked.parametersHash === asked.parametersHash);

/** Whether its task is, or may be, under way. */
export const isOpen = ({ state }: Order): boolean => state.is === 'sent' || state.is === 'task';

/** The ID of its task, if it is known. While it is `sent`, the task may be another order's. */
export const taskIdOf = ({ state }: Order): string | undefined =>
	'taskId' in state ? state.taskId : undefined;

/** Its task as last read, if its record is kept. */
export const keptTaskOf = ({ state }: Order): Task | undefined =>
	'task' in state ? state.task : undefined;

/** Why an order is neither created nor read. */
export const refusalOf = ({ state }: Order): Failure => {
	if ('failure' in state) return state.failure;
	return ('refusal' in state && state.refusal) || messageOf('noAnswer.later');
};

/** The total length of the videos that are asked for. */
export const secondsOf = (asked: readonly Asked[]): number =>
	asked.reduce((sum, { request }) => sum + (request.duration ?? DURATION_SECONDS.default), 0);
