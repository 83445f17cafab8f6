import fc from 'fast-check';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/tasks/createThrottles';
import { MAX_UNREACHABLE_IN_A_ROW } from '../../../nodes/Videogen/tasks/throttle';
import {
	network,
	onCreates,
	status,
	timesOf,
	unreadable,
} from '../../programs/support/fakeService';
import { seededRandom } from '../../programs/support/random';
import {
	createJob,
	createJobs,
	createOnlyJob,
	entryOf,
	kindsOf,
	MINUTE,
	Scene,
} from '../../programs/support/waitingRun';

const allDone = new Set(['done']);
const notCreated = (count: number, error: ServiceError) =>
	Array(count).fill({ kind: 'notCreated', error, mayExist: false });

describe('429 on creates', () => {
	test('any limits of the service are lived with', async () => {
		const limits = fc.record({
			maxUnfinished: fc.integer({ min: 1, max: 12 }),
			createsPerSecond: fc.integer({ min: 1, max: 6 }),
			durationMs: fc.integer({ min: 0, max: 60_000 }),
			latencyMs: fc.constantFrom(0, 20, 500),
		});
		await fc.assert(
			fc.asyncProperty(
				limits,
				fc.integer({ min: 1, max: 40 }),
				fc.nat(),
				async (given, count, seed) => {
					const scene = new Scene({ ...given, countsUnfinished: true }, seededRandom(seed));
					expect(new Set(kindsOf(await scene.run(createJobs(count))))).toEqual(allDone);
					expect(scene.service.tasks).toHaveLength(count);
					expect(new Set(scene.service.tasks.map(({ request }) => request)).size).toBe(count);
					expect(scene.service.mostUnfinished).toBeLessThanOrEqual(given.maxUnfinished);
				},
			),
		);
	});

	test('Retry-After is honoured by every create of the run, and the polls go on', async () => {
		let limitedAtMs: number | undefined;
		const scene = new Scene({
			durationMs: (request) => 8_000 + 700 * Number(request.at(-1)),
			error: onCreates(({ atMs }) => {
				if (atMs < 20_000 || limitedAtMs !== undefined) return undefined;
				limitedAtMs = atMs;
				return status(429, MINUTE);
			}),
		});
		const outcomes = await scene.run(createJobs(30), { maxConcurrentTasks: 6 });
		const from = limitedAtMs ?? 0;
		const isPaused = (atMs: number) => atMs > from && atMs < from + MINUTE;
		expect(timesOf(scene.service.creates).filter(isPaused)).toEqual([]);
		expect(timesOf(scene.service.reads).filter(isPaused)).not.toEqual([]);
		expect(new Set(kindsOf(outcomes))).toEqual(allDone);
	});

	test('of several Retry-After the longest holds', async () => {
		const scene = new Scene({
			error: onCreates(({ nth }) => {
				const pauseMs = [20_000, 60_000, 40_000][nth - 1];
				return pauseMs === undefined ? undefined : status(429, pauseMs);
			}),
		});
		await scene.run(createJobs(3));
		expect(timesOf(scene.service.creates).slice(0, 4)).toEqual([0, 0, 0, 60_000]);
	});

	test('never fails an item while its time lasts', async () => {
		const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };
		const scene = new Scene({
			error: onCreates(({ atMs }) => (atMs < 9.5 * MINUTE ? status(429) : undefined)),
		});
		expect(kindsOf(await scene.run(createJobs(20, wait)))).toEqual(Array(20).fill('done'));
	});

	test('is told of after a minute without a create, once, until one is accepted', async () => {
		const scene = new Scene({
			error: onCreates(({ atMs }) => (atMs < 25 * MINUTE ? status(429) : undefined)),
		});
		await scene.run(createJobs(3));
		const told = scene.heldUp.filter(([, kind]) => kind);
		expect(told).toEqual([[MINUTE, 'status']]);
	});

	test('is not told of while others are accepted within a minute', async () => {
		const scene = new Scene({ error: onCreates(({ nth }) => (nth % 2 ? status(429) : undefined)) });
		await scene.run(createJobs(4));
		expect(scene.heldUp.filter(([, kind]) => kind)).toEqual([]);
	});

	test.each([
		{ job: createJob('a', { intervalMs: 5_000, timeoutMs: 7 * MINUTE }), budgetMs: 7 * MINUTE },
		{ job: createOnlyJob('a'), budgetMs: 60 * MINUTE },
	])('gives up when the time is up: $budgetMs ms', async ({ job, budgetMs }) => {
		const scene = new Scene({ error: onCreates(() => status(429)) });
		expect([await scene.runOne(job)]).toEqual(notCreated(1, status(429)));
		expect(scene.clock.now()).toBeGreaterThanOrEqual(budgetMs);
		expect(scene.clock.now()).toBeLessThanOrEqual(budgetMs + 11_000);
	});

	test.each([
		[1, ['notCreated']],
		// Before the others are accepted.
		[MAX_CREATES_AT_ONCE, ['notCreated', ...Array<string>(MAX_CREATES_AT_ONCE - 1).fill('done')]],
	])(
		'a Retry-After beyond the time left ends one of %i in time, not hours later',
		async (...row) => {
			const [count, kinds] = row;
			const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };
			const scene = new Scene({
				error: onCreates(({ request }) =>
					request === 'item 0' ? status(429, 24 * 60 * MINUTE) : undefined,
				),
			});
			expect(kindsOf(await scene.run(createJobs(count, wait)))).toEqual(kinds);
			expect(scene.clock.now()).toBeLessThanOrEqual(11 * MINUTE);
		},
	);

	test('the time starts again whenever the service takes another create', async () => {
		const wait = { intervalMs: 5_000, timeoutMs: 2 * MINUTE };
		const scene = new Scene({ maxUnfinished: 1, durationMs: 90_000 });
		const outcomes = await scene.run(createJobs(12, wait));
		expect(new Set(kindsOf(outcomes))).toEqual(allDone);
		expect(scene.clock.now()).toBeGreaterThanOrEqual(12 * 90_000);
	});
});

