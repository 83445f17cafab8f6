import type { Asked } from '../../../nodes/Videogen/work/order';
import type { CreatePlan, StopPlan } from '../../../nodes/Videogen/work/session';
import { click, firstOf, orderIdsOf, NodeRuns, type Reached } from '../../support/nodeRuns';
import { askedFor, failureOf, fox, foxes, planOf } from '../../support/orders';

let runs: NodeRuns;
beforeEach(() => (runs = new NodeRuns()));

const withText = (keyText: string, more: Partial<CreatePlan> = {}): CreatePlan =>
	fox({ keyText, requestHash: `fox by ${keyText}` }, more);

const OTHER = { requestHash: 'x', fieldsHash: 'x' };
const PARAMETERS = { ...OTHER, parametersHash: 'x' };

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

	test.each([[{}], [{ orderId: 'unknown' }], [undefined]])(
		'with no order takes none: %j',
		async (returned) => {
			const first = await runs.bring([fox()]);
			expect((await runs.assign([fox({}, { index: 1, returned })])).does).toBe('create');
			expect(orderIdsOf(await runs.assign([fox()]))).toEqual(orderIdsOf(first));
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
		const [fox0, fox1] = orderIdsOf(await runs.bring(foxes(2)));
		const trade = [fox1, fox0].map((orderId, index) =>
			fox(OTHER, { index, returned: { orderId } }),
		);
		expect(orderIdsOf(await runs.assign(trade))).toEqual([fox1, fox0]);
		expect(orderIdsOf(await runs.assign(foxes(2)))).toEqual([fox1, fox0]);
	});
});

describe('the text of an idempotency key', () => {
	const row7 = (more?: Partial<CreatePlan>) => withText('row 7', more);

	test('is named where it was used before', async () => {
		const { jobs } = await runs.assign([row7(), row7({ index: 1 })]);
		expect(jobs[1]).toMatchObject({
			failure: {
				message: expect.stringContaining('"row 7" is used by another item'),
				description: expect.stringContaining('Nothing new was created for this item.'),
			},
		});
		expect(jobs[1]?.order).toBeUndefined();
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

	test('goes with the order, and leaves none at the place from where it was taken', async () => {
		const [, row] = orderIdsOf(await runs.bring([planOf('An owl'), row7({ index: 1 })]));
		const twins = [row7({ returned: { orderId: row } }), row7({ index: 1 })];
		expect((await runs.assign(twins)).does).toBe('read invalid');
	});
});

describe('an order whose item asks for something else now', () => {
	const row7 = (index: number, change: Partial<Asked> = {}) =>
		fox({ keyText: 'row 7', ...change }, { index });
	const request = { model: 'm', callback_url: 'https://e.com' };

	test.each<[Reached, Partial<Asked>, does: string, orders: number]>([
		['task', {}, 'read', 2],
		['sent', {}, 'noAnswer', 2],
		['new', {}, 'create', 2],
		['task', { request: { ...request, prompt: 'A fox' } }, 'create', 3],
		['failed', { requestHash: 'x', fieldsHash: 'x' }, 'create', 3],
	])('that is %s is found by an equal one: %j, %s', async (reached, change, does, count) => {
		const first = await runs.bring([row7(0)], {}, reached);
		await runs.bring([planOf('An owl')]);
		const again = await runs.assign([row7(0, change)]);
		expect([again.does, orderIdsOf(again)[0] === orderIdsOf(first)[0]]).toEqual([
			does,
			does !== 'create',
		]);
		expect(firstOf(again).keyCount).toBe(reached === 'failed' ? 1 : 0);
		expect(Object.keys(Object(runs.context.videogen).orders)).toHaveLength(count);
	});

	test.each<[Reached, which: number]>([
		['task', 1],
		['new', 0],
	])('is not found by one whose own is %s, unless that is new', async (reached, which) => {
		const both = orderIdsOf(await runs.bring(foxes(2), {}, ['task', reached]));
		await runs.bring([planOf('An owl')]);
		const again = await runs.assign([fox({}, { index: 1 })]);
		expect(firstOf(again).id).toBe(both[which]);
	});

	test('is found by one item alone', async () => {
		const first = firstOf(await runs.bring([fox()]));
		await runs.bring([planOf('An owl')]);
		const twins = [fox({}, { returned: { orderId: first.id } }), fox({}, { index: 1 })];
		expect((await runs.assign(twins)).does).toBe('read create');
	});
});

describe('in the editor, an item reuses what this process has created', () => {
	test('open ones before ended ones, each for one item', async () => {
		const reached: Reached[] = ['failed', 'sent', 'final', 'task', 'new', 'named'];
		const [, sent, , task, , named] = orderIdsOf(await runs.bring(foxes(6), click(), reached));
		runs.startAnew();
		const again = await runs.assign(foxes(6), click('2'));
		// Three are open, two have ended and are replaced, and the last one finds nothing.
		expect(again.does).toBe('noAnswer read read create create create');
		expect(orderIdsOf(again).slice(0, 3)).toEqual([sent, task, named]);
		expect(again.orders.map(({ state }) => state.by)).toEqual([
			...[['1'], ['1'], ['1'], ['1'], ['1'], []],
		]);
	});

	test('but not what a later item of its own has', async () => {
		await runs.bring([planOf('An owl'), fox({}, { index: 1 })], click());
		const plans = [fox({ fieldsHash: 'x' }), fox({}, { index: 1 })];
		expect((await runs.assign(plans, click())).does).toBe('create read');
	});
});

describe('an item whose values are invalid', () => {
	const { fieldsHash } = askedFor();
	const failure = failureOf('invalid');
	const stop: StopPlan = { do: 'stop', index: 0, simplify: true, failure, asked: { fieldsHash } };

	test.each<[Reached, executionId: string, does: string]>([
		['new', '2', 'invalid'],
		['sent', '2', 'noAnswer'],
		['named', '2', 'read'],
		['task', '1', 'read'],
		['failed', '1', 'invalid'],
		['content', '1', 'moderation'],
		['content', '2', 'invalid'],
	])('and whose order is %s, in execution %s: %s', async (reached, executionId, does) => {
		const first = firstOf(await runs.bring([fox()], {}, reached));
		const { does: done, orders } = await runs.assign([stop], { executionId });
		expect([done, orders]).toEqual([does, [first]]);
	});

	test('takes no order of another item, and leaves its own to none', async () => {
		const { id: orderId } = firstOf(await runs.bring([fox()]));
		const back = fox({}, { index: 1, returned: { orderId } });
		const run = await runs.assign([{ ...stop, asked: {} }, stop, back]);
		expect(run.does).toBe('invalid read create');
	});
});
