import fc from 'fast-check';
import {
	LATE_READ_MS,
	LEAST_READ_MS,
	MAX_FAILED_READS,
	NOT_FOUND_GRACE_MS,
	READ_BUDGET_MS,
	UNSEEN_NOT_FOUND_GRACE_MS,
} from '../../../nodes/Videogen/tasks/taskReader';
import type { Wait as WaitPlan } from '../../programs/support/waitingRun';
import type { Call, FakeTask } from '../../programs/support/fakeService';
import {
	gapsOf,
	network,
	onReads,
	status,
	timesOf,
	unreadable,
} from '../../programs/support/fakeService';
import { seededRandom } from '../../programs/support/random';
import type { WantedJob } from '../../programs/support/waitingRun';
import {
	createJob,
	createJobs,
	kindsOf,
	MINUTE,
	mostWithin,
	readJob,
	resumeJob,
	Scene,
	WAIT,
} from '../../programs/support/waitingRun';

/** What records say of how far a task is, from the share of its time that has passed. */
const PROGRESS: Record<string, (share: number) => number | undefined> = {
	no: () => undefined,
	even: (share) => Math.floor(100 * share),
	stuck: (share) => Math.floor(100 * Math.min(share, 0.5)),
	'99 for long': (share) => Math.min(99, Math.floor(300 * share)),
	jumping: (share) => [0, 5, 40, 40, 45, 90][Math.floor(share * 6)],
	'falling back': (share) => Math.floor((300 * share) % 100),
};

/** Hardly more requests than a fixed interval has, and one read alone that finds it finished. */
function expectPolite({ service }: Scene, task: FakeTask, intervalMs: number): void {
	const reads = service.reads.filter(({ taskId }) => taskId === task.id);
	const lifeMs = task.finalMs - task.createdMs;
	expect(1 + reads.length).toBeLessThanOrEqual(lifeMs / intervalMs + 4);
	expect(Math.min(...gapsOf(reads))).toBeGreaterThan(999.9);
	// One that takes less than an interval is noticed by its first poll.
	const countsFromMs = Math.max(task.finalMs, task.createdMs + intervalMs);
	const lateMs = (reads.at(-1)?.atMs ?? 0) - countsFromMs;
	expect(lateMs).toBeLessThanOrEqual(Math.max(intervalMs, 60_000) + 2_000);
	expect(reads.filter(({ atMs }) => atMs >= task.finalMs)).toHaveLength(1);
}

