import fc from 'fast-check';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/work/createThrottles';
import { LATE_READ_MS } from '../../../nodes/Videogen/work/reading';
import { taskIdOf } from '../../../nodes/Videogen/work/order';
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
	createItem,
	createItems,
	createOnlyItem,
	endOf,
	MINUTE,
	readItem,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

const allCompleted = new Set(['completed']);
const all = (count: number, end: string): string[] => Array(count).fill(end);

describe('429 on creates', () => {
	test('is told of after a minute without a create, once, until one is accepted', async () => {
		const scene = new Scene({
			error: onCreates(({ atMs }) => (atMs < 25 * MINUTE ? status(429) : undefined)),
		});
		await scene.run(createItems(3));
		const told = scene.heldUp.filter(([, kind]) => kind);
		expect(told).toEqual([[MINUTE, 'status']]);
	});

	test('is not told of while others are accepted within a minute', async () => {
		const scene = new Scene({
			durationMs: 2 * MINUTE,
			error: onCreates(({ nth }) => (nth % 2 ? status(429) : undefined)),
		});
		await scene.run(createItems(4));
		expect(scene.heldUp.filter(([, kind]) => kind)).toEqual([]);
	});

	test.each([
		{ item: createItem('a', { intervalMs: 5_000, timeoutMs: 7 * MINUTE }), budgetMs: 7 * MINUTE },
		{ item: createOnlyItem('a'), budgetMs: 60 * MINUTE },
	])('gives up when the time is up: $budgetMs ms', async ({ item, budgetMs }) => {
		const scene = new Scene({ error: onCreates(() => status(429)) });
		expect(endOf(await scene.runOne(item))).toBe('rateLimited');
		expect(scene.clock.now()).toBeGreaterThanOrEqual(budgetMs);
		expect(scene.clock.now()).toBeLessThanOrEqual(budgetMs + 11_000);
	});

	test.each([
		[1, ['rateLimited']],
		// Before the others are accepted.
		[MAX_CREATES_AT_ONCE, ['rateLimited', ...all(MAX_CREATES_AT_ONCE - 1, 'completed')]],
	])(
		'a Retry-After beyond the time left ends one of %i in time, not hours later',
		async (count, ends) => {
			const wait = { intervalMs: 5_000, timeoutMs: 10 * MINUTE };
			const scene = new Scene({
				error: onCreates(({ request }) =>
					request === 'item 0' ? status(429, 24 * 60 * MINUTE) : undefined,
				),
			});
			expect(endsOf(await scene.run(createItems(count, wait)))).toEqual(ends);
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
		const items = [createItem('first', briefly), createItem('second', briefly)];
		expect(endsOf(await scene.run(items, { maxConcurrentTasks: 1 }))).toEqual([
			'timeout',
			'completed',
		]);
	});

	test.each(['completed', 'failed'] as const)(
		'counts from the last task that was seen %s, as it may have made room',
		async (ending) => {
			const scene = new Scene({
				durationMs: 50_000,
				ending: (request) => (request === 'first' ? ending : 'completed'),
				error: onCreates(({ request, atMs }) =>
					request === 'second' && atMs < 100_000 ? status(429) : undefined,
				),
			});
			const items = [createItem('first', briefly), createItem('second', briefly)];
			expect(endsOf(await scene.run(items))).toEqual([ending, 'completed']);
			expect(scene.service.tasksOf('second')[0]?.createdMs).toBeGreaterThan(MINUTE);
		},
	);

	test('does not count from a task that is merely given up', async () => {
		const scene = new Scene({
			durationMs: Infinity,
			error: onCreates(({ request }) => (request === 'second' ? status(429) : undefined)),
		});
		const items = [
			createItem('first', { ...briefly, timeoutMs: 50_000 }),
			createItem('second', briefly),
		];
		expect(endsOf(await scene.run(items))).toEqual(['timeout', 'rateLimited']);
		expect(scene.clock.now()).toBeLessThan(MINUTE + 11_000);
	});
});

