import { InvalidParameter, NOTHING_CREATED } from '../../../nodes/Videogen/shared/messages';
import { Creates } from '../../../nodes/Videogen/work/create';
import type { Item, Order } from '../../../nodes/Videogen/work/order';
import {
	errorOf,
	itemWith,
	late,
	noReply,
	orderOf,
	record,
	refusal,
	Scene,
	type Script,
	wishOf,
} from '../../programs/support/work';

const MINUTE = 60_000;
const CREATED = record('queued');

/** An item with an order that nobody has sent, unless said otherwise. */
const itemOf = (its: Partial<Order> = {}, more: Partial<Item> = {}): Item & { order: Order } => ({
	...itemWith(more),
	order: orderOf('new', { executionId: undefined, ...its }),
});

/** One run of the node that only creates. */
class Creating extends Scene {
	readonly creates = new Creates(this.host);

	async create(...items: Array<Item & { order: Order }>): Promise<void> {
		await Promise.all(
			items.map(async (item) => {
				await this.creates.create(item, item.order, item.wish ?? wishOf());
			}),
		);
	}

	/** When which keys were sent. */
	get sent(): string {
		return this.service.creates.map(({ atMs, key }) => `${key} at ${atMs / 1_000}`).join(', ');
	}
}

/** Of one item alone. */
async function created(toCreates: Script, item = itemOf(), given = {}) {
	const scene = new Creating({ toCreates, executionId: '2', ...given });
	await scene.create(item);
	return { ...item, scene, sent: scene.sent };
}

const unreachable = (times: number): Script =>
	Array.from({ length: times }, () => noReply('connectionRefused'));

const content = refusal(400, { code: 'content_policy' });

describe('a create that is answered', () => {
	test.each<
		[string, Script, Order['state'], expected: [state: string, kind: string, sent: string]]
	>([
		['with a task', [CREATED], 'new', ['task', 'none', 'key at 0']],
		[
			'with 429, then a task',
			[refusal(429), CREATED],
			'new',
			['task', 'none', 'key at 0, key at 1'],
		],
		['not at all', [noReply()], 'new', ['sent', 'noAnswer', 'key at 0']],
		['with 500', [refusal(500)], 'new', ['sent', 'noAnswer', 'key at 0']],
		['with 400', [refusal(400)], 'new', ['new', 'refused', 'key at 0']],
		['with a no for content', [content], 'new', ['final', 'moderation', 'key at 0']],
		[
			'with 429, then not at all',
			[refusal(429), noReply()],
			'new',
			['sent', 'noAnswer', 'key at 0, key at 1'],
		],
		['with a task, at last', [CREATED], 'sent', ['task', 'none', 'key at 0']],
		['with 400, after no answer', [refusal(400)], 'sent', ['sent', 'noAnswer', 'key at 0']],
		['with a no for content, after no answer', [content], 'sent', ['sent', 'noAnswer', 'key at 0']],
		[
			'without a connection three times',
			[...unreachable(3), CREATED],
			'new',
			['task', 'none', 'key at 0, key at 1, key at 3, key at 7'],
		],
		[
			'without a connection four times',
			unreachable(4),
			'new',
			['new', 'address', 'key at 0, key at 1, key at 3, key at 7'],
		],
	])('%s', async (_what, script, state, expected) => {
		const { order, fault, sent } = await created(script, itemOf({ state }));
		expect([order.state, fault?.kind ?? 'none', sent]).toEqual(expected);
		expect(order.executionId).toBe('2');
		expect(order.error).toEqual(order.state === 'final' ? fault : undefined);
		const isNew = expected[0] === 'new';
		if (isNew || order.state === 'final') expect(fault?.description).toContain(NOTHING_CREATED);
		expect(order.key === 'key').toBe(
			!(isNew && expected[1] === 'refused') && order.state !== 'final',
		);
	});

	test('names its task at once, also where it is none that is believed', async () => {
		const named = refusal(500, { namedTaskId: 'task_9' });
		const { order, fault, scene } = await created([named]);
		expect(order).toMatchObject({ state: 'sent', taskId: 'task_9' });
		expect(fault).toMatchObject({
			kind: 'noAnswer',
			description: expect.stringContaining('task_9'),
		});
		expect(scene.named).toEqual(['0: task_9']);
		expect((await created([CREATED])).scene.named).toEqual(['0: task_1']);
	});

	test('says which model is not known, and where', async () => {
		const { fault } = await created([refusal(404, { param: 'model' })]);
		expect(fault?.message).toContain('"videogen-2.5-text-to-video"');
		const unreached = await created(unreachable(4), itemOf(), { baseUrl: 'http://localhost' });
		expect(unreached.fault?.description).toContain('host.docker.internal');
	});
});

