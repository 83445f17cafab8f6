import type { IDataObject } from 'n8n-workflow';
import type { Item, Order, State } from '../../../nodes/Videogen/work/order';
import {
	itemWith,
	kindsOf,
	late,
	noReply,
	orderOf,
	record,
	refusal,
	Scene,
	type Script,
	taskOf,
	VIDEO,
	wishOf,
} from '../../support/work';

const FAULT = { kind: 'download', message: 'No file', description: 'Look.' } as const;
const FILES = { files: [{ data: 'x', mimeType: 'video/mp4' }] };
const [QUEUED, DONE, EMPTY] = [record('queued'), record('completed', VIDEO), record('completed')];
const [FAILED, AT_ONCE, LOST] = [record('failed'), record('error'), noReply()];
const [DENIED, NO_SUCH_PATH, NAMED] = [
	refusal(401),
	refusal(405),
	refusal(500, { namedTaskId: 'x' }),
];

const download = { binaryProperty: 'data' };
const wait = { intervalMs: 5_000, timeoutMs: 90_000 };
const forNobody = { wait: undefined };
const getTask = (its: Partial<Item> = {}): Item => ({
	...{ index: 0, simplify: true, readId: 'task_1' },
	...its,
});

/** What n8n has kept of an execution whose first item has come so far. */
function keptAs(state: State, its: Partial<Order> = {}): IDataObject {
	const context = {};
	const item = itemWith();
	new Scene({ context }).host.ledger.begin([item], { max: 1, isAdded: false });
	Object.assign(item.order ?? {}, { state, executionId: '1' }, its);
	return context;
}

const known = (its: Partial<Order> = {}) => keptAs('task', { taskId: 'task_1', ...its });

async function bring(given: ConstructorParameters<typeof Scene>[0], item: Item = itemWith()) {
	const tries: unknown[][] = [];
	const scene = new Scene({
		fetchFiles: async (...asked) => {
			tries.push(asked);
			return await Promise.resolve(FILES);
		},
		...given,
	});
	await scene.run(item);
	const [{ failure, order, task, files }, { creates, reads }] = [item, scene.service];
	const seconds = reads.map(({ atMs }) => atMs / 1_000).join(' ');
	return { failure, kind: failure?.kind, order, task, files, scene, seconds, creates, tries };
}

