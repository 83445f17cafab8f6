import fc from 'fast-check';
import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/work/createThrottles';
import { LATE_READ_MS } from '../../../nodes/Videogen/work/taskReader';
import { MAX_UNREACHABLE_IN_A_ROW } from '../../../nodes/Videogen/work/throttle';
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
	kindsOf,
	MINUTE,
	Scene,
} from '../../programs/support/waitingRun';

const allDone = new Set(['done']);
const notCreated = (count: number, error: ServiceError) =>
	Array(count).fill({ kind: 'notCreated', error, mayExist: false });

describe('429 on creates', () => {
	test('is told of after a minute without a create, once, until one is accepted', async () => {
		const scene = new Scene({
			error: onCreates(({ atMs }) => (atMs < 25 * MINUTE ? status(429) : undefined)),
		});
		await scene.run(createJobs(3));
		const told = scene.heldUp.filter(([, kind]) => kind);
		expect(told).toEqual([[MINUTE, 'status']]);
	});

	test('is not told of while others are accepted within a minute', async () => {
		const scene = new Scene({
			durationMs: 2 * MINUTE,
			error: onCreates(({ nth }) => (nth % 2 ? status(429) : undefined)),
		});
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
});

describe('how long 429 may go on', () => {
	const briefly = { intervalMs: 5_000, timeoutMs: MINUTE };

	test('starts again with a 429 that comes after an accepted create', async () => {
		const scene = new Scene({
			durationMs: (request) => (request === 'first' ? Infinity : 1_000),
			error: onCreates(({ nthOfRequest }) => (nthOfRequest === 1 ? status(429) : undefined)),
		});
		const jobs = [createJob('first', briefly), createJob('second', briefly)];
		expect(kindsOf(await scene.run(jobs, { maxConcurrentTasks: 1 }))).toEqual(['timedOut', 'done']);
	});

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
});

test('a create that another execution holds up ends with the 429 that does', async () => {
	const scene = new Scene({ error: onCreates(() => status(429, 24 * 60 * MINUTE)) });
	const others = scene.run(createJobs(2));
	const late = scene.clock.sleep(1_000).then(async () => {
		const entries = [createOnlyJob('late')];
		await scene.advance(entries, { mostMs: 40_000 });
		return entries[0]?.outcome;
	});
	expect(await late).toEqual({ kind: 'notCreated', error: status(429, 24 * 60 * MINUTE) });
	expect(scene.service.creates).toHaveLength(2);
	await others;
});

describe('a service out of reach', () => {
	const refused = network('connectionRefused');

	test('ends all creates after some pauses', async () => {
		const scene = new Scene({ error: () => refused });
		const outcomes = await scene.run(createJobs(200));
		expect(outcomes).toEqual(notCreated(200, refused));
		const moments = new Set(timesOf(scene.service.creates));
		expect(moments.size).toBe(MAX_UNREACHABLE_IN_A_ROW);
		expect(scene.service.creates.length).toBeLessThanOrEqual(2 * MAX_CREATES_AT_ONCE);
		expect(scene.clock.now()).toBeLessThan(MINUTE);
	});

	test('that is back soon costs no item and no second task', async () => {
		const scene = new Scene({
			error: onCreates(({ atMs }) => (atMs > 10_000 && atMs < 14_000 ? refused : undefined)),
			durationMs: 5_000,
		});
		const outcomes = await scene.run(createJobs(60), { maxConcurrentTasks: 5 });
		expect(new Set(kindsOf(outcomes))).toEqual(allDone);
		expect(scene.service.tasks).toHaveLength(60);
	});

	test.each([status(400), status(503), unreadable('empty')])(
		'an answer of any kind between them starts the count again: %j',
		async (answer) => {
			const scene = new Scene({
				error: onCreates(({ nth }) => (nth % 2 === 1 ? refused : answer)),
			});
			const outcomes = await scene.run(createJobs(20), { maxConcurrentTasks: 1 });
			expect(outcomes.map((outcome) => 'error' in outcome && outcome.error)).toEqual(
				Array(20).fill(answer),
			);
		},
	);
});

describe('creates that are answered', () => {
	test('a rejected key ends all further creates at once, with the same outcome', async () => {
		const scene = new Scene({ error: onCreates(() => status(401)), latencyMs: 50 });
		const outcomes = await scene.run(createJobs(200));
		expect(outcomes).toEqual(notCreated(200, status(401)));
		expect(scene.service.creates.length).toBeLessThanOrEqual(MAX_CREATES_AT_ONCE);
		expect(timesOf(scene.service.creates).every((atMs) => atMs === 0)).toBe(true);
	});

	test('a key that is rejected when a task is read ends all further creates, in a pause too', async () => {
		const scene = new Scene({
			durationMs: 10 * MINUTE,
			error: ({ kind, nth, atMs }) => {
				if (kind === 'create') return nth > 5 ? status(429, 15 * MINUTE) : undefined;
				return atMs > MINUTE ? status(401) : undefined;
			},
		});
		const outcomes = await scene.run(createJobs(20));
		expect(kindsOf(outcomes.slice(0, 5))).toEqual(Array(5).fill('notRead'));
		expect(outcomes.slice(5)).toEqual(notCreated(15, status(401)));
		expect(scene.clock.now()).toBeLessThan(2 * MINUTE);
		expect(scene.clock.sleeping).toBe(0);
	});

	/** Which error is which stands in `networkReason.test.ts`. */
	test.each([
		['a refusal', status(503), false],
		['no usable answer', network('lost'), true],
	])(
		'%s is the end of its own item only, is not sent again, and makes no pause',
		async (_what, error, mayExist) => {
			const scene = new Scene({
				createsInError: mayExist,
				error: onCreates(({ request }) => (request === 'item 3' ? error : undefined)),
			});
			const count = MAX_CREATES_AT_ONCE + 2;
			const outcomes = await scene.run(createJobs(count));
			expect(outcomes[3]).toEqual({ kind: 'notCreated', error, mayExist });
			expect(kindsOf(outcomes).filter((kind) => kind === 'done')).toHaveLength(count - 1);
			expect(timesOf(scene.service.creates)).toEqual(Array(count).fill(0));
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

	test('ends every job in time, makes no second task unasked and tells of every id', async () => {
		const scenes = fc.record({
			faultsOfCreates: fc.array(fc.constantFrom(...createFaults), { minLength: 1, maxLength: 30 }),
			faultsOfReads: fc.array(fc.constantFrom(...readFaults), { minLength: 1, maxLength: 60 }),
			count: fc.integer({ min: 1, max: 20 }),
			maxConcurrentTasks: fc.integer({ min: 1, max: 25 }),
			maxUnfinished: fc.integer({ min: 1, max: 12 }),
			latencyMs: fc.constantFrom(0, 40, 2_000),
			seed: fc.nat(),
		});
		await fc.assert(
			fc.asyncProperty(scenes, async (given) => {
				const { faultsOfCreates, faultsOfReads, count, maxConcurrentTasks, latencyMs } = given;
				const random = seededRandom(given.seed);
				const scene = new Scene(
					{
						maxUnfinished: given.maxUnfinished,
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
				const outcomes = await scene.run(createJobs(count, wait), { maxConcurrentTasks });
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
				for (const { id, createdMs } of scene.service.tasks) {
					const reads = scene.service.reads.filter(({ taskId }) => taskId === id);
					const deadlineMs = createdMs + latencyMs + wait.timeoutMs;
					expect(Math.max(0, ...timesOf(reads))).toBeLessThanOrEqual(deadlineMs + LATE_READ_MS);
				}
				expect(scene.clock.sleeping).toBe(0);
			}),
		);
	});
});
