import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../../nodes/Videogen/parameters/plannedRequest';
import type { MemoryScope } from '../../nodes/Videogen/tasks/memory';
import { TaskMemory } from '../../nodes/Videogen/tasks/memory';

function request(prompt: string, duration = 5): PlannedRequest {
	const body = { model: 'videogen-2.5-text-to-video', prompt, duration, quality: '720p' } as const;
	return { body, toSend: () => body };
}

const taskOf = (
	id: string,
	state: 'unfinished' | 'completed' | 'failed' = 'unfinished',
	more: IDataObject = {},
) => ({ id, status: state, state, record: { id, status: state, ...more } });

type Scope = Partial<Omit<MemoryScope, 'context'>>;

const memoryIn = (context: IDataObject, scope: Scope = {}): TaskMemory =>
	new TaskMemory({ context, run: 0, baseUrl: 'https://a.example', ...scope });

/** The memory of a later execution, through JSON as n8n saves it. */
const retried = (context: IDataObject, scope: Scope = {}): TaskMemory =>
	memoryIn(JSON.parse(JSON.stringify(context)), scope);

const fox = request('a fox');
const wolf = request('a wolf');
const create = { kind: 'create' };
const resume = { kind: 'resume', taskId: 'task-1' };

describe('what is remembered of an item', () => {
	let context: IDataObject;
	let memory: TaskMemory;

	beforeEach(() => {
		context = {};
		memory = memoryIn(context);
		memory.startFor(0, fox, fox.body);
	});

	test('nothing at first: it is created', () => {
		expect(memory.startFor(0, fox, fox.body)).toEqual({ kind: 'create', request: fox });
	});

	test.each(['unfinished', 'completed'] as const)('a task that is %s is resumed', (state) => {
		const task = taskOf('task-1', state);
		memory.keepTask(0, task);
		expect(retried(context).startFor(0, fox, fox.body)).toEqual({
			...resume,
			request: fox,
			lastSeen: expect.objectContaining({ record: task.record, status: state }),
		});
	});

	test('a huge record is not kept, its task is', () => {
		memory.keepTask(0, taskOf('task-1', 'unfinished', { log: 'x'.repeat(10_000) }));
		expect(retried(context).startFor(0, fox, fox.body)).toEqual({ ...resume, request: fox });
		expect(JSON.stringify(context).length).toBeLessThan(500);
	});

	test('a failed task is created again, and known as left behind', () => {
		memory.keepTask(0, taskOf('task-1', 'failed'));
		const later = retried(context);
		expect(later.startFor(0, fox, fox.body)).toMatchObject(create);
		expect(later.leftBehind()).toEqual([]);
		later.keepSent(0);
		expect(later.leftBehind()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'failed' }]);
		later.keepTask(0, taskOf('task-2'));
		expect(later.taskOf(0)).toMatchObject({ taskId: 'task-2' });
		expect(later.leftBehind()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'failed' }]);
	});

	test('a create is unanswered from the moment it goes out', () => {
		memory.keepSent(0);
		expect(memory.isUnanswered(0)).toBe(true);
		expect(retried(context).startFor(0, fox, fox.body)).toBe('unanswered');
	});

	test('a create that was refused leaves nothing', () => {
		memory.keepSent(0);
		memory.keepRefused(0);
		expect(memory.isUnanswered(0)).toBe(false);
		expect(retried(context).startFor(0, fox, fox.body)).toMatchObject(create);
	});

	test('a second create that was refused leaves open what became of the first', () => {
		memory.keepSent(0);
		const later = retried(context);
		later.startFor(0, fox, fox.body);
		later.keepSent(0);
		later.keepRefused(0);
		expect(later.isUnanswered(0)).toBe(true);
	});

	test('a task that is made after an unanswered create takes its place', () => {
		memory.keepSent(0);
		memory.keepTask(0, taskOf('task-1'));
		expect(memory.isUnanswered(0)).toBe(false);
		expect(retried(context).startFor(0, fox, fox.body)).toMatchObject(resume);
		expect(memory.leftBehind()).toEqual([]);
	});

	test.each<[string, (context: IDataObject) => unknown]>([
		['another item', (kept) => retried(kept).startFor(1, fox, fox.body)],
		['another prompt', (kept) => retried(kept).startFor(0, wolf, wolf.body)],
		['another setting', (kept) => retried(kept).startFor(0, request('a fox', 10), 'another')],
		['another run of the node', (kept) => retried(kept, { run: 1 }).startFor(0, fox, fox.body)],
		[
			'another service',
			(kept) => retried(kept, { baseUrl: 'https://b.example' }).startFor(0, fox, fox.body),
		],
	])('is not taken for %s', (_, start) => {
		memory.keepTask(0, taskOf('task-1'));
		expect(start(context)).toMatchObject(create);
	});

	test('is not looked for in another run of the node, and not as a tool of an agent', () => {
		memory.keepTask(0, taskOf('task-1'));
		expect(memoryIn(context, { run: 1 }).startFor(0, fox, fox.body)).toMatchObject(create);
		const tool = memoryIn({}, { run: 'tool' });
		tool.startFor(0, fox, fox.body);
		tool.keepTask(0, taskOf('task-1'));
		expect(tool.startFor(0, wolf, wolf.body)).toMatchObject(create);
	});

	test('a task of a request that was changed is known as left behind', () => {
		memory.keepTask(0, taskOf('task-1'));
		const later = retried(context);
		later.startFor(0, wolf, wolf.body);
		expect(later.leftBehind()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'unfinished' }]);
	});

	test('is forgotten for its own run only, whatever the digits of the others', () => {
		for (const run of [1, 11, 2]) {
			const ofRun = memoryIn(context, { run });
			ofRun.startFor(0, fox, fox.body);
			ofRun.keepTask(0, taskOf('task-1'));
		}
		memoryIn(context, { run: 1 }).forgetRun();
		expect(retried(context, { run: 1 }).startFor(0, fox, fox.body)).toMatchObject(create);
		expect(retried(context, { run: 11 }).startFor(0, fox, fox.body)).toMatchObject(resume);
		expect(retried(context, { run: 2 }).startFor(0, fox, fox.body)).toMatchObject(resume);
	});

	test('as a tool, one call forgets its own tasks and the replaced ones, not those of others', () => {
		const kept: IDataObject = {};
		const tool = () => memoryIn(kept, { run: 'tool' });
		const [one, other] = [tool(), tool()];
		one.startFor(0, fox, fox.body);
		one.keepTask(0, taskOf('task-1', 'failed'));
		one.keepTask(0, taskOf('task-2'));
		other.startFor(0, wolf, wolf.body);
		other.keepTask(0, taskOf('task-3'));
		one.release();
		const again = tool();
		again.startFor(0, fox, fox.body);
		again.forgetRun();
		const text = JSON.stringify(kept);
		expect(['task-1', 'task-2', 'task-3'].filter((id) => text.includes(id))).toEqual(['task-3']);
	});

	describe('as a tool, of calls that are under way at the same time', () => {
		const call = (kept: IDataObject): TaskMemory => memoryIn(kept, { run: 'tool' });

		test('each makes its own task, though they ask for the same', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			expect(one.startFor(0, fox, fox.body)).toMatchObject(create);
			one.keepSent(0);
			expect(two.startFor(0, fox, fox.body)).toMatchObject(create);
			one.keepTask(0, taskOf('task-1'));
			two.keepTask(0, taskOf('task-2'));
			expect([one.taskOf(0)?.taskId, two.taskOf(0)?.taskId]).toEqual(['task-1', 'task-2']);
		});

		test('what one has left is picked up when it is over, and by one other only', () => {
			const kept: IDataObject = {};
			const one = call(kept);
			one.startFor(0, fox, fox.body);
			one.keepTask(0, taskOf('task-1'));
			one.release();
			expect(call(kept).startFor(0, fox, fox.body)).toMatchObject(resume);
			expect(call(kept).startFor(0, fox, fox.body)).toMatchObject(create);
		});

		test('one that succeeds takes nothing from those that go on, and brings nothing back', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			one.startFor(0, fox, fox.body);
			one.keepTask(0, taskOf('task-1'));
			two.startFor(0, wolf, wolf.body);
			expect(one.leftBehind()).toEqual([]);
			one.forgetRun();
			one.release();
			two.keepTask(0, taskOf('task-2'));
			two.release();
			expect(JSON.stringify(kept)).not.toContain('task-1');
			expect(call(kept).startFor(0, fox, fox.body)).toMatchObject(create);
			expect(call(kept).startFor(0, wolf, wolf.body)).toMatchObject({ taskId: 'task-2' });
		});

		test('what the second of two equal calls has left is picked up too', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			for (const each of [one, two]) each.startFor(0, fox, fox.body);
			two.keepTask(0, taskOf('task-2'));
			two.release();
			one.keepTask(0, taskOf('task-1'));
			one.forgetRun();
			one.release();
			expect(call(kept).startFor(0, fox, fox.body)).toMatchObject({ taskId: 'task-2' });
		});

		test('those under way are not called left behind, nor what they replaced', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			two.startFor(0, wolf, wolf.body);
			two.keepTask(0, taskOf('task-1', 'failed'));
			two.keepTask(0, taskOf('task-2'));
			one.startFor(0, fox, fox.body);
			expect(one.leftBehind()).toEqual([]);
			expect(two.leftBehind()).toMatchObject([{ taskId: 'task-1' }]);
		});

		test('nothing of that is saved with the execution', () => {
			const kept: IDataObject = {};
			call(kept).startFor(0, fox, fox.body);
			expect(kept).toEqual({ videogenTasks: {} });
		});
	});

	test.each([undefined, null, 'text', 7, [], { videogenTasks: 'x' }, { videogenTasks: null }])(
		'does not trip over what else may lie there: %j',
		(odd) => {
			const kept: IDataObject = { videogenTasks: JSON.parse(JSON.stringify(odd ?? null)) };
			expect(retried(kept).startFor(0, fox, fox.body)).toMatchObject(create);
		},
	);
});