test('a create that another execution holds up ends with the 429 that does', async () => {
	const scene = new Scene({ error: onCreates(() => status(429, 24 * 60 * MINUTE)) });
	const others = scene.run(createItems(2));
	const late = scene.clock.sleep(1_000).then(async () => {
		return await scene.runOne(createOnlyItem('late'), { mostMs: 40_000 });
	});
	expect(endOf(await late)).toBe('rateLimited');
	expect(scene.service.creates).toHaveLength(2);
	await others;
});

describe('a service out of reach', () => {
	const refused = network('connectionRefused');

	test('ends all creates after some pauses', async () => {
		const scene = new Scene({ error: () => refused });
		const ended = await scene.run(createItems(200));
		expect(endsOf(ended)).toEqual(all(200, 'address'));
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
		const ended = await scene.run(createItems(60), { maxConcurrentTasks: 5 });
		expect(new Set(endsOf(ended))).toEqual(allCompleted);
		expect(scene.service.tasks).toHaveLength(60);
	});

	test.each([
		[status(400), 'refused'],
		[status(503), 'serviceError'],
		[unreadable('empty'), 'noAnswer'],
	])('an answer of any kind between them starts the count again: %j', async (answer, end) => {
		const scene = new Scene({
			error: onCreates(({ nth }) => (nth % 2 === 1 ? refused : answer)),
		});
		const ended = await scene.run(createItems(20), { maxConcurrentTasks: 1 });
		expect(endsOf(ended)).toEqual(all(20, end));
	});
});

describe('creates that are answered', () => {
	test('a rejected key ends all further creates at once, with the same outcome', async () => {
		const scene = new Scene({ error: onCreates(() => status(401)), latencyMs: 50 });
		const ended = await scene.run(createItems(200));
		expect(endsOf(ended)).toEqual(all(200, 'key'));
		expect(scene.service.creates.length).toBeLessThanOrEqual(MAX_CREATES_AT_ONCE);
		expect(timesOf(scene.service.creates).every((atMs) => atMs === 0)).toBe(true);
	});

	test('a key that is rejected when a task is read ends all creates, in a pause too', async () => {
		const scene = new Scene({
			error: ({ kind, atMs }) => {
				if (kind === 'create') return status(429, 15 * MINUTE);
				return atMs > MINUTE ? status(401) : status(503);
			},
		});
		const items = [readItem(scene.service.add('old').id, WAIT), ...createItems(3)];
		expect(endsOf(await scene.run(items))).toEqual(all(4, 'key'));
		expect(scene.clock.now()).toBeLessThan(2 * MINUTE);
		expect(scene.clock.sleeping).toBe(0);
	});

	/** Which error is which stands in `networkReason.test.ts`. */
	test.each([
		['a refusal', status(503), 'serviceError', false],
		['no usable answer', network('lost'), 'noAnswer', true],
	])(
		'%s is the end of its own item only, is not sent again, and makes no pause',
		async (_what, error, end, mayExist) => {
			const scene = new Scene({
				createsInError: mayExist,
				error: onCreates(({ request }) => (request === 'item 3' ? error : undefined)),
			});
			const count = MAX_CREATES_AT_ONCE + 2;
			const ended = await scene.run(createItems(count));
			const [item] = ended.splice(3, 1);
			expect([item && endOf(item), item?.order.mayExist !== undefined]).toEqual([end, mayExist]);
			expect(endsOf(ended)).toEqual(all(count - 1, 'completed'));
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

	test('ends every item in time, makes no second task unasked and tells of every id', async () => {
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
				const ended = await scene.run(createItems(count, wait), { maxConcurrentTasks });
				expect(ended).toHaveLength(count);
				ended.forEach(({ order }, index) => {
					const tasks = scene.service.tasksOf(`item ${index}`);
					expect(tasks.length).toBeLessThanOrEqual(1);
					expect(scene.told[index] ?? []).toEqual(tasks.map(({ id }) => id));
					expect(taskIdOf(order)).toBe(tasks[0]?.id);
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
