import type { ServiceError, StatusError } from '../../../nodes/Videogen/service/answer';
import type { Entry } from '../../../nodes/Videogen/work/entry';
import { taskOf } from '../../programs/support/entries';
import { network, onCreates, onReads, status, type Call } from '../../programs/support/fakeService';
import { createJob, createJobs, resumeJob, Scene } from '../../programs/support/waitingRun';

const naming = (error: StatusError, namedTaskId = 'task-1'): ServiceError => ({
	...error,
	namedTaskId,
});
const UNKNOWN = 'no-such-task';

describe('an answer to a create that names a task', () => {
	test.each([429, 400, 500])(
		'is read, whatever its status (%d): the task is its own',
		async (code) => {
			const createsInError = true;
			const scene = new Scene({ error: onCreates(() => naming(status(code))), createsInError });
			expect(await scene.runOne(createJob('a'))).toMatchObject({
				kind: 'done',
				task: { id: 'task-1' },
			});
			expect(scene.service.tasks).toHaveLength(1);
			expect(scene.entries[0]).not.toHaveProperty('unanswered');
			expect(scene.entries[0]).not.toHaveProperty('taskId');
			expect([scene.told[0], scene.unclear]).toEqual([['task-1'], []]);
		},
	);

	test.each<[code: number, mayExist: boolean]>([
		[400, false],
		[500, true],
	])(
		'that the service does not know counts as if it had named none (%d)',
		async (code, mayExist) => {
			const scene = new Scene({ error: onCreates(() => naming(status(code), UNKNOWN)) });
			const error = { ...status(code), namedTaskId: undefined };
			expect(await scene.runOne(createJob('a'))).toEqual({ kind: 'notCreated', error, mayExist });
			expect(scene.entries[0]?.taskId).toBeUndefined();
			expect(scene.service.reads.map(({ taskId }) => taskId)).toContain(UNKNOWN);
			expect(scene.unclear).toEqual(mayExist ? [0] : []);
		},
	);

	const bothKinds =
		(create: ServiceError, read: ServiceError) =>
		({ kind }: Call) =>
			kind === 'create' ? create : read;

	test('that cannot be read leaves it open, and known', async () => {
		const error = naming(status(400));
		const scene = new Scene({ error: bothKinds(error, status(401)) });
		expect(await scene.runOne(createJob('a'))).toEqual({
			kind: 'notCreated',
			error,
			mayExist: true,
		});
		expect(scene.entries[0]?.taskId).toBe('task-1');
		expect(scene.unclear).toEqual([0]);
	});

	test('but shuts everybody out names none', async () => {
		const scene = new Scene({ error: bothKinds(naming(status(401)), status(401)) });
		expect(await scene.runOne(createJob('a'))).toMatchObject({
			kind: 'notCreated',
			mayExist: false,
		});
		expect(scene.entries[0]?.taskId).toBeUndefined();
	});

	test('of another item is not about this one', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) => (nth === 2 ? naming(status(500)) : undefined)),
			latencyMs: 10,
		});
		const [first, second] = await scene.run(createJobs(2), { maxConcurrentTasks: 1 });
		expect(first).toMatchObject({ kind: 'done', task: { id: 'task-1' } });
		expect(second).toMatchObject({ kind: 'notCreated', mayExist: true });
	});

	test('of an item that an earlier try has created neither', async () => {
		const scene = new Scene({ error: onCreates(() => naming(status(500))) });
		scene.service.add('a');
		const [, second] = await scene.run([resumeJob('task-1', 'a'), createJob('b')]);
		expect(second).toMatchObject({ kind: 'notCreated', mayExist: true });
	});

	test('with a 429, and that is unknown: its next ids are not read any more', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) =>
				nth < 4 ? naming(status(429), `${UNKNOWN}-${nth}`) : undefined,
			),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
		const read = new Set(scene.service.reads.map(({ taskId }) => taskId));
		expect([...read]).toEqual([`${UNKNOWN}-1`, 'task-1']);
	});

	test('with another no, and that is unknown: the next ones are read', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) => naming(status(400), `${UNKNOWN}-${nth}`)),
		});
		await scene.run(createJobs(2), { maxConcurrentTasks: 1 });
		const read = new Set(scene.service.reads.map(({ taskId }) => taskId));
		expect([...read]).toEqual([`${UNKNOWN}-1`, `${UNKNOWN}-2`]);
	});
});

