import type { ServiceError, StatusError } from '../../../nodes/Videogen/service/answer';
import { MAX_CREATES_AT_ONCE } from '../../../nodes/Videogen/work/createThrottles';
import { MAX_KEY_STEPS } from '../../../nodes/Videogen/work/creates';
import { type Item, type Order } from '../../../nodes/Videogen/work/order';
import { nextKey } from '../../../nodes/Videogen/work/orderKey';
import {
	type FakeServiceOptions,
	network,
	onCreates,
	status,
	timesOf,
} from '../../programs/support/fakeService';
import {
	createItem,
	createItems,
	createOnlyItem,
	endOf,
	MINUTE,
	readItem,
	requestOf,
	resumedItem,
	WAIT,
} from '../../programs/support/orders';
import { endsOf, Scene } from '../../programs/support/workScene';

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
});

/** Answers of creates, one after the other; those after them are tasks. */
const answering = (errors: Array<ServiceError | undefined>, more: FakeServiceOptions = {}) =>
	new Scene({ durationMs: 0, error: onCreates(({ nth }) => errors[nth - 1]), ...more });
const keysOf = ({ service }: Scene) => service.creates.map(({ orderKey }) => orderKey);

const LOST = network('lost');
const CONTENT: StatusError = { ...status(400), code: 'content_policy_violation' };
const IN_USE: ServiceError = { ...status(409), code: 'idempotency_in_progress' };
const replayed = (error: StatusError): StatusError => ({ ...error, isReplay: true });

describe('what is sent again by itself', () => {
	test.each<[string, ServiceError]>([
		['the service wants fewer', status(429)],
		['nothing got there', network('connectionRefused')],
		['an equal request is under way', IN_USE],
	])('because %s has the same key and the same body', async (_what, error) => {
		const scene = answering([error, error]);
		let sent = 0;
		const toSend = async () => ({ model: 'model', prompt: `link ${(sent += 1)}` });
		const item = await scene.runOne(createItem('a', WAIT, { toSend }));
		expect(endOf(item)).toBe('completed');
		expect(scene.service.creates.map(({ request }) => request)).toEqual(Array(3).fill('link 1'));
		expect(keysOf(scene)).toEqual(Array(3).fill(item.order.key));
		expect(item.sent).toBeUndefined();
	});

	test('is the next key with a body of its own', async () => {
		const scene = answering([replayed(status(402))]);
		let sent = 0;
		const toSend = async () => ({ model: 'model', prompt: `link ${(sent += 1)}` });
		await scene.runOne(createItem('a', WAIT, { toSend, hasDerivedKey: true }));
		expect(scene.service.creates.map(({ request }) => request)).toEqual(['link 1', 'link 2']);
	});
});

describe('the key of an order', () => {
	test.each<[string, ServiceError, hasDerivedKey: boolean, stays: boolean]>([
		['a no', status(400), false, false],
		['an error of the certificate', network('tls'), false, false],
		['a no that is played again', replayed(status(400)), false, false],
		['no answer', LOST, false, true],
		['another order under the same key', status(409), false, true],
		['a no, where it is derived', status(400), true, true],
		['no answer, where it is derived', LOST, true, true],
	])('after %s', async (_what, error, hasDerivedKey, stays) => {
		const scene = answering([error]);
		const item = createItem('a', WAIT, { hasDerivedKey });
		const { order } = await scene.runOne(item);
		expect(keysOf(scene)).toEqual([item.order.key]);
		expect(order.key === item.order.key).toBe(stays);
	});

	test('is that of the request with which it was sent, as it is kept', async () => {
		const scene = answering([status(400)]);
		const changed = createItem('a', WAIT, { requestHash: 'other', request: requestOf('other') });
		const { order } = await scene.runOne(changed);
		expect(order).toMatchObject({ requestHash: 'other', request: requestOf('other') });
	});
});

