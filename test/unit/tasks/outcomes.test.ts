import type { Entry } from '../../../nodes/Videogen/work/entry';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import type { Task } from '../../../nodes/Videogen/service/task';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/work/createThrottles';
import {
	type FakeServiceOptions,
	type FakeTask,
	network,
	onCreates,
	onReads,
	status,
	timesOf,
} from '../../programs/support/fakeService';
import {
	type Outcome,
	type Wait,
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
const resumeOnce = { ...resume, wait: undefined };

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
	job: Entry,
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
	test.each([1, 8])('with %d unfinished allowed, no more ever are', async (maxUnfinished) => {
		const scene = new Scene({
			durationMs: (request) => 3_000 + (Number(request.slice('item '.length)) % 7) * 4_000,
		});
		const outcomes = await scene.run(createJobs(60), { maxConcurrentTasks: maxUnfinished });
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.mostUnfinished).toBe(maxUnfinished);
		expect(scene.service.creates).toHaveLength(60);
	});

	test('tasks of an earlier try count as unfinished before anything is created', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const earlier = [0, 1, 2].map((index) => scene.service.add(`earlier ${index}`));
		const jobs = [...createJobs(6), ...earlier.map(({ id, request }) => resumeJob(id, request))];
		const outcomes = await scene.run(jobs, { maxConcurrentTasks: 3 });
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.mostUnfinished).toBe(3);
		expect(scene.service.creates.every(({ atMs }) => atMs >= 12_000)).toBe(true);
	});

	test('a failed task of an earlier try keeps its place when it is created again', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const { id } = scene.service.add('a', { finalMs: 0, ending: 'failed' });
		await scene.run([resumeJob(id, 'a'), ...createJobs(3)], { maxConcurrentTasks: 1 });
		expect(scene.service.creates.map(({ request }) => request)).toEqual([
			...['a', 'item 0', 'item 1', 'item 2'],
		]);
		expect(scene.service.mostUnfinished).toBe(1);
	});
});

const LOST = network('lost');

describe('what is told and counted of a create', () => {
	test.each<[string, Array<ServiceError | undefined>, told: string[], unclear: number[], number]>([
		['that is refused', [status(400)], [], [], 0],
		['that is rate limited once and then accepted', [status(429)], ['task-1'], [], 1],
		['that is rate limited once and then gets no answer', [status(429), LOST], [], [0], 1],
	])('one %s', async (_what, errors, told, unclear, counted) => {
		const scene = new Scene({ error: ({ nth }) => errors[nth - 1] });
		await scene.runOne(createOnlyJob('a'));
		expect([scene.told[0] ?? [], scene.unclear, scene.counted]).toEqual([told, unclear, counted]);
	});

	test('is nothing when there is neither a create nor a task', async () => {
		const scene = new Scene();
		expect(await scene.runOne(createJob('a'), { createsNothing: true })).toEqual({
			kind: 'notStarted',
		});
		expect(scene.service.calls).toEqual([]);
	});
});

test.each([status(400), LOST])(
	'a create that is sent again after one without an answer may have made a task: %j',
	async (error) => {
		const scene = new Scene({ error: () => error });
		const outcome = await scene.runOne({ ...createJob('a'), unanswered: 1 });
		expect(outcome).toEqual({ kind: 'notCreated', error, mayExist: true });
	},
);

describe('what one job means for the others', () => {
	test('creates go out in the order of the items, one that got 429 before those still to go', async () => {
		const scene = new Scene({
			latencyMs: 1_000,
			durationMs: 0,
			error: onCreates(({ request, nthOfRequest }) =>
				request === 'item 0' && nthOfRequest === 1 ? status(429) : undefined,
			),
		});
		await scene.run(createJobs(MAX_CREATES_AT_ONCE + 2));
		const sent = scene.service.creates.map(({ request }) => Number(request.slice('item '.length)));
		const first = Array.from({ length: MAX_CREATES_AT_ONCE }, (_, index) => index);
		expect(sent).toEqual([...first, 0, MAX_CREATES_AT_ONCE, MAX_CREATES_AT_ONCE + 1]);
	});

	test('a log that throws loses neither its task nor those of the others', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const created = (index: number) => {
			if (index === 0) throw new Error('The log is full');
		};
		await expect(scene.run(createJobs(3), { created })).rejects.toThrow('The log is full');
		expect(scene.entries.map(({ task }) => task?.id)).toEqual(['task-1', 'task-2', 'task-3']);
		expect(scene.entries.map(({ unanswered }) => unanswered)).toEqual(Array(3).fill(undefined));
	});

	test('one whose tool throws leaves the creates and reads of the others alone', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const complete = async (index: number) => {
			if (index === 0) throw new Error('Odd');
			await Promise.resolve();
		};
		await expect(scene.run(createJobs(3), { complete })).rejects.toThrow('Odd');
		expect(scene.entries.map(({ outcome }) => outcome?.kind)).toEqual(['done', 'done', 'done']);
	});
});

/** When a task is read, counted from its create. */
function readsOf(request: string, { service }: Scene): number[] {
	const createdMs = service.tasksOf(request)[0]?.createdMs ?? NaN;
	const reads = service.reads.filter((read) => read.request === request);
	return timesOf(reads).map((atMs) => Math.round(atMs - createdMs));
}

describe('what the records of a task say of its end', () => {
	test('counts from what the create was answered', async () => {
		const scene = new Scene({ durationMs: 20_000, percent: (share) => 60 + 40 * share });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 12_500, 17_500, 20_200]);
	});

	test('is at most a wrong prediction when it is beyond 100 percent, or below 0', async () => {
		const wild = (share: number) => (share > 0.5 ? 1e308 : -1e308);
		const scene = new Scene({ durationMs: 20_000, percent: wild });
		await scene.runOne(createJob('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 10_000, 15_000, 16_000, 21_000]);
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

describe('a completed task without results', () => {
	test.each<
		[string, Wait | undefined, resultsAfterMs: number, hasResults: boolean, reads: number[]]
	>([
		['until they come, by who waits', WAIT, 5_000, true, [0, 2_000, 4_000, 6_000]],
		['until they come, by who reads once', undefined, 5_000, true, [0, 2_000, 4_000, 6_000]],
		['for ten seconds by who waits', WAIT, 60_000, false, [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
		['for ten seconds', undefined, 60_000, false, [0, 2_000, 4_000, 6_000, 8_000, 10_000]],
		['for the time that there is', { ...WAIT, timeoutMs: 3_000 }, 60_000, false, [0, 2_000, 3_000]],
	])('is read again %s', async (_how, wait, resultsAfterMs, hasResults, reads) => {
		const scene = new Scene({ resultsAfterMs });
		const { id } = scene.service.add('a', { finalMs: 0 });
		const { kind, task } = await scene.runOne(readJob(id, wait));
		expect([kind, task?.record.results !== undefined]).toEqual(['done', hasResults]);
		expect(timesOf(scene.service.reads)).toEqual(reads);
	});
});

test.each([
	['completed', true],
	['failed', undefined],
] as const)('a task that %s had a video: %s', async (ending, hadVideo) => {
	const scene = new Scene({ ending: () => ending });
	await scene.runOne(createJob('a'));
	expect(scene.entries[0]?.hadVideo).toBe(hadVideo);
});
