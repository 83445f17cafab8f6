import type { IDataObject } from 'n8n-workflow';
import type { TaskEvent } from '../../../nodes/Videogen/tasks/job';
import type { StoreScope } from '../../../nodes/Videogen/tasks/taskStore';
import { TaskStore } from '../../../nodes/Videogen/tasks/taskStore';

const taskOf = (
	id: string,
	state: 'unfinished' | 'completed' | 'failed' = 'unfinished',
	more: IDataObject = {},
) => ({ id, status: state, state, record: { id, status: state, ...more } });

type Scope = Partial<Omit<StoreScope, 'context'>>;

const storeIn = (context: IDataObject, scope: Scope = {}): TaskStore =>
	new TaskStore({ context, run: 0, executionId: '1', ...scope });

/** The store of a later execution, through JSON as n8n saves it. */
const retried = (context: IDataObject, scope: Scope = {}): TaskStore =>
	storeIn(JSON.parse(JSON.stringify(context)), { executionId: '2', ...scope });

const created = (id: string) => ({ kind: 'created', task: taskOf(id) }) as const;
const failed = (id: string) => ({ kind: 'updated', task: taskOf(id, 'failed') }) as const;
const submitted = { kind: 'submitted' } as const;
const refused = { kind: 'refused' } as const;
const existing = (taskId: string) => ({
	existing: expect.objectContaining({ taskId, isOwn: true }),
});

