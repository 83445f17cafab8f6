import type { INode, WorkflowExecuteMode } from 'n8n-workflow';
import { thrownError } from '../../../nodes/Videogen/run/errors';
import { Hints, reuseText } from '../../../nodes/Videogen/run/hints';
import type { ErrorKind } from '../../../nodes/Videogen/shared/messages';
import type { Item } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, taskOf } from '../../programs/support/work';

const NODE: INode = {
	...{ id: 'node', name: 'Make', type: 'videogen', typeVersion: 1, parameters: {} },
	position: [0, 0],
};
const fault = { kind: 'failed', message: 'ECONNREFUSED', description: 'Advice.' } as const;
const task = taskOf('queued');
const [NONE, FAILED, READ] = [{}, { fault }, { wish: undefined, readId: 'x', task }].map(
	(its: Partial<Item>) => ({ ...itemWith(), ...its }),
);
const TASK = itemWith({ order: orderOf('task', { taskId: 'task_1', task }), decision: 'create' });
const [SENT, NAMED] = [undefined, 'x'].map((taskId) =>
	itemWith({ order: orderOf('sent', { taskId }), decision: 'create' }),
);
const itemsOf = (items: Array<Item | undefined>): Item[] =>
	items.map((item, index) => ({ ...(item ?? itemWith()), index }));

describe('the error of a run', () => {
	function thrown(given: Array<Item | undefined>, kind: ErrorKind = 'failed', mode = 'trigger') {
		const context = { getNode: () => NODE, getMode: () => mode, getExecutionId: () => '7' };
		const items = itemsOf(given);
		const stopped = { items, isReused: mode === 'manual', reuse: 'Reused.' };
		const ofN8n = Object.assign(Object.create(null), context);
		return thrownError(ofN8n, { ...fault, kind }, items[0], stopped);
	}

	test('has the facts of its text in its context, and the tasks of the other items', () => {
		const { message, description, context } = thrown([TASK, SENT, TASK, NAMED, NONE]);
		const otherTasks = [
			{ itemIndex: 2, taskId: 'task_1', status: 'queued' },
			{ itemIndex: 3, taskId: 'x', status: undefined },
		];
		expect(message).toBe('Item 1 of 5: ECONNREFUSED');
		expect(description).toMatch(/^Advice\. A video may also exist for item 2\. .* Reused\.$/);
		expect(context).toMatchObject({
			...{ kind: 'failed', orderId: 'order', taskId: 'task_1', status: 'queued', item: 1 },
			...{ otherTasks, unansweredItems: [1], data: { otherTasks, unansweredItems: [1] } },
		});
	});

	test.each([[[]], [[FAILED]], [[FAILED, FAILED]]])(
		'names no item where all have it: %#',
		(items) => {
			const { message, context } = thrown(items);
			expect([message, 'data' in context]).toEqual(['ECONNREFUSED', false]);
		},
	);

	test.each<[string, Array<Item | undefined>, ErrorKind, string, name: string, advice: RegExp]>([
		['alone', [NONE], 'failed', 'trigger', 'NodeOperationError', /^Advice\. Reused/],
		['of a task', [TASK], 'timeout', 'trigger', 'NodeOperationError', /^Advice\. Reused/],
		['beside a task', [NONE, TASK], 'key', 'trigger', 'NodeApiError', /press Retry/],
		['beside one that was read', [NONE, READ], 'key', 'trigger', 'NodeApiError', /^Advice\. Re/],
		['that stays', [NONE, TASK], 'refused', 'trigger', 'NodeApiError', /set 'On Error'/],
		['of what may exist', [NAMED, TASK], 'noAnswer', 'trigger', 'NodeApiError', /press Retry/],
		['in the editor', [NONE, TASK], 'key', 'manual', 'NodeApiError', /at no cost\. Reused/],
		['in the editor, alone', [TASK], 'key', 'manual', 'NodeApiError', /^Advice\. Reused/],
		['in a sub-workflow', [TASK], 'key', 'integrated', 'NodeApiError', /Retry execution 7 of/],
		['in one without tasks', [NONE], 'key', 'integrated', 'NodeApiError', /^Advice\. Reused/],
	])('says what to do %s', (_what, items, kind, mode, name, advice) => {
		const error = thrown(items, kind, mode);
		expect([error.name, error.description]).toEqual([name, expect.stringMatching(advice)]);
	});
});

describe('hints and logs', () => {
	const lines: string[] = [];
	const hintsOf = (mode: WorkflowExecuteMode = 'manual', node: Partial<INode> = {}): Hints => {
		const [info, warn] = ['info', 'warn'].map(
			(level) => (text: string) => lines.push(`${level}: ${text}`),
		);
		const context = {
			...{ logger: { info, warn }, getMode: () => mode, getNode: () => ({ ...NODE, ...node }) },
			...{ continueOnFail: () => true, getInputData: () => [{}, {}] },
			addExecutionHints: ({ message, type = '' }: { message: string; type?: string }) =>
				void lines.push(`${type}: ${message}`),
		};
		return new Hints(Object.assign(Object.create(null), context));
	};

	const [branch, tool] = [{ onError: 'continueErrorOutput' as const }, { type: 'videogenTool' }];
	test.each<[string, () => void, lines: string[]]>([
		[
			'a video that was created',
			() => hintsOf().created([TASK]),
			['info: Created 1 video of 5 seconds. The provider charges for it.'],
		],
		[
			'several',
			() => hintsOf().created([TASK, TASK]),
			['info: Created 2 videos of 10 seconds together. The provider charges for them.'],
		],
		['none', () => hintsOf().created([{ ...TASK, decision: 'read' }, NONE ?? TASK]), []],
		['one in production', () => hintsOf('trigger').created([TASK]), []],
		[
			'an error',
			() => hintsOf().failed(itemsOf([NONE, FAILED])),
			['warning: 1 of 2 items ended in an error. Item 2 of 2: ECONNREFUSED.'],
		],
		[
			'an error in its branch',
			() => hintsOf('manual', branch).failed(itemsOf([FAILED])),
			['warning: 1 of 1 item ended in an error. Item 1 of 1: ECONNREFUSED. Open the Error branch.'],
		],
		['an error of a tool', () => hintsOf('manual', tool).failed(itemsOf([FAILED])), []],
		['no error', () => hintsOf().failed(itemsOf([NONE])), []],
		[
			'a task',
			() => hintsOf().task(TASK, 'task_1', false),
			['info: Task task_1 was created for item 1 of 2'],
		],
		[
			'a task after Stop',
			() => hintsOf().task(TASK, 'task_1', true),
			['warn: Task task_1 was created for item 1 of 2. Use Get Task with this ID.'],
		],
		[
			'a task that may exist',
			() => hintsOf().task(NAMED ?? TASK, 'x', false),
			['warn: Task x may have been created for item 1 of 2. Use Get Task with this ID.'],
		],
		[
			'Stop',
			() => hintsOf().stopped(itemsOf([TASK, SENT, NAMED, NONE])),
			[
				'warn: The execution was stopped. The tasks of this run:\nitem 1: task_1 (queued)\nitem 3: x (not known)\nitem 2: sent, not confirmed',
			],
		],
		['Stop without tasks', () => hintsOf().stopped(itemsOf([NONE])), []],
	])('say what there is to say of %s', (_what, say, expected) => {
		lines.length = 0;
		say();
		expect(lines).toEqual(expected);
	});
});
