import fc from 'fast-check';
import {
	MAX_MISSES_ONCE,
	MAX_MISSES_WAITING,
	NOT_FOUND_GRACE_MS,
	READ_BUDGET_MS,
	UNSEEN_NOT_FOUND_GRACE_MS,
} from '../../../nodes/Videogen/waiting/follower';
import { network, status, unreadable } from '../../support/fakeService';
import type { Call, FakeServiceOptions } from '../../support/fakeService';
import { seededRandom } from '../../support/random';
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
} from '../../support/waitingRun';

const onReads =
	(trouble: (call: Call) => ReturnType<typeof status> | undefined): FakeServiceOptions['trouble'] =>
	(call) =>
		call.kind === 'read' ? trouble(call) : undefined;

const timesOf = (calls: Call[]): number[] => calls.map(({ atMs }) => atMs);

const gapsOf = (calls: Call[]): number[] =>
	calls.slice(1).map(({ atMs }, index) => atMs - (calls[index]?.atMs ?? 0));

describe('the rhythm of polls', () => {
	test('one task is read at its interval, first one interval after its create', async () => {
		const scene = new Scene({ durationMs: 31_000 });
		await scene.runOne(createJob('a'));
		expect(timesOf(scene.service.reads)).toEqual([
			5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000,
		]);
	});

	test('an existing task is read at once, then at its interval', async () => {
		const scene = new Scene({ durationMs: 12_000 });
		const { id } = scene.service.add('a');
		await scene.runOne(readJob(id, WAIT));
		expect(timesOf(scene.service.reads)).toEqual([0, 5_000, 10_000, 15_000]);
	});

	test('each task is read at its own interval', async () => {
		const scene = new Scene({ durationMs: 60_000 });
		await scene.run([
			createJob('often', { ...WAIT, intervalMs: 1_000 }),
			createJob('seldom', { ...WAIT, intervalMs: 30_000 }),
		]);
		const readsOf = (request: string) =>
			scene.service.reads.filter((read) => read.request === request);
		expect(readsOf('often').length).toBeGreaterThan(55);
		expect(readsOf('seldom')).toHaveLength(2);
	});

	test('costs at most duration / interval + 2 requests, and notices within interval + 2 s', async () => {
		const scenes = fc.record({
			durationsMs: fc.array(fc.integer({ min: 0, max: 15 * MINUTE }), {
				minLength: 1,
				maxLength: 60,
			}),
			intervalMs: fc.oneof(
				fc.integer({ min: 1_000, max: 3_000 }),
				fc.integer({ min: 1_000, max: 60_000 }),
			),
			maxUnfinished: fc.integer({ min: 1, max: 60 }),
			latencyMs: fc.constantFrom(0, 0, 50),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async (given) => {
				const { durationsMs, intervalMs, maxUnfinished, latencyMs, seed } = given;
				const durationMs = (request: string) =>
					durationsMs[Number(request.slice('item '.length))] ?? 0;
				const scene = new Scene({ durationMs, latencyMs }, seededRandom(seed));
				const jobs = createJobs(durationsMs.length, { intervalMs, timeoutMs: 60 * MINUTE });
				const outcomes = await scene.run(jobs, { maxUnfinished });
				expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
				for (const task of scene.service.tasks) {
					const reads = scene.service.reads.filter(({ taskId }) => taskId === task.id);
					const requests = 1 + reads.length;
					const lifeMs = task.finalMs - task.createdMs;
					expect(requests).toBeLessThanOrEqual(lifeMs / intervalMs + 2);
					const seenMs = reads.at(-1)?.atMs ?? task.createdMs;
					expect(seenMs - task.finalMs).toBeLessThanOrEqual(intervalMs + 2_000);
					expect(reads.filter(({ atMs }) => atMs >= task.finalMs).length).toBeLessThanOrEqual(1);
				}
			}),
			{ numRuns: 60, seed: 20_240 },
		);
	});

	test('once spread, every task is read at exactly its interval', async () => {
		const scene = new Scene({ durationMs: 5 * MINUTE });
		await scene.run(createJobs(20));
		for (const { id } of scene.service.tasks) {
			const reads = scene.service.reads.filter(({ taskId }) => taskId === id);
			const gaps = gapsOf(reads.filter(({ atMs }) => atMs > MINUTE));
			expect(gaps.map(Math.round)).toEqual(gaps.map(() => WAIT.intervalMs));
		}
	});

	test('50 equal tasks end within one interval + 2 s of their duration', async () => {
		const scene = new Scene({ durationMs: 90_000 });
		await scene.run(createJobs(50), { maxUnfinished: 50 });
		expect(scene.clock.now()).toBeLessThanOrEqual(90_000 + 5_000 + 2_000);
	});

	test.each([1_000, 2_000, 5_000, 10_000, 30_000])(
		'50 tasks created at once spread their polls over an interval of %d ms',
		async (intervalMs) => {
			const scene = new Scene({ durationMs: 20 * MINUTE });
			await scene.run(createJobs(50, { intervalMs, timeoutMs: 60 * MINUTE }));
			const settled = timesOf(scene.service.reads).filter(
				(atMs) => atMs > 12 * MINUTE && atMs < 20 * MINUTE,
			);
			const windowMs = intervalMs / 10;
			const even = 50 * (windowMs / intervalMs);
			expect(mostWithin(windowMs, settled)).toBeLessThanOrEqual(3 * even);
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

	test('holds for many tasks and for any trouble with reads', async () => {
		const trouble = fc.constantFrom(
			undefined,
			status(429),
			status(429, 45_000),
			status(429, 10 * 60 * MINUTE),
			status(503),
			status(404),
			network('lost'),
			unreadable('empty'),
		);
		const scenes = fc.record({
			troubles: fc.array(trouble, { minLength: 1, maxLength: 12 }),
			count: fc.integer({ min: 1, max: 30 }),
			intervalMs: fc.integer({ min: 1_000, max: 20_000 }),
			timeoutMs: fc.integer({ min: 1_000, max: 5 * MINUTE }),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async ({ troubles, count, seed, ...wait }) => {
				const scene = new Scene(
					{
						durationMs: Infinity,
						trouble: onReads(({ nth }) => troubles[nth % troubles.length]),
					},
					seededRandom(seed),
				);
				await scene.run(createJobs(count, wait), { maxUnfinished: 7 });
				for (const { id, createdMs } of scene.service.tasks) {
					const reads = scene.service.reads.filter(({ taskId }) => taskId === id);
					expect(Math.max(...timesOf(reads))).toBeLessThanOrEqual(createdMs + wait.timeoutMs);
				}
			}),
			{ numRuns: 60, seed: 20_241 },
		);
	});

	test('counts from the submission of each task, not from the start of the run', async () => {
		const scene = new Scene({ durationMs: Infinity });
		const wait = { intervalMs: 5_000, timeoutMs: 60_000 };
		const outcomes = await scene.run(createJobs(3, wait), { maxUnfinished: 1 });
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
});

describe('reads that come to nothing', () => {
	const passing = [
		status(408),
		status(425),
		status(500),
		status(502),
		status(503),
		network('lost'),
		network('timeout'),
		network('refused'),
		network('unknownHost'),
		unreadable('empty'),
		unreadable('html'),
		unreadable('notJson'),
		unreadable('notTask'),
	];

	test.each(passing)('are tried again while waiting, up to the limit: %j', async (trouble) => {
		const scene = new Scene({ durationMs: Infinity, trouble: onReads(() => trouble) });
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'notRead', trouble });
		expect(scene.service.reads).toHaveLength(MAX_MISSES_WAITING);
	});

	test.each(passing)('one less than the limit does no harm: %j', async (trouble) => {
		const scene = new Scene({
			trouble: onReads(({ nth }) => (nth < MAX_MISSES_WAITING ? trouble : undefined)),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
	});

	test.each(passing)('are tried again less often when nobody waits: %j', async (trouble) => {
		const scene = new Scene({ trouble: onReads(() => trouble) });
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id))).toMatchObject({ kind: 'notRead', trouble });
		expect(scene.service.reads).toHaveLength(MAX_MISSES_ONCE);
	});

	test.each([300, 302, 400, 401, 402, 403, 410].map((code) => status(code)))(
		'stop at once when another try would not help: %j',
		async (trouble) => {
			const scene = new Scene({ trouble: onReads(() => trouble) });
			expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'notRead', trouble });
			expect(scene.service.reads).toHaveLength(1);
		},
	);

	test('a good answer between them starts the count anew', async () => {
		const scene = new Scene({
			durationMs: 15 * MINUTE,
			trouble: onReads(({ nth }) => (nth % MAX_MISSES_WAITING === 0 ? undefined : status(503))),
		});
		const wait = { intervalMs: 1_000, timeoutMs: 60 * MINUTE };
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind: 'done' });
		expect(scene.service.reads.length).toBeGreaterThan(3 * MAX_MISSES_WAITING);
	});

	test('come with longer and longer pauses between them', async () => {
		const scene = new Scene({ trouble: onReads(() => status(503)) }, () => 0.999);
		await scene.runOne(createJob('a'));
		const gaps = gapsOf(scene.service.reads);
		expect(gaps[0]).toBeLessThanOrEqual(1_000);
		expect(gaps.every((gap, index) => gap > 0.9 * Math.min(30_000, 1_000 * 2 ** index))).toBe(true);
	});

	test('trouble with one task does not touch the others', async () => {
		const scene = new Scene({
			durationMs: 60_000,
			trouble: onReads(({ request }) => (request === 'item 1' ? status(500) : undefined)),
		});
		expect(kindsOf(await scene.run(createJobs(3)))).toEqual(['done', 'notRead', 'done']);
	});
});