describe('the rhythm of polls', () => {
	test('an existing task is read at once, then at its interval', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const { id } = scene.service.add('a');
		await scene.runOne(readJob(id, WAIT));
		expect(timesOf(scene.service.reads)).toEqual([0, 5_000, 10_000, 15_000]);
	});

	test.each(Object.entries(PROGRESS))(
		'costs at most duration / interval + 4 requests with %s progress',
		async (_, percent) => {
			const scenes = fc.record({
				durationsMs: fc.array(fc.integer({ min: 1, max: 30 * MINUTE }), {
					minLength: 1,
					maxLength: 30,
				}),
				intervalMs: fc.oneof(
					fc.integer({ min: 1_000, max: 3_000 }),
					fc.integer({ min: 1_000, max: 60_000 }),
				),
				maxUnfinished: fc.integer({ min: 1, max: 30 }),
				latencyMs: fc.constantFrom(0, 0, 50),
				seed: fc.nat(),
			});
			await fc.assert(
				fc.asyncProperty(scenes, async (given) => {
					const { durationsMs, intervalMs, maxUnfinished, latencyMs, seed } = given;
					const durationMs = (request: string) =>
						durationsMs[Number(request.slice('item '.length))] ?? 0;
					const scene = new Scene({ durationMs, latencyMs, percent }, seededRandom(seed));
					const jobs = createJobs(durationsMs.length, { intervalMs, timeoutMs: 60 * MINUTE });
					const outcomes = await scene.run(jobs, { maxConcurrentTasks: maxUnfinished });
					expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
					for (const task of scene.service.tasks) expectPolite(scene, task, intervalMs);
				}),
				{ numRuns: 20 },
			);
		},
	);
});

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

	test('holds for many tasks, whatever error their reads end in', async () => {
		const error = fc.constantFrom(
			'none',
			'hangs',
			status(429),
			status(429, 0),
			status(429, 45_000),
			status(429, 10 * 60 * MINUTE),
			status(503),
			status(404),
			network('lost'),
			unreadable('empty'),
		);
		const scenes = fc.record({
			errors: fc.array(error, { minLength: 1, maxLength: 12 }),
			count: fc.integer({ min: 1, max: 120 }),
			latencyMs: fc.constantFrom(0, 50, 900, 4_000),
			intervalMs: fc.integer({ min: 1_000, max: 20_000 }),
			timeoutMs: fc.integer({ min: 1_000, max: 3 * MINUTE }),
			maxUnfinished: fc.constantFrom(7, 100),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async (given) => {
				const { errors, count, seed, latencyMs, maxUnfinished, ...wait } = given;
				const serviceErrorOf = ({ nth }: Call) => errors[nth % errors.length];
				const scene = new Scene(
					{
						durationMs: Infinity,
						latencyMs,
						hangs: (call) => serviceErrorOf(call) === 'hangs',
						error: onReads((call) => {
							const one = serviceErrorOf(call);
							return typeof one === 'object' ? one : undefined;
						}),
					},
					seededRandom(seed),
				);
				const endsMs = new Map<string, number>();
				await scene.run(createJobs(count, wait), {
					maxConcurrentTasks: maxUnfinished,
					complete: async (_, outcome) => {
						if (outcome.taskId !== undefined) endsMs.set(outcome.taskId, scene.clock.now());
						await Promise.resolve();
					},
				});
				for (const { id, createdMs } of scene.service.tasks) {
					const deadlineMs = createdMs + latencyMs + wait.timeoutMs;
					const reads = scene.service.reads.filter(({ taskId }) => taskId === id);
					const lastMs = Math.max(0, ...timesOf(reads));
					expect(lastMs).toBeLessThanOrEqual(deadlineMs + LATE_READ_MS);
					const answerMs = Math.max(LEAST_READ_MS, latencyMs);
					expect(endsMs.get(id)).toBeLessThanOrEqual(deadlineMs + LATE_READ_MS + answerMs);
				}
			}),
		);
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

	test('does not shorten reads for which nobody waits', async () => {
		const scene = new Scene({ hangs: ({ nth }) => nth === 1 });
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id))).toMatchObject({ kind: 'done' });
		expect(scene.service.reads[1]?.atMs).toBeGreaterThan(30_000);
	});

	test('does not end reads for which nobody waits, however late their first turn comes', async () => {
		const scene = new Scene({ hangs: ({ nthOfRequest }) => nthOfRequest === 1 });
		const ids = Array.from({ length: 200 }, (_, index) => scene.service.add(`a ${index}`).id);
		const outcomes = await scene.run(ids.map((id) => readJob(id)));
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.clock.now()).toBeGreaterThan(READ_BUDGET_MS + 30_000);
	});

	test('counts from the submission of each task, not from the start of the run', async () => {
		const scene = new Scene({ durationMs: Infinity });
		const wait = { intervalMs: 5_000, timeoutMs: 60_000 };
		const outcomes = await scene.run(createJobs(3, wait), { maxConcurrentTasks: 1 });
		expect(kindsOf(outcomes)).toEqual(['timedOut', 'timedOut', 'timedOut']);
		expect(timesOf(scene.service.creates)).toEqual([0, 60_000, 120_000]);
		expect(scene.clock.now()).toBe(180_000);
	});

	test('a task that is finished at the deadline itself is completed', async () => {
		const scene = new Scene({ durationMs: 60_000 });
		const wait = { intervalMs: 7_000, timeoutMs: 60_000 };
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind: 'done' });
	});

	test('a resumed task has the whole time again', async () => {
		const scene = new Scene({ durationMs: 100_000 });
		const { id } = scene.service.add('a');
		await scene.clock.sleep(50_000);
		const wait = { intervalMs: 5_000, timeoutMs: 60_000 };
		expect(await scene.runOne(resumeJob(id, 'a', wait))).toMatchObject({ kind: 'done' });
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
	/** Which they are stands in `retryPolicy.test.ts`. */
	const passing = [status(503), network('lost'), unreadable('empty')];

	test.each(passing)('are tried again: %j', async (error) => {
		const waiting = new Scene({ durationMs: Infinity, error: onReads(() => error) });
		expect(await waiting.runOne(createJob('a'))).toMatchObject({ kind: 'timedOut', error });
		expect(waiting.service.reads.at(-1)?.atMs).toBe(WAIT.timeoutMs);

		const isPassing = ({ atMs }: Call) => (atMs < 19 * MINUTE ? error : undefined);
		const late = new Scene({ error: onReads(isPassing) });
		expect(await late.runOne(createJob('a'))).toMatchObject({ kind: 'done' });

		const once = new Scene({ error: onReads(() => error) });
		const { id } = once.service.add('a');
		expect(await once.runOne(readJob(id))).toMatchObject({ kind: 'notRead', error });
		expect(once.service.reads).toHaveLength(MAX_FAILED_READS);
	});

	test('come with longer and longer pauses between them', async () => {
		const scene = new Scene({ error: onReads(() => status(503)) }, () => 0.999);
		await scene.runOne(createJob('a'));
		const gaps = gapsOf(scene.service.reads).slice(0, -1);
		expect(gaps[0]).toBeLessThanOrEqual(1_000);
		expect(gaps.every((gap, index) => gap > 0.9 * Math.min(30_000, 1_000 * 2 ** index))).toBe(true);
		expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
	});
});