describe('a derived key whose order has ended in another process', () => {
	const derived = createItem('a', WAIT, { hasDerivedKey: true });
	const { key } = derived.order;
	/** The first keys of the chain, by the ids of the tasks that failed, or refusals. */
	const chain = (...cameTo: Array<string | undefined>) => {
		const keys = [key];
		for (const id of cameTo) keys.push(nextKey(keys.at(-1) ?? '', id));
		return keys;
	};
	const refusals = (count: number): ServiceError[] => Array(count).fill(replayed(status(402)));

	test('is followed five times at most', async () => {
		const scene = answering(refusals(9));
		const item = await scene.runOne(derived);
		expect(endOf(item)).toBe('balance');
		const keys = chain(...Array<undefined>(MAX_KEY_STEPS + 1).fill(undefined));
		expect(keysOf(scene)).toEqual(keys.slice(0, -1));
		// Whoever asks again goes on from there.
		expect(item.order.key).toBe(keys.at(-1));
	});

	test('for its content is followed only when it is asked for again', async () => {
		const scene = answering([replayed(CONTENT)]);
		const item = await scene.runOne(derived);
		expect([endOf(item), keysOf(scene)]).toEqual(['moderation', [key]]);
		expect(item.order.key).toBe(nextKey(key));
	});

	test('is not followed past a send without an answer', async () => {
		const scene = answering(refusals(1));
		const unanswered = { ...derived, order: { ...derived.order, mayExist: {} } };
		const item = await scene.runOne(unanswered);
		expect([endOf(item), keysOf(scene), item.order.key]).toEqual(['noAnswer', [key], key]);
	});

	const failing = (count: number, more: FakeServiceOptions = {}) => {
		let made = 0;
		const ending = () => ((made += 1) > count ? 'completed' : 'failed');
		return answering([], { ending, isReplay: ({ nth }) => nth <= count, ...more });
	};

	test('is followed so for who does not wait, too, and five times at most', async () => {
		const scene = failing(9);
		const item = await scene.runOne({ ...derived, wait: undefined });
		expect(endOf(item)).toBe('failed');
		expect(scene.service.creates).toHaveLength(MAX_KEY_STEPS + 1);
		const mixed = answering(refusals(3), { ending: () => 'failed', isReplay: () => true });
		await mixed.runOne(derived);
		expect(mixed.service.creates).toHaveLength(MAX_KEY_STEPS + 1);
	});

	test.each<[string, FakeServiceOptions, Item]>([
		['whose answer has no such mark', { isReplay: () => false }, derived],
		['that is random', {}, createItem('a')],
		['for its content', { record: () => ({ error: { code: 'content_policy' } }) }, derived],
		['cancelled', { record: () => ({ status: 'cancelled' }) }, derived],
	])('is not followed by another order: one %s', async (_what, more, item) => {
		const scene = failing(9, more);
		expect(endOf(await scene.runOne(item))).toBe('failed');
		expect(scene.service.creates).toHaveLength(1);
	});

	test('expired, or failed since it was first read, is so', async () => {
		const expired = failing(1, {
			record: ({ nth }) => (nth > 1 ? undefined : { status: 'expired' }),
		});
		expect(endOf(await expired.runOne(derived))).toBe('completed');
		const later = failing(1, { durationMs: 20_000 });
		expect(endOf(await later.runOne(derived))).toBe('failed');
		expect(later.service.creates).toHaveLength(1);
	});
});