describe('a task that the answer to a create named in an earlier try', () => {
	const entryNaming = (taskId: string): Entry => ({
		...createJob('a'),
		taskId,
		unanswered: 2,
		orderKey: 'its key',
	});

	test('is its own, if it is there', async () => {
		const scene = new Scene();
		const entry = entryNaming(scene.service.add('a').id);
		await scene.advance([entry]);
		expect(entry).toMatchObject({
			outcome: { kind: 'done' },
			task: { id: 'task-1' },
			unanswered: 1,
		});
		expect(entry.taskId).toBeUndefined();
		expect(scene.service.creates).toEqual([]);
	});

	test('is ordered, with the same key, if the service knows none', async () => {
		const scene = new Scene();
		const entry = entryNaming(UNKNOWN);
		await scene.advance([entry]);
		expect(entry).toMatchObject({ outcome: { kind: 'done' }, task: { id: 'task-1' } });
		expect([scene.orderKeys, entry.taskId]).toEqual([['its key'], undefined]);
	});

	test('orders nothing while it cannot be read', async () => {
		const scene = new Scene({ error: onReads(() => status(401)) });
		const entry = entryNaming('task-1');
		await scene.advance([entry]);
		expect(entry).toMatchObject({
			outcome: { kind: 'notRead', error: status(401) },
			unanswered: 2,
		});
		expect([entry.taskId, scene.service.creates]).toEqual(['task-1', []]);
	});

	test('orders nothing when the run ends meanwhile', async () => {
		const ending = new AbortController();
		const scene = new Scene({ error: onReads(() => (ending.abort(), network('lost'))) });
		const entry = entryNaming('task-1');
		await scene.advance([entry], { signal: ending.signal });
		expect(entry).toMatchObject({ outcome: { kind: 'stopped' }, taskId: 'task-1' });
		expect(scene.service.creates).toEqual([]);
	});
});

describe('a task that was taken', () => {
	const takenEntry = (more: Partial<Entry> = {}): Entry => ({
		...resumeJob('task-1', 'a'),
		isTaken: true,
		...more,
	});

	test.each<[string, (scene: Scene) => void]>([
		['is gone', () => undefined],
		['has failed', ({ service }) => void service.add('a', { ending: 'failed', finalMs: 0 })],
	])('and %s is ordered', async (_what, prepare) => {
		const scene = new Scene();
		prepare(scene);
		const before = scene.service.tasks.length;
		const entry = takenEntry();
		await scene.advance([entry]);
		expect(entry).toMatchObject({ outcome: { kind: 'done' }, task: { id: `task-${before + 1}` } });
		expect(entry).not.toHaveProperty('isTaken');
		expect(scene.service.tasks).toHaveLength(before + 1);
	});

	test('and cannot be read is not', async () => {
		const scene = new Scene({ error: onReads(() => status(403)) });
		const entry = takenEntry();
		await scene.advance([entry]);
		expect(entry).toMatchObject({ outcome: { kind: 'notRead' }, isTaken: true });
		expect(scene.service.creates).toEqual([]);
	});
});

const moderated = taskOf('task', 'failed', { error: { code: 'moderation' } });

test.each<[string, kind: string, orders: number, Partial<Entry>]>([
	['for its content', 'failed', 0, { task: moderated }],
	[
		'by being cancelled, unwaited',
		'done',
		0,
		{ task: taskOf('task', 'cancelled'), wait: undefined },
	],
	['for something else', 'done', 1, { task: taskOf('task', 'failed') }],
])('one whose task failed %s ends as %s, with %i more creates', async (_, kind, orders, more) => {
	const scene = new Scene();
	const entry = { ...createJob('a'), ...more };
	await scene.advance([entry]);
	expect(entry).toMatchObject({ outcome: { kind } });
	expect(scene.service.creates).toHaveLength(orders);
});
