import type { INode, WorkflowExecuteMode } from 'n8n-workflow';
import { thrownError } from '../../../nodes/Videogen/run/errors';
import { Hints, reuseText } from '../../../nodes/Videogen/run/hints';
import type { ErrorKind } from '../../../nodes/Videogen/shared/messages';
import type { Item } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, taskOf } from '../../support/work';

const NODE: INode = {
	...{ id: 'node', name: 'Make', type: 'videogen', typeVersion: 1, parameters: {} },
	position: [0, 0],
};
const failure = { kind: 'failed', message: 'ECONNREFUSED', description: 'Advice.' } as const;
const task = taskOf('queued');
const [NONE, FAILED, READ] = [{}, { failure }, { wish: undefined, readId: 'x', task }].map(
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
		return thrownError(ofN8n, { ...failure, kind }, items[0], stopped);
	}

	test('has the facts of its text in its context, and the tasks of the other items', () => {
		const { message, description, context } = thrown([TASK, SENT, TASK, NAMED, NONE]);
		const otherTasks = [
			{ itemIndex: 2, taskId: 'task_1', status: 'queued' },
			{ itemIndex: 3, taskId: 'x', status: undefined },
		];
		expect(message).toBe('Item 1 of 5: ECONNREFUSED');
		expect(description).toMatch(/^Advice\..* task_1, .*queued.* may also exist.* 2\b.* Reused\.$/);
		expect(context).toMatchObject({
			...{ kind: 'failed', orderId: 'order', taskId: 'task_1', status: 'queued', item: 1 },
			...{ otherTasks, unansweredItems: [1], data: { otherTasks, unansweredItems: [1] } },
		});
	});

	test('names no item where all have it', () => {
		const { message, context } = thrown([FAILED, FAILED]);
		expect([message, 'data' in context]).toEqual(['ECONNREFUSED', false]);
	});

	/** What to do with the tasks of other items: continue them, and how. */
	const [RETRY, CONTINUE, SUB] = [/press Retry/, /'On Error'/, /execution 7 of/];
	test.each<[Array<Item | undefined>, ErrorKind, mode: string, name: string, advice?: RegExp]>([
		[[NONE], 'failed', 'trigger', 'NodeOperationError'],
		[[TASK], 'timeout', 'trigger', 'NodeOperationError'],
		[[NONE, TASK], 'key', 'trigger', 'NodeApiError', RETRY],
		[[NONE, READ], 'key', 'trigger', 'NodeApiError'],
		[[NONE, TASK], 'refused', 'trigger', 'NodeApiError', CONTINUE],
		[[NAMED, TASK], 'noAnswer', 'trigger', 'NodeApiError', RETRY],
		[[NONE, TASK], 'key', 'manual', 'NodeApiError'],
		[[TASK], 'key', 'manual', 'NodeApiError'],
		[[TASK], 'key', 'integrated', 'NodeApiError', SUB],
		[[NONE], 'key', 'integrated', 'NodeApiError'],
	])('says what to do: %#', (items, kind, mode, name, ...[advice]) => {
		const { description, ...error } = thrown(items, kind, mode);
		const fitting = [RETRY, CONTINUE, SUB].filter((one) => one?.test(String(description)));
		expect([error.name, fitting]).toEqual([name, advice ? [advice] : []]);
		expect(description).toMatch(/^Advice\..* Reused\.$/);
		expect(description?.includes('task_1')).toBe(items[0] === TASK);
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
	const only = NONE ?? TASK;
	const named = NAMED ?? TASK;
	test.each<[string, () => void, lines: RegExp]>([
		['a video', () => hintsOf().created([TASK, only]), /^info: Created 1 video\b.* 5 .* it\.$/],
		['an old video', () => hintsOf().created([{ ...TASK, decision: 'read' }, only]), /^$/],
		['a video that may exist', () => hintsOf().created([named]), /^$/],
		['a video in production', () => hintsOf('trigger').created([TASK]), /^$/],
		['errors', () => hintsOf().failed(itemsOf([NONE, FAILED])), /^warning: 1 of 2 .* Item 2 of/],
		['a branch', () => hintsOf('manual', branch).failed([FAILED ?? only]), /'Error Branch'/],
		['an error of a tool', () => hintsOf('manual', tool).failed([FAILED ?? only]), /^$/],
		['a task', () => hintsOf().task(TASK, 'task_1', false), /^info: Task task_1 .* item 1/],
		['a task after Stop', () => hintsOf().task(TASK, 'x', true), /^warn: Task x .* Get Task/],
		['a named task', () => hintsOf().task(named, 'x', false), /^warn: Task x may .* Get Task/],
		['Stop', () => hintsOf().stopped(itemsOf([TASK, SENT, NAMED, NONE])), /^warn: .*:(\n.+){3}$/],
	])('say what there is to say of %s', (_what, say, expected) => {
		lines.length = 0;
		say();
		expect(lines.join('\n')).toMatch(expected);
	});

	const reused = (executionId: string, atMs?: number): Item => ({
		...TASK,
		reused: { executionId, atMs },
	});
	test.each<[Item[], text: RegExp]>([
		[[only, { ...only, reused: { executionId: '1' } }], /^undefined$/],
		[[reused('1')], /^Reused the video from execution 1\. Nothing new was created\.$/],
		[[reused('1', 7_180_000)], /^Reused the video from execution 1 \(just now\)\. .* new version/],
		[[reused('1', 7_140_000), only], /^Reused 1 of 2 videos .* \(1 minute ago\)\. For a new/],
		[[reused('1', 0), reused('2', 60_000)], /^Reused 2 of 2 .* \(2 hours ago\), .* \(119 minutes/],
	])('say what was reused: %#', (items, text) =>
		expect(String(reuseText(items, 7_200_000))).toMatch(text),
	);
});
