import type { IDataObject } from 'n8n-workflow';
import { DownloadError } from '../../../nodes/Videogen/files/downloadError';
import type { FileAccess } from '../../../nodes/Videogen/files/fetch';
import { CONTEXT_KEY, newBook } from '../../../nodes/Videogen/work/book';
import type { State } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, Plan, ReadPlan } from '../../../nodes/Videogen/work/session';
import { answerWith, bodyOf, StreamClock } from '../../support/downloadScene';
import { failureOf, orderOf, planOf, taskOf } from '../../support/orders';
import {
	kindsOf,
	late,
	noReply,
	record,
	refusal,
	WorkScene,
	type Script,
	VIDEO,
} from '../../support/work';

const [QUEUED, DONE, EMPTY] = [record('queued'), record('completed', VIDEO), record('completed')];
const [FAILED, AT_ONCE, LOST] = [record('failed'), record('error'), noReply()];
const [DENIED, NO_SUCH_PATH] = [refusal(401), refusal(405)];
const NAMED = refusal(500, { namedTaskId: 'x' });

const downloadTo = 'data';
const wait = { intervalMs: 5_000, timeoutMs: 90_000 };
const forNobody = { wait: undefined };
const create = (more: Partial<CreatePlan> = {}): CreatePlan => planOf('A fox', more);
const getTask = (more: Partial<ReadPlan> = {}): ReadPlan => ({
	do: 'read',
	index: 0,
	simplify: true,
	taskId: 'task_1',
	...more,
});

/** Execution 1 has sent these orders. */
const SENT: State = { is: 'sent', by: ['1'], mayExist: true };
const NAMING: State = { ...SENT, taskId: 'task_1' };
const taskState = (status?: string): State => ({
	is: 'task',
	by: ['1'],
	taskId: 'task_1',
	task: status === undefined ? undefined : taskOf(status),
});

/** What n8n has kept of an execution whose first item has come so far. */
const keptAs = (state: State): IDataObject => ({
	[CONTEXT_KEY]: { ...newBook(false), orders: { '0:0': orderOf(state) } },
});
const known = () => keptAs(taskState());

/** A host that has every file, except for those that this says are missing. */
function filesThat(missing: (tries: number) => DownloadError | undefined = () => undefined) {
	const urls: string[] = [];
	const files: FileAccess = {
		fetch: async (url) => {
			urls.push(url);
			const error = missing(urls.length);
			if (error) throw error;
			return await Promise.resolve(answerWith(bodyOf('x')));
		},
		store: async (body) => {
			for await (const piece of body) expect(String(piece)).toBe('x');
			return { data: 'x', mimeType: 'video/mp4' };
		},
		isOnDisk: async () => await Promise.resolve(true),
	};
	return { files, urls };
}

/** Finishes one item alone. */
async function finish(
	given: ConstructorParameters<typeof WorkScene>[0],
	plan: Plan = create(),
	missing?: Parameters<typeof filesThat>[0],
) {
	const { files, urls } = filesThat(missing);
	const scene = new WorkScene({ clock: new StreamClock(() => 1), files, ...given });
	const { results, first } = await scene.run(plan);
	const [result] = results;
	if (!result) throw new Error('There is no result');
	const { job, outcome } = result;
	const { order } = job;
	const { readAt, clock, service } = scene;
	const seconds = clock.now() / 1_000;
	const { failure } = outcome;
	return { ...outcome, kind: failure?.kind, order, first, scene, readAt, seconds, urls, service };
}

