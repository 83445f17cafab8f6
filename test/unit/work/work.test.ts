import type { IDataObject } from 'n8n-workflow';
import { LABELS } from '../../../nodes/Videogen/shared/messages';
import type { Item, Order } from '../../../nodes/Videogen/work/order';
import type { FetchedFiles } from '../../../nodes/Videogen/work/work';
import {
	itemWith,
	late,
	noReply,
	orderOf,
	record,
	refusal,
	Scene,
	taskOf,
	VIDEO,
	wishOf,
} from '../../programs/support/work';

const FILE = { data: 'x', mimeType: 'video/mp4' };
const FAULT = { kind: 'download', message: 'No file', description: 'Look.' } as const;
const download = { binaryProperty: 'data' };
const [QUEUED, DONE] = [record('queued'), record('completed', VIDEO)];
const unawaited = { wait: undefined };
const wait = { intervalMs: 5_000, timeoutMs: 90_000 };
const denied = refusal(401);

const getTask = (its: Partial<Item> = {}): Item => ({
	...{ index: 0, simplify: true, readId: 'task_1' },
	...its,
});

/** What n8n has kept of an execution whose first item has come so far. */
function keptAs(state: Order['state'], its: Partial<Order> = {}): IDataObject {
	const context = {};
	const item = itemWith();
	new Scene({ context }).host.ledger.begin([item], { max: 1, isAdded: false });
	Object.assign(item.order ?? {}, { state, executionId: '1' }, its);
	return context;
}

const known = (its: Partial<Order> = {}) => keptAs('task', { taskId: 'task_1', ...its });

const readsOf = ({ service }: Scene): number[] => service.reads.map(({ atMs }) => atMs / 1_000);
const kindsOf = (items: Item[]) => items.map(({ fault }) => fault?.kind ?? 'none').join(' ');

async function runOne(given: ConstructorParameters<typeof Scene>[0], item: Item = itemWith()) {
	const scene = new Scene(given);
	await scene.run(item);
	const { fault, order, task, files } = item;
	return { fault, order, task, files, scene, reads: readsOf(scene) };
}

describe('an item that creates', () => {
	test('gets its video and its files', async () => {
		const fetched: unknown[] = [];
		const fetchFiles: Scene['host']['fetchFiles'] = async (of, task) => {
			fetched.push(of, task);
			return await Promise.resolve({ files: [FILE] });
		};
		const item = itemWith({ download });
		const given = { toCreates: [QUEUED], toReads: [QUEUED, DONE], fetchFiles };
		const { fault, order, task, files, reads } = await runOne(given, item);
		expect([fault, task?.status, files, reads]).toEqual([undefined, 'completed', [FILE], [5, 10]]);
		expect(order).toMatchObject({ state: 'task', task: { status: 'completed' }, error: undefined });
		expect(fetched).toEqual([item, task]);
	});

	test.each<[string, Partial<Item>, reads: number]>([
		['without waiting', { wait: undefined, download }, 0],
		['without files', {}, 1],
	])('gets no more than it asks for: %s', async (_what, its, reads) => {
		const given = {
			toCreates: [QUEUED],
			toReads: [DONE],
			fetchFiles: async () => await Promise.reject(new Error()),
		};
		const run = await runOne(given, itemWith({ ...its, ...(reads && { download: undefined }) }));
		expect([run.fault, run.reads.length, run.task?.id]).toEqual([undefined, reads, 'task_1']);
	});

	test.each<[string, state: Order['state'], kind: string]>([
		['failed', 'failed', 'failed'],
		['cancelled', 'final', 'cancelled'],
	])('says how its task has ended: %s', async (status, state, kind) => {
		const wish = wishOf('A fox', { keyText: 'row 7' });
		const { fault, order, task } = await runOne(
			{ toCreates: [QUEUED], toReads: [record(status)] },
			itemWith({ wish }),
		);
		expect([order?.state, fault?.kind, task?.status]).toEqual([state, kind, status]);
		expect(order?.error).toBe(fault);
	});

	test('waits for its task though the answer to the create says that it has failed', async () => {
		const given = { toCreates: [record('timeout')], toReads: [QUEUED, DONE] };
		const { fault, order, reads } = await runOne(given);
		expect([fault, order?.state, reads]).toEqual([undefined, 'task', [0, 5]]);
		const { task } = await runOne(given, itemWith(unawaited));
		expect(task?.status).toBe('timeout');
	});

	test.each<[Order['state'], Partial<Order>, kind: string]>([
		['sent', {}, 'noAnswer'],
		['final', { error: FAULT }, 'download'],
		['final', {}, 'failed'],
	])('gets nothing where its order is %s %j', async (state, its, kind) => {
		const { fault, scene } = await runOne({ context: keptAs(state, its) });
		expect(fault?.kind).toBe(kind);
		expect([scene.service.creates, scene.service.reads]).toEqual([[], []]);
	});

	test('gets the video that exists, and what an earlier try has read is not believed', async () => {
		const { fault, reads, task } = await runOne({
			context: known({ task: taskOf('failed') }),
			toReads: [DONE],
		});
		expect([fault, reads, task?.status]).toEqual([undefined, [0], 'completed']);
	});

	test('holds its order while it is created, and no longer', async () => {
		const scene = new Scene({ toCreates: [late(2_000, QUEUED)], toReads: [DONE] });
		const item = itemWith();
		const running = scene.run(item);
		const isHeld = async (atMs: number) => {
			await scene.clock.sleep(atMs - scene.clock.now());
			return scene.memory.isHeld(item.order ?? orderOf('new'), {});
		};
		expect([await isHeld(1_000), await isHeld(3_000)]).toEqual([true, false]);
		await running;
	});
});

