import { InvalidParameter, NOTHING_CREATED } from '../../../nodes/Videogen/shared/messages';
import { Creates } from '../../../nodes/Videogen/work/create';
import type { Item, Order, State } from '../../../nodes/Videogen/work/order';
import {
	errorOf,
	itemWith,
	kindsOf,
	late,
	noReply,
	orderOf,
	record,
	refusal,
	Scene,
	type Script,
	wishOf,
} from '../../support/work';

const [CREATED, FULL, REFUSED] = [record('queued'), refusal(429), refusal(400)];
const [DENIED, OUT] = [refusal(401), noReply('connectionRefused')];
const BLOCKED = refusal(400, { code: 'content_policy' });
const HOUR = 3_600_000;

/** An item with an order that nobody has sent, unless said otherwise. */
const itemOf = (its: Partial<Order> = {}, more: Partial<Item> = {}) => ({
	...itemWith(more),
	order: orderOf('new', { executionId: undefined, ...its }),
});
type Creatable = ReturnType<typeof itemOf>;

/** One run of the node that only creates. */
class Creating extends Scene {
	readonly creates = new Creates(this.host);

	async create(...items: Creatable[]): Promise<void> {
		await Promise.all(
			items.map(async (item) => await this.creates.create(item, item.order, item.wish)),
		);
	}

	/** Which keys were sent, and when. */
	get sent(): string {
		return this.service.creates.map(({ atMs, key }) => `${key} at ${atMs / 1_000}`).join(', ');
	}
}

/** What becomes of one item alone. */
async function create(toCreates: Script, item = itemOf(), given = {}) {
	const scene = new Creating({ toCreates, executionId: '2', ...given });
	await scene.create(item);
	return {
		...item,
		scene,
		kind: item.failure?.kind,
		prompts: scene.service.creates.map(({ request }) => request.prompt),
	};
}

describe('an order whose create is answered', () => {
	const twice = 'key at 0, key at 1';
	const four = 'key at 0, key at 1, key at 3, key at 7';
	test.each<[string, State, Script, end: string, sent: string]>([
		['a task', 'new', [CREATED], 'task key', 'key at 0'],
		['429, then a task', 'new', [FULL, CREATED], 'task key', twice],
		['no answer', 'new', [noReply()], 'sent key noAnswer', 'key at 0'],
		['500', 'new', [refusal(500)], 'sent key noAnswer', 'key at 0'],
		['400', 'new', [REFUSED], 'new another refused', 'key at 0'],
		['a no for content', 'new', [BLOCKED], 'final another moderation', 'key at 0'],
		['429, then no answer', 'new', [FULL, noReply()], 'sent key noAnswer', twice],
		['no connection, then a task', 'new', [OUT, OUT, OUT, CREATED], 'task key', four],
		['no connection', 'new', [OUT], 'new key address', four],
		['a task, at last', 'sent', [CREATED], 'task key', 'key at 0'],
		['400, after no answer', 'sent', [REFUSED], 'sent key noAnswer', 'key at 0'],
	])('%s', async (_what, state, script, end, sent) => {
		const { order, failure, kind, scene } = await create(script, itemOf({ state }));
		const key = /^key \d+$/.test(order.key) ? 'another' : order.key;
		expect([order.state, key, kind].filter(Boolean).join(' ')).toBe(end);
		expect([scene.sent, order.executionId]).toEqual([sent, '2']);
		expect(order.error).toEqual(order.state === 'final' ? failure : undefined);
		const isNothing = order.state === 'new' || order.state === 'final';
		expect(failure?.description.includes(NOTHING_CREATED) ?? false).toBe(isNothing);
		expect(scene.named).toEqual(order.state === 'task' ? ['0: task_1'] : []);
	});

	test.each([
		[409, /idempotency key/],
		[500, undefined],
	])('%i is what every further try ends with: %s', async (status, message) => {
		const { error } = (await create([refusal(status)])).order;
		if (message === undefined) expect(error).toBeUndefined();
		else expect(error?.message).toMatch(message);
	});

	test('names a task at once that is not believed', async () => {
		const { order, failure, scene } = await create([refusal(500, { namedTaskId: 'x' })]);
		expect(order).toMatchObject({ state: 'sent', taskId: 'x' });
		expect([failure?.description, scene.named]).toEqual([
			expect.stringContaining('ID x'),
			['0: x'],
		]);
	});

	test('says what was sent, and where', async () => {
		const { failure } = await create([refusal(404, { param: 'model' })]);
		expect(failure?.message).toContain('"videogen-2.5-text-to-video"');
		const { failure: unreached } = await create([OUT], itemOf(), { baseUrl: 'http://localhost' });
		expect(unreached?.description).toContain('host.docker.internal');
	});
});

