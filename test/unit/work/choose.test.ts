import type { Scope } from '../../../nodes/Videogen/work/choose';
import type { Asked } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, CreateSettings } from '../../../nodes/Videogen/work/session';
import { click, firstOf, idsOf, NodeRuns, type Reached } from '../../support/nodeRuns';
import { askedBy, fox, foxes, planOf } from '../../support/orders';

let runs: NodeRuns;
beforeEach(() => (runs = new NodeRuns()));

const withText = (keyText: string, more: Partial<CreatePlan> = {}): CreatePlan =>
	fox({ keyText, requestHash: `fox by ${keyText}` }, more);

const OTHER = { requestHash: 'x', fieldsHash: 'x' };
const PARAMETERS = { ...OTHER, parametersHash: 'x' };

describe('an item continues the order at its place', () => {
	test.each<[string, Partial<Asked>, Partial<Scope>, string]>([
		['an equal request', { fieldsHash: 'x', parametersHash: 'x' }, {}, 'read'],
		['the same fields', { requestHash: 'x', parametersHash: 'x' }, {}, 'read'],
		['neither', OTHER, {}, 'create'],
		['another run', {}, { run: 1 }, 'create'],
	])('if it has %s', async (_what, change, scope, does) => {
		const first = await runs.bring([fox()]);
		const again = await runs.assign([fox(change)], scope);
		expect(again.does).toBe(does);
		expect(firstOf(again) === firstOf(first)).toBe(does === 'read');
	});
});

describe('an item that comes back', () => {
	test.each<[Reached, Partial<Asked>, boolean, string]>([
		['sent', OTHER, true, 'noAnswer'],
		['named', OTHER, true, 'noAnswer'],
		['task', OTHER, true, 'read'],
		['new', OTHER, false, 'create'],
		['failed', OTHER, false, 'create'],
		['final', OTHER, false, 'create'],
		['content', OTHER, false, 'create'],
		['sent', PARAMETERS, false, 'create'],
		['task', PARAMETERS, false, 'create'],
		['task', { requestHash: 'x', parametersHash: 'x' }, true, 'read'],
		['final', { fieldsHash: 'x', parametersHash: 'x' }, true, 'cancelled'],
		['new', { requestHash: 'x', parametersHash: 'x' }, true, 'create'],
	])('with one that is %s, by other %j, continues it: %s', async (...row) => {
		const [reached, change, isContinued, does] = row;
		const first = firstOf(await runs.bring([fox()], {}, reached));
		const plan = fox(change, { index: 1, returned: { orderId: first.id } });
		const back = await runs.assign([plan], { run: 1 });
		expect([back.does, firstOf(back).id === first.id]).toEqual([does, isContinued]);
		// It has left its place: what stands there now finds nothing.
		const { does: there } = await runs.assign([fox()]);
		expect(there === 'create').toBe(isContinued || reached === 'new' || reached === 'failed');
	});

	test('with one that failed replaces it at its new place', async () => {
		const first = firstOf(await runs.bring([fox()], {}, 'failed'));
		const plan = fox({}, { returned: { orderId: first.id } });
		const back = await runs.bring([plan], { run: 1 });
		expect([back.does, firstOf(back).id === first.id]).toEqual(['create', false]);
		expect(idsOf(await runs.assign([fox()], { run: 1 }))).toEqual(idsOf(back));
		expect((await runs.assign([fox()])).does).toBe('create');
	});

	test.each([[{}], [{ orderId: 'unknown' }], [undefined]])(
		'with no order takes none: %j',
		async (returned) => {
			const first = await runs.bring([fox()]);
			expect((await runs.assign([fox({}, { index: 1, returned })])).does).toBe('create');
			expect(idsOf(await runs.assign([fox()]))).toEqual(idsOf(first));
		},
	);

	test('with the order of another one gets it only once', async () => {
		const first = firstOf(await runs.bring([fox()]));
		const twins = foxes(2).map((plan) => ({ ...plan, returned: { orderId: first.id } }));
		const back = await runs.assign(twins, { run: 1 });
		expect(back.does).toBe('read create');
		expect(firstOf(back)).toBe(first);
	});

	test('may trade its place with another', async () => {
		const [fox0, fox1] = idsOf(await runs.bring(foxes(2)));
		const trade = [fox1, fox0].map((orderId, index) =>
			fox(OTHER, { index, returned: { orderId } }),
		);
		expect(idsOf(await runs.assign(trade))).toEqual([fox1, fox0]);
		expect(idsOf(await runs.assign(foxes(2)))).toEqual([fox1, fox0]);
	});
});

