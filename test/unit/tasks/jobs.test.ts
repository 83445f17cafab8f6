import { Timer } from '../../../nodes/Videogen/common/timer';
import type { Answer } from '../../../nodes/Videogen/service/answer';
import type { TaskJob } from '../../../nodes/Videogen/tasks/job';
import { FIRST_CREATES_AT_ONCE, runTasks } from '../../../nodes/Videogen/tasks/runTasks';
import { VirtualClock } from '../../support/clocks';
import {
	network,
	onCreates,
	onReads,
	status,
	timesOf,
	type FakeServiceOptions,
} from '../../support/fakeService';
import {
	createJob,
	createOnlyJob,
	kindsOf,
	readJob,
	resumeJob,
	Scene,
	WAIT,
	type WantedJob,
} from '../../support/waitingRun';

const LOST = network('lost');

describe('what a job tells on its way', () => {
	const told: Array<[string, FakeServiceOptions['error'], object[]]> = [
		['a create that is refused', () => status(400), [{ kind: 'refused' }]],
		[
			'a create that is refused once and then taken',
			({ nth }) => (nth === 1 ? status(429) : undefined),
			[
				{ kind: 'refused' },
				{ kind: 'submitted' },
				{ kind: 'created', task: expect.objectContaining({ id: 'task-1' }) },
			],
		],
		['a create without an answer', () => LOST, [{ kind: 'unanswered', error: LOST }]],
	];

	test.each(told)('%s', async (_what, error, events) => {
		const scene = new Scene({ error });
		await scene.runOne(createOnlyJob('a'));
		expect(scene.events[0]).toEqual([{ kind: 'submitted' }, ...events]);
	});

	test.each([status(400), LOST])('is told to nobody when nobody listens: %j', async (error) => {
		const { clock, service } = new Scene({ error: () => error });
		const job: TaskJob = {
			submit: async () => await service.create('a'),
			read: async (taskId, signal) => await service.read(taskId, signal),
		};
		const [outcome] = await runTasks([job], 1, new Timer(clock, new AbortController().signal));
		expect(outcome).toMatchObject({ kind: 'notCreated', error });
	});

	test('nothing when there is neither a create nor a task', async () => {
		const scene = new Scene();
		expect(await scene.runOne({})).toEqual({ kind: 'notStarted' });
		expect(scene.service.calls).toEqual([]);
	});
});

describe('a create that is sent again after one without an answer', () => {
	test('does not say that there is no task when it is refused', async () => {
		const scene = new Scene({ error: () => status(400) });
		expect(await scene.runOne({ ...createJob('a'), mayExist: true })).toEqual({
			kind: 'notCreated',
			error: status(400),
			mayExist: true,
			sinceEarlierTry: true,
		});
	});

	test('may itself have made the task when it is not answered either', async () => {
		const scene = new Scene({ error: () => LOST });
		expect(await scene.runOne({ ...createJob('a'), mayExist: true })).toEqual({
			kind: 'notCreated',
			error: LOST,
			mayExist: true,
		});
	});
});

describe('what one job means for the others', () => {
	test('a task that is only read takes no place from them, and frees none', async () => {
		const scene = new Scene({ durationMs: 12_000, countsUnfinished: true });
		const { id } = scene.service.add('existing', { finalMs: 0 });
		const jobs = [readJob(id), createJob('a'), createJob('b')];
		expect(kindsOf(await scene.run(jobs, { maxConcurrentTasks: 1 }))).toEqual(
			Array(3).fill('done'),
		);
		expect(scene.service.mostUnfinished).toBe(1);
	});

	test('a read that fails ends no creates', async () => {
		const scene = new Scene({ error: onReads(({ nth }) => (nth === 1 ? status(503) : undefined)) });
		const jobs = [createJob('a'), createJob('b')];
		expect(kindsOf(await scene.run(jobs, { maxConcurrentTasks: 1 }))).toEqual(['done', 'done']);
	});

	test('a refused create makes no pause for them, unless it is 429', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) => (nth === 1 ? status(400) : undefined)),
		});
		await scene.run(Array.from({ length: 40 }, (_, index) => createJob(`item ${index}`)));
		expect(new Set(timesOf(scene.service.creates))).toEqual(new Set([0]));
	});

	test('a refused create is no reason to try for less long to reach the service', async () => {
		const scene = new Scene({
			error: onCreates(({ request, atMs }) => {
				if (request === 'refused') return status(400);
				return atMs < 3_000 ? network('refused') : undefined;
			}),
		});
		const wait = { intervalMs: 1_000, timeoutMs: 2_000 };
		const outcomes = await scene.run([createJob('refused', wait), createJob('late', wait)]);
		expect(outcomes[1]?.kind).not.toBe('notCreated');
		expect(scene.service.tasksOf('late')).toHaveLength(1);
	});

	test('creates go out in the order of the items, one that got 429 before those still to go', async () => {
		const clock = new VirtualClock();
		const { signal } = new AbortController();
		const sent: number[] = [];
		const submit = async (index: number): Promise<Answer> => {
			const isRefused = index === 0 && !sent.includes(0);
			sent.push(index);
			await clock.sleep(isRefused ? 10 : 3_000, signal);
			const task = { id: 'task', status: 'queued', state: 'unfinished', record: {} } as const;
			return isRefused ? { kind: 'error', error: status(429) } : { kind: 'task', task };
		};
		const jobs = Array.from({ length: FIRST_CREATES_AT_ONCE + 2 }, (_, index) => ({
			submit: async () => await submit(index),
			read: async () => await Promise.reject<Answer>(new Error('Nothing is read')),
		}));
		await runTasks(jobs, jobs.length, new Timer(clock, signal));
		const first = Array.from({ length: FIRST_CREATES_AT_ONCE }, (_, index) => index);
		expect(sent).toEqual([...first, 0, FIRST_CREATES_AT_ONCE, FIRST_CREATES_AT_ONCE + 1]);
	});
});