describe('an item that creates', () => {
	const withFiles = { ...forNobody, downloadTo };
	test.each<
		[string, Script, Script, Partial<CreatePlan>, end: string, readAt: string, files: number]
	>([
		['gets its video and its files', [QUEUED], [QUEUED, DONE], { downloadTo }, 'task', '5 10', 1],
		['gets its video', [QUEUED], [DONE], {}, 'task', '5', 0],
		['gets its task', [QUEUED], [], forNobody, 'task', '', 0],
		['gets no files of it', [QUEUED], [], withFiles, 'task', '', 0],
		['gets what is there', [DONE], [], withFiles, 'task', '', 1],
		['believes no first answer', [AT_ONCE], [QUEUED, DONE], {}, 'task', '0 5', 0],
		['gets that as it is', [AT_ONCE], [], forNobody, 'task', '', 0],
		['has failed', [QUEUED], [FAILED], {}, 'failed failed', '5', 0],
		['was cancelled', [QUEUED], [record('canceled')], {}, 'final cancelled', '5', 0],
		['does not read what is only named', [NAMED], [], {}, 'sent noAnswer', '', 0],
	])('%s', async (_what, toCreates, toReads, more, end, readAt, count) => {
		const item = await finish({ toCreates, toReads }, create(more));
		expect([item.order?.state.is, item.kind].filter(Boolean).join(' ')).toBe(end);
		expect([item.readAt, item.files?.length ?? 0]).toEqual([readAt, count]);
		expect(item.urls).toEqual(count === 0 ? [] : VIDEO.results);
		expect(item.first?.outcome).toEqual(item.failure && { task: item.task, failure: item.failure });
		if (readAt !== '') expect(item.order?.state).toMatchObject({ task: item.task });
	});

	test.each<[Script, kind: string]>([
		[[refusal(404)], 'noAnswer'],
		[[DENIED], 'key'],
	])('that reads a task which an answer named says why it cannot: %#', async (toReads, kind) => {
		const given = { context: keptAs({ ...NAMING, refusal: failureOf('noAnswer') }), toReads };
		const read = await finish({ ...given, executionId: '2' });
		expect([read.kind, read.service.creates]).toEqual([kind, []]);
	});

	test('holds its order while it is created, and no longer', async () => {
		const scene = new WorkScene({ toCreates: [late(2_000, QUEUED)], toReads: [DONE] });
		const running = scene.run(create());
		const isHeldAt = async (atMs: number) => {
			await scene.clock.sleep(atMs - scene.clock.now());
			return scene.holds('0:0');
		};
		expect([await isHeldAt(1_000), await isHeldAt(3_000)]).toEqual([true, false]);
		await running;
	});

	test.each([
		[false, /Before you create it again/],
		[true, /Do not call this tool again/],
	])('and gets no answer has advice for its reader; a tool: %s', async (isTool, advice) => {
		const { failure, kind } = await finish({ toCreates: [refusal(500)], isTool });
		expect(kind).toBe('noAnswer');
		expect(failure?.message).toMatch(/did not confirm/);
		expect(failure?.description).toMatch(advice);
	});

	test.each<[Script, kind: string]>([
		[[DENIED], 'key'],
		[[NAMED], 'noAnswer'],
	])('has its own advice where a tool knows more: %#', async (toCreates, kind) => {
		const item = await finish({ toCreates, isTool: true });
		expect(item.kind).toBe(kind);
		expect(item.failure?.description).not.toContain('Do not call this tool again');
	});

	test.each<[string, IDataObject, Plan, state: string | undefined, kind: string]>([
		['a request is sent', {}, create(), 'sent', 'noAnswer'],
		['its task is read', known(), create(), 'task', 'invalid'],
		['another task is read', {}, getTask(), undefined, 'invalid'],
	])('and throws while %s has a task or not', async (_what, context, plan, ...end) => {
		const { order, kind } = await finish({ context }, plan);
		expect([order?.state.is, kind]).toEqual(end);
	});
});

describe('Get Task', () => {
	const limited = refusal(429, { retryAfterMs: 200_000 });
	test.each<[string, Partial<ReadPlan>, Script, kind: string | undefined, readAt: string]>([
		['gives a record as it is', {}, [QUEUED], undefined, '0'],
		['gives a failed one as it is', {}, [FAILED], undefined, '0'],
		['gives one without results', {}, [EMPTY], undefined, '0'],
		['gives the results', { downloadTo }, [EMPTY, DONE], undefined, '0 1'],
		['waits for the results', { wait }, [EMPTY, DONE], undefined, '0 1'],
		['waits', { wait }, [QUEUED, DONE], undefined, '0 5'],
		['that waits says how it has ended', { wait }, [FAILED], 'failed', '0'],
		['finds no task', {}, [refusal(404)], 'notFound', '0'],
		['reads three times', {}, [refusal(503)], 'serviceError', '0 1 3'],
		['reads for two minutes', {}, [limited], 'rateLimited', '0 200'],
		['reads no longer than it waits', { wait }, [LOST], 'timeout', '0 1 3 7 15 31 61 90'],
	])('%s', async (_what, more, toReads, expected, readAt) => {
		const read = await finish({ toReads }, getTask(more));
		expect([read.kind, read.readAt, read.order]).toEqual([expected, readAt, undefined]);
		expect(read.service.reads[0]?.id).toBe('task_1');
	});

	test('reads for two minutes, too, when its key is denied and limited in turn', async () => {
		const inTurn = Array.from({ length: 99 }, (_, nth) => (nth % 2 === 0 ? DENIED : refusal(429)));
		const scene = new WorkScene({ toReads: [QUEUED, ...inTurn] });
		const { results } = await scene.run(getTask(), getTask({ index: 1 }));
		expect(kindsOf(results)).toMatch(/^none (?:key|rateLimited)$/);
		expect(scene.clock.now()).toBeLessThan(150_000);
	});

	test.each([
		[[NO_SUCH_PATH], false],
		[[QUEUED, NO_SUCH_PATH], true],
	])('says that a task exists where it was seen: %#', async (toReads, isSeen) => {
		const { failure } = await finish({ toReads }, getTask({ wait }));
		expect(failure?.message.startsWith('The video was created')).toBe(isSeen);
	});
});