describe('Get Task', () => {
	const results = { ...getTask(), download };
	test.each<[string, Item, ReturnType<typeof record>[], kind: string, reads: number[]]>([
		['gives a record as it is', getTask(), [QUEUED], 'none', [0]],
		['gives a failed one as it is', getTask(), [record('failed')], 'none', [0]],
		['gives one without results', getTask(), [record('completed')], 'none', [0]],
		['gives the results', results, [record('completed'), DONE], 'none', [0, 2]],
		['waits', getTask({ wait }), [QUEUED, DONE], 'none', [0, 5]],
		['that waits says how it has ended', getTask({ wait }), [record('failed')], 'failed', [0]],
		['finds no task', getTask(), [refusal(404)], 'notFound', [0]],
		['reads three times', getTask(), [refusal(503)], 'serviceError', [0, 1, 3]],
		[
			'reads for two minutes',
			getTask(),
			[refusal(429, { retryAfterMs: 200_000 })],
			'rateLimited',
			[0],
		],
		[
			'reads no longer than it waits',
			getTask({ wait }),
			[refusal(503, { isJson: false })],
			'timeout',
			[0, 1, 3, 7, 15, 31, 61, 90],
		],
	])('%s: %#', async (_what, item, toReads, kind, reads) => {
		const run = await runOne({ toReads }, item);
		expect([run.fault?.kind ?? 'none', run.reads]).toEqual([kind, reads]);
		expect([run.order, run.scene.service.reads[0]?.id]).toEqual([undefined, 'task_1']);
	});
});

