import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../../nodes/Videogen/input/plannedRequest';
import type { MemoryScope } from '../../nodes/Videogen/run/memory';
import { TaskMemory } from '../../nodes/Videogen/run/memory';

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
	new TaskMemory({ context, run: 0, executionId: '1', baseUrl: 'https://a.example', ...scope });

/** The memory of a later execution, through JSON as n8n saves it. */
const retried = (context: IDataObject, scope: Scope = {}): TaskMemory =>
	memoryIn(JSON.parse(JSON.stringify(context)), { executionId: '2', ...scope });

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
		memory.startFor(0, fox);
	});

	test('nothing at first: it is created', () => {
		expect(memory.startFor(0, fox)).toEqual({ kind: 'create', request: fox });
	});

	test.each(['unfinished', 'completed'] as const)('a task that is %s is resumed', (state) => {
		const task = taskOf('task-1', state);
		memory.keepTask(0, task);
		expect(retried(context).startFor(0, fox)).toEqual({
			...resume,
			request: fox,
			lastSeen: expect.objectContaining({ record: task.record, status: state }),
		});
	});

	test('a huge record is not kept, its task is', () => {
		memory.keepTask(0, taskOf('task-1', 'unfinished', { log: 'x'.repeat(10_000) }));
		expect(retried(context).startFor(0, fox)).toEqual({ ...resume, request: fox });
		expect(JSON.stringify(context).length).toBeLessThan(500);
	});

	test('a failed task is created again, and known as left behind', () => {
		memory.keepTask(0, taskOf('task-1', 'failed'));
		const later = retried(context);
		expect(later.startFor(0, fox)).toMatchObject(create);
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
		expect(retried(context).startFor(0, fox)).toBe('unanswered');
	});

	test('a create that was refused leaves nothing', () => {
		memory.keepSent(0);
		memory.keepRefused(0);
		expect(memory.isUnanswered(0)).toBe(false);
		expect(retried(context).startFor(0, fox)).toMatchObject(create);
	});

	test('a task that is made after an unanswered create takes its place', () => {
		memory.keepSent(0);
		memory.keepTask(0, taskOf('task-1'));
		expect(memory.isUnanswered(0)).toBe(false);
		expect(retried(context).startFor(0, fox)).toMatchObject(resume);
		expect(memory.leftBehind()).toEqual([]);
	});

	test.each<[string, (context: IDataObject) => unknown]>([
		['another item', (kept) => retried(kept).startFor(1, fox)],
		['another prompt', (kept) => retried(kept).startFor(0, wolf)],
		['another setting', (kept) => retried(kept).startFor(0, request('a fox', 10))],
		['another run of the node', (kept) => retried(kept, { run: 1 }).startFor(0, fox)],
		['another service', (kept) => retried(kept, { baseUrl: 'https://b.example' }).startFor(0, fox)],
	])('is not taken for %s', (_, start) => {
		memory.keepTask(0, taskOf('task-1'));
		expect(start(context)).toMatchObject(create);
	});

	test('is taken for a request that differs only in its callback', () => {
		const withCallback = (url: string): PlannedRequest => {
			const body = { ...fox.body, callback_url: url };
			return { body, toSend: () => body };
		};
		memory.startFor(0, withCallback('https://n8n.example/resume/1'));
		memory.keepTask(0, taskOf('task-1'));
		const start = retried(context).startFor(0, withCallback('https://n8n.example/resume/2'));
		expect(start).toMatchObject(resume);
	});

	describe('on another try within the same execution', () => {
		const again = () => memoryIn(context);

		test('is taken for the item whatever an expression made of its request', () => {
			memory.keepTask(0, taskOf('task-1'));
			const later = again();
			expect(later.startFor(0, wolf)).toMatchObject(resume);
			expect(later.leftBehind()).toEqual([]);
			expect(later.startFor(1, fox)).toMatchObject(create);
		});

		test('stays unanswered whatever an expression made of its request', () => {
			memory.keepSent(0);
			expect(again().startFor(0, wolf)).toBe('unanswered');
		});

		test('is made anew when its task failed', () => {
			memory.keepTask(0, taskOf('task-1', 'failed'));
			expect(again().startFor(0, wolf)).toMatchObject(create);
		});

		test('prefers the very same request', () => {
			memory.keepTask(0, taskOf('task-1'));
			const later: Scope = { executionId: '2' };
			const changed = memoryIn(context, later);
			changed.startFor(0, wolf);
			changed.keepTask(0, taskOf('task-2'));
			expect(memoryIn(context, later).startFor(0, fox)).toMatchObject(resume);
		});

		test('is found by its own request later, if it took the place of a failed one', () => {
			memory.keepTask(0, taskOf('task-1', 'failed'));
			const next = again();
			next.startFor(0, wolf);
			next.keepTask(0, taskOf('task-2'));
			expect(retried(context).startFor(0, wolf)).toMatchObject({ taskId: 'task-2' });
		});

		test('is not looked for in what is no entry of this node', () => {
			context.videogenTasks = { '0:0:other': 'odd', '0:0:another': null };
			expect(again().startFor(0, fox)).toMatchObject(create);
		});

		test('not in another run of the node, and not as a tool of an agent', () => {
			memory.keepTask(0, taskOf('task-1'));
			expect(memoryIn(context, { run: 1 }).startFor(0, fox)).toMatchObject(create);
			const tool = memoryIn({}, { run: 'tool' });
			tool.startFor(0, fox);
			tool.keepTask(0, taskOf('task-1'));
			expect(tool.startFor(0, wolf)).toMatchObject(create);
		});
	});

	test('a task of a request that was changed is known as left behind', () => {
		memory.keepTask(0, taskOf('task-1'));
		const later = retried(context);
		later.startFor(0, wolf);
		expect(later.leftBehind()).toEqual([{ itemIndex: 0, taskId: 'task-1', status: 'unfinished' }]);
	});

	test('is forgotten for its own run only, whatever the digits of the others', () => {
		for (const run of [1, 11, 2]) {
			const ofRun = memoryIn(context, { run });
			ofRun.startFor(0, fox);
			ofRun.keepTask(0, taskOf('task-1'));
		}
		memoryIn(context, { run: 1 }).forgetRun();
		expect(retried(context, { run: 1 }).startFor(0, fox)).toMatchObject(create);
		expect(retried(context, { run: 11 }).startFor(0, fox)).toMatchObject(resume);
		expect(retried(context, { run: 2 }).startFor(0, fox)).toMatchObject(resume);
	});

	test('as a tool, one call forgets its own tasks and the replaced ones, not those of others', () => {
		const kept: IDataObject = {};
		const tool = () => memoryIn(kept, { run: 'tool' });
		const [one, other] = [tool(), tool()];
		one.startFor(0, fox);
		one.keepTask(0, taskOf('task-1', 'failed'));
		one.keepTask(0, taskOf('task-2'));
		other.startFor(0, wolf);
		other.keepTask(0, taskOf('task-3'));
		one.release();
		const again = tool();
		again.startFor(0, fox);
		again.forgetRun();
		const text = JSON.stringify(kept);
		expect(['task-1', 'task-2', 'task-3'].filter((id) => text.includes(id))).toEqual(['task-3']);
	});

	describe('as a tool, of calls that are under way at the same time', () => {
		const call = (kept: IDataObject): TaskMemory => memoryIn(kept, { run: 'tool' });

		test('each makes its own task, though they ask for the same', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			expect(one.startFor(0, fox)).toMatchObject(create);
			one.keepSent(0);
			expect(two.startFor(0, fox)).toMatchObject(create);
			one.keepTask(0, taskOf('task-1'));
			two.keepTask(0, taskOf('task-2'));
			expect([one.taskOf(0)?.taskId, two.taskOf(0)?.taskId]).toEqual(['task-1', 'task-2']);
		});

		test('what one has left is picked up when it is over, and by one other only', () => {
			const kept: IDataObject = {};
			const one = call(kept);
			one.startFor(0, fox);
			one.keepTask(0, taskOf('task-1'));
			one.release();
			expect(call(kept).startFor(0, fox)).toMatchObject(resume);
			expect(call(kept).startFor(0, fox)).toMatchObject(create);
		});

		test('one that succeeds takes nothing from those that go on, and brings nothing back', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			one.startFor(0, fox);
			one.keepTask(0, taskOf('task-1'));
			two.startFor(0, wolf);
			expect(one.leftBehind()).toEqual([]);
			one.forgetRun();
			one.release();
			two.keepTask(0, taskOf('task-2'));
			two.release();
			expect(JSON.stringify(kept)).not.toContain('task-1');
			expect(call(kept).startFor(0, fox)).toMatchObject(create);
			expect(call(kept).startFor(0, wolf)).toMatchObject({ taskId: 'task-2' });
		});

		test('what the second of two equal calls has left is picked up too', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			for (const each of [one, two]) each.startFor(0, fox);
			two.keepTask(0, taskOf('task-2'));
			two.release();
			one.keepTask(0, taskOf('task-1'));
			one.forgetRun();
			one.release();
			expect(call(kept).startFor(0, fox)).toMatchObject({ taskId: 'task-2' });
		});

		test('those under way are not called left behind, nor what they replaced', () => {
			const kept: IDataObject = {};
			const [one, two] = [call(kept), call(kept)];
			two.startFor(0, wolf);
			two.keepTask(0, taskOf('task-1', 'failed'));
			two.keepTask(0, taskOf('task-2'));
			one.startFor(0, fox);
			expect(one.leftBehind()).toEqual([]);
			expect(two.leftBehind()).toMatchObject([{ taskId: 'task-1' }]);
		});

		test('nothing of that is saved with the execution', () => {
			const kept: IDataObject = {};
			call(kept).startFor(0, fox);
			expect(kept).toEqual({ videogenTasks: {} });
		});
	});

	test.each([undefined, null, 'text', 7, [], { videogenTasks: 'x' }, { videogenTasks: null }])(
		'does not trip over what else may lie there: %j',
		(odd) => {
			const kept: IDataObject = { videogenTasks: JSON.parse(JSON.stringify(odd ?? null)) };
			expect(retried(kept).startFor(0, fox)).toMatchObject(create);
		},
	);
});
