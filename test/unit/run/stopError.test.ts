import { NodeApiError, NodeOperationError, type WorkflowExecuteMode } from 'n8n-workflow';
import type { ErrorKind } from '../../../nodes/Videogen/ground/words';
import type { ItemError } from '../../../nodes/Videogen/run/output';
import { type Stopped, stopError, taskLines } from '../../../nodes/Videogen/run/stopError';
import type { StoredTask } from '../../../nodes/Videogen/work/order';
import { createItem } from '../../programs/support/orders';

const contextIn = (mode: WorkflowExecuteMode) => ({
	getMode: () => mode,
	getExecutionId: () => '77',
	getNode: () => ({
		...{ id: '1', name: 'Make', type: 'videogen', typeVersion: 1 },
		...{ position: [0, 0] satisfies [number, number], parameters: {} },
	}),
});

const TASK: StoredTask = { itemIndex: 0, taskId: 'task_7', status: 'processing' };
const item = { ...createItem('A fox'), index: 1 };
const stoppedWith = (more: Partial<Stopped> = {}): Stopped => ({
	...{ item, total: 3, isOfAll: false, isReused: false, tasks: [], unansweredItems: [] },
	...more,
});
const errorOf = (kind: ErrorKind, more: Partial<ItemError> = {}): ItemError => ({
	...{ kind, message: 'What happened', description: 'What to do.' },
	...more,
});

describe('the facts', () => {
	test('are those of the item, and of the others', () => {
		const task = { id: 'task_1', status: 'failed' };
		const of = { taskId: 'task_1', status: 'failed', task };
		const others = { tasks: [TASK], unansweredItems: [2] };
		const error = stopError(contextIn('trigger'), errorOf('failed', of), stoppedWith(others));
		const data = { otherTasks: [TASK], unansweredItems: [2] };
		expect(error.context).toMatchObject({ kind: 'failed', ...of, item: 2, ...data, data });
	});

	test.each<[Partial<Stopped>, hasData: boolean]>([
		[{}, false],
		[{ tasks: [TASK] }, true],
		[{ unansweredItems: [1] }, true],
	])('have details that n8n shows only where there are some: %j', (stopped, hasData) => {
		const { context } = stopError(contextIn('trigger'), errorOf('failed'), stoppedWith(stopped));
		expect(context.data !== undefined).toBe(hasData);
	});

	test('name no item where it is of none', () => {
		const stopped = stoppedWith({ item: undefined });
		const { context } = stopError(contextIn('trigger'), errorOf('invalid'), stopped);
		expect(context).not.toHaveProperty('item');
	});
});

test.each<[ErrorKind, isOfService: boolean]>([
	...(
		['refused', 'balance', 'key', 'address', 'rateLimited', 'serviceError', 'notFound'] as const
	).map((kind): [ErrorKind, boolean] => [kind, true]),
	['noAnswer', true],
	...(['invalid', 'limit', 'moderation', 'failed', 'timeout', 'download'] as const).map(
		(kind): [ErrorKind, boolean] => [kind, false],
	),
])('%s is an error of the service for n8n: %s', (kind, isOfService) => {
	const error = stopError(contextIn('trigger'), errorOf(kind), stoppedWith());
	expect(error).toBeInstanceOf(isOfService ? NodeApiError : NodeOperationError);
});

test('the lines for the log have twenty tasks each, and all that may exist', () => {
	const tasks = Array.from({ length: 21 }, (_, itemIndex) => ({
		itemIndex,
		taskId: `task_${itemIndex}`,
		status: itemIndex === 0 ? undefined : 'pending',
	}));
	const lines = taskLines(tasks, [30]);
	expect(lines).toHaveLength(2);
	expect(lines[0]).toMatch(/^1st item: task_0 \(not known\), 2nd item: task_1 \(pending\), /);
	expect(lines[1]).toBe('21st item: task_20 (pending), 31st item: sent, not answered clearly');
	expect(taskLines([], [])).toEqual([]);
});
