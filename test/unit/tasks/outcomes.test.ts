import type { Outcome } from '../../support/waitingRun';
import type { FakeServiceOptions } from '../../support/fakeService';
import { status } from '../../support/fakeService';
import {
	createJob,
	createJobs,
	createOnlyJob,
	kindsOf,
	readJob,
	resumeJob,
	Scene,
	WAIT,
} from '../../support/waitingRun';

const briefly = { intervalMs: 1_000, timeoutMs: 5_000 };
const down = status(503);
const processing = expect.objectContaining({ id: 'task-1', status: 'processing' });
const never: FakeServiceOptions = { durationMs: Infinity };

interface Case {
	behaviour: string;
	options?: FakeServiceOptions;
	job: Parameters<Scene['runOne']>[0];
	/** A task that is there already, with this end of its own. */
	existing?: { finalMs: number; ending: 'completed' | 'failed' };
	outcome: Partial<Outcome>;
	creates: number;
	/** When only some number of reads makes sense. */
	reads?: number;
	told?: string[];
}

const running = { finalMs: 12_000, ending: 'completed' } as const;
const finished = { finalMs: 0, ending: 'completed' } as const;
const broken = { finalMs: 0, ending: 'failed' } as const;
const completed = (id: string) => ({
	kind: 'done' as const,
	task: expect.objectContaining({ id, status: 'completed' }),
});

const cases: Case[] = [
	{
		behaviour: 'a created task is waited for until it is completed',
		job: createJob('a'),
		outcome: completed('task-1'),
		creates: 1,
		told: ['task-1'],
	},
	{
		behaviour: 'a create that is final at once is not read',
		options: { durationMs: 0 },
		job: createJob('a'),
		outcome: completed('task-1'),
		creates: 1,
		reads: 0,
		told: ['task-1'],
	},
	{
		behaviour: 'a create without waiting is done with its first record',
		job: createOnlyJob('a'),
		outcome: { kind: 'done', task: processing },
		creates: 1,
		reads: 0,
		told: ['task-1'],
	},
	{
		behaviour: 'a created task that fails',
		options: { ending: () => 'failed' },
		job: createJob('a'),
		outcome: { kind: 'failed', task: expect.objectContaining({ id: 'task-1', status: 'failed' }) },
		creates: 1,
	},
	{
		behaviour: 'a task that has failed when its create is answered',
		options: { durationMs: 0, ending: () => 'failed' },
		job: createJob('a'),
		outcome: { kind: 'failed', task: expect.objectContaining({ id: 'task-1' }) },
		creates: 1,
		reads: 0,
	},
	{
		behaviour: 'a task that is unfinished when its time is up',
		options: never,
		job: createJob('a', briefly),
		outcome: { kind: 'timedOut', taskId: 'task-1', task: processing, error: undefined },
		creates: 1,
	},
	{
		behaviour: 'a task whose last read ran into error when its time is up',
		options: { ...never, error: ({ kind }) => (kind === 'read' ? down : undefined) },
		job: createJob('a', briefly),
		outcome: { kind: 'timedOut', taskId: 'task-1', task: processing, error: down },
		creates: 1,
	},
	{
		behaviour: 'an existing task that never could be read in time',
		options: { error: () => down },
		existing: running,
		job: readJob('task-1', briefly),
		outcome: { kind: 'timedOut', taskId: 'task-1', task: undefined, error: down },
		creates: 0,
	},
	{
		behaviour: 'a created task that cannot be read any more keeps its last record',
		options: {
			...never,
			error: ({ kind, nth }) => (kind === 'read' && nth > 2 ? status(401) : undefined),
		},
		job: createJob('a'),
		outcome: { kind: 'notRead', taskId: 'task-1', task: processing, error: status(401) },
		creates: 1,
		reads: 3,
	},
	{
		behaviour: 'an existing task that cannot be read at all',
		options: { error: () => status(403) },
		job: readJob('task-9'),
		outcome: { kind: 'notRead', taskId: 'task-9', task: undefined, error: status(403) },
		creates: 0,
		reads: 1,
	},
	{
		behaviour: 'an existing task is read once when nothing is waited for',
		existing: running,
		job: readJob('task-1'),
		outcome: { kind: 'done', task: processing },
		creates: 0,
		reads: 1,
	},
	{
		behaviour: 'a failed task that is only read is what was asked for',
		existing: broken,
		job: readJob('task-1'),
		outcome: { kind: 'done', task: expect.objectContaining({ status: 'failed' }) },
		creates: 0,
		reads: 1,
	},
	{
		behaviour: 'an existing task is waited for',
		existing: running,
		job: readJob('task-1', WAIT),
		outcome: completed('task-1'),
		creates: 0,
	},
	{
		behaviour: 'an existing task that has failed',
		existing: broken,
		job: readJob('task-1', WAIT),
		outcome: { kind: 'failed', task: expect.objectContaining({ id: 'task-1' }) },
		creates: 0,
		reads: 1,
	},
	{
		behaviour: 'a resumed task that runs is waited for and not created again',
		existing: running,
		job: resumeJob('task-1', 'a'),
		outcome: completed('task-1'),
		creates: 0,
		told: [],
	},
	{
		behaviour: 'a resumed task that is completed needs one read',
		existing: finished,
		job: resumeJob('task-1', 'a'),
		outcome: completed('task-1'),
		creates: 0,
		reads: 1,
	},
	{
		behaviour: 'a resumed task that has failed is created again',
		existing: broken,
		job: resumeJob('task-1', 'a'),
		outcome: completed('task-2'),
		creates: 1,
		told: ['task-2'],
	},
	{
		behaviour: 'a resumed task that fails only now has failed, and the user decides',
		existing: { finalMs: 20_000, ending: 'failed' },
		job: resumeJob('task-1', 'a'),
		outcome: { kind: 'failed', task: expect.objectContaining({ id: 'task-1' }) },
		creates: 0,
	},
	{
		behaviour: 'a resumed task that cannot be read is not created again',
		existing: running,
		options: { error: () => down },
		job: resumeJob('task-1', 'a'),
		outcome: { kind: 'timedOut', taskId: 'task-1', error: down },
		creates: 0,
		told: [],
	},
	{
		behaviour: 'a resumed task that the service does not know is not created again',
		job: resumeJob('task-9', 'a'),
		outcome: { kind: 'notRead', taskId: 'task-9', error: status(404) },
		creates: 0,
	},
	{
		behaviour: 'a resumed task for which nobody waits is read once',
		existing: running,
		job: { existing: { taskId: 'task-1', isOwn: true }, create: 'a' },
		outcome: { kind: 'done', task: processing },
		creates: 0,
		reads: 1,
	},
];