describe('how long 429 may go on', () => {
	const briefly = { intervalMs: 5_000, timeoutMs: MINUTE };

	test.each([
		['completed', 'done'],
		['failed', 'failed'],
	] as const)(
		'counts from the last task that was seen %s, as it may have made room',
		async (ending, kind) => {
			const scene = new Scene({
				durationMs: 50_000,
				ending: (request) => (request === 'first' ? ending : 'completed'),
				error: onCreates(({ request, atMs }) =>
					request === 'second' && atMs < 100_000 ? status(429) : undefined,
				),
			});
			const jobs = [createJob('first', briefly), createJob('second', briefly)];
			expect(kindsOf(await scene.run(jobs))).toEqual([kind, 'done']);
			expect(scene.service.tasksOf('second')[0]?.createdMs).toBeGreaterThan(MINUTE);
		},
	);

	test('does not count from a task that is merely given up', async () => {
		const scene = new Scene({
			durationMs: Infinity,
			error: onCreates(({ request }) => (request === 'second' ? status(429) : undefined)),
		});
		const jobs = [
			createJob('first', { ...briefly, timeoutMs: 50_000 }),
			createJob('second', briefly),
		];
		expect(kindsOf(await scene.run(jobs))).toEqual(['timedOut', 'notCreated']);
		expect(scene.clock.now()).toBeLessThan(MINUTE + 11_000);
	});

	test('starts again with a 429 that comes after an accepted create', async () => {
		const scene = new Scene({
			durationMs: (request) => (request === 'first' ? Infinity : 1_000),
			error: onCreates(({ nthOfRequest }) => (nthOfRequest === 1 ? status(429) : undefined)),
		});
		const jobs = [createJob('first', briefly), createJob('second', briefly)];
		expect(kindsOf(await scene.run(jobs, { maxConcurrentTasks: 1 }))).toEqual(['timedOut', 'done']);
	});
});