/** When a task is read, counted from its create. */
function readsOf(request: string, { service }: Scene): number[] {
	const createdMs = service.tasksOf(request)[0]?.createdMs ?? NaN;
	const reads = service.reads.filter((read) => read.request === request);
	return timesOf(reads).map((atMs) => Math.round(atMs - createdMs));
}

describe('how long tasks of the run usually take', () => {
	/** When the last of four tasks is read; it begins when the first three are over. */
	const readsOfLast = async (options: FakeServiceOptions, first: WantedJob[]) => {
		const scene = new Scene({
			durationMs: (request) => (request === 'last' ? 25_000 : 7_000),
			...options,
		});
		for (const { existing } of first) if (existing) scene.service.add(existing.taskId);
		await scene.run([...first, createJob('last')], { maxConcurrentTasks: 3 });
		return readsOf('last', scene);
	};
	const EVERY_INTERVAL = [5_000, 10_000, 15_000, 20_000, 25_000];
	const created = ['a', 'b', 'c'].map((request) => createJob(request));

	test('is learnt from those that completed: when they were last unfinished', async () => {
		expect(await readsOfLast({}, created)).toEqual([5_000, 6_000, 15_000, 20_000, 25_000]);
	});

	test('is not learnt from those that failed', async () => {
		const ending = (request: string) => (request === 'last' ? 'completed' : 'failed');
		expect(await readsOfLast({ ending }, created)).toEqual(EVERY_INTERVAL);
	});

	test('is not learnt from those of an earlier try, which began before it', async () => {
		const jobs = ['a', 'b', 'c'].map((request, index) => resumeJob(`task-${index + 1}`, request));
		expect(await readsOfLast({}, jobs)).toEqual(EVERY_INTERVAL);
	});
});

describe('what the records of a task say of its end', () => {
	const linear = (share: number) => Math.floor(100 * share);

	test('decides when it is read next', async () => {
		const scene = new Scene({ durationMs: 12_000, percent: linear });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 10_000, 12_273]);
	});

	test('is believed later of a task that was under way at its first read', async () => {
		const scene = new Scene({ durationMs: 12_000, percent: linear });
		await scene.runOne(readJob(scene.service.add('a').id, WAIT));
		expect(readsOf('a', scene)).toEqual([0, 5_000, 10_000, 15_000]);
	});

	test('is believed sooner when the estimate agrees with the progress', async () => {
		const percent = (share: number) => (share > 0.4 ? linear(share) : undefined);
		const durationMs = 22_000;
		const alone = new Scene({ durationMs, percent });
		await alone.runOne(createJob('a'));
		expect(readsOf('a', alone).slice(0, 3)).toEqual([5_000, 10_000, 15_000]);

		const agreeing = new Scene({ durationMs, percent, estimateSeconds: (ms) => ms / 1_000 });
		await agreeing.runOne(createJob('a'));
		expect(readsOf('a', agreeing).slice(0, 3)).toEqual([5_000, 10_000, 16_211]);
	});

	test('is nothing at 0 and at 100 percent', async () => {
		for (const unknown of [0, 100]) {
			const scene = new Scene({ durationMs: 12_000, percent: () => unknown });
			await scene.runOne(createJob('a'));
			expect(readsOf('a', scene)).toEqual([5_000, 10_000, 15_000]);
		}
	});
});

describe('reads that get no record', () => {
	test('are rarer after 429, and so are those that follow', async () => {
		const error = onReads(({ nth }) => (nth === 1 ? status(429) : undefined));
		const scene = new Scene({ durationMs: 20_000, error });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 15_000, 24_412]);
	});

	test('end no task with one 404 after a long outage', async () => {
		const scene = new Scene({
			error: onReads(({ nth }) => (nth > 10 ? undefined : status(nth < 10 ? 503 : 404))),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
	});
});