describe('a task that is not ready in time', () => {
	const given = { toCreates: [QUEUED], toReads: [QUEUED] };

	test.each<[number, string]>([
		[90_000, '2 minutes'],
		[60_000, '1 minute'],
	])('after %d ms is named', async (timeoutMs, minutes) => {
		const { fault, order, scene } = await runOne(given, itemWith({ wait: { ...wait, timeoutMs } }));
		expect(fault?.message).toBe(
			`The video is not ready after ${minutes} and is still being generated (status: queued)`,
		);
		expect(fault).toMatchObject({
			kind: 'timeout',
			description: expect.stringContaining('task_1'),
		});
		expect([order?.state, scene.clock.now()]).toEqual(['task', timeoutMs]);
	});

	test('goes out as its record from a tool, if there is one', async () => {
		const ofTool = { ...given, isTool: true };
		const { fault, task } = await runOne(ofTool, itemWith({ wait }));
		expect([fault, task?.status]).toEqual([undefined, 'queued']);
		const closed = [refusal(429, { retryAfterMs: 200_000 })];
		const unread = await runOne(
			{ ...ofTool, context: known(), toReads: closed },
			itemWith({ wait }),
		);
		expect(unread.fault?.kind).toBe('timeout');
	});

	test('says why nothing is known of it', async () => {
		const ended = await runOne({ context: known(), toReads: [noReply()] }, itemWith({ wait }));
		expect(ended.fault).toMatchObject({
			kind: 'timeout',
			message: expect.stringContaining('could not be read'),
		});
		const lost = await runOne({ context: known(), toReads: [refusal(404)] }, itemWith({ wait }));
		expect([lost.fault?.kind, lost.scene.clock.now()]).toEqual(['notFound', 30_000]);
		const unseen = await runOne({ toReads: [late(91_500, DONE)] }, getTask({ wait }));
		expect([unseen.fault, unseen.task?.status]).toEqual([undefined, 'completed']);
	});

	test('without results is one that a Retry continues', async () => {
		const error = { message: 'Lost the file' };
		const toReads = [record('completed', { error })];
		const { fault, order, scene } = await runOne({ context: known(), toReads });
		expect(fault).toMatchObject({
			kind: 'download',
			description: expect.stringContaining('Lost the file'),
		});
		expect([fault?.description, order?.state]).toEqual([expect.stringContaining('task_1'), 'task']);
		expect(scene.clock.now()).toBe(120_000);
	});
});

describe('several items', () => {
	const three = () =>
		['a', 'b', 'c'].map((prompt, index) => itemWith({ wish: wishOf(prompt), index }));
	const promptsAt = ({ service }: Scene) =>
		service.creates
			.map(({ request: { prompt }, atMs }) => `${prompt} at ${atMs / 1_000}`)
			.join(', ');

	test('are created as many at once as the account may have, existing tasks first', async () => {
		const scene = new Scene({
			...{ context: known(), toCreates: [QUEUED], toReads: [QUEUED, DONE] },
			maxConcurrentTasks: 1,
		});
		const [, second, third] = three();
		const items = await scene.run(itemWith(), ...[second, third].flatMap((item) => item ?? []));
		expect([kindsOf(items), promptsAt(scene)]).toEqual(['none none none', 'b at 5, c at 10']);
	});

	test('give their places back before their files are fetched', async () => {
		const scene = new Scene({
			...{ toCreates: [QUEUED], toReads: [DONE], maxConcurrentTasks: 1 },
			fetchFiles: async () => {
				await scene.clock.sleep(60_000);
				return { files: [] };
			},
		});
		await scene.run(...three().map((item) => ({ ...item, download })));
		expect(promptsAt(scene)).toBe('a at 0, b at 5, c at 10');
	});

	test.each([{ createsAtOnce: 1 }, { maxConcurrentTasks: 1 }])(
		'are not created after one has ended in an error, with %j',
		async (few) => {
			const scene = new Scene({ toCreates: [refusal(400)], stopsOnFault: true, ...few });
			const items = await scene.run(...three());
			expect([kindsOf(items), promptsAt(scene)]).toEqual(['refused stopped stopped', 'a at 0']);
			expect(
				items.map(({ order }) => scene.memory.isHeld(order ?? orderOf('new'), {})),
			).not.toContain(true);
		},
	);

	test('report each error once, and none that came before', async () => {
		const faulty: number[] = [];
		const onFault = ({ index }: Item) => void faulty.push(index);
		const scene = new Scene({ toCreates: [refusal(400), QUEUED], toReads: [DONE], onFault });
		const [first, second, third] = three();
		await scene.run({ ...itemWith(first), fault: FAULT }, itemWith(second), itemWith(third));
		expect(faulty).toEqual([1]);
	});

	test('stop creating where the key is denied to a read, unless it was accepted before', async () => {
		const run = async (reads: (typeof DONE)[]) => {
			const scene = new Scene({
				context: known(),
				toReads: reads,
				toCreates: [QUEUED],
				maxConcurrentTasks: 1,
			});
			const [, second] = three();
			return kindsOf(await scene.run(itemWith(), itemWith(second)));
		};
		expect(await run([denied])).toBe('key key');
		expect(await run([QUEUED, denied, DONE])).toBe('none none');
		expect(await run([refusal(404), DONE])).toBe('none none');
	});

	test('are all brought to their ends before an error is thrown', async () => {
		const scene = new Scene({
			...{ toCreates: [QUEUED], toReads: [DONE, late(10_000, DONE)] },
			fetchFiles: async () => await Promise.reject(new Error('Disk is full')),
		});
		const [first, second] = three();
		const [item, other] = [itemWith({ ...first, download }), itemWith(second)];
		await expect(scene.run(item, other)).rejects.toThrow('Disk is full');
		expect(other.task?.status).toBe('completed');
	});
});