describe('it is sent again', () => {
	test.each<[string, Partial<Item>, createMs: number | undefined, pauseMs: number, number]>([
		['as long as it waits', {}, undefined, 60 * MINUTE - 1, 2],
		['no longer than it waits', {}, undefined, 60 * MINUTE + 1, 1],
		['for an hour where it does not wait', { wait: undefined }, undefined, 60 * MINUTE - 1, 2],
		['no longer than that', { wait: undefined }, undefined, 60 * MINUTE + 1, 1],
		['as long as somebody looks on', { wait: undefined }, 40_000, 39_999, 2],
		['no longer than somebody looks on', {}, 40_000, 40_001, 1],
	])('%s', async (_what, its, createMs, retryAfterMs, sends) => {
		const script = [refusal(429, { retryAfterMs }), CREATED];
		const { fault, scene } = await created(script, itemOf({}, its), { createMs });
		expect([scene.service.creates.length, fault?.kind]).toEqual([
			sends,
			sends === 1 ? 'rateLimited' : undefined,
		]);
		expect(scene.clock.now()).toBe(sends === 1 ? 0 : retryAfterMs);
	});

	test('until its time is over, which says why', async () => {
		const { fault, sent } = await created(
			[late(3_000, refusal(429))],
			itemOf({}, { wait: { intervalMs: 1, timeoutMs: 3_500 } }),
		);
		expect([sent, fault?.kind]).toEqual(['key at 0', 'rateLimited']);
	});

	test('with the same body under the same key, and links of its own in the next run', async () => {
		let links = 0;
		const toSend: Item['wish'] & object = wishOf('A fox', {
			toSend: async (saved) => ({ ...saved, prompt: `link ${(links += 1)}` }),
		});
		const item = itemOf({}, { wish: toSend });
		const { scene } = await created([refusal(429), refusal(429), CREATED], item);
		expect(scene.service.creates.map(({ request }) => request.prompt)).toEqual([
			'link 1',
			'link 1',
			'link 1',
		]);
		const again = await created([CREATED], item);
		expect(again.scene.service.creates[0]?.request.prompt).toBe('link 2');
	});
});

describe('nothing is sent', () => {
	test.each<[Order['state'], nothing: boolean]>([
		['new', true],
		['sent', false],
	])('of an order that is %s and has lost its file', async (state, isNothing) => {
		const gone = new InvalidParameter(
			{ displayName: 'First Image' },
			' is gone.',
			'Upload it again.',
		);
		const wish = wishOf('A fox', { toSend: async () => await Promise.reject(gone) });
		const { fault, order, scene } = await created([], itemOf({ state }, { wish }));
		expect([order.state, fault?.kind, scene.sent]).toEqual([state, 'invalid', '']);
		expect(fault?.description).toBe(`Upload it again.${isNothing ? ` ${NOTHING_CREATED}` : ''}`);
	});

	test('after the run has ended, nor once a file was stored too late', async () => {
		const wish = wishOf('A fox', {
			toSend: async (saved) => {
				scene.stop.abort();
				return await Promise.resolve(saved);
			},
		});
		const scene = new Creating();
		const items = [itemOf({}, { wish }), itemOf(), itemOf({ state: 'sent' })];
		for (const item of items) await scene.create(item);
		expect(items.map(({ fault }) => fault?.kind)).toEqual(['stopped', 'stopped', 'noAnswer']);
		expect(items[2]?.fault?.message).toContain('was not sent again');
		expect(scene.sent).toBe('');
	});

	test.each<[string, Script, kinds: string[]]>([
		['a key that is not accepted', [refusal(401)], ['key', 'key']],
		['a service out of reach', unreachable(4), ['address', 'address']],
		['a bad request', [refusal(400)], ['refused', 'refused']],
	])('of those that wait, after %s: %#', async (_what, script, kinds) => {
		const scene = new Creating({ toCreates: script, createsAtOnce: 1 });
		const items = [itemOf(), itemOf()];
		await scene.create(...items);
		expect(items.map(({ fault }) => fault?.kind)).toEqual(kinds);
		const isOfAll = kinds[0] !== 'refused';
		expect(new Set(scene.service.creates.map(({ key }) => key)).size).toBe(1);
		expect(scene.creates.end.aborted).toBe(isOfAll);
		if (isOfAll) expect(items[1]?.fault?.description).toContain(NOTHING_CREATED);
	});

	test('but not after one that is not accepted any more', async () => {
		const scene = new Creating({ toCreates: [CREATED, refusal(401), CREATED], createsAtOnce: 1 });
		const items = [itemOf(), itemOf(), itemOf()];
		await scene.create(...items);
		expect(items.map(({ fault }) => fault?.kind)).toEqual([undefined, 'key', undefined]);
	});

	test('of those that wait when the run creates no more, and why is not said', async () => {
		const scene = new Creating({ toCreates: [late(1_000, CREATED)], createsAtOnce: 1 });
		const items = [itemOf(), itemOf(), itemOf({ state: 'sent' })];
		const creating = scene.create(...items);
		await scene.clock.sleep(500);
		scene.creates.stop();
		scene.creates.stop(errorOf(refusal(401)));
		await creating;
		expect(items.map(({ order }) => order.state)).toEqual(['task', 'new', 'sent']);
		expect(items[1]?.fault?.kind).toBe('key');
	});
});

test('one that has left is awaited, whatever ends the run', async () => {
	const scene = new Creating({ toCreates: [late(30_000, CREATED)] });
	const item = itemOf({}, { wait: { intervalMs: 1, timeoutMs: 2_000 } });
	const creating = scene.create(item);
	await scene.clock.sleep(500);
	scene.stop.abort();
	await creating;
	expect([item.order.state, item.fault]).toEqual(['task', undefined]);
});

test.each([refusal(400), CREATED])(
	'the gate closes after 429 and opens with %j',
	async (answer) => {
		const full = late(500, refusal(429));
		const toCreates = [full, full, full, late(500, answer), CREATED];
		const scene = new Creating({ toCreates, createsAtOnce: 3 });
		await scene.create(...['a', 'b', 'c'].map((key) => itemOf({ key })));
		expect(scene.sent).toBe('a at 0, b at 0, c at 0, a at 1.5, b at 2, c at 2');
	},
);
