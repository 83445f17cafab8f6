import type { IDataObject } from 'n8n-workflow';
import { asTask, type Task } from '../../nodes/Videogen/service/task';
import type { Failure } from '../../nodes/Videogen/shared/messages';
import type { Scope } from '../../nodes/Videogen/work/choose';
import type { Asked, Order, State } from '../../nodes/Videogen/work/order';
import type { CreatePlan } from '../../nodes/Videogen/work/session';

/** What an item with this prompt asks for. Its hashes are named after the prompt. */
export const askedFor = (prompt = 'A fox', more: Partial<Asked> = {}): Asked => ({
	keyText: '',
	request: { model: 'videogen-2.5-text-to-video', prompt, duration: 5 },
	requestHash: `request of ${prompt}`,
	parametersHash: 'parameters',
	fieldsHash: `fields of ${prompt}`,
	...more,
});

/** The first item, which creates and waits. */
export function planOf(prompt?: string, more: Partial<CreatePlan> = {}): CreatePlan {
	const asked = more.asked ?? askedFor(prompt);
	return {
		do: 'create',
		index: 0,
		asked,
		files: [],
		settings: {
			maxConcurrentTasks: 20,
			idempotencyKey: asked.keyText,
			resendAfterNoReply: false,
			reuseInEditor: true,
		},
		wait: { intervalMs: 5_000, timeoutMs: 3_600_000 },
		simplify: true,
		...more,
	};
}

/** An item that asks for a fox, by other hashes. */
export const fox = (change: Partial<Asked> = {}, more: Partial<CreatePlan> = {}): CreatePlan =>
	planOf('', { asked: askedFor('A fox', change), ...more });

/** So many items that ask for the same fox. */
export const foxes = (count: number): CreatePlan[] =>
	Array.from({ length: count }, (_, index) => fox({}, { index }));

/** An order of an item that asks for a fox. */
export const orderOf = (state: State, more: Partial<Order> = {}): Order => ({
	id: 'order',
	node: 'node',
	state,
	asked: askedFor(),
	key: 'key',
	keyCount: 0,
	sentAtMs: 0,
	...more,
});

/** The first run of a node in production. */
export const productionScope = (more: Partial<Scope> = {}): Scope => ({
	executionId: '1',
	run: 0,
	isTool: false,
	isManual: false,
	node: 'node',
	keyParts: ['n8n', 'workflow', 'node'],
	...more,
});

export function taskOf(status: string, more: IDataObject = {}): Task {
	const task = asTask({ id: 'task_1', status, ...more });
	if (task === undefined) throw new Error('A task has a status');
	return task;
}

/** Its message says which kind it is of. */
export const failureOf = (kind: Failure['kind']): Failure => ({
	kind,
	message: `It is ${kind}`,
	description: 'Do something else.',
});