describe('the text of an idempotency key', () => {
	const row7 = (more?: Partial<CreatePlan>) => withText('row 7', more);

	test.each<[string, Partial<CreatePlan>, Partial<Scope>, string]>([
		['another item', { index: 1 }, {}, 'invalid'],
		['another run of the node', {}, { run: 1 }, 'invalid'],
		['an item that comes back without an order', { index: 1, returned: {} }, {}, 'invalid'],
		['a tool', { index: 1 }, { isTool: true }, 'create'],
		['the same place', {}, { executionId: '2' }, 'read'],
	])('may be used again by %s: %#', async (_who, more, scope, does) => {
		await runs.bring([row7()]);
		const again = await runs.assign([row7(more)], scope);
		expect(again.does).toBe(does);
	});

	test('is named where it was used before', async () => {
		const { jobs } = await runs.assign([row7(), row7({ index: 1 })]);
		expect(jobs[1]).toMatchObject({
			failure: {
				message: expect.stringContaining('"row 7" is used by another item'),
				description: expect.stringContaining('Nothing was created for this item.'),
			},
		});
		expect(jobs[1]).not.toHaveProperty('order');
	});

	test.each<[string, Partial<Asked>, string]>([
		['its own', {}, 'read'],
		['its own, if it continues the order', OTHER, 'read'],
		['its own, but not if it does not continue the order', PARAMETERS, 'invalid'],
		['that of another order', { keyText: 'row 8' }, 'invalid'],
		['a text that is free', { keyText: 'row 9', ...PARAMETERS }, 'create'],
		['none', { keyText: '', ...PARAMETERS }, 'create'],
	])('of an item that comes back may be %s', async (_what, change, does) => {
		const first = await runs.bring([row7(), withText('row 8', { index: 1 })]);
		const asked = { ...row7().asked, ...change };
		const back = planOf('', { asked, returned: { orderId: firstOf(first).id } });
		expect((await runs.assign([back], { run: 1 })).does).toBe(does);
	});

	test.each<[string, Partial<CreatePlan>]>([
		['one of two that come back', {}],
		['one that comes back, not one beside it', { returned: undefined }],
	])('goes with the order to %s', async (_who, more) => {
		const returned = { orderId: firstOf(await runs.bring([row7()])).id };
		const twins = [row7({ returned }), row7({ returned, index: 1, ...more })];
		expect((await runs.assign(twins, { run: 1 })).does).toBe('read invalid');
	});

	test('goes with the order, and leaves none at the place from where it was taken', async () => {
		const [, row] = idsOf(await runs.bring([planOf('An owl'), row7({ index: 1 })]));
		const twins = [row7({ returned: { orderId: row } }), row7({ index: 1 })];
		expect((await runs.assign(twins)).does).toBe('read invalid');
	});

	test('is still its own at the place to which it came back and was replaced', async () => {
		const first = firstOf(await runs.bring([row7()], {}, 'failed'));
		const back = row7({ returned: { orderId: first.id } });
		const tries = [
			await runs.bring([back], { run: 1 }, 'sent'),
			await runs.bring([back], { run: 1 }, 'sent'),
		];
		expect(tries.map(({ does }) => does)).toEqual(['create', 'noAnswer']);
	});

	test('is free once its item has another', async () => {
		await runs.bring([row7()], {}, 'new');
		await runs.bring([withText('row 8')], {}, 'new');
		const { does } = await runs.assign([withText('row 8'), row7({ index: 1 })]);
		expect(does).toBe('create create');
	});
});