describe('a task that brings no video', () => {
	test.each([
		[90_000, 'not completed after 2 minutes and is still being generated (status: queued)'],
		[60_000, 'not completed after 1 minute and'],
	])('within %d ms is named', async (timeoutMs, text) => {
		const plan = create({ wait: { ...wait, timeoutMs } });
		const given = { toCreates: [QUEUED], toReads: [QUEUED] };
		const { failure, kind, order, seconds } = await finish(given, plan);
		expect(failure?.message).toContain(text);
		expect(failure?.description).toContain('task_1');
		expect([kind, order?.state.is, seconds]).toEqual(['timeout', 'task', timeoutMs / 1_000]);
	});

	test.each<[string, Script, kind: string | undefined]>([
		['goes out as its record', [QUEUED], undefined],
		['does not, where there is none', [LOST], 'timeout'],
		['does not, where it cannot be read', [QUEUED, NO_SUCH_PATH], 'address'],
	])('%s from a tool', async (_what, toReads, expected) => {
		const { kind } = await finish({ isTool: true, toReads }, getTask({ wait }));
		expect(kind).toBe(expected);
	});

	const reason = record('completed', { error: 'Lost the file' });
	test.each<[string, Script, kind: string, seconds: number, text: RegExp]>([
		['that cannot be read', [LOST], 'timeout', 90, /could not be read.*task_1/],
		['that is gone', [refusal(404)], 'notFound', 30, /no task with the ID task_1/],
		['without results', [reason], 'download', 120, /Lost the file.*task_1/],
	])('%s says why, and a Retry continues it', async (_what, toReads, expected, endsAt, text) => {
		const item = await finish({ context: known(), toReads }, create({ wait, downloadTo }));
		expect([item.kind, item.seconds, item.order?.state.is]).toEqual([expected, endsAt, 'task']);
		expect(`${item.failure?.message} ${item.failure?.description}`).toMatch(text);
		expect(item.urls).toEqual([]);
	});

	test.each([
		[9_000, '0 8', 'status: queued'],
		[7_500, '0', 'status: queued'],
		[2_500, '0', 'status: not known'],
		[0, '', 'status: not known'],
	])('before Stop after %d ms is named', async (stopAtMs, readsAt, status) => {
		const given = { context: known(), toReads: [late(3_000, QUEUED)], stopAtMs };
		const { failure, kind, readAt, seconds } = await finish(given);
		expect([kind, seconds, readAt]).toEqual(['stopped', stopAtMs / 1_000, readsAt]);
		expect(failure?.message).toContain(status);
		expect(failure?.description).toContain('task_1');
	});
});

test('late results are asked for until Stop, and no longer', async () => {
	const given = { context: known(), toReads: [EMPTY], stopAtMs: 4_000 };
	const { kind, readAt, seconds } = await finish(given);
	expect([kind, readAt, seconds]).toEqual(['download', '0 1 3', 4]);
});

