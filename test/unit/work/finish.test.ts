import type { IDataObject } from 'n8n-workflow';
import { CONTEXT_KEY, newBook } from '../../../nodes/Videogen/work/book';
import type { State } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, Plan, ReadPlan } from '../../../nodes/Videogen/work/session';
import { answerWith, bodyOf, StreamClock, storePiecewise } from '../../support/downloadScene';
import { failureOf, orderOf, planOf } from '../../support/orders';
import {
	kindsOf,
	late,
	NO_FILES,
	noReply,
	record,
	refusal,
	WorkScene,
	type Script,
	VIDEO,
} from '../../support/work';

const [QUEUED, DONE, EMPTY] = [record('queued'), record('completed', VIDEO), record('completed')];
const [FAILED, AT_ONCE, LOST] = [record('failed'), record('error'), noReply()];
const [DENIED, GONE, NO_SUCH_PATH, FULL] = [refusal(401), refusal(404), refusal(405), refusal(429)];
const [BEGUN, LATER] = [record('x', { progress: -50 }), record('x', { progress: 75 })];
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
const NAMING: State = { ...SENT, taskId: 'task_1', refusal: failureOf('noAnswer') };
const TASK: State = { is: 'task', by: ['1'], taskId: 'task_1' };

/** What n8n has kept of an execution whose first item has come so far. */
const keptAs = (state: State): IDataObject => ({
	[CONTEXT_KEY]: { ...newBook(false), orders: { '0:0': orderOf(state) } },
});
const known = () => keptAs(TASK);

/** Finishes one item alone. Its host answers with these statuses before it has the file. */
async function finish(
	given: ConstructorParameters<typeof WorkScene>[0],
	plan: Plan = create(),
	statuses: number[] = [],
) {
	const urls: string[] = [];
	const fetch = async (url: string) => {
		const statusCode = statuses[urls.length] ?? 200;
		urls.push(url);
		return await Promise.resolve(answerWith(bodyOf('x'), { statusCode }));
	};
	const files = { ...NO_FILES, fetch, store: storePiecewise };
	const scene = new WorkScene({ clock: new StreamClock(() => 1), files, ...given });
	const { results, first } = await scene.run(plan);
	const [result] = results;
	if (!result) throw new Error('There is no result');
	const { job, outcome } = result;
	return {
		...outcome,
		kind: outcome.failure?.kind,
		order: job.order,
		first,
		service: scene.service,
		readAt: scene.readAt,
		seconds: scene.clock.now() / 1_000,
		urls,
	};
}