describe('what is known after an answer that is no task', () => {
	const named: ServiceError = { ...status(500), namedTaskId: 'task_7' };
	const none = undefined;

	test.each<
		[string, before: Order['mayExist'], ServiceError, end: string, after: Order['mayExist'], number]
	>([
		['a no', none, status(400), 'refused', none, 0],
		[
			'a no that names a task',
			none,
			{ ...status(400), namedTaskId: 'task_7' },
			'noAnswer',
			{ taskId: 'task_7' },
			1,
		],
		['no answer', none, LOST, 'noAnswer', {}, 1],
		['a server error that names a task', none, named, 'noAnswer', { taskId: 'task_7' }, 1],
		[
			'no answer, after a named task',
			{ taskId: 'task_7' },
			LOST,
			'noAnswer',
			{ taskId: 'task_7' },
			1,
		],
		['a no, after no answer', {}, status(400), 'noAnswer', { isContentRefused: false }, 0],
		['a no for content, after no answer', {}, CONTENT, 'noAnswer', { isContentRefused: true }, 0],
		['429 for ever', none, status(429), 'rateLimited', none, 0],
		['429 for ever, after no answer', {}, status(429), 'noAnswer', {}, 0],
		['in use for ever', none, IN_USE, 'noAnswer', {}, 0],
	])('%s', async (_what, mayExist, error, end, after, counted) => {
		const scene = new Scene({ error: onCreates(() => error) });
		const item = createItem('a');
		const ended = await scene.runOne({ ...item, order: { ...item.order, mayExist } });
		expect([endOf(ended), ended.order.mayExist]).toEqual([end, after]);
		expect(scene.ledger().newTasks).toBe(counted);
	});

	test('429 after no answer, and then a task, is one task', async () => {
		const scene = answering([status(429), status(429)]);
		const item = createItem('a');
		const ended = await scene.runOne({ ...item, order: { ...item.order, mayExist: {} } });
		expect([endOf(ended), ended.order.mayExist]).toEqual(['completed', undefined]);
		expect(scene.ledger().newTasks).toBe(1);
	});

	test('that a task may exist is known before the create leaves', async () => {
		const scene = new Scene();
		const create = scene.service.create.bind(scene.service);
		const items = createItems(1);
		const before: unknown[] = [];
		jest.spyOn(scene.service, 'create').mockImplementation(async (...sent) => {
			before.push(items[0]?.order.mayExist, scene.ledger().newTasks);
			return await create(...sent);
		});
		await scene.bring(items);
		expect(before).toEqual([{}, 1]);
	});
});

describe('a create that is not sent', () => {
	test('because it cannot be made ready says why, and costs nothing', async () => {
		const scene = new Scene();
		const toSend = async () => await Promise.reject(new Error('No such file'));
		const { order } = await scene.runOne(createItem('a', WAIT, { toSend }));
		expect(order.state).toMatchObject({ fault: { kind: 'invalid', message: 'No such file' } });
		expect([order.mayExist, scene.ledger().newTasks, scene.service.calls]).toEqual([
			...[undefined, 0, []],
		]);
	});

	test('because of the limit says so: tasks may have been made since the run began', async () => {
		const scene = new Scene({ durationMs: 0 });
		expect(endsOf(await scene.run(createItems(3), { maxNewTasks: 2 }))).toEqual([
			...['completed', 'completed', 'limit'],
		]);
		expect(scene.service.creates).toHaveLength(2);
	});

	test('because the run ended while its file was stored has not begun', async () => {
		const scene = new Scene();
		const ending = new AbortController();
		const toSend = async () => {
			ending.abort();
			return requestOf('a');
		};
		const { signal } = ending;
		const item = await scene.runOne(createItem('a', WAIT, { toSend }), { signal });
		expect([endOf(item), item.order.mayExist]).toEqual(['stopped', undefined]);
		expect(scene.service.calls).toEqual([]);
	});
});

test.each<[string, StatusError, (scene: Scene) => Item, ends: string[]]>([
	['after a create', status(401), () => createItem('first'), ['completed', 'key', 'completed']],
	[
		'after a read',
		status(401),
		({ service }) => resumedItem(service.add('old', { finalMs: 0 }).id, 'old'),
		['completed', 'key', 'completed'],
	],
	['with 403', status(403), () => createItem('refused'), ['key', 'key', 'completed']],
])('a key that is rejected %s ends no other create', async (_when, error, firstOf, ends) => {
	const scene = new Scene({
		error: onCreates(({ request }) => (request.startsWith('refused') ? error : undefined)),
	});
	const items = [firstOf(scene), createItem('refused'), createItem('last')];
	expect(endsOf(await scene.run(items, { maxConcurrentTasks: 1 }))).toEqual(ends);
});