describe('404 on a read', () => {
	const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };

	test.each([
		{ goneMs: NOT_FOUND_GRACE_MS - 10_000, kind: 'done' },
		{ goneMs: 3 * NOT_FOUND_GRACE_MS, kind: 'notRead' },
	])('in the middle is forgiven since it was last heard of: %j', async ({ goneMs, kind }) => {
		const from = 2 * MINUTE + 1;
		const scene = new Scene({
			durationMs: 5 * MINUTE,
			error: onReads(({ atMs }) =>
				atMs >= from && atMs < from + goneMs ? status(404) : undefined,
			),
		});
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind });
	});

	test.each([5_000, 31_000, 60_000])(
		'once ends no task, however seldom it is read: every %d ms',
		async (intervalMs) => {
			for (const missedNth of [1, 3]) {
				const scene = new Scene({
					durationMs: 5 * MINUTE,
					error: onReads(({ nth }) => (nth === missedNth ? status(404) : undefined)),
				});
				const job = createJob('a', { intervalMs, timeoutMs: 20 * MINUTE });
				expect(await scene.runOne(job)).toMatchObject({ kind: 'done' });
			}
		},
	);

	test('is asked again with growing pauses, the last time at the end of the grace', async () => {
		const scene = new Scene({ error: onReads(() => status(404)) }, () => 0.999_999);
		const seldom = { intervalMs: 60_000, timeoutMs: 20 * MINUTE };
		expect(await scene.runOne(createJob('a', seldom))).toMatchObject({ kind: 'notRead' });
		const times = timesOf(scene.service.reads).map((atMs) => Math.round(atMs - 60_000));
		expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, NOT_FOUND_GRACE_MS]);
	});

	const ownJob = (taskId: string, jobWait?: WaitPlan): WantedJob => ({
		existing: { taskId, createdByNode: true },
		create: 'a',
		wait: jobWait,
	});
	const shorterMs = UNSEEN_NOT_FOUND_GRACE_MS - 4_000;
	const jobs: Array<[string, forgivenMs: number, (taskId: string) => WantedJob]> = [
		['of a task that was just created', NOT_FOUND_GRACE_MS - 5_000, () => createJob('a', wait)],
		['of an id that was never seen', shorterMs, (id) => readJob(id, wait)],
		['of a task of an earlier try', NOT_FOUND_GRACE_MS - 5_000, (id) => ownJob(id, WAIT)],
		['of one for which nobody waits', NOT_FOUND_GRACE_MS - 5_000, (id) => ownJob(id)],
	];

	test.each(jobs)('%s is forgiven for a while, and not for ever', async (_, forgivenMs, jobOf) => {
		for (const hiddenMs of [forgivenMs, 2 * NOT_FOUND_GRACE_MS]) {
			const scene = new Scene({
				error: onReads(({ atMs }) => (atMs < hiddenMs ? status(404) : undefined)),
			});
			const { id } = scene.service.add('a');
			const kind = hiddenMs === forgivenMs ? 'done' : 'notRead';
			expect(await scene.runOne(jobOf(id))).toMatchObject({ kind });
		}
	});
});

describe('429 on reads', () => {
	test('Retry-After is honoured by every task, whenever its own poll was due', async () => {
		const pauseMs = 90_000;
		let limitedAtMs: number | undefined;
		const scene = new Scene({
			durationMs: 10 * MINUTE,
			error: onReads(({ atMs }) => {
				if (atMs < 2 * MINUTE || limitedAtMs !== undefined) return undefined;
				limitedAtMs = atMs;
				return status(429, pauseMs);
			}),
		});
		const outcomes = await scene.run(createJobs(20));
		const from = limitedAtMs ?? 0;
		const early = timesOf(scene.service.reads).filter(
			(atMs) => atMs > from && atMs < from + pauseMs,
		);
		expect(early).toEqual([]);
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
	});

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
		expect(mostWithin(250, after)).toBeLessThanOrEqual(30);
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

	test.each([undefined, 0, 200, 1_000])(
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

	test('does not count among the reads that came to nothing', async () => {
		const scene = new Scene({
			error: onReads(({ nth }) => {
				if (nth <= 5 || (nth > 15 && nth <= 19)) return status(503);
				return nth <= 15 ? status(429) : undefined;
			}),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
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
	const ids = Array.from({ length: 300 }, (_, index) => scene.service.add(`a ${index}`).id);
	expect(new Set(kindsOf(await scene.run(ids.map((id) => readJob(id, WAIT)))))).toEqual(
		new Set(['done']),
	);
	expect(scene.service.mostOpenReads).toBe(32);
});
