import type { Entry } from '../../../nodes/Videogen/work/entry';
import {
	LATE_READ_MS,
	LEAST_READ_MS,
	MAX_FAILED_READS,
	NOT_FOUND_GRACE_MS,
	READ_BUDGET_MS,
	UNSEEN_NOT_FOUND_GRACE_MS,
} from '../../../nodes/Videogen/work/taskReader';
import {
	type Call,
	gapsOf,
	network,
	onReads,
	status,
	timesOf,
} from '../../programs/support/fakeService';
import { seededRandom } from '../../programs/support/random';
import {
	createJob,
	createJobs,
	kindsOf,
	MINUTE,
	readJob,
	resumeJob,
	Scene,
	WAIT,
} from '../../programs/support/waitingRun';

describe('the deadline', () => {
	test.each([
		{ intervalMs: 5_000, timeoutMs: 60_000 },
		{ intervalMs: 5_000, timeoutMs: 61_700 },
		{ intervalMs: 60_000, timeoutMs: 1_000 },
		{ intervalMs: 1_000, timeoutMs: 6 * 60 * MINUTE },
	])('the last read comes exactly at it and none after it: %j', async (wait) => {
		const scene = new Scene({ durationMs: Infinity });
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind: 'timedOut' });
		expect(scene.service.reads.at(-1)?.atMs).toBe(wait.timeoutMs);
		expect(scene.clock.now()).toBe(wait.timeoutMs);
	});

	test('allows every one of many tasks its last read', async () => {
		const scene = new Scene({ durationMs: MINUTE, latencyMs: 100 });
		const ids = Array.from({ length: 200 }, (_, index) => scene.service.add(`a ${index}`).id);
		const wait = { intervalMs: 40_000, timeoutMs: MINUTE };
		const outcomes = await scene.run(ids.map((id) => readJob(id, wait)));
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		const late = timesOf(scene.service.reads).filter((atMs) => atMs > MINUTE);
		expect(late).not.toEqual([]);
		expect(Math.max(...late)).toBeLessThanOrEqual(MINUTE + LATE_READ_MS);
	});

	test('leaves the last read a little time for its answer, and no more', async () => {
		const wait = { intervalMs: 7_000, timeoutMs: MINUTE };
		const hangs = ({ kind, atMs }: Call) => kind === 'read' && atMs >= MINUTE;
		const scene = new Scene({ durationMs: Infinity, hangs });
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({
			kind: 'timedOut',
			task: { status: 'processing' },
			error: network('timeout'),
		});
		expect(scene.clock.now()).toBe(MINUTE + LEAST_READ_MS);
	});

	test('does not end reads for which nobody waits, however late their first turn comes', async () => {
		const scene = new Scene({ hangs: ({ nthOfRequest }) => nthOfRequest === 1 });
		const ids = Array.from({ length: 200 }, (_, index) => scene.service.add(`a ${index}`).id);
		const outcomes = await scene.run(ids.map((id) => readJob(id)));
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.clock.now()).toBeGreaterThan(READ_BUDGET_MS + 30_000);
	});

	test('a resumed task has it only once, however late it is first seen', async () => {
		const scene = new Scene({
			durationMs: Infinity,
			error: onReads(({ nth }) => (nth === 1 ? status(429, 40_000) : undefined)),
		});
		const { id } = scene.service.add('a');
		const wait = { intervalMs: 5_000, timeoutMs: MINUTE };
		expect(await scene.runOne(resumeJob(id, 'a', wait))).toMatchObject({
			kind: 'timedOut',
			task: { status: 'processing' },
		});
		expect(scene.clock.now()).toBe(MINUTE);
	});
});

describe('reads that come to nothing', () => {
	const error = status(503);

	test('are few where nobody waits', async () => {
		const scene = new Scene({ error: onReads(() => error) });
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id))).toMatchObject({ kind: 'notRead', error });
		expect(scene.service.reads).toHaveLength(MAX_FAILED_READS);
	});

	test('come with longer and longer pauses between them', async () => {
		const scene = new Scene({ error: onReads(() => error) }, () => 0.999_999);
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'timedOut', error });
		const gaps = gapsOf(scene.service.reads).map(Math.round);
		expect(gaps.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
		expect(Math.max(...gaps)).toBe(30_000);
	});
});