describe('one job comes to one outcome', () => {
	test.each(cases)('$behaviour', async ({ options, job, existing, outcome, ...expected }) => {
		const scene = new Scene(options);
		if (existing) scene.service.add('a', existing);
		expect(await scene.runOne(job)).toEqual(expect.objectContaining(outcome));
		expect(scene.service.creates).toHaveLength(expected.creates);
		if (expected.reads !== undefined) expect(scene.service.reads).toHaveLength(expected.reads);
		if (expected.told) expect(scene.told[0] ?? []).toEqual(expected.told);
		expect(scene.clock.sleeping).toBe(0);
	});
});

describe('many jobs', () => {
	test('no jobs come to no outcomes and no requests', async () => {
		const scene = new Scene();
		expect(await scene.run([])).toEqual([]);
		expect(scene.service.calls).toEqual([]);
	});

	test.each([1, 3, 8, 50])(
		'with %d unfinished allowed, no more ever are',
		async (maxUnfinished) => {
			const scene = new Scene({
				countsUnfinished: true,
				durationMs: (request) => 3_000 + (Number(request.slice('item '.length)) % 7) * 4_000,
			});
			const outcomes = await scene.run(createJobs(60), { maxConcurrentTasks: maxUnfinished });
			expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
			expect(scene.service.mostUnfinished).toBe(maxUnfinished);
			expect(scene.service.creates).toHaveLength(60);
		},
	);

	test('the next is created at the moment at which one is seen to be finished', async () => {
		const scene = new Scene({ durationMs: 10_000 });
		await scene.run(createJobs(4), { maxConcurrentTasks: 1 });
		const lastReads = scene.service.tasks.map(({ id }) =>
			Math.max(...scene.service.reads.filter(({ taskId }) => taskId === id).map((r) => r.atMs)),
		);
		expect(scene.service.creates.map(({ atMs }) => atMs)).toEqual([0, ...lastReads.slice(0, 3)]);
	});

	test('tasks of an earlier try count as unfinished before anything is created', async () => {
		const scene = new Scene({ countsUnfinished: true, durationMs: 12_000 });
		const earlier = [0, 1, 2].map((index) => scene.service.add(`earlier ${index}`));
		const jobs = [...createJobs(6), ...earlier.map(({ id, request }) => resumeJob(id, request))];
		const outcomes = await scene.run(jobs, { maxConcurrentTasks: 3 });
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.mostUnfinished).toBe(3);
		expect(scene.service.creates.every(({ atMs }) => atMs >= 12_000)).toBe(true);
	});

	test('more tasks of an earlier try than allowed are all read, and creates wait for them', async () => {
		const scene = new Scene({ durationMs: (request) => (request === 'new' ? 1_000 : 30_000) });
		const earlier = [0, 1, 2, 3].map((index) => scene.service.add(`earlier ${index}`));
		const jobs = [createJob('new'), ...earlier.map(({ id, request }) => resumeJob(id, request))];
		expect(new Set(kindsOf(await scene.run(jobs, { maxConcurrentTasks: 2 })))).toEqual(
			new Set(['done']),
		);
		expect(new Set(scene.service.reads.slice(0, 4).map(({ taskId }) => taskId)).size).toBe(4);
		expect(scene.service.creates[0]?.atMs).toBeGreaterThanOrEqual(30_000);
	});

	test('a failed task of an earlier try keeps its place when it is created again', async () => {
		const scene = new Scene({ countsUnfinished: true, durationMs: 12_000 });
		const { id } = scene.service.add('a', { finalMs: 0, ending: 'failed' });
		await scene.run([resumeJob(id, 'a'), ...createJobs(3)], { maxConcurrentTasks: 1 });
		expect(scene.service.creates.map(({ request }) => request)).toEqual([
			'a',
			'item 0',
			'item 1',
			'item 2',
		]);
		expect(scene.service.mostUnfinished).toBe(1);
	});

	test('reads of existing tasks do not wait for a place among the unfinished', async () => {
		const scene = new Scene();
		const ids = Array.from({ length: 10 }, (_, index) => scene.service.add(`a ${index}`).id);
		await scene.run(
			ids.map((id) => readJob(id, WAIT)),
			{ maxConcurrentTasks: 1 },
		);
		expect(scene.service.reads.filter(({ atMs }) => atMs < 1_000)).toHaveLength(10);
	});
});