describe('404 on a read', () => {
	const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };

	test.each([
		{ hiddenMs: NOT_FOUND_GRACE_MS - 5_000, kind: 'done' },
		{ hiddenMs: 2 * NOT_FOUND_GRACE_MS, kind: 'notRead' },
	])('just after the create is forgiven for a while: %j', async ({ hiddenMs, kind }) => {
		const scene = new Scene({
			trouble: onReads(({ atMs }) => (atMs < hiddenMs ? status(404) : undefined)),
		});
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind });
	});

	test.each([
		{ goneMs: NOT_FOUND_GRACE_MS - 10_000, kind: 'done' },
		{ goneMs: 3 * NOT_FOUND_GRACE_MS, kind: 'notRead' },
	])('in the middle is forgiven since it was last heard of: %j', async ({ goneMs, kind }) => {
		const from = 2 * MINUTE + 1;
		const scene = new Scene({
			durationMs: 5 * MINUTE,
			trouble: onReads(({ atMs }) =>
				atMs >= from && atMs < from + goneMs ? status(404) : undefined,
			),
		});
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind });
	});

	test('of an id that was never seen ends soon', async () => {
		const scene = new Scene();
		expect(await scene.runOne(readJob('nowhere', wait))).toMatchObject({ kind: 'notRead' });
		expect(scene.service.reads.length).toBeGreaterThan(1);
		expect(scene.clock.now()).toBeLessThan(2 * UNSEEN_NOT_FOUND_GRACE_MS);
	});

	test('of an id that shows up within the shorter grace is waited for', async () => {
		const scene = new Scene({
			trouble: onReads(({ atMs }) =>
				atMs < UNSEEN_NOT_FOUND_GRACE_MS - 4_000 ? status(404) : undefined,
			),
		});
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id, wait))).toMatchObject({ kind: 'done' });
	});

	test('is the answer when nobody waits', async () => {
		const scene = new Scene();
		expect(await scene.runOne(readJob('nowhere'))).toMatchObject({ kind: 'notRead' });
		expect(scene.service.reads).toHaveLength(1);
	});
});

