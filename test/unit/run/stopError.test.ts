import { NodeApiError, NodeOperationError, type WorkflowExecuteMode } from 'n8n-workflow';
import type { ErrorKind } from '../../../nodes/Videogen/ground/words';
import type { ItemError } from '../../../nodes/Videogen/run/output';
import { type Stopped, stopError, taskLines } from '../../../nodes/Videogen/run/stopError';
import type { StoredTask } from '../../../nodes/Videogen/work/order';
import { createItem, readItem } from '../../programs/support/orders';

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

const WHICH = 'The 2nd of 3 items: What to do.';
const CLICK = 'Execute again: the other videos are not paid again.';
const RETRY =
	'In Executions, open this one and press Retry: it continues with the videos that exist.';
const CONTINUE =
	"To get the videos of the other items, set 'On Error' in the settings of the node to Continue, save, and choose “Retry with currently saved workflow” in Executions.";
const SUB_WORKFLOW =
	'Retry execution 77 of this sub-workflow, not the one that called it, which would order all of them again.';
const MAY_EXIST = 'A task may exist, and be charged, for the 1st item, 3rd item, too.';

describe('the advice', () => {
	const others = { tasks: [TASK] };
	const unanswered = { unansweredItems: [0, 1, 2] };
	const ofTask = { taskId: 'task_1' };
	const lone = { total: 1 };

	test.each<[what: string, ItemError, Partial<Stopped>, WorkflowExecuteMode, advice: string[]]>([
		['with nothing else', errorOf('failed', ofTask), {}, 'trigger', []],
		['with other tasks', errorOf('failed', ofTask), others, 'trigger', [RETRY]],
		['for what may pass', errorOf('rateLimited'), others, 'trigger', [RETRY]],
		['of its own task that runs', errorOf('timeout', ofTask), {}, 'trigger', [RETRY]],
		['without a task', errorOf('timeout'), {}, 'trigger', []],
		...(['invalid', 'refused', 'moderation', 'noAnswer'] as const).map(
			(kind): [string, ItemError, Partial<Stopped>, WorkflowExecuteMode, string[]] => [
				`for what every retry meets again (${kind})`,
				errorOf(kind),
				others,
				'trigger',
				[CONTINUE],
			],
		),
		['for that, with nothing else', errorOf('invalid'), {}, 'trigger', []],
		[
			'for the content of its task, which Retry would order again',
			errorOf('moderation', ofTask),
			others,
			'trigger',
			[CONTINUE],
		],
		['for a read that was refused', errorOf('refused', ofTask), others, 'trigger', [RETRY]],
		['with others unanswered', errorOf('failed'), unanswered, 'trigger', [MAY_EXIST, CONTINUE]],
		['unanswered itself', errorOf('noAnswer'), { unansweredItems: [1] }, 'trigger', [CONTINUE]],
		['alone', errorOf('noAnswer'), { ...lone, unansweredItems: [1] }, 'trigger', []],
		['in the editor', errorOf('failed'), { ...others, isReused: true }, 'manual', [CLICK]],
		[
			'in the editor, with nothing else',
			errorOf('timeout', ofTask),
			{ isReused: true },
			'manual',
			[],
		],
		[
			'in the editor, with others unanswered',
			errorOf('failed'),
			{ ...others, ...unanswered, isReused: true },
			'manual',
			[MAY_EXIST, CLICK],
		],
		['in a sub-workflow', errorOf('invalid'), others, 'integrated', [SUB_WORKFLOW]],
		['in a sub-workflow, with nothing else', errorOf('failed'), {}, 'integrated', []],
		[
			'in a sub-workflow, with others unanswered',
			errorOf('failed'),
			unanswered,
			'integrated',
			[MAY_EXIST, SUB_WORKFLOW],
		],
		[
			'of a task that was only read',
			errorOf('timeout', ofTask),
			{ item: { ...readItem('task_1'), index: 1 } },
			'trigger',
			[],
		],
		[
			'of a task that was only read, with others',
			errorOf('timeout', ofTask),
			{ item: { ...readItem('task_1'), index: 1 }, ...others },
			'trigger',
			[RETRY],
		],
	])('is one sentence, and one more where a task may exist: %s', (...row) => {
		const [, error, stopped, mode, advice] = row;
		const { description } = stopError(contextIn(mode), error, stoppedWith(stopped));
		const which = stopped.total === 1 ? 'What to do.' : WHICH;
		expect(description).toBe([which, ...advice].join(' '));
	});

	test.each<[Partial<Stopped>, string]>([
		[{}, WHICH],
		[{ total: 1 }, 'What to do.'],
		[{ isOfAll: true }, 'What to do.'],
		[{ item: undefined }, 'What to do.'],
	])('names the item among others, unless all say the same: %j', (stopped, description) => {
		const error = stopError(contextIn('trigger'), errorOf('failed'), stoppedWith(stopped));
		expect(error).toMatchObject({ message: 'What happened', description });
	});
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
	expect(lines[1]).toBe('21st item: task_20 (pending), 31st item: sent, no clear answer');
	expect(taskLines([], [])).toEqual([]);
});