describe('an item that creates', () => {
	const withFiles = { ...forNobody, downloadTo };
	test.each<
		[string, Script, Script, Partial<CreatePlan>, end: string, readAt: string, files: number]
	>([
		['gets its video and its files', [QUEUED], [QUEUED, DONE], { downloadTo }, 'task', '5 10', 1],
		['gets its video', [QUEUED], [DONE], {}, 'task', '5', 0],
		['reads on after errors', [QUEUED], [refusal(500), LOST, DONE], {}, 'task', '5 6 8', 0],
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
		[[GONE], 'noAnswer'],
		[[DENIED], 'key'],
	])('that reads a task which an answer named says why it cannot: %#', async (toReads, kind) => {
		const read = await finish({ context: keptAs(NAMING), toReads, executionId: '2' });
		expect([read.kind, read.service.creates]).toEqual([kind, []]);
	});

	test('releases its order as soon as its create is answered', async () => {
		const scene = new WorkScene({ toCreates: [late(2_000, QUEUED)], toReads: [DONE] });
		const { clock, memory, stop } = scene;
		const released = memory.nextRelease(stop.signal).then(() => clock.now());
		await scene.run(create());
		expect(await released).toBe(2_000);
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
	const slow = { wait: { ...wait, intervalMs: 40_000 } };
	const long = { wait: { ...wait, timeoutMs: 3_600_000 } };
	test.each<[string, Partial<ReadPlan>, Script, kind: string | undefined, readAt: string]>([
		['gives a record as it is', {}, [QUEUED], undefined, '0'],
		['gives a failed one as it is', {}, [FAILED], undefined, '0'],
		['gives one without results', {}, [EMPTY], undefined, '0'],
		['gives the results', { downloadTo }, [EMPTY, DONE], undefined, '0 1'],
		['waits for the results', { wait }, [EMPTY, DONE], undefined, '0 1'],
		['waits', { wait }, [QUEUED, DONE], undefined, '0 5'],
		['that waits says how it has ended', { wait }, [FAILED], 'failed', '0'],
		['finds no task', {}, [GONE], 'notFound', '0'],
		['reads three times', {}, [refusal(503)], 'serviceError', '0 1 3'],
		['reads for two minutes', {}, [limited], 'rateLimited', '0 200'],
		['reads no longer than it waits', { wait }, [LOST], 'timeout', '0 1 3 7 15 31 61 90'],
		['waits no longer for its turn', { wait }, [limited], 'timeout', '0'],
		['reads on while it is limited', {}, [FULL], 'rateLimited', '0 1 3 7 15 31 61 91 121'],
		['is limited to its interval', slow, [FULL, LOST, DONE], undefined, '0 40 42'],
		['reads by its progress', { wait }, [BEGUN, LATER, DONE], undefined, '0 5 6.9'],
		['looks for ten seconds', { wait }, [GONE], 'notFound', '0 1 3 7 10'],
		['looks so long after errors', { wait }, [LOST, LOST, GONE], 'notFound', '0 1 3 7 13'],
		['looks longer for what it saw', { wait }, [QUEUED, GONE], 'notFound', '0 5 6 8 12 20 35'],
		['is denied for two minutes', long, [QUEUED, DENIED], 'key', '0 5 6 8 12 20 36 66 96 125'],
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

	test('that got no turn in time says so', async () => {
		const scene = new WorkScene({ toReads: [limited] });
		const { results } = await scene.run(...[0, 1, 2, 3].map((index) => getTask({ index, wait })));
		expect([kindsOf(results), scene.readAt]).toEqual(['timeout timeout timeout timeout', '0 0 0']);
	});

	test('reads once more at its deadline, each time for as long as is left, or for 5 s', async () => {
		const item = getTask({ wait: { ...wait, timeoutMs: 7_000 } });
		const { kind, readAt, service } = await finish({ toReads: [QUEUED] }, item);
		expect([kind, readAt]).toEqual(['timeout', '0 5 7']);
		expect(service.reads.map(({ atMostMs }) => atMostMs)).toEqual([7_000, 5_000, 5_000]);
	});
});

describe('a task that brings no video says why', () => {
	const waiting = create({ wait, downloadTo });
	const briefly = create({ wait: { ...wait, timeoutMs: 60_000 } });
	const look = getTask({ wait });
	const reason = record('completed', { error: 'Lost it' });

	test.each<[string, Script, Plan, kind: string, seconds: number, text: RegExp]>([
		['in time', [QUEUED], waiting, 'timeout', 90, /after 2 minutes and .*status: queued.*task_1/],
		['in a minute', [QUEUED], briefly, 'timeout', 60, /after 1 minute and/],
		['as it cannot be read', [LOST], waiting, 'timeout', 90, /could not be read.*task_1/],
		['as it is gone', [GONE], waiting, 'notFound', 30, /no task with the ID task_1/],
		['as it is gone, at once', [GONE], create(forNobody), 'notFound', 30, /no task with/],
		['as it has no results', [reason], waiting, 'download', 120, /no video.*Lost it.*task_1/],
		['and was never seen', [NO_SUCH_PATH], look, 'address', 0, /^(?!The video was created)/],
		['but was seen', [QUEUED, NO_SUCH_PATH], look, 'address', 5, /^The video was created/],
	])('%s', async (_what, toReads, plan, expected, endsAt, text) => {
		const context = plan === look ? {} : known();
		const { failure, kind, order, seconds, urls } = await finish({ context, toReads }, plan);
		expect([kind, seconds]).toEqual([expected, endsAt]);
		expect(`${failure?.message} ${failure?.description}`).toMatch(text);
		expect([order?.state.is, urls]).toEqual([plan === look ? undefined : 'task', []]);
	});

	test.each<[string, Script, stopAtMs: number, kind: string, text: RegExp]>([
		['between two reads', [late(3_000, QUEUED)], 9_000, 'stopped', /status: queued.*task_1/],
		['during a read', [late(3_000, QUEUED)], 2_500, 'stopped', /not known.*task_1/],
		['before it is read', [QUEUED], 0, 'stopped', /not known.*task_1/],
		['while its results are late', [EMPTY], 4_000, 'download', /task_1/],
	])('at Stop %s', async (_what, toReads, stopAtMs, expected, text) => {
		const { failure, kind, seconds } = await finish({ context: known(), toReads, stopAtMs });
		expect([kind, seconds]).toEqual([expected, stopAtMs / 1_000]);
		expect(`${failure?.message} ${failure?.description}`).toMatch(text);
	});
});

describe('a tool', () => {
	const look = getTask({ wait });
	test.each<[string, Script, Script, Plan, kind: string | undefined, isFinal: boolean]>([
		['no answer', [refusal(500)], [], create(), 'noAnswer', true],
		['a denied key', [DENIED], [], create(), 'key', false],
		['an answer that names a task', [NAMED], [], create(), 'noAnswer', false],
		['an unfinished task', [], [QUEUED], look, undefined, false],
		['no record', [], [LOST], look, 'timeout', false],
		['no record any more', [], [QUEUED, NO_SUCH_PATH], look, 'address', false],
	])('that gets %s', async (_what, toCreates, toReads, plan, expected, isFinal) => {
		const { failure, kind } = await finish({ isTool: true, toCreates, toReads }, plan);
		const says = failure?.description.includes('Do not call this tool again') ?? false;
		expect([kind, says]).toEqual([expected, isFinal]);
	});
});

describe('several items', () => {
	const plans = () => ['a', 'b', 'c'].map((prompt, index) => planOf(prompt, { index }));

	test.each<[string, IDataObject, Script, sent: string]>([
		['after the task that exists', known(), [QUEUED, DONE], 'b at 5, c at 10'],
		['beside an item that gets nothing', keptAs(SENT), [DONE], 'b at 0, c at 5'],
	])('are created one after the other %s', async (_what, context, toReads, sent) => {
		const scene = new WorkScene({ context, toCreates: [QUEUED], toReads, maxConcurrentTasks: 1 });
		await scene.run(create(), ...plans().slice(1));
		expect(scene.sent).toBe(sent);
	});

	test.each([
		[400, 'refused', { createsAtOnce: 1 }],
		[402, 'balance', { maxConcurrentTasks: 1 }],
	])('are not created after an error: %d, %s, with %j', async (answer, kind, few) => {
		const scene = new WorkScene({ toCreates: [refusal(answer)], continues: false, ...few });
		const { results, first } = await scene.run(...plans());
		expect([kindsOf(results), scene.sent]).toEqual([`${kind} stopped stopped`, 'a at 0']);
		expect(first).toBe(results[0]);
	});

	test.each([
		[false, 'stopped invalid', ''],
		[true, 'none invalid', 'A fox at 0'],
	])('beside an invalid one are created if the node continues: %s', async (continues, ...end) => {
		const failure = failureOf('invalid');
		const stop: Plan = { do: 'stop', index: 1, simplify: true, failure };
		const scene = new WorkScene({ toCreates: [QUEUED], toReads: [DONE], continues });
		const { results, first } = await scene.run(create(), stop);
		expect([kindsOf(results), scene.sent]).toEqual(end);
		expect(first).toBe(results[1]);
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
	const item = create({ downloadTo });

	test('that are late are asked for again, at the newest link', async () => {
		const newer = record('completed', { results: ['https://e.com/b'] });
		const given = { context: known(), toReads: [DONE, newer, EMPTY, LOST] };
		const late = await finish(given, item, [404, 404, 404]);
		const { files, failure, urls, order, readAt } = late;
		expect([files?.length, failure, order?.state.is]).toEqual([1, undefined, 'task']);
		expect(urls.map((url) => url.slice(-5))).toEqual(['x.mp4', 'com/b', 'com/b', 'com/b']);
		expect(readAt).toBe('0 1 3 7');
	});

	test('come with the completed record, whatever a later one says', async () => {
		const other = record('queued', { results: ['https://e.com/b'] });
		const given = { context: known(), toReads: [DONE, other] };
		const { task, files } = await finish(given, item, [404]);
		expect([task?.status, files?.length]).toEqual(['completed', 1]);
	});

	test('that are late are awaited until Stop', async () => {
		const given = { context: known(), toReads: [DONE], stopAtMs: 6_000 };
		const { kind, seconds, order, files } = await finish(given, item, [404, 404, 404]);
		expect([kind, seconds, order?.state.is, files]).toEqual(['stopped', 6, 'task', undefined]);
	});
});