describe('429 on reads', () => {
	test('Retry-After is honoured by every task, whenever its own poll was due', async () => {
		const pauseMs = 90_000;
		let limitedAtMs: number | undefined;
		const scene = new Scene({
			durationMs: 10 * MINUTE,
			trouble: onReads(({ atMs }) => {
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

	test('Retry-After is honoured by reads that still wait for a free connection', async () => {
		const scene = new Scene({
			latencyMs: 200,
			trouble: onReads(({ nth }) => (nth === 1 ? status(429, MINUTE) : undefined)),
		});
		const ids = Array.from({ length: 100 }, (_, index) => scene.service.add(`a ${index}`).id);
		const outcomes = await scene.run(ids.map((id) => readJob(id, WAIT)));
		const early = timesOf(scene.service.reads).filter((atMs) => atMs > 200 && atMs < MINUTE);
		expect(early).toEqual([]);
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
	});

	test('a pause longer than the time left still allows the read at the deadline', async () => {
		const scene = new Scene({
			durationMs: 50_000,
			trouble: onReads(({ nth }) => (nth === 1 ? status(429, 60 * MINUTE) : undefined)),
		});
		const wait = { intervalMs: 5_000, timeoutMs: 60_000 };
		expect(await scene.runOne(createJob('a', wait))).toMatchObject({ kind: 'done' });
		expect(timesOf(scene.service.reads)).toEqual([5_000, 60_000]);
	});

	test('polls that wait for the end of a pause do not all come at that moment', async () => {
		const scene = new Scene(
			{
				durationMs: 10 * MINUTE,
				trouble: onReads(({ atMs }) =>
					atMs < 2 * MINUTE || atMs > 2 * MINUTE + 6_000 ? undefined : status(429, 30_000),
				),
			},
			seededRandom(7),
		);
		await scene.run(createJobs(50));
		const after = timesOf(scene.service.reads).filter(
			(atMs) => atMs > 2 * MINUTE + 10_000 && atMs < 8 * MINUTE,
		);
		expect(mostWithin(500, after)).toBeLessThanOrEqual(20);
	});

	test('without Retry-After the pauses grow, and no number of them fails a task', async () => {
		const until = 10 * MINUTE;
		const scene = new Scene(
			{
				durationMs: 11 * MINUTE,
				trouble: onReads(({ atMs }) => (atMs < until ? status(429) : undefined)),
			},
			() => 0.999,
		);
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
		const gaps = gapsOf(scene.service.reads.filter(({ atMs }) => atMs < until));
		expect(gaps.length).toBeGreaterThan(MAX_MISSES_WAITING);
		expect(gaps.slice(0, 5).every((gap, index) => gap >= 900 * 2 ** index)).toBe(true);
		expect(Math.max(...gaps.slice(6))).toBeGreaterThan(25_000);
	});

	test('does not count among the reads that came to nothing', async () => {
		const scene = new Scene({
			trouble: onReads(({ nth }) => {
				if (nth <= 5 || (nth > 15 && nth <= 19)) return status(503);
				return nth <= 15 ? status(429) : undefined;
			}),
		});
		expect(await scene.runOne(createJob('a'))).toMatchObject({ kind: 'done' });
	});

	test('slows all polls down, and the asked pace comes back afterwards', async () => {
		const scene = new Scene({
			durationMs: 15 * MINUTE,
			trouble: onReads(({ atMs, nth }) =>
				atMs > 2 * MINUTE && atMs < 3 * MINUTE && nth % 2 ? status(429) : undefined,
			),
		});
		await scene.run(createJobs(10));
		const perMinute = (minute: number) =>
			timesOf(scene.service.reads).filter((atMs) => Math.floor(atMs / MINUTE) === minute).length;
		expect(perMinute(2)).toBeLessThan(0.8 * perMinute(1));
		expect(perMinute(12)).toBeGreaterThanOrEqual(0.9 * perMinute(1));
	});

	test('keeps trying a task for which nobody waits, for a limited time', async () => {
		const scene = new Scene({ trouble: onReads(() => status(429)) });
		const { id } = scene.service.add('a');
		expect(await scene.runOne(readJob(id))).toMatchObject({
			kind: 'notRead',
			trouble: status(429),
		});
		expect(scene.service.reads.length).toBeGreaterThan(3);
		expect(scene.clock.now()).toBe(READ_BUDGET_MS);
	});
});