test('a create that another execution holds up ends with the 429 that does', async () => {
	const scene = new Scene({ error: onCreates(() => status(429, 24 * 60 * MINUTE)) });
	const others = scene.run(createJobs(2));
	const late = scene.clock.sleep(1_000).then(async () => {
		const entries = [entryOf(createOnlyJob('late'), 0)];
		await scene.advance(entries, { mostMs: 40_000 });
		return entries[0]?.outcome;
	});
	expect(await late).toEqual({ kind: 'notCreated', error: status(429, 24 * 60 * MINUTE) });
	expect(scene.service.creates).toHaveLength(2);
	await others;
});

describe('a service out of reach', () => {
	const reasons = (['connectionRefused', 'unknownHost'] as const).map(network);

	test.each(reasons)('ends all creates after some pauses: %j', async (error) => {
		const scene = new Scene({ error: () => error });
		const outcomes = await scene.run(createJobs(200));
		expect(outcomes).toEqual(notCreated(200, error));
		const moments = new Set(timesOf(scene.service.creates));
		expect(moments.size).toBe(MAX_UNREACHABLE_IN_A_ROW);
		expect(scene.service.creates.length).toBeLessThanOrEqual(2 * MAX_CREATES_AT_ONCE);
		expect(scene.clock.now()).toBeLessThan(MINUTE);
	});

	test.each(reasons)('that is back soon costs no item and no second task: %j', async (error) => {
		const scene = new Scene({
			error: ({ kind, atMs }) =>
				kind === 'create' && atMs > 10_000 && atMs < 14_000 ? error : undefined,
			durationMs: 5_000,
		});
		const outcomes = await scene.run(createJobs(60), { maxConcurrentTasks: 5 });
		expect(new Set(kindsOf(outcomes))).toEqual(allDone);
		expect(scene.service.tasks).toHaveLength(60);
	});

	test('an accepted create between them starts the count again', async () => {
		const scene = new Scene({
			error: onCreates(({ nthOfRequest }) =>
				nthOfRequest < MAX_UNREACHABLE_IN_A_ROW ? network('connectionRefused') : undefined,
			),
			durationMs: 1_000,
		});
		const outcomes = await scene.run(createJobs(10), { maxConcurrentTasks: 1 });
		expect(new Set(kindsOf(outcomes))).toEqual(allDone);
	});

	test.each([status(400), status(503), unreadable('empty')])(
		'an answer of any kind between them starts the count again: %j',
		async (answer) => {
			const scene = new Scene({
				error: onCreates(({ nth }) => (nth % 2 === 1 ? network('connectionRefused') : answer)),
			});
			const outcomes = await scene.run(createJobs(20), { maxConcurrentTasks: 1 });
			expect(outcomes.map((outcome) => 'error' in outcome && outcome.error)).toEqual(
				Array(20).fill(answer),
			);
		},
	);

	test('does not end the tasks that exist', async () => {
		const scene = new Scene({
			durationMs: 2 * MINUTE,
			error: onCreates(({ nth }) => (nth > 5 ? network('connectionRefused') : undefined)),
		});
		const outcomes = await scene.run(createJobs(20), { maxConcurrentTasks: 20 });
		expect(kindsOf(outcomes).filter((kind) => kind === 'done')).toHaveLength(5);
		expect(kindsOf(outcomes).filter((kind) => kind === 'notCreated')).toHaveLength(15);
	});
});

