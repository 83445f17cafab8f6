import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import type { Task } from '../../../nodes/Videogen/service/task';
import type { FakeServiceOptions, FakeTask } from '../../programs/support/fakeService';
import { onReads, status } from '../../programs/support/fakeService';
import type { Outcome, WantedJob } from '../../programs/support/waitingRun';
import {
	createJob,
	createJobs,
	createOnlyJob,
	kindsOf,
	readJob,
	resumeJob,
	Scene,
	WAIT,
} from '../../programs/support/waitingRun';

const briefly = { intervalMs: 1_000, timeoutMs: 5_000 };
const down = status(503);
const lost = status(401);

const create = createJob('a');
const brief = createJob('a', briefly);
const read = readJob('task-1');
const wait = readJob('task-1', WAIT);
const briefRead = readJob('task-1', briefly);
const briefOwn = resumeJob('task-1', 'a', briefly);
const resume = resumeJob('task-1', 'a');
const resumeOnce: WantedJob = { existing: { taskId: 'task-1', createdByNode: true }, create: 'a' };

const usual: FakeServiceOptions = {};
const atOnce: FakeServiceOptions = { durationMs: 0 };
const fails: FakeServiceOptions = { ending: () => 'failed' };
const never: FakeServiceOptions = { durationMs: Infinity };
const unread: FakeServiceOptions = { ...never, error: onReads(() => down) };
const refused: FakeServiceOptions = { error: () => lost };
const lateLost = { ...never, error: onReads(({ nth }) => (nth > 2 ? lost : undefined)) };

const none = undefined;
const running: Partial<FakeTask> = { finalMs: 12_000 };
const finished: Partial<FakeTask> = { finalMs: 0 };
const broken: Partial<FakeTask> = { finalMs: 0, ending: 'failed' };
const breaksLater: Partial<FakeTask> = { finalMs: 20_000, ending: 'failed' };

const seen = (word: string, id = 'task-1') => expect.objectContaining({ id, status: word });
const done = (word: string, id?: string) => ({ kind: 'done', task: seen(word, id) });
const completed = done('completed');
const second = done('completed', 'task-2');
const failed = { kind: 'failed', task: seen('failed') };
const timedOut = (task?: Task, error?: ServiceError): Outcome => {
	return { kind: 'timedOut', taskId: 'task-1', task, error };
};
const notRead = (taskId: string, error: ServiceError, task?: Task): Outcome => {
	return { kind: 'notRead', taskId, task, error };
};
const open = seen('processing');
const unseen = seen('pending');
const unknown = notRead('task-1', status(404), unseen);

type Case = [
	behaviour: string,
	service: FakeServiceOptions,
	/** A task that is there already, with this end of its own. */
	existing: Partial<FakeTask> | undefined,
	job: WantedJob,
	outcome: Outcome,
	creates: number,
	reads: number,
];

test.each<Case>([
	['a created task is waited for', usual, none, create, completed, 1, 3],
	['a create that is final at once', atOnce, none, create, completed, 1, 0],
	['a create without waiting', usual, none, createOnlyJob('a'), done('processing'), 1, 0],
	['a created task that fails', fails, none, create, failed, 1, 3],
	['a create that has failed at once', { ...fails, ...atOnce }, none, create, failed, 1, 0],
	['a created task that is late', never, none, brief, timedOut(open), 1, 5],
	['a late one, unread at the end', unread, none, brief, timedOut(open, down), 1, 4],
	['one unread from then on', lateLost, none, create, notRead('task-1', lost, open), 1, 3],
	['an existing task, never read', unread, running, briefRead, timedOut(undefined, down), 0, 4],
	['an existing task that is lost', refused, running, read, notRead('task-1', lost), 0, 1],
	['an unknown task, read once', usual, none, read, notRead('task-1', status(404)), 0, 1],
	['an existing task, read once', usual, running, read, done('processing'), 0, 1],
	['a failed task, only read', usual, broken, read, done('failed'), 0, 1],
	['an existing task, waited for', usual, running, wait, completed, 0, 4],
	['an existing task that has failed', usual, broken, wait, failed, 0, 1],
	['an own task that runs', usual, running, resume, completed, 0, 4],
	['an own task that is completed', usual, finished, resume, completed, 0, 1],
	['an own task that has failed: a new one', usual, broken, resume, second, 1, 4],
	['an own task that fails only now', usual, breaksLater, resume, failed, 0, 5],
	['an own task, never read', unread, running, briefOwn, timedOut(unseen, down), 0, 4],
	['an own task that nobody knows', usual, none, resume, unknown, 0, 7],
	['an own task, read once', usual, running, resumeOnce, done('processing'), 0, 1],
])(
	'one job comes to one outcome %s',
	async (_behaviour, service, existing, job, outcome, creates, reads) => {
		const scene = new Scene(service);
		if (existing) scene.service.add('a', existing);
		const made = scene.service.tasks.length;
		expect(await scene.runOne(job)).toEqual(outcome);
		expect([scene.service.creates.length, scene.service.reads.length]).toEqual([creates, reads]);
		expect(scene.told[0] ?? []).toEqual(scene.service.tasks.slice(made).map(({ id }) => id));
		expect(scene.clock.sleeping).toBe(0);
	},
);

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

	test('tasks of an earlier try count as unfinished before anything is created', async () => {
		const scene = new Scene({ countsUnfinished: true, durationMs: 12_000 });
		const earlier = [0, 1, 2].map((index) => scene.service.add(`earlier ${index}`));
		const jobs = [...createJobs(6), ...earlier.map(({ id, request }) => resumeJob(id, request))];
		const outcomes = await scene.run(jobs, { maxConcurrentTasks: 3 });
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.mostUnfinished).toBe(3);
		expect(scene.service.creates.every(({ atMs }) => atMs >= 12_000)).toBe(true);
	});

	test('a failed task of an earlier try keeps its place when it is created again', async () => {
		const scene = new Scene({ countsUnfinished: true, durationMs: 12_000 });
		const { id } = scene.service.add('a', { finalMs: 0, ending: 'failed' });
		await scene.run([resumeJob(id, 'a'), ...createJobs(3)], { maxConcurrentTasks: 1 });
		expect(scene.service.creates.map(({ request }) => request)).toEqual([
			...['a', 'item 0', 'item 1', 'item 2'],
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