describe('what is kept of an item', () => {
	let context: IDataObject;
	let store: TaskStore;
	beforeEach(() => {
		context = {};
		store = storeIn(context);
		store.begin(0, ['fox']);
	});

	test('nothing at first', () => {
		expect(store.begin(0, ['fox'])).toEqual({});
		expect(store.tasks()).toEqual([]);
	});

	test('a task, with its record, by run and item in plain lists', () => {
		store.take(0, submitted);
		store.take(0, created('task-1'));
		const record = { id: 'task-1', status: 'unfinished' };
		expect(retried(context).begin(0, ['fox'])).toEqual({
			existing: {
				taskId: 'task-1',
				isOwn: true,
				lastSeen: expect.objectContaining({ record }),
			},
		});
		expect(JSON.parse(JSON.stringify(context))).toEqual({
			videogenNewTasks: { executionId: '1', count: 1 },
			videogenTasks: {
				'run 0': [
					{
						item: 0,
						requests: ['fox'],
						taskId: 'task-1',
						status: 'unfinished',
						failed: false,
						record,
					},
				],
			},
		});
	});

	test('a task without its record when that is huge', () => {
		store.take(0, {
			kind: 'created',
			task: taskOf('task-1', 'unfinished', { log: 'x'.repeat(9_000) }),
		});
		expect(retried(context).begin(0, ['fox'])).toEqual({
			existing: { taskId: 'task-1', isOwn: true },
		});
		expect(JSON.stringify(context).length).toBeLessThan(500);
	});

	test('that a create is unanswered, from the moment it goes out', () => {
		store.take(0, submitted);
		expect(store.unansweredItems()).toEqual([0]);
		store.take(0, { kind: 'unanswered', error: { kind: 'network', reason: 'lost' } });
		expect(retried(context).begin(0, ['fox'])).toEqual({ mayExist: true });
	});

	test('nothing of a create that was refused, unless an earlier one is unanswered', () => {
		store.take(0, submitted);
		store.take(0, refused);
		expect(store.unansweredItems()).toEqual([]);
		expect(JSON.stringify(context)).not.toContain('unanswered');
		expect(retried(context).begin(0, ['fox'])).toEqual({});

		store.take(0, submitted);
		const later = retried(context);
		later.begin(0, ['fox']);
		later.take(0, submitted);
		later.take(0, refused);
		expect(later.unansweredItems()).toEqual([0]);
	});

	test('the newest record of a task', () => {
		store.take(0, created('task-1'));
		store.take(0, { kind: 'updated', task: taskOf('task-1', 'completed') });
		expect(store.tasks()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'completed' }]);
	});

	test('a failed task is created again, and known as orphaned from then on', () => {
		store.take(0, created('task-1'));
		store.take(0, failed('task-1'));
		const later = retried(context);
		expect(later.begin(0, ['fox'])).toEqual({ failed: taskOf('task-1', 'failed') });
		expect(later.orphanedTasks()).toEqual([]);
		later.take(0, submitted);
		const orphaned = [{ itemIndex: 0, taskId: 'task-1', status: 'failed' }];
		expect(later.orphanedTasks()).toEqual(orphaned);
		later.take(0, created('task-2'));
		expect(later.tasks()).toMatchObject([{ taskId: 'task-1' }, { taskId: 'task-2' }]);
		expect(later.orphanedTasks()).toEqual(orphaned);
	});

	test.each<[string, (store: TaskStore) => unknown, Scope]>([
		['another item', (later) => later.begin(1, ['fox']), {}],
		['another request', (later) => later.begin(0, ['wolf']), {}],
		['another run of the node', (later) => later.begin(0, ['fox']), { run: 1 }],
		['a tool of an agent', (later) => later.begin(0, ['fox']), { run: 'tool' }],
	])('is not taken for %s', (_, begin, scope) => {
		store.take(0, created('task-1'));
		expect(begin(retried(context, scope))).toEqual({});
	});

	test('is found by any of its identities, and by the new ones after that', () => {
		store.begin(0, ['resolved', 'written']);
		store.take(0, created('task-1'));
		const edited = retried(context);
		expect(edited.begin(0, ['resolved', 'edited'])).toEqual(existing('task-1'));
		expect(edited.begin(0, ['changed', 'edited'])).toEqual(existing('task-1'));
		expect(edited.begin(0, ['other', 'written'])).toEqual({});
	});

	test('new tasks of an execution are counted as they are sent, in all its runs', () => {
		store.take(0, submitted);
		expect(store.newTasks).toBe(1);
		store.take(0, created('task-1'));
		store.take(0, failed('task-1'));
		store.forget();
		const next = storeIn(context, { run: 1 });
		next.begin(0, ['fox']);
		for (const event of [submitted, refused, submitted]) next.take(0, event);
		next.take(0, { kind: 'unanswered', error: { kind: 'network', reason: 'lost' } });
		expect([next.newTasks, retried(context).newTasks]).toEqual([2, 0]);
	});

	test('an unanswered create is known until the item asks for something else', () => {
		store.take(0, submitted);
		const later = retried(context);
		expect(later.unansweredItems()).toEqual([0]);
		later.begin(0, ['wolf']);
		expect(later.unansweredItems()).toEqual([]);
	});

	test('nothing of an item that only reads a task', () => {
		store.take(1, { kind: 'updated', task: taskOf('task-1') });
		expect(store.tasks()).toEqual([]);
	});

	test('a task of a request that was changed is orphaned, and found when it is asked for again', () => {
		store.take(0, created('task-1'));
		const changed = retried(context);
		changed.begin(0, ['wolf']);
		expect(changed.orphanedTasks()).toMatchObject([{ taskId: 'task-1' }]);
		changed.take(0, created('task-2'));
		expect(changed.begin(0, ['fox'])).toEqual(existing('task-1'));
	});

	test('is forgotten for its own run only', () => {
		for (const run of [1, 11]) {
			const ofRun = storeIn(context, { run });
			ofRun.begin(0, ['fox']);
			ofRun.take(0, created('task-1'));
		}
		storeIn(context, { run: 1 }).forget();
		expect(Object.keys(Object(context.videogenTasks))).toEqual(['run 0', 'run 11']);
		expect(retried(context, { run: 1 }).begin(0, ['fox'])).toEqual({});
		expect(retried(context, { run: 11 }).begin(0, ['fox'])).toEqual(existing('task-1'));
	});
});

