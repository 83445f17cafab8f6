import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import type { Item } from '../../../nodes/Videogen/work/order';
import {
	LATE_READ_MS,
	LEAST_READ_MS,
	MAX_FAILED_READS,
	NOT_FOUND_GRACE_MS,
	READ_BUDGET_MS,
	UNSEEN_NOT_FOUND_GRACE_MS,
} from '../../../nodes/Videogen/work/reading';
import {
	type Call,
	type FakeServiceOptions,
	gapsOf,
	network,
	onReads,
	status,
	timesOf,
} from '../../programs/support/fakeService';
import {
	createItem,
	endOf,
	MINUTE,
	readItem,
	resumedItem,
	runningAs,
	taskOf,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

const COMPLETED = new Set(['completed']);

describe('the deadline', () => {
	test.each([
		{ intervalMs: 5_000, timeoutMs: 60_000 },
		{ intervalMs: 5_000, timeoutMs: 61_700 },
		{ intervalMs: 60_000, timeoutMs: 1_000 },
		{ intervalMs: 1_000, timeoutMs: 6 * 60 * MINUTE },
	])('the last read comes exactly at it and none after it: %j', async (wait) => {
		const scene = new Scene({ durationMs: Infinity });
		expect(endOf(await scene.runOne(createItem('a', wait)))).toBe('timeout');
		expect(scene.service.reads.at(-1)?.atMs).toBe(wait.timeoutMs);
		expect(scene.clock.now()).toBe(wait.timeoutMs);
	});

	test('allows every one of many tasks its last read', async () => {
		const scene = new Scene({ durationMs: MINUTE, latencyMs: 100 });
		const ids = Array.from({ length: 200 }, (_, index) => scene.service.add(`a ${index}`).id);
		const wait = { intervalMs: 40_000, timeoutMs: MINUTE };
		const items = await scene.run(ids.map((id) => readItem(id, wait)));
		expect(new Set(endsOf(items))).toEqual(COMPLETED);
		const late = timesOf(scene.service.reads).filter((atMs) => atMs > MINUTE);
		expect(late).not.toEqual([]);
		expect(Math.max(...late)).toBeLessThanOrEqual(MINUTE + LATE_READ_MS);
	});

	test('leaves the last read a little time for its answer, and no more', async () => {
		const wait = { intervalMs: 7_000, timeoutMs: MINUTE };
		const hangs = ({ kind, atMs }: Call) => kind === 'read' && atMs >= MINUTE;
		const scene = new Scene({ durationMs: Infinity, hangs });
		const { state } = (await scene.runOne(createItem('a', wait))).order;
		expect(state).toMatchObject({ fault: { kind: 'timeout' }, task: { status: 'processing' } });
		expect(scene.clock.now()).toBe(MINUTE + LEAST_READ_MS);
	});

	test('a resumed task has it only once, however late it is first seen', async () => {
		const scene = new Scene({
			durationMs: Infinity,
			error: onReads(({ nth }) => (nth === 1 ? status(429, 40_000) : undefined)),
		});
		const { id } = scene.service.add('a');
		const wait = { intervalMs: 5_000, timeoutMs: MINUTE };
		const { state } = (await scene.runOne(resumedItem(id, 'a', wait))).order;
		expect(state).toMatchObject({ fault: { kind: 'timeout' }, task: { status: 'processing' } });
		expect(scene.clock.now()).toBe(MINUTE);
	});
});

describe('reads that come to nothing', () => {
	const error = status(503);

	test('are few where nobody waits', async () => {
		const scene = new Scene({ error: onReads(() => error) });
		const { id } = scene.service.add('a');
		expect(endOf(await scene.runOne(readItem(id)))).toBe('serviceError');
		expect(scene.service.reads).toHaveLength(MAX_FAILED_READS);
	});

	test('come with longer and longer pauses between them', async () => {
		const scene = new Scene({ error: onReads(() => error) }, () => 0.999_999);
		expect(endOf(await scene.runOne(createItem('a')))).toBe('timeout');
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
		const item = createItem('a', { intervalMs: MINUTE, timeoutMs: 20 * MINUTE });
		expect(endOf(await scene.runOne(item))).toBe('completed');
	});

	test('is asked again with growing pauses, the last time at the end of the grace', async () => {
		const scene = new Scene({ error: onReads(() => status(404)) }, () => 0.999_999);
		const seldom = { intervalMs: 60_000, timeoutMs: 20 * MINUTE };
		expect(endOf(await scene.runOne(createItem('a', seldom)))).toBe('notFound');
		const times = timesOf(scene.service.reads).map((atMs) => Math.round(atMs - 60_000));
		expect(times).toEqual([0, 1_000, 3_000, 7_000, 15_000, NOT_FOUND_GRACE_MS]);
	});

	const longMs = NOT_FOUND_GRACE_MS - 5_000;
	const shortMs = UNSEEN_NOT_FOUND_GRACE_MS - 4_000;

	test.each<[string, forgivenMs: number, (taskId: string) => Item]>([
		['of a task that was just created', longMs, () => createItem('a', wait)],
		['of an id that was never seen', shortMs, (id) => readItem(id, wait)],
		['of a task of an earlier try', longMs, (id) => resumedItem(id, 'a')],
		[
			'of one for which nobody waits',
			longMs,
			(id) => ({ ...resumedItem(id, 'a'), wait: undefined }),
		],
	])('%s is forgiven for a while, and not for ever', async (_, forgivenMs, itemOf) => {
		const endAfter = async (hiddenMs: number) => {
			const scene = new Scene({
				error: onReads(({ atMs }) => (atMs < hiddenMs ? status(404) : undefined)),
			});
			return endOf(await scene.runOne(itemOf(scene.service.add('a').id)));
		};
		expect(await endAfter(forgivenMs)).toBe('completed');
		expect(await endAfter(2 * NOT_FOUND_GRACE_MS)).toBe('notFound');
	});
});

describe('429 on reads', () => {
	test('grows for each task by itself, even if the others are answered', async () => {
		const scene = new Scene(
			{ error: onReads(({ request }) => (request === 'limited' ? status(429) : undefined)) },
			() => 0.999_999,
		);
		const ids = ['limited', ...Array(20).fill('good')].map((name) => scene.service.add(name).id);
		await scene.run(ids.map((id) => readItem(id)));
		const gaps = gapsOf(scene.service.reads.filter(({ request }) => request === 'limited'));
		expect(gaps.slice(0, 5).map(Math.round)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
	});

	test.each([0, 30_000])(
		'keeps trying a task for which nobody waits, for two minutes from the first answer: at %i ms',
		async (firstMs) => {
			const hangs = ({ nth }: Call) => firstMs > 0 && nth === 1;
			const scene = new Scene({ hangs, error: onReads(() => status(429)) });
			const { id } = scene.service.add('a');
			expect(endOf(await scene.runOne(readItem(id)))).toBe('rateLimited');
			expect(scene.clock.now()).toBe(firstMs + READ_BUDGET_MS);
		},
	);
});

test('a limited number of reads is open at once', async () => {
	const scene = new Scene({ durationMs: MINUTE, latencyMs: 100 });
	const items = Array.from({ length: 70 }, (_, nth) => readItem(scene.service.add(`a ${nth}`).id));
	await scene.run(items);
	expect(timesOf(scene.service.reads)).toEqual([
		...[...Array(32).fill(0), ...Array(32).fill(100), ...Array(6).fill(200)],
	]);
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
		await scene.runOne(createItem('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 12_500, 17_500, 20_200]);
	});

	test('is at most a wrong prediction when it is beyond 100 percent, or below 0', async () => {
		const wild = (share: number) => (share > 0.5 ? 1e308 : -1e308);
		const scene = new Scene({ durationMs: 20_000, percent: wild });
		await scene.runOne(createItem('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 10_000, 15_000, 16_000, 21_000]);
	});
});

describe('reads that get no record', () => {
	test('are rarer after 429, and so are those that follow', async () => {
		const error = onReads(({ nth }) => (nth === 1 ? status(429) : undefined));
		const scene = new Scene({ durationMs: 20_000, error });
		await scene.runOne(createItem('a'));
		expect(readsOf('a', scene)).toEqual([5_000, 15_000, 24_412]);
	});

	test('end no task with one 404 after a long outage', async () => {
		const scene = new Scene({
			error: onReads(({ nth }) => (nth > 10 ? undefined : status(nth < 10 ? 503 : 404))),
		});
		expect(endOf(await scene.runOne(createItem('a')))).toBe('completed');
	});
});

describe('a key that is rejected', () => {
	const MINUTES = 2 * MINUTE;
	const from = (firstMs: number, error: ServiceError, untilMs = Infinity) =>
		new Scene({
			durationMs: 5 * MINUTE,
			error: onReads(({ atMs }) => (atMs >= firstMs && atMs < untilMs ? error : undefined)),
		});
	const DENIALS: Array<[ServiceError, end: string]> = [
		[status(401), 'key'],
		[status(403), 'key'],
		[status(407), 'address'],
		[network('tls'), 'address'],
	];

	test.each(DENIALS)('ends the wait at once where it was not accepted: %j', async (error, end) => {
		const scene = from(0, error);
		const { id } = scene.service.add('a');
		expect(endOf(await scene.runOne(readItem(id, WAIT)))).toBe(end);
		expect(timesOf(scene.service.reads)).toEqual([0]);
	});

	test.each(DENIALS)('is not doubted for two minutes after it was: %j', async (error, end) => {
		const byCreate = from(0, error);
		expect(endOf(await byCreate.runOne(createItem('a')))).toBe(end);
		expect(byCreate.clock.now()).toBe(WAIT.intervalMs + MINUTES);
		const byRead = from(1, error);
		expect(endOf(await byRead.runOne(readItem(byRead.service.add('a').id, WAIT)))).toBe(end);
		expect(byRead.clock.now()).toBe(WAIT.intervalMs + MINUTES);
	});

	test.each(DENIALS)('for less is no end: %j', async (error) => {
		const scene = from(0, error, MINUTES);
		expect(endOf(await scene.runOne(createItem('a')))).toBe('completed');
	});

	test('is one for a record for which nobody waits as soon as other errors are', async () => {
		const scene = from(1, status(401));
		const accepted = readItem(scene.service.add('a').id);
		const items = [accepted, { ...accepted, download: { binaryProperty: 'data' } }];
		expect(endOf(await scene.runOne(accepted))).toBe('running');
		await scene.clock.sleep(1);
		const other = createItem('b');
		expect(endsOf(await scene.run([...items, other]))).toEqual(['key', 'key', 'key']);
		expect(scene.clock.now()).toBeLessThan(3 * MINUTE);
	});
});

describe('a status that nobody knows', () => {
	const results = ['https://e.com/fox.mp4'];
	/** The records of a task, the first of them the answer to its create. */
	const withRecords = (...records: Array<{ status: string; results?: string[] }>) =>
		new Scene({
			durationMs: Infinity,
			record: ({ kind, nth }) => records[Math.min(kind === 'create' ? 0 : nth, records.length - 1)],
		});

	test.each<[words: string[], reads: number]>([
		[['rendered', 'rendered'], 1],
		[['processing', 'rendered', 'rendered'], 2],
		[['rendered', 'polished', 'polished'], 2],
		[['rendered', 'processing', 'rendered', 'rendered'], 3],
	])('is the end beside results when it comes twice: %j', async (words, reads) => {
		const scene = withRecords(...words.map((word) => ({ status: word, results })));
		const { order } = await scene.runOne(createItem('a'));
		expect(order.state).toMatchObject({
			...{ is: 'completed' },
			task: { status: words.at(-1), state: 'completed' },
		});
		expect(scene.service.reads).toHaveLength(reads);
	});

	test.each<[string, { status: string; results?: string[] }]>([
		['without results', { status: 'rendered' }],
		['that is known', { status: 'processing', results }],
	])('is waited for otherwise: one %s', async (_what, record) => {
		const scene = withRecords(record);
		const item = createItem('a', { intervalMs: 1_000, timeoutMs: 20_000 });
		expect(endOf(await scene.runOne(item))).toBe('timeout');
	});

	test('is no end by what was known before this run', async () => {
		const scene = withRecords({ status: 'rendered', results });
		const { id } = scene.service.add('a');
		const item = resumedItem(id, 'a');
		item.order.state = runningAs(taskOf(id, 'rendered', { results }));
		expect(endOf(await scene.runOne(item))).toBe('completed');
		expect(scene.service.reads).toHaveLength(2);
	});
});

describe('a completed task without results', () => {
	const GAPS = [2_000, 2_000, 2_000, 2_000, 2_000, 2_500, 3_125];
	const download = { binaryProperty: 'data' };
	const late = (resultsAfterMs: number, more: FakeServiceOptions = {}) => {
		const scene = new Scene({ resultsAfterMs, ...more });
		return { scene, id: scene.service.add('a', { finalMs: 0 }).id };
	};

	test.each<[string, (id: string) => Item, end: string, endsAtMs: number]>([
		['who waits', (id) => readItem(id, WAIT), 'download', 2 * MINUTE],
		[
			'who waits for less',
			(id) => readItem(id, { ...WAIT, timeoutMs: 30_000 }),
			'download',
			30_000,
		],
		['who reads for its files', (id) => ({ ...readItem(id), download }), 'download', 2 * MINUTE],
		['who only reads', (id) => readItem(id), 'completed', 0],
	])('is waited for two minutes, within the timeout, by %s', async (_who, itemOf, end, endsAt) => {
		const { scene, id } = late(Infinity);
		const item = await scene.runOne(itemOf(id));
		expect([endOf(item), scene.clock.now()]).toEqual([end, endsAt]);
		expect(item.order.state).toMatchObject({ task: { id, status: 'completed' } });
	});

	test.each([WAIT, undefined])('is read again until they come: %j', async (wait) => {
		const { scene, id } = late(15_000);
		const item = await scene.runOne({ ...readItem(id, wait), download });
		expect(endOf(item)).toBe('completed');
		expect(gapsOf(scene.service.reads)).toEqual(GAPS);
	});

	test('is given up at the time counted from when that was first seen', async () => {
		const { scene, id } = late(Infinity, {
			error: onReads(({ nth }) => (nth === 3 ? status(503) : undefined)),
		});
		expect(endOf(await scene.runOne(readItem(id, WAIT)))).toBe('download');
		expect(scene.clock.now()).toBe(2 * MINUTE);
		expect(Math.max(...gapsOf(scene.service.reads))).toBe(10_000);
	});
});

describe('the end of a task', () => {
	const results = ['https://e.com/fox.mp4'];
	test.each<[string, before: { status?: string; results?: string[] }, hadVideo: boolean]>([
		['completed', { status: 'completed' }, true],
		['unfinished, with results', { status: 'processing', results }, true],
		['unfinished', { status: 'processing' }, false],
	])('says whether there was a video before: %s', async (_what, before, hadVideo) => {
		const scene = new Scene({
			durationMs: Infinity,
			record: ({ kind, nth }) =>
				kind === 'create' ? undefined : nth === 1 ? before : { status: 'expired' },
		});
		const { order } = await scene.runOne(createItem('a'));
		expect(order.state).toMatchObject({ is: 'failed', hadVideo });
		const known = resumedItem(scene.service.add('b').id, 'b');
		known.order.state = runningAs(taskOf('task-2', 'processing', before));
		const resumed = await scene.runOne(known);
		expect(resumed.order.state).toMatchObject({ is: 'failed', hadVideo });
	});

	test.each<[ServiceError, end: string, atMs: number]>([
		[status(404), 'completed', NOT_FOUND_GRACE_MS],
		[status(410), 'completed', 0],
		[status(400), 'completed', 0],
		[status(402), 'balance', 0],
	])(
		'is known where it was completed, and the service denies it now: %j',
		async (error, end, atMs) => {
			const scene = new Scene({ error: onReads(() => error) });
			const item = resumedItem('task_1', 'a');
			item.order.state = runningAs(taskOf('task_1', 'completed', { results }));
			const ended = await scene.runOne(item);
			expect([endOf(ended), scene.clock.now()]).toEqual([end, atMs]);
			const unfinished = { ...item.order, state: runningAs(taskOf('task_1')) };
			expect(endOf(await scene.runOne({ ...item, order: unfinished }))).not.toBe('completed');
		},
	);
});
