import { asTask, type Task } from '../../../nodes/Videogen/service/task';
import {
	type Create,
	type Draft,
	type Item,
	newOrder,
	type Order,
	type State,
	type WaitSettings,
} from '../../../nodes/Videogen/work/order';
import { randomKey } from '../../../nodes/Videogen/work/orderKey';

export const MINUTE = 60_000;

/** How long an item waits; what it becomes then matters to few tests. */
export type Wait = Pick<WaitSettings, 'intervalMs' | 'timeoutMs'> & Partial<WaitSettings>;

export const WAIT: WaitSettings = {
	intervalMs: 5_000,
	timeoutMs: 20 * MINUTE,
	onTimeout: 'error',
	onFailure: 'error',
	streamProgress: false,
};

/** The task of a record, with no more than these fields. */
export function taskOf(id: string, status = 'processing', more: object = {}): Task {
	const task = asTask({ id, status, ...more });
	if (task === undefined) throw new Error('The record is none');
	return task;
}

export const requestOf = (prompt: string) => ({ model: 'model', prompt });

/** A create, which is found again by its prompt. */
export const createOf = (prompt: string, more: Partial<Create> = {}): Create => ({
	request: requestOf(prompt),
	requestHash: prompt,
	toSend: async () => requestOf(prompt),
	mayResend: false,
	...more,
});

/** The order of a create, with a key of its own. */
export const orderOf = (prompt: string, more: Partial<Order> = {}): Order => ({
	...newOrder(createOf(prompt), 0),
	key: randomKey(),
	...more,
});

const itemWith = (order: Order, wait?: Wait): Item => ({
	index: 0,
	order,
	simplify: false,
	wait: wait && { ...WAIT, ...wait },
});

export const createItem = (
	prompt: string,
	wait: Wait | undefined = WAIT,
	more: Partial<Create> = {},
): Item => ({ ...itemWith(orderOf(prompt), wait), create: createOf(prompt, more) });

/** An item that has no order yet; it is found again by its prompt, also among those of the editor. */
export function draftOf(prompt: string, more: Partial<Draft> = {}, source?: string): Draft {
	const create = createOf(prompt, { itemHash: source });
	const index = more.index ?? 0;
	const order = newOrder(create, index);
	return { index, order, create, simplify: false, contentHash: prompt, mayReuse: true, ...more };
}

/** A create whose first record is all that is asked for. */
export const createOnlyItem = (prompt: string): Item => ({
	...createItem(prompt),
	wait: undefined,
});

/** `count` creates with the prompts `item 0`, `item 1` and so on. */
export const createItems = (count: number, wait?: Wait): Item[] =>
	Array.from({ length: count }, (_, index) => createItem(`item ${index}`, wait));

/** Of a task that another execution has ordered. */
export const readItem = (taskId: string, wait?: Wait): Item =>
	itemWith({ ...newOrder({ requestHash: '' }, 0), state: { is: 'running', taskId } }, wait);

/** Of a task that the node itself made in an earlier try. */
export function resumedItem(taskId: string, prompt: string, wait: Wait = WAIT): Item {
	const item = createItem(prompt, wait);
	const task = taskOf(taskId, 'pending');
	return { ...item, isTaken: true, order: orderOf(prompt, { state: runningAs(task) }) };
}

export const runningAs = (task: Task): State => ({ is: 'running', taskId: task.id, task });

/** What an order has come to: its state, or the kind of its error. */
export const endOf = ({ order: { state } }: Item): string =>
	state.is === 'error' ? state.fault.kind : state.is;