describe('404 on a read', () => {
	const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };

	test.each([1, 3])('once ends no task, however seldom it is read: the read %d', async (missed) => {
		const scene = new Scene({
			durationMs: 5 * MINUTE,
			error: onReads(({ nth }) => (nth === missed ? status(404) : undefined)),
		});
		const job = createJob('a', { intervalMs: MINUTE, timeoutMs: 20 * MINUTE });
		expect(await scene.runOne(job)).toMatchObject({ kind: 'done' });
	});

	test('is asked again with growing pauses, the last time at the end of the grace', async () => {
		const scene = new Scene({ error: onReads(() => status(404)) }, () => 0.999_999);
		const seldom = { intervalMs: 60_000, timeoutMs: 20 * MINUTE };
		expect(await scene.runOne(createJob('a', seldom))).toMatchObject({ kind: 'notRead' });
		const times = timesOf(scene.service.reads).map((atMs) => Math.round(atMs - 60_000));
		expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, NOT_FOUND_GRACE_MS]);
	});

	const longMs = NOT_FOUND_GRACE_MS - 5_000;
	const shortMs = UNSEEN_NOT_FOUND_GRACE_MS - 4_000;

	test.each<[string, forgivenMs: number, (taskId: string) => Entry]>([
		['of a task that was just created', longMs, () => createJob('a', wait)],
		['of an id that was never seen', shortMs, (id) => readJob(id, wait)],
		['of a task of an earlier try', longMs, (id) => resumeJob(id, 'a')],
		['of one for which nobody waits', longMs, (id) => ({ ...resumeJob(id, 'a'), wait: undefined })],
	])('%s is forgiven for a while, and not for ever', async (_, forgivenMs, jobOf) => {
		const kindAfter = async (hiddenMs: number) => {
			const scene = new Scene({
				error: onReads(({ atMs }) => (atMs < hiddenMs ? status(404) : undefined)),
			});
			return (await scene.runOne(jobOf(scene.service.add('a').id))).kind;
		};
		expect(await kindAfter(forgivenMs)).toBe('done');
		expect(await kindAfter(2 * NOT_FOUND_GRACE_MS)).toBe('notRead');
	});
});

describe('429 on reads', () => {
	test('reads that wait for a free connection wait for the pause too, and then not all come at once', async () => {
		const latencyMs = 20;
		const scene = new Scene(
			{
				latencyMs,
				durationMs: 5 * MINUTE,
				error: onReads(({ nth }) => (nth === 1 ? status(429, MINUTE) : undefined)),
			},
			seededRandom(5),
		);
		const ids = Array.from({ length: 100 }, (_, index) => scene.service.add(`a ${index}`).id);
		const outcomes = await scene.run(ids.map((id) => readJob(id, WAIT)));
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		const all = timesOf(scene.service.reads);
		expect(all.filter((atMs) => atMs > latencyMs && atMs < MINUTE)).toEqual([]);
		const first = scene.service.reads.filter(({ nthOfRequest }) => nthOfRequest === 1);
		const after = timesOf(first).filter((atMs) => atMs >= MINUTE);
		expect(after.length).toBeGreaterThan(60);
		expect(Math.max(...after)).toBeLessThan(MINUTE + WAIT.intervalMs + 100);
		expect(after.filter((atMs) => atMs < MINUTE + 250).length).toBeLessThanOrEqual(30);
	});

	test('a pause longer than the time left still allows the read at the deadline', async () => {
		const scene = new Scene({
			durationMs: 50_000,
			error: onReads(({ nth }) => (nth === 1 ? status(429, 60 * MINUTE) : undefined)),
		});
		const wait = { intervalMs: 5_000, timeoutMs: 60_000 };
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind: 'done' });
		expect(timesOf(scene.service.reads)).toEqual([5_000, 60_000]);
	});

	test.each([undefined, 200])(
		'never makes a task be read more often than usual: Retry-After %p ms',
		async (retryAfterMs) => {
			const intervalMs = 20_000;
			const scene = new Scene(
				{
					durationMs: 15 * MINUTE,
					latencyMs: 50,
					error: onReads(({ atMs }) =>
						atMs > 2 * MINUTE && atMs < 7 * MINUTE ? status(429, retryAfterMs) : undefined,
					),
				},
				seededRandom(3),
			);
			const outcomes = await scene.run(createJobs(50, { intervalMs, timeoutMs: 60 * MINUTE }));
			expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
			for (const { id } of scene.service.tasks) {
				const gaps = gapsOf(scene.service.reads.filter(({ taskId }) => taskId === id));
				expect(Math.min(...gaps)).toBeGreaterThanOrEqual(intervalMs);
			}
			const readsIn = (minute: number) =>
				timesOf(scene.service.reads).filter((atMs) => Math.floor(atMs / MINUTE) === minute).length;
			expect(readsIn(5)).toBeLessThan(0.5 * readsIn(1));
		},
	);

	test('grows for each task by itself, even if the others are answered', async () => {
		const scene = new Scene(
			{ error: onReads(({ request }) => (request === 'limited' ? status(429) : undefined)) },
			() => 0.999_999,
		);
		const ids = ['limited', ...Array(20).fill('good')].map((name) => scene.service.add(name).id);
		await scene.run(ids.map((id) => readJob(id)));
		const gaps = gapsOf(scene.service.reads.filter(({ request }) => request === 'limited'));
		expect(gaps.slice(0, 5).map(Math.round)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
	});

	test('keeps trying a task for which nobody waits, for a limited time', async () => {
		const scene = new Scene({ error: onReads(() => status(429)) });
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id))).toMatchObject({
			kind: 'notRead',
			error: status(429),
		});
		expect(scene.service.reads.length).toBeGreaterThan(3);
		expect(scene.clock.now()).toBe(READ_BUDGET_MS);
	});
});

test('a limited number of reads is open at once', async () => {
	const scene = new Scene({ durationMs: MINUTE, latencyMs: 100 });
	const jobs = Array.from({ length: 70 }, (_, nth) => readJob(scene.service.add(`a ${nth}`).id));
	await scene.run(jobs);
	expect(timesOf(scene.service.reads)).toEqual([
		...[...Array(32).fill(0), ...Array(32).fill(100), ...Array(6).fill(200)],
	]);
});