describe('files that are late', () => {
	const fetching = (fetched: (tries: number) => FetchedFiles) => {
		const tries: string[] = [];
		const scene = new Scene({
			...{
				context: known(),
				toReads: [
					DONE,
					record('completed', { results: ['new'] }),
					record('completed'),
					refusal(500),
				],
			},
			fetchFiles: async (_item, { record: { results } }) => {
				tries.push(`${String(results)} at ${scene.clock.now() / 1_000}`);
				return await Promise.resolve(fetched(tries.length));
			},
		});
		return { scene, tries };
	};

	test('are asked for again, at the newest link', async () => {
		const { scene, tries } = fetching((count) =>
			count < 4 ? { fault: FAULT, mayCome: true } : { files: [FILE] },
		);
		const [item] = await scene.run(itemWith({ download }));
		expect([item?.files, item?.fault]).toEqual([[FILE], undefined]);
		expect(tries).toEqual([
			...['https://e.com/fox.mp4 at 0', 'new at 5', 'new at 12.5', 'new at 23.75'],
		]);
	});

	test.each<[boolean, number, number]>([
		[false, 1, 0],
		[true, 11, 120],
	])('may come: %s', async (mayCome, count, seconds) => {
		const { scene, tries } = fetching(() => ({ fault: FAULT, mayCome }));
		const [item] = await scene.run(itemWith({ download }));
		expect([item?.fault, tries.length, scene.clock.now()]).toEqual([FAULT, count, seconds * 1_000]);
		expect(item?.order?.state).toBe('task');
	});

	test('are not waited for after Stop', async () => {
		const { scene, tries } = fetching(() => ({ fault: FAULT, mayCome: true }));
		void scene.clock.sleep(7_000).then(() => scene.stop.abort());
		const [item] = await scene.run(itemWith({ download }));
		expect([item?.fault, tries.length, scene.clock.now()]).toEqual([FAULT, 3, 7_000]);
	});

	test.each([QUEUED, record('completed')])('are not fetched of %j', async (answer) => {
		const { scene, tries } = fetching(() => ({ files: [FILE] }));
		const item = itemWith({ ...unawaited, download, wish: wishOf('An owl') });
		Object.assign(scene.service, { create: async () => await Promise.resolve(answer) });
		await scene.run(item);
		expect(tries.length).toBe(answer === QUEUED ? 0 : 1);
	});
});

test('Stop ends waiting, and names the task', async () => {
	const scene = new Scene({ toCreates: [late(2_000, QUEUED)], toReads: [QUEUED] });
	void scene.clock.sleep(7_500).then(() => scene.stop.abort());
	const [item] = await scene.run(itemWith());
	expect(item?.fault).toMatchObject({
		kind: 'stopped',
		description: expect.stringContaining(LABELS.getTask),
	});
	expect([item?.order?.state, scene.clock.now(), scene.named]).toEqual([
		'task',
		7_500,
		['0: task_1'],
	]);
});
