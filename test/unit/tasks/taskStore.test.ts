import type { IDataObject } from 'n8n-workflow';
import type { Entry } from '../../../nodes/Videogen/work/entry';
import {
	type Ask,
	type StoreScope,
	TaskStore,
	TOOL_RUN,
} from '../../../nodes/Videogen/work/taskStore';
import { taskOf } from '../../programs/support/entries';

type Scope = Partial<Omit<StoreScope, 'context'>>;

const storeIn = (context: IDataObject, scope: Scope = {}): TaskStore =>
	new TaskStore({ context, run: 'run 0', executionId: '1', ...scope });

/** The store of a later execution, through JSON as n8n saves it. */
const retried = (context: IDataObject, scope: Scope = {}): TaskStore =>
	storeIn(JSON.parse(JSON.stringify(context)), { executionId: '2', ...scope });

const ask = (item: number, wishes: string[]): Ask => ({
	item,
	wishes,
	request: { model: 'model', prompt: wishes.join() },
});

/** The entry by which one item goes in this try. */
function begin(store: TaskStore, item: number, wishes: string[]): Entry {
	const [entry] = store.begin([ask(item, wishes)]);
	if (entry === undefined) throw new Error('The store gave no entry');
	return entry;
}

/** What an entry tells of earlier tries. */
const known = ({ task, unanswered }: Entry) => ({ taskId: task?.id, unanswered });
const NOT_SENT = { message: 'Prompt is empty', description: '' };
const NOTHING = { taskId: undefined, unanswered: undefined };

describe('what is kept of an item', () => {
	let context: IDataObject;
	let store: TaskStore;
	let entry: Entry;
	beforeEach(() => {
		context = {};
		store = storeIn(context);
		entry = begin(store, 0, ['fox']);
	});

	test('no outcome of an earlier try', () => {
		entry.outcome = { kind: 'notStarted' };
		expect(begin(retried(context), 0, ['fox']).outcome).toBeUndefined();
	});

	test('a failed task is orphaned when another one takes its place', () => {
		entry.task = taskOf('task-1', 'failed');
		const sameExecution = storeIn(context);
		expect(begin(sameExecution, 0, ['fox']).task).toMatchObject({ id: 'task-1' });
		expect(sameExecution.orphanedTasks()).toEqual([]);
		const later = retried(context);
		const again = begin(later, 0, ['fox']);
		again.task = taskOf('task-2');
		expect(later.tasks()).toMatchObject([{ taskId: 'task-1' }, { taskId: 'task-2' }]);
		expect(later.orphanedTasks()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'failed' }]);
	});

	test.each<[string, number, string[], Scope]>([
		['another item', 1, ['fox'], {}],
		['another request', 0, ['wolf'], {}],
		['another run of the node', 0, ['fox'], { run: 'run 1' }],
		['a tool of an agent', 0, ['fox'], { run: TOOL_RUN }],
	])('is not taken for %s', (_, item, wishes, scope) => {
		entry.task = taskOf('task-1');
		expect(known(begin(retried(context, scope), item, wishes))).toEqual(NOTHING);
	});

	test('is found by any of its wishes, and by the new ones after that', () => {
		begin(store, 0, ['resolved', 'written']).task = taskOf('task-1');
		const edited = retried(context);
		expect(begin(edited, 0, ['resolved', 'edited']).task?.id).toBe('task-1');
		expect(begin(edited, 0, ['changed', 'edited']).task?.id).toBe('task-1');
		expect(known(begin(edited, 0, ['other', 'written']))).toEqual(NOTHING);
	});

	test('new tasks of an execution are counted in all its runs, and forgotten with it', () => {
		store.count(1);
		store.forgetAllBut([]);
		const next = storeIn(context, { run: 'run 1' });
		for (const more of [1, -1, 1] as const) next.count(more);
		expect([next.newTasks, retried(context).newTasks]).toEqual([2, 0]);
	});

	test('an unanswered create is known until the item asks for something else', () => {
		entry.unanswered = 1;
		const later = retried(context);
		expect([store, later].map((one) => one.unansweredItems())).toEqual([[0], [0]]);
		// For example while its expression gives nothing.
		later.begin([
			{ item: 0, wishes: [], outcome: { kind: 'notSent', why: 'invalid', ...NOT_SENT } },
		]);
		expect(later.unansweredItems()).toEqual([0]);
		begin(later, 0, ['wolf']);
		expect(later.unansweredItems()).toEqual([]);
	});

	test('nothing of an item that only reads a task, or asks for nothing', () => {
		const [read] = store.begin([{ item: 1, wishes: [], taskId: 'task-9' }]);
		if (read) read.task = taskOf('task-9');
		expect(store.tasks()).toEqual([]);
		expect(JSON.stringify(context)).not.toContain('task-9');
	});

	test('a task of a request that was changed is orphaned, and found when it is asked for again', () => {
		entry.task = taskOf('task-1');
		const changed = retried(context);
		begin(changed, 0, ['wolf']).task = taskOf('task-2');
		expect(changed.orphanedTasks()).toMatchObject([{ taskId: 'task-1' }]);
		expect(begin(changed, 0, ['fox']).task?.id).toBe('task-1');
	});

	test('is forgotten for its own run only', () => {
		for (const run of ['run 1', 'run 11']) {
			begin(storeIn(context, { run }), 0, ['fox']).task = taskOf('task-1');
		}
		storeIn(context, { run: 'run 1' }).forgetAllBut([]);
		expect(known(begin(retried(context, { run: 'run 1' }), 0, ['fox']))).toEqual(NOTHING);
		expect(begin(retried(context, { run: 'run 11' }), 0, ['fox']).task?.id).toBe('task-1');
	});
});