describe('it is sent again', () => {
	test.each<[string, Partial<Item>, createMs: number | undefined, atMostMs: number]>([
		['as long as it waits', {}, undefined, HOUR],
		['for an hour where it does not wait', { wait: undefined }, undefined, HOUR],
		['as long as a client looks on', {}, 40_000, 40_000],
	])('%s', async (_what, its, createMs, atMostMs) => {
		const kinds = [atMostMs - 1, atMostMs + 1].map(async (retryAfterMs) => {
			const script = [refusal(429, { retryAfterMs }), CREATED];
			return (await create(script, itemOf({}, its), { createMs })).kind;
		});
		expect(await Promise.all(kinds)).toEqual([undefined, 'rateLimited']);
	});

	test('until its time is over, and not where others have met a longer pause', async () => {
		const wait = { intervalMs: 1, timeoutMs: 3_500 };
		const ended = await create([late(3_000, FULL)], itemOf({}, { wait }));
		expect([ended.kind, ended.scene.sent]).toEqual(['rateLimited', 'key at 0']);
		const scene = new Creating();
		scene.host.gate.refused(errorOf(refusal(429, { retryAfterMs: 4_000 })), 0);
		const item = itemOf({}, { wait });
		await scene.create(item);
		expect([kindsOf([item]), scene.sent]).toEqual(['rateLimited', '']);
	});

	test('and say why their turn did not come: time ran out, or the run was over', async () => {
		const scene = new Creating();
		const [first, second] = [itemOf(), itemOf()];
		scene.host.createMs = 0;
		await scene.create(first);
		scene.creates.stop();
		await scene.create(second);
		expect([first, second].map(({ failure }) => failure?.message)).toEqual([
			expect.stringContaining('turn did not come in time'),
			expect.stringContaining('had already stopped'),
		]);
	});

	test('with the same body under its key, and with new links in the next run', async () => {
		let links = 0;
		const toSend: Creatable['wish']['toSend'] = async (saved) =>
			await Promise.resolve({ ...saved, prompt: `link ${(links += 1)}` });
		const item = itemOf({}, { wish: wishOf('A fox', { toSend }) });
		expect((await create([FULL, FULL, CREATED], item)).prompts).toEqual([
			'link 1',
			'link 1',
			'link 1',
		]);
		expect((await create([CREATED], item)).prompts).toEqual(['link 2']);
	});
});

describe('nothing is sent', () => {
	test.each<[State, nothing: string]>([
		['new', ` ${NOTHING_CREATED}`],
		['sent', ''],
	])('of an order that is %s and has lost its file', async (state, nothing) => {
		const gone = new InvalidParameter({ displayName: 'Image' }, ' is gone.', 'Upload it again.');
		const wish = wishOf('A fox', { toSend: async () => await Promise.reject(gone) });
		const { failure, kind, order, prompts } = await create([], itemOf({ state }, { wish }));
		expect([order.state, kind, prompts]).toEqual([state, 'invalid', []]);
		expect(failure?.description).toBe(`Upload it again.${nothing}`);
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
		expect([kindsOf(items), scene.sent]).toEqual(['stopped stopped noAnswer', '']);
		expect(items[2]?.failure?.message).toContain('was not sent again');
	});

	test.each<[string, Script, kinds: string, isOver: boolean]>([
		['a key that is denied', [DENIED], 'key key key', true],
		['a service out of reach', [OUT], 'address address address', true],
		['a bad request', [REFUSED], 'refused refused refused', false],
		['a key that was accepted before', [CREATED, DENIED, CREATED], 'none key none', false],
	])('of those that wait, after %s: %s', async (_what, toCreates, kinds, isOver) => {
		const scene = new Creating({ toCreates, createsAtOnce: 1 });
		const items = [itemOf(), itemOf(), itemOf()];
		await scene.create(...items);
		expect([kindsOf(items), scene.creates.end.aborted]).toEqual([kinds, isOver]);
		const { description } = items[2]?.failure ?? {};
		expect(description?.includes(NOTHING_CREATED) ?? 'none').toBe(
			kinds.endsWith('none') ? 'none' : true,
		);
	});

	test('of those that wait when the run creates no more, and what has left is awaited', async () => {
		const scene = new Creating({ toCreates: [late(30_000, CREATED)], createsAtOnce: 1 });
		const items = [
			itemOf({}, { wait: { intervalMs: 1, timeoutMs: 2_000 } }),
			itemOf(),
			itemOf({ state: 'sent' }),
		];
		const creating = scene.create(...items);
		await scene.clock.sleep(500);
		scene.creates.stop();
		await scene.clock.sleep(500);
		scene.stop.abort();
		await creating;
		expect(items.map(({ order }) => order.state)).toEqual(['task', 'new', 'sent']);
		expect(kindsOf(items)).toBe('none stopped noAnswer');
	});
});

test.each([REFUSED, CREATED])('the gate closes after 429 and opens with %j', async (answer) => {
	const full = late(500, FULL);
	const toCreates = [full, full, full, late(500, answer), CREATED];
	const scene = new Creating({ toCreates, createsAtOnce: 3 });
	await scene.create(...['a', 'b', 'c'].map((key) => itemOf({ key })));
	expect(scene.sent).toBe('a at 0, b at 0, c at 0, a at 1.5, b at 2, c at 2');
});