describe('an item that creates', () => {
	const withFiles = { ...forNobody, download };
	test.each<[string, Script, Script, Partial<Item>, end: string, seconds: string, files: number]>([
		['gets its video and its files', [QUEUED], [QUEUED, DONE], { download }, 'task', '5 10', 1],
		['gets its video', [QUEUED], [DONE], {}, 'task', '5', 0],
		['gets its task', [QUEUED], [], forNobody, 'task', '', 0],
		['gets no files of it', [QUEUED], [], withFiles, 'task', '', 0],
		['gets what is there', [DONE], [], withFiles, 'task', '', 1],
		['believes no first answer', [AT_ONCE], [QUEUED, DONE], {}, 'task', '0 5', 0],
		['gets that as it is', [AT_ONCE], [], forNobody, 'task', '', 0],
		['has failed', [QUEUED], [FAILED], {}, 'failed failed', '5', 0],
		['was cancelled', [QUEUED], [record('canceled')], {}, 'final cancelled', '5', 0],
		['does not read what is only named', [NAMED], [], {}, 'sent noAnswer', '', 0],
	])('%s', async (_what, toCreates, toReads, its, end, seconds, count) => {
		const item = itemWith(its);
		const { order, kind, failure, task, files, tries, ...run } = await bring(
			{ toCreates, toReads },
			item,
		);
		expect([order?.state, kind].filter(Boolean).join(' ')).toBe(end);
		expect([run.seconds, files]).toEqual([seconds, count === 0 ? undefined : FILES.files]);
		expect(tries).toEqual(count === 0 ? [] : [[item, task]]);
		expect(order?.error).toBe(run.seconds === '' ? undefined : failure);
		if (toReads.length > 0) expect(order?.task).toBe(task);
	});

	test.each<[State, Partial<Order>, kind: string]>([
		['sent', { taskId: 'task_1' }, 'noAnswer'],
		['sent', { error: FAULT }, 'download'],
		['final', { taskId: 'task_1', error: FAULT }, 'download'],
		['final', {}, 'failed'],
	])('gets nothing where its order is %s %j', async (state, its, expected) => {
		const { kind, failure, creates, seconds } = await bring({ context: keptAs(state, its) });
		expect([kind, creates, seconds]).toEqual([expected, [], '']);
		expect(failure?.message.includes('was not sent again')).toBe(state === 'sent' && !its.error);
	});

	test.each<[Partial<Item>, before: string]>([
		[{}, 'failed'],
		[forNobody, 'queued'],
	])('reads the task that exists: %j, last %s', async (its, before) => {
		const given = { context: known({ task: taskOf(before) }), toReads: [DONE] };
		const { kind, seconds, task } = await bring(given, itemWith(its));
		expect([kind, seconds, task?.status]).toEqual([undefined, '0', 'completed']);
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
	const limited = refusal(429, { retryAfterMs: 200_000 });
	test.each<[string, Partial<Item>, Script, kind: string | undefined, seconds: string]>([
		['gives a record as it is', {}, [QUEUED], undefined, '0'],
		['gives a failed one as it is', {}, [FAILED], undefined, '0'],
		['gives one without results', {}, [EMPTY], undefined, '0'],
		['gives the results', { download }, [EMPTY, DONE], undefined, '0 2'],
		['waits', { wait }, [QUEUED, DONE], undefined, '0 5'],
		['that waits says how it has ended', { wait }, [FAILED], 'failed', '0'],
		['finds no task', {}, [refusal(404)], 'notFound', '0'],
		['reads three times', {}, [refusal(503)], 'serviceError', '0 1 3'],
		['reads for two minutes', {}, [limited], 'rateLimited', '0'],
		['reads no longer than it waits', { wait }, [LOST], 'timeout', '0 1 3 7 15 31 61 90'],
	])('%s', async (_what, its, toReads, expected, seconds) => {
		const run = await bring({ toReads }, getTask(its));
		expect([run.kind, run.seconds, run.order]).toEqual([expected, seconds, undefined]);
		expect(run.scene.service.reads[0]?.id).toBe('task_1');
	});

	test.each([
		[[NO_SUCH_PATH], false],
		[[QUEUED, NO_SUCH_PATH], true],
	])('says that a task exists where it was seen: %#', async (toReads, isSeen) => {
		const { failure } = await bring({ toReads }, getTask({ wait }));
		expect(failure?.message.startsWith('The video was created')).toBe(isSeen);
	});
});

describe('a task that brings no video', () => {
	test.each([
		[90_000, 'not completed after 2 minutes and is still being generated (status: queued)'],
		[60_000, 'not completed after 1 minute and'],
	])('within %d ms is named', async (timeoutMs, text) => {
		const item = itemWith({ wait: { ...wait, timeoutMs } });
		const given = { toCreates: [QUEUED], toReads: [QUEUED] };
		const { failure, kind, order, scene } = await bring(given, item);
		expect([failure?.message, failure?.description]).toEqual([
			...[expect.stringContaining(text), expect.stringContaining('task_1')],
		]);
		expect([kind, order?.state, scene.clock.now()]).toEqual(['timeout', 'task', timeoutMs]);
	});

	test.each<[string, Script, kind: string | undefined]>([
		['goes out as its record', [QUEUED], undefined],
		['does not, where there is none', [LOST], 'timeout'],
		['does not, where it cannot be read', [QUEUED, NO_SUCH_PATH], 'address'],
	])('%s from a tool', async (_what, toReads, expected) => {
		const { kind } = await bring({ isTool: true, toReads }, getTask({ wait }));
		expect(kind).toBe(expected);
	});

	const reason = record('completed', { error: 'Lost the file' });
	test.each<[string, Script, kind: string, seconds: number, text: RegExp]>([
		['that cannot be read', [LOST], 'timeout', 90, /could not be read.*task_1/],
		['that is gone', [refusal(404)], 'notFound', 30, /no task with the ID task_1/],
		['without results', [reason], 'download', 120, /Lost the file.*task_1/],
	])('%s says why, and a Retry continues it', async (_what, toReads, expected, seconds, text) => {
		const item = itemWith({ wait, download });
		const { kind, failure, order, scene, tries } = await bring({ context: known(), toReads }, item);
		expect([kind, scene.clock.now() / 1_000, order?.state]).toEqual([expected, seconds, 'task']);
		expect([`${failure?.message} ${failure?.description}`, tries]).toEqual([
			expect.stringMatching(text),
			[],
		]);
	});
});

describe('several items', () => {
	const items = () =>
		['a', 'b', 'c'].map((prompt, index) => itemWith({ wish: wishOf(prompt), index }));
	const sentBy = ({ service }: Scene) =>
		service.creates
			.map(({ request: { prompt }, atMs }) => `${prompt} at ${atMs / 1_000}`)
			.join(', ');

	test.each<[string, IDataObject, sent: string]>([
		['after the task that exists', known(), 'b at 5, c at 10'],
		['beside an item that gets nothing', keptAs('sent'), 'b at 0, c at 5'],
	])('are created one after the other %s', async (_what, context, sent) => {
		const toReads = [...(sent.startsWith('b at 5') ? [QUEUED] : []), DONE];
		const scene = new Scene({ context, toCreates: [QUEUED], toReads, maxConcurrentTasks: 1 });
		await scene.run(itemWith(), ...items().slice(1));
		expect(sentBy(scene)).toBe(sent);
	});

	test.each([{ createsAtOnce: 1 }, { maxConcurrentTasks: 1 }])(
		'are not created after one has ended in an error, with %j',
		async (few) => {
			const scene = new Scene({ toCreates: [refusal(400)], stopsOnFailure: true, ...few });
			const run = await scene.run(...items());
			expect([kindsOf(run), sentBy(scene)]).toEqual(['refused stopped stopped', 'a at 0']);
			const isHeld = run.map(({ order }) => order && scene.memory.isHeld(order, {}));
			expect(isHeld).toEqual([false, false, false]);
		},
	);

	test('report each error once, and none that came before', async () => {
		const faulty: number[] = [];
		const onFailure = ({ index }: Item) => void faulty.push(index);
		const scene = new Scene({ toCreates: [refusal(400), QUEUED], toReads: [DONE], onFailure });
		const [first, ...others] = items();
		await scene.run({ ...itemWith(first), failure: FAULT }, ...others);
		expect(faulty).toEqual([1]);
	});

	test.each<[string, Script, sent: string]>([
		['at first', [DENIED], ''],
		['after an error', [refusal(500), DENIED], ''],
		['after it was accepted', [QUEUED, DENIED, DONE], 'b at 6'],
	])('are not created where a read is denied %s', async (_what, toReads, sent) => {
		const given = { context: known(), toCreates: [DONE], maxConcurrentTasks: 1 };
		const scene = new Scene({ ...given, toReads });
		const [, second] = await scene.run(itemWith(), ...items().slice(1, 2));
		expect([sentBy(scene), second?.failure?.kind]).toEqual([sent, sent ? undefined : 'key']);
	});

	test('are all brought to their ends where one throws an unforeseen error', async () => {
		const fetchFiles = async () => await Promise.reject(new Error('Disk is full'));
		const toReads = [DONE, late(10_000, DONE)];
		const scene = new Scene({ toCreates: [QUEUED], toReads, fetchFiles });
		const [first, second] = items();
		const [item] = await scene.run({ ...itemWith(first), download }, ...(second ? [second] : []));
		expect([item?.failure?.kind === 'noAnswer', item?.order?.state]).toEqual([false, 'task']);
		expect([item?.failure?.message, second?.task?.status]).toEqual([
			...[expect.stringContaining('Disk is full'), 'completed'],
		]);
	});

	test.each([
		[false, /Before you create it again/],
		[true, /Do not call this tool again/],
	])('one without an answer has advice for its reader; a tool: %s', async (isTool, advice) => {
		const scene = new Scene({ toCreates: [refusal(500)], isTool });
		const [item] = await scene.run(itemWith());
		expect(item?.failure?.kind).toBe('noAnswer');
		expect(item?.failure?.message).toMatch(/did not confirm/);
		expect(item?.failure?.description).toMatch(advice);
	});

	test('one that throws while its create is sent may have a task', async () => {
		const scene = new Scene({});
		const [item] = await scene.run(itemWith());
		expect([item?.order?.state, item?.failure?.kind]).toEqual(['sent', 'noAnswer']);
	});
});

test('files that are late are asked for again, at the newest link', async () => {
	const tries: string[] = [];
	const toReads = [DONE, record('completed', { results: ['b'] }), EMPTY, LOST];
	const fetchFiles: Scene['host']['fetchFiles'] = async (_item, { record: { results } }) => {
		tries.push(`${String(results).slice(-4)} at ${scene.clock.now() / 1_000}`);
		return await Promise.resolve(tries.length < 4 ? { failure: FAULT, mayCome: true } : FILES);
	};
	const scene: Scene = new Scene({ context: known(), toReads, fetchFiles });
	const [item] = await scene.run(itemWith({ download }));
	expect(item).toMatchObject({ ...FILES, order: { state: 'task' } });
	expect(item?.failure).toBeUndefined();
	expect(new Set(scene.service.reads.map(({ id }) => id))).toEqual(new Set(['task_1']));
	expect(tries.join(', ')).toBe('.mp4 at 0, b at 5, b at 12.5, b at 23.75');
});

test.each([
	['will not come', { mayCome: false }, 0],
	['do not come for two minutes', { mayCome: true }, 120],
	['do not come before Stop', { mayCome: true, stopAtMs: 7_000 }, 7],
])('files that %s end with what is wrong with them', async (_what, given, endsAtSeconds) => {
	const { mayCome, stopAtMs }: { mayCome: boolean; stopAtMs?: number } = given;
	const fetchFiles = async () => await Promise.resolve({ failure: FAULT, mayCome });
	const scene = new Scene({ context: known(), toReads: [DONE], fetchFiles });
	if (stopAtMs !== undefined) void scene.clock.sleep(stopAtMs).then(() => scene.stop.abort());
	const [item] = await scene.run(itemWith({ download }));
	expect([item?.failure, scene.clock.now() / 1_000]).toEqual([FAULT, endsAtSeconds]);
});

test('an unexpected error with a file ends its item, and names the task', async () => {
	const fetchFiles = async () => await Promise.reject(new Error('The disk is full'));
	const scene = new Scene({ context: known(), toReads: [DONE], fetchFiles });
	const [item] = await scene.run(itemWith({ download }));
	expect(item?.failure?.kind).toBe('download');
	for (const said of ['task_1', 'The disk is full']) {
		expect(JSON.stringify(item?.failure)).toContain(said);
	}
});

test.each([
	[7_500, 'status: queued'],
	[2_500, 'status: not known'],
])('Stop after %d ms ends waiting, and names the task', async (stopAtMs, status) => {
	const scene = new Scene({ context: known(), toReads: [late(3_000, QUEUED), QUEUED] });
	void scene.clock.sleep(stopAtMs).then(() => scene.stop.abort());
	const [item] = await scene.run(itemWith());
	expect(item?.failure).toMatchObject({
		kind: 'stopped',
		message: expect.stringContaining(status),
	});
	expect([item?.failure?.description.includes('task_1'), scene.clock.now()]).toEqual([
		true,
		stopAtMs,
	]);
});