test('runs in which an item came back for nothing are counted, each once, as long as they follow each other', () => {
	const context: IDataObject = {};
	const turn = (run: string, isInVain: boolean) => storeIn(context, { run }).countTurn(isInVain);
	expect([turn('run 0', true), turn('run 0', true), turn('run 1', true)]).toEqual([1, 1, 2]);
	expect([turn('run 2', false), turn('run 3', true)]).toEqual([0, 1]);
});

test('its tasks are those that were replaced, its own, and one that an answer named', () => {
	const store = storeIn({});
	const [own, named] = [begin(store, 0, ['own']), begin(store, 1, ['named'])];
	Object.assign(own, { task: taskOf('task-2'), replaced: [taskOf('task-1', 'failed')] });
	named.taskId = 'task-3';
	expect(store.tasks()).toEqual([
		{ itemIndex: 0, taskId: 'task-1', status: 'failed' },
		{ itemIndex: 0, taskId: 'task-2', status: 'processing' },
		{ itemIndex: 1, taskId: 'task-3' },
	]);
});

describe('calls of a tool', () => {
	let context: IDataObject;
	const call = (executionId = '1') => storeIn(context, { run: TOOL_RUN, executionId });
	beforeEach(() => {
		context = {};
	});

	test('that are under way together make a task each, though they ask for the same', () => {
		const [one, two] = [call(), call()];
		begin(one, 0, ['fox']).task = taskOf('task-1');
		const second = begin(two, 0, ['fox']);
		expect(known(second)).toEqual(NOTHING);
		second.task = taskOf('task-2');
		expect(one.tasks()).toMatchObject([{ taskId: 'task-1' }]);
		expect(two.tasks()).toMatchObject([{ taskId: 'task-2' }]);
	});

	test('get what an earlier one has made, one call at a time', () => {
		const one = call();
		begin(one, 0, ['fox']).task = taskOf('task-1', 'completed');
		one.forgetAllBut([]);
		one.close();
		expect(begin(call(), 0, ['fox']).task?.id).toBe('task-1');
		expect(known(begin(call(), 0, ['fox']))).toEqual(NOTHING);
	});

	test('that were asked for together make a task each, though they run one after the other', () => {
		const beside = (run: number) =>
			storeIn(context, { run: TOOL_RUN, call: { run, lastRun: run < 2 ? 1 : run } });
		const [one, two, later] = [0, 1, 2].map(beside);
		if (!one || !two || !later) throw new Error('There are three');
		begin(one, 0, ['fox']).task = taskOf('task-1', 'completed');
		one.close();
		const second = begin(two, 0, ['fox']);
		expect(known(second)).toEqual(NOTHING);
		second.task = taskOf('task-2', 'completed');
		two.close();
		expect(begin(later, 0, ['fox']).task?.id).toBe('task-2');
	});

	test('a further try of a call finds what it has made', () => {
		const call = { run: 0, lastRun: 1 };
		const one = storeIn(context, { run: TOOL_RUN, call });
		begin(one, 0, ['fox']).task = taskOf('task-1');
		one.close();
		expect(begin(storeIn(context, { run: TOOL_RUN, call }), 0, ['fox']).task?.id).toBe('task-1');
	});

	test.each<[string, Partial<Entry>]>([
		['whose task runs', { task: taskOf('task-1') }],
		['without an answer', { unanswered: 1 }],
	])('pick up one %s before one that failed, by any item', (_what, left) => {
		const [one, two] = [call(), call()];
		Object.assign(begin(one, 1, ['fox']), left);
		begin(two, 2, ['fox']).task = taskOf('task-2', 'failed');
		for (const over of [one, two]) over.close();
		expect(known(begin(call(), 0, ['fox']))).toEqual({
			taskId: left.task?.id,
			unanswered: left.unanswered,
		});
	});

	test('what a killed execution had in use is picked up by its retry', () => {
		begin(call(), 0, ['fox']).task = taskOf('task-1');
		expect(begin(call('2'), 0, ['fox']).task?.id).toBe('task-1');
	});

	test('one that ends takes nothing from the others', () => {
		const [one, two] = [call(), call()];
		begin(one, 0, ['fox']).task = taskOf('task-1');
		const wolf = begin(two, 0, ['wolf']);
		one.forgetAllBut([]);
		one.close();
		wolf.task = taskOf('task-2');
		two.close();
		expect(begin(call(), 0, ['wolf']).task?.id).toBe('task-2');
	});

	test('replaced tasks are orphaned for the call that replaced them alone', () => {
		const [one, two] = [call(), call()];
		const wolf = begin(two, 0, ['wolf']);
		wolf.replaced = [taskOf('task-1', 'failed')];
		wolf.task = taskOf('task-2');
		begin(one, 0, ['fox']);
		expect(one.orphanedTasks()).toEqual([]);
		expect(two.orphanedTasks()).toMatchObject([{ taskId: 'task-1' }]);
	});
});