describe('in the editor, an item reuses what this process has created', () => {
	const { request } = askedBy('A fox');
	const off = (plan: CreatePlan): CreatePlan => {
		const settings: CreateSettings = { ...plan.settings, reuseInEditor: false };
		return { ...plan, settings };
	};

	test.each<[string, first: Partial<Scope>, second: Partial<Scope>, CreatePlan, boolean]>([
		['the next click', click(), click('2'), fox(), true],
		['a click, after production', { isManual: false }, click('2'), fox(), true],
		['a click with other fields', click(), click('2'), fox({ fieldsHash: 'x' }), true],
		['a click with another request', click(), click('2'), fox({ requestHash: 'x' }), false],
		['a click without reuse', click(), click('2'), off(fox()), false],
		['another node', click(), { ...click('2'), node: 'other' }, fox(), false],
		['production', click(), { executionId: '2' }, fox(), false],
		['a tool', click(), { ...click('2'), isTool: true }, fox(), false],
		[
			'a click with a Callback URL',
			click(),
			click('2'),
			fox({ request: { ...request, callback_url: 'https://e.com/2' } }),
			false,
		],
	])('by %s', async (_who, firstScope, secondScope, plan, isReused) => {
		const first = await runs.bring([fox()], firstScope);
		runs.startAnew();
		const second = await runs.assign([plan], secondScope);
		expect(firstOf(second) === firstOf(first)).toBe(isReused);
		expect(second.does).toBe(isReused ? 'read' : 'create');
	});

	test('also if it was created without reuse', async () => {
		const first = await runs.bring([off(fox())], click());
		runs.startAnew();
		expect(idsOf(await runs.assign([fox()], click('2')))).toEqual(idsOf(first));
	});

	test('for a day', async () => {
		await runs.bring([fox()], click());
		runs.startAnew();
		runs.nowMs += 24 * 3_600_000;
		expect((await runs.assign([fox()], click('2'))).does).toBe('create');
	});

	test('also in a Retry of what began there', async () => {
		await runs.bring([planOf('An owl')], click(), 'failed');
		const { context } = runs;
		runs.startAnew();
		const second = await runs.bring([fox()], click('2'));
		runs.context = context;
		const retry = await runs.assign([fox()], { executionId: '3' });
		expect([retry.does, idsOf(retry)]).toEqual(['read', idsOf(second)]);
	});

	test('open ones before ended ones, each for one item', async () => {
		const reached: Reached[] = ['failed', 'sent', 'final', 'task', 'new', 'named'];
		const [, sent, , task, , named] = idsOf(await runs.bring(foxes(6), click(), reached));
		runs.startAnew();
		const again = await runs.assign(foxes(6), click('2'));
		// Three are open, two have ended and are replaced, and the last one finds nothing.
		expect(again.does).toBe('noAnswer read read create create create');
		expect(idsOf(again).slice(0, 3)).toEqual([sent, task, named]);
		expect(again.orders.map(({ state }) => state.by)).toEqual([
			...[['1'], ['1'], ['1'], ['1'], ['1'], []],
		]);
	});

	test("of the newest execution first, in its items' order", async () => {
		const first = await runs.bring(foxes(2), { executionId: '1' });
		runs.startAnew();
		const second = await runs.bring(foxes(2), { executionId: '2' });
		runs.startAnew();
		const third = await runs.assign(foxes(5), click('3'));
		expect(third.does).toBe('read read read read create');
		expect(idsOf(third).slice(0, 4)).toEqual([...idsOf(second), ...idsOf(first)]);
	});

	test('in place of an order that was never sent', async () => {
		await runs.bring([fox()], click(), 'new');
		const { context } = runs;
		runs.startAnew();
		const second = await runs.bring([fox()], click('2'));
		runs.context = context;
		const again = await runs.bring([fox()], click('3'));
		expect([again.does, idsOf(again)]).toEqual(['read', idsOf(second)]);
		expect(idsOf(await runs.assign([fox()], click('4')))).toEqual(idsOf(second));
	});

	test('in place of no order that was sent', async () => {
		const first = await runs.bring([fox()], click(), 'sent');
		const { context } = runs;
		runs.startAnew();
		await runs.bring([off(fox())], click('2'));
		runs.context = context;
		expect(idsOf(await runs.assign([fox()], click('3')))).toEqual(idsOf(first));
	});

	test('but not what a later item of its own has', async () => {
		await runs.bring([planOf('An owl'), fox({}, { index: 1 })], click());
		const plans = [fox({ fieldsHash: 'x' }), fox({}, { index: 1 })];
		expect((await runs.assign(plans, click())).does).toBe('create read');
	});
});