describe('calls of a tool that are under way at the same time', () => {
	let context: IDataObject;
	const call = (executionId = '1') => storeIn(context, { run: 'tool', executionId });
	beforeEach(() => {
		context = {};
	});

	test('make a task each, though they ask for the same', () => {
		const [one, two] = [call(), call()];
		expect([one.begin(0, ['fox']), two.begin(0, ['fox'])]).toEqual([{}, {}]);
		one.take(0, created('task-1'));
		two.take(0, created('task-2'));
		expect(one.tasks()).toMatchObject([{ taskId: 'task-1' }]);
		expect(two.tasks()).toMatchObject([{ taskId: 'task-2' }]);
	});

	test('what one has left is picked up when it is over, by one other only', () => {
		const one = call();
		one.begin(0, ['fox']);
		one.take(0, created('task-1'));
		one.release();
		expect(call().begin(0, ['fox'])).toEqual(existing('task-1'));
		expect(call().begin(0, ['fox'])).toEqual({});
	});

	test.each<[string, TaskEvent, ReturnType<TaskStore['begin']>]>([
		['whose task runs', created('task-1'), existing('task-1')],
		['without an answer', submitted, { mayExist: true }],
	])('one %s is picked up before one that failed, by any item', (_what, event, expected) => {
		const [one, two] = [call(), call()];
		one.begin(1, ['fox']);
		two.begin(2, ['fox']);
		one.take(1, event);
		two.take(2, created('task-2'));
		two.take(2, failed('task-2'));
		for (const over of [one, two]) over.release();
		expect(Object.keys(Object(context.videogenTasks))).toEqual(['tool']);
		expect(call().begin(0, ['fox'])).toEqual(expected);
	});

	test('of two that run, the newer is picked up', () => {
		const [one, two] = [call(), call()];
		for (const both of [one, two]) both.begin(0, ['fox']);
		one.take(0, created('task-1'));
		two.take(0, created('task-2'));
		for (const over of [one, two]) over.release();
		expect(call().begin(0, ['fox'])).toEqual(existing('task-2'));
	});

	test('one that begins while another succeeds leaves its task to be found', () => {
		const [one, two] = [call(), call()];
		one.begin(0, ['fox']);
		one.forget();
		two.begin(0, ['wolf']);
		two.take(0, created('task-2'));
		two.release();
		expect(call().begin(0, ['wolf'])).toEqual(existing('task-2'));
	});

	test('what a killed execution had in use is picked up by its retry', () => {
		const one = call();
		one.begin(0, ['fox']);
		one.take(0, created('task-1'));
		expect(call('2').begin(0, ['fox'])).toEqual(existing('task-1'));
	});

	test('one that succeeds takes nothing from the others, and brings nothing back', () => {
		const [one, two] = [call(), call()];
		one.begin(0, ['fox']);
		one.take(0, created('task-1'));
		two.begin(0, ['wolf']);
		expect(one.orphanedTasks()).toEqual([]);
		one.forget();
		one.release();
		two.take(0, created('task-2'));
		two.release();
		expect(JSON.stringify(context)).not.toContain('task-1');
		expect(call().begin(0, ['wolf'])).toEqual(existing('task-2'));
	});

	test('replaced tasks are orphaned for the call that replaced them alone, and forgotten with it', () => {
		const [one, two] = [call(), call()];
		two.begin(0, ['wolf']);
		two.take(0, created('task-1'));
		two.take(0, failed('task-1'));
		two.take(0, submitted);
		two.take(0, created('task-2'));
		one.begin(0, ['fox']);
		expect(one.orphanedTasks()).toEqual([]);
		expect(two.orphanedTasks()).toMatchObject([{ taskId: 'task-1' }]);
		two.forget();
		expect(JSON.stringify(context)).not.toContain('task-1');
	});
});

test.each([
	undefined,
	null,
	'text',
	7,
	[],
	{ videogenTasks: 'x' },
	{ 'run 0': [{ item: 'x' }, 7, null] },
])('a store does not trip over what else may lie there: %j', (odd) => {
	const context = { videogenTasks: JSON.parse(JSON.stringify(odd ?? null)) };
	const store = storeIn(context);
	expect(store.begin(0, ['fox'])).toEqual({});
	store.take(0, created('task-1'));
	expect(retried(context).begin(0, ['fox'])).toEqual(existing('task-1'));
});