test.each([
	...[undefined, null, 'text', 7, []],
	{ runs: 'x' },
	{ runs: { 'run 0': 'x' }, created: 7 },
])('a store does not trip over what else may lie there: %j', (odd) => {
	const context = { videogen: JSON.parse(JSON.stringify(odd ?? null)) };
	begin(storeIn(context), 0, ['fox']).task = taskOf('task-1');
	expect(begin(retried(context), 0, ['fox']).task?.id).toBe('task-1');
});

test('one entry that cannot be read loses none of the others', () => {
	const context: IDataObject = {};
	const store = storeIn(context);
	begin(store, 0, ['fox']).task = taskOf('task-1');
	const saved = JSON.stringify(context).replace('"run 0":[', '"run 0":[{"item":"x"},7,null,');
	expect(begin(retried(JSON.parse(saved)), 0, ['fox']).task?.id).toBe('task-1');
});

describe('an item that comes back with an error of the node', () => {
	const wishes = ['body', 'written'];
	let context: IDataObject;
	beforeEach(() => {
		context = {};
	});

	/** The run before, in which items that ask for the same ended in an error, known so. */
	function failWith(...known: Array<Partial<Entry>>): void {
		const store = storeIn(context);
		const entries = store.begin(known.map((_, item) => ask(item, wishes)));
		entries.forEach((entry, index) =>
			Object.assign(entry, { outcome: { kind: 'timedOut' }, ...known[index] }),
		);
		store.forgetAllBut(entries);
	}

	const backWith = (asked: string[], taskId?: string, items = [0]): Entry[] =>
		storeIn(context, { run: 'run 1' }).begin(
			items.map((item) => ({ ...ask(item, asked), returned: { taskId } })),
		);

	test('has its task again, whatever its place among the items', () => {
		failWith({ task: taskOf('task-1') });
		expect(backWith(wishes, 'task-1', [3])).toMatchObject([{ task: { id: 'task-1' }, item: 3 }]);
	});

	test.each([
		['another request was made and written', 'processing', ['changed', 'other'], 'task-1'],
		['another request was made of one that failed', 'failed', ['changed', 'written'], 'task-1'],
		['the task is not one of this execution', 'processing', wishes, 'task-9'],
	])('has none when %s', (_, status, asked, taskId) => {
		failWith({ task: taskOf('task-1', status) });
		expect(backWith(asked, taskId)[0]?.task).toBeUndefined();
	});

	test('is known without a task by what was written, too', () => {
		failWith({ unanswered: 1 });
		expect(backWith(['changed', 'written'])).toMatchObject([{ unanswered: 1 }]);
	});

	test('has the task again that the answer to its create named', () => {
		failWith({ unanswered: 1, taskId: 'task-1' });
		expect(backWith(wishes, 'task-1')).toMatchObject([{ unanswered: 1 }]);
	});

	test('is one of several that asked for the same, each once', () => {
		failWith({ unanswered: 1 }, { unanswered: 2 });
		const both = backWith(['body'], undefined, [0, 1]);
		expect(both.map(({ unanswered }) => unanswered)).toEqual([1, 2]);
	});

	test('is not known when it came out well', () => {
		const store = storeIn(context);
		begin(store, 0, wishes).task = taskOf('task-1', 'completed');
		store.forgetAllBut([]);
		expect(backWith(wishes, 'task-1')[0]?.task).toBeUndefined();
	});
});