describe('creates that are answered', () => {
	test('a rejected key ends all further creates at once, with the same outcome', async () => {
		const scene = new Scene({ error: onCreates(() => status(401)), latencyMs: 50 });
		const outcomes = await scene.run(createJobs(200));
		expect(outcomes).toEqual(notCreated(200, status(401)));
		expect(scene.service.creates.length).toBeLessThanOrEqual(MAX_CREATES_AT_ONCE);
		expect(timesOf(scene.service.creates).every((atMs) => atMs === 0)).toBe(true);
	});

	test('a key that is rejected when a task is read ends all further creates too', async () => {
		const scene = new Scene({
			durationMs: 10 * MINUTE,
			error: ({ kind, atMs }) => (kind === 'read' && atMs > MINUTE ? status(401) : undefined),
		});
		const outcomes = await scene.run(createJobs(100), { maxConcurrentTasks: 5 });
		expect(scene.service.creates).toHaveLength(5);
		expect(kindsOf(outcomes.slice(0, 5))).toEqual(Array(5).fill('notRead'));
		expect(outcomes.slice(5)).toEqual(notCreated(95, status(401)));
	});

	test('what ends all further creates does not wait for the end of a pause', async () => {
		const scene = new Scene({
			durationMs: 10 * MINUTE,
			error: ({ kind, nth, atMs }) => {
				if (kind === 'create') return nth > 5 ? status(429, 15 * MINUTE) : undefined;
				return atMs > MINUTE ? status(401) : undefined;
			},
		});
		const outcomes = await scene.run(createJobs(20));
		expect(outcomes.slice(5)).toEqual(notCreated(15, status(401)));
		expect(scene.clock.now()).toBeLessThan(2 * MINUTE);
		expect(scene.clock.sleeping).toBe(0);
	});

	/** Which error is which stands in `networkReason.test.ts`. */
	test.each([
		['a refusal', status(503), false],
		['no usable answer', network('lost'), true],
	])(
		'%s is the end of its own item only, and is not sent again',
		async (_what, error, mayExist) => {
			const scene = new Scene({
				createsInError: mayExist,
				error: onCreates(({ request }) => (request === 'item 3' ? error : undefined)),
			});
			const outcomes = await scene.run(createJobs(10));
			expect(outcomes[3]).toEqual({ kind: 'notCreated', error, mayExist });
			expect(kindsOf(outcomes).filter((kind) => kind === 'done')).toHaveLength(9);
			expect(scene.service.creates).toHaveLength(10);
		},
	);
});

describe('any sequence of faults', () => {
	const createFaults = [
		...[undefined, undefined, undefined, status(429), status(429, 7_000), status(500)],
		...[status(503), network('connectionRefused'), network('lost')],
		...[unreadable('empty'), unreadable('notTask')],
	];
	const readFaults = [
		...[undefined, undefined, undefined, status(429), status(429, 20_000), status(502)],
		...[status(404), network('lost'), unreadable('html')],
	];

	test('ends every job, makes no second task unasked and tells of every id', async () => {
		const scenes = fc.record({
			faultsOfCreates: fc.array(fc.constantFrom(...createFaults), { minLength: 1, maxLength: 30 }),
			faultsOfReads: fc.array(fc.constantFrom(...readFaults), { minLength: 1, maxLength: 60 }),
			count: fc.integer({ min: 1, max: 25 }),
			maxUnfinished: fc.integer({ min: 1, max: 25 }),
			latencyMs: fc.constantFrom(0, 40, 2_000),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async (given) => {
				const { faultsOfCreates, faultsOfReads, count, maxUnfinished, latencyMs, seed } = given;
				const random = seededRandom(seed);
				const scene = new Scene(
					{
						latencyMs,
						durationMs: () => Math.floor(random() * 3 * MINUTE),
						ending: () => (random() < 0.1 ? 'failed' : 'completed'),
						error: ({ kind, nth }) => {
							const faults = kind === 'create' ? faultsOfCreates : faultsOfReads;
							return faults[(nth - 1) % faults.length];
						},
					},
					random,
				);
				const wait = { intervalMs: 4_000, timeoutMs: 5 * MINUTE };
				const outcomes = await scene.run(createJobs(count, wait), {
					maxConcurrentTasks: maxUnfinished,
				});
				expect(outcomes).toHaveLength(count);
				outcomes.forEach((outcome, index) => {
					const tasks = scene.service.tasksOf(`item ${index}`);
					expect(tasks.length).toBeLessThanOrEqual(1);
					expect(scene.told[index] ?? []).toEqual(tasks.map(({ id }) => id));
					if (outcome.kind !== 'notCreated') {
						const id = outcome.taskId ?? outcome.task?.id;
						expect(id).toBe(tasks[0]?.id);
					}
				});
				expect(scene.clock.sleeping).toBe(0);
			}),
		);
	});
});