describe('several items', () => {
	const plans = () => ['a', 'b', 'c'].map((prompt, index) => planOf(prompt, { index }));

	test.each<[string, IDataObject, sent: string]>([
		['after the task that exists', known(), 'b at 5, c at 10'],
		['beside an item that gets nothing', keptAs(SENT), 'b at 0, c at 5'],
	])('are created one after the other %s', async (_what, context, sent) => {
		const toReads = [...(sent.startsWith('b at 5') ? [QUEUED] : []), DONE];
		const scene = new WorkScene({ context, toCreates: [QUEUED], toReads, maxConcurrentTasks: 1 });
		await scene.run(create(), ...plans().slice(1));
		expect(scene.sent).toBe(sent);
	});

	test.each([
		[400, 'refused', { createsAtOnce: 1 }],
		[402, 'balance', { createsAtOnce: 1 }],
		[400, 'refused', { maxConcurrentTasks: 1 }],
		[402, 'balance', { maxConcurrentTasks: 1 }],
	])(
		'are not created after one has ended in an error: %d, %s, with %j',
		async (answer, kind, few) => {
			const scene = new WorkScene({ toCreates: [refusal(answer)], continues: false, ...few });
			const { results, first } = await scene.run(...plans());
			expect([kindsOf(results), scene.sent]).toEqual([`${kind} stopped stopped`, 'a at 0']);
			expect(first).toBe(results[0]);
			expect(['0:0', '0:1', '0:2'].map((place) => scene.holds(place))).toEqual([
				false,
				false,
				false,
			]);
		},
	);

	test.each([
		[false, 'stopped invalid', '', 1],
		[true, 'none invalid', 'a at 0', 1],
	])('beside an invalid one are created if the node continues: %s', async (continues, ...end) => {
		const failure = failureOf('invalid');
		const stop: Plan = { do: 'stop', index: 1, simplify: true, failure };
		const scene = new WorkScene({ toCreates: [QUEUED], toReads: [DONE], continues });
		const { results, first } = await scene.run(create(), stop);
		expect([
			kindsOf(results),
			scene.sent.replace('A fox', 'a'),
			first && results.indexOf(first),
		]).toEqual(end);
	});

	test.each<[string, Script, sent: string]>([
		['at first', [DENIED], ''],
		['after an error', [refusal(500), DENIED], ''],
		['after it was accepted', [QUEUED, DENIED, DONE], 'b at 6'],
	])('are not created where a read is denied %s', async (_what, toReads, sent) => {
		const given = { context: known(), toCreates: [DONE], maxConcurrentTasks: 1 };
		const scene = new WorkScene({ ...given, toReads });
		const { results } = await scene.run(create(), ...plans().slice(1, 2));
		expect(scene.sent).toBe(sent);
		expect(results[1]?.outcome.failure?.kind).toBe(sent ? undefined : 'key');
	});
});

describe('files', () => {
	const missing = (status: number) => () => new DownloadError('link', { status });
	const item = create({ downloadTo });

	test('that are late are asked for again, at the newest link', async () => {
		const newer = record('completed', { results: ['https://e.com/b'] });
		const given = { context: known(), toReads: [DONE, newer, EMPTY, LOST] };
		const late404 = (tries: number) => (tries < 4 ? missing(404)() : undefined);
		const { files, failure, urls, order, readAt, scene } = await finish(given, item, late404);
		expect([files?.length, failure, order?.state.is]).toEqual([1, undefined, 'task']);
		expect(urls.map((url) => url.slice(-5))).toEqual(['x.mp4', 'com/b', 'com/b', 'com/b']);
		expect(readAt).toBe('0 1 3 7');
		expect(new Set(scene.service.reads.map(({ id }) => id))).toEqual(new Set(['task_1']));
	});

	test('come with the completed record, whatever a later one says', async () => {
		const other = record('queued', { results: ['https://e.com/b'] });
		const given = { context: known(), toReads: [DONE, other] };
		const late404 = (tries: number) => (tries < 2 ? missing(404)() : undefined);
		const { task, files } = await finish(given, item, late404);
		expect([task?.status, files?.length]).toEqual(['completed', 1]);
	});

	test.each<[string, status: number, stopAtMs: number | undefined, kind: string, endsAt: number]>([
		['will not come', 410, undefined, 'download', 0],
		['do not come for two minutes', 404, undefined, 'download', 120],
		['do not come before Stop', 404, 6_000, 'stopped', 6],
	])('that %s end with what is wrong with them', async (_what, status, stopAtMs, ...end) => {
		const given = { context: known(), toReads: [DONE], stopAtMs };
		const { kind, seconds, order, files } = await finish(given, item, missing(status));
		expect([kind, seconds]).toEqual(end);
		expect([order?.state.is, files]).toEqual(['task', undefined]);
	});
});
