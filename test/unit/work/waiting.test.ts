/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { savedBook } from '../../../nodes/Videogen/work/book';
import type { Scope } from '../../../nodes/Videogen/work/choose';
import type { Order } from '../../../nodes/Videogen/work/order';
import type { CreatePlan } from '../../../nodes/Videogen/work/session';
import { click, firstOf, idsOf, type NodeRun, NodeRuns, reach } from '../../support/nodeRuns';
import { fox, foxes, planOf } from '../../support/orders';

let runs: NodeRuns;
beforeEach(() => (runs = new NodeRuns()));

/** A run that may be waiting for what another execution creates. */
function laterRun(plans: CreatePlan[], scope: Partial<Scope>, max?: number) {
	const stop = new AbortController();
	let isOver = false;
	const result = runs.assign(plans, scope, max, stop.signal).finally(() => (isOver = true));
	/** Whether it still waits, once everything that could go on has done so. */
	const isWaiting = async (): Promise<boolean> => {
		await new Promise((resolve) => setImmediate(resolve));
		return !isOver;
	};
	return { stop, result, isWaiting };
}

/** The order gets a task, or a no, and nobody waits for it any longer. */
function finish(run: NodeRun, order: Order, reached: 'task' | 'new' | 'final' = 'task'): void {
	reach(run, order, reached);
	run.ledger.release(order);
}

describe('what another run is creating', () => {
	const noReuse = { settings: { ...fox().settings, reuseInEditor: false } };
	const asTool = { isTool: true };
	const retry = (executionId: string) => ({ executionId });

	test.each<[string, first: Partial<Scope>, second: Partial<Scope>, CreatePlan, isWaited: boolean]>(
		[
			['an equal call of a tool', asTool, { ...asTool, run: 1 }, fox(), true],
			['another call of a tool', asTool, { ...asTool, run: 1 }, fox({ requestHash: 'x' }), false],
			[
				'another Retry, though $now differs',
				retry('2'),
				retry('3'),
				fox({ requestHash: 'x' }),
				true,
			],
			['another Retry of another request', retry('2'), retry('3'), planOf('An owl'), false],
			['the next click', click(), click('2'), fox(), true],
			['the next click without reuse', click(), click('2'), fox({}, noReuse), false],
			['the next click of another request', click(), click('2'), planOf('An owl'), false],
			['production', click(), retry('2'), fox(), false],
		],
	)('is waited for by %s', async (_who, first, second, plan, isWaited) => {
		const creating = await runs.assign([fox()], first);
		if (first.isManual) runs.startAnew();
		const later = laterRun([plan], second);
		expect(await later.isWaiting()).toBe(isWaited);
		finish(creating, firstOf(creating));
		const { does, orders } = await later.result;
		expect([does, orders[0] === firstOf(creating)]).toEqual(
			isWaited ? ['read', true] : ['create', false],
		);
	});

	test('is waited for until the last of it is released, by whoever creates it', async () => {
		const creating = await runs.assign(foxes(2));
		const [first, second] = creating.orders;
		const later = laterRun(foxes(2), { executionId: '2' });
		if (!first || !second) throw new Error('Each has an order');
		finish(creating, first);
		expect(await later.isWaiting()).toBe(true);
		runs.ledgerOf({ executionId: '3' }).release(second);
		expect(await later.isWaiting()).toBe(true);
		finish(creating, second);
		expect(await later.isWaiting()).toBe(false);
		expect((await later.result).does).toBe('read read');
	});

	test('is created by one of those that waited if it made no task', async () => {
		const creating = await runs.assign([fox()]);
		const [second, third] = ['2', '3'].map((executionId) => laterRun([fox()], { executionId }));
		if (!second || !third) throw new Error('Two are waiting');
		finish(creating, firstOf(creating), 'new');
		expect([await second.isWaiting(), await third.isWaiting()]).toEqual([false, true]);
		const run = await second.result;
		expect([run.does, idsOf(run)]).toEqual(['create', idsOf(creating)]);
		finish(run, firstOf(run));
		expect((await third.result).does).toBe('read');
	});

	test('is no longer waited for when its run is over', async () => {
		const creating = await runs.assign([fox()]);
		const later = laterRun([fox()], { executionId: '2' });
		creating.ledger.close();
		expect((await later.result).does).toBe('create');
	});

	test('does not count toward the limit of who waited', async () => {
		const creating = await runs.assign([fox()]);
		const later = laterRun([fox(), planOf('An owl', { index: 1 })], { executionId: '2' }, 1);
		finish(creating, firstOf(creating));
		expect((await later.result).does).toBe('read create');
	});
});

describe('Stop ends the waiting', () => {
	test('and leaves the order of the other as it is', async () => {
		const creating = await runs.assign([fox()]);
		const order = firstOf(creating);
		creating.ledger.send(order);
		const copy = structuredClone(order);
		const later = laterRun([fox(), planOf('An owl', { index: 1 }), { ...fox(), index: 2 }], {
			executionId: '2',
		});
		expect(await later.isWaiting()).toBe(true);
		later.stop.abort('ended');
		const run = await later.result;
		expect(run.does).toBe('stopped create create');
		expect(run.jobs[0]).toMatchObject({
			failure: { message: expect.stringContaining('the node had already stopped') },
		});
		expect(run.jobs[0]).not.toHaveProperty('order');
		run.ledger.close();
		expect(order).toEqual(copy);
		expect(runs.memory.isHeld(order, {})).toBe(true);
	});

	test('and reads what has been created in the meantime, and counts nothing', async () => {
		const creating = await runs.assign(foxes(2));
		const later = laterRun(foxes(2), { executionId: '2' });
		finish(creating, firstOf(creating));
		expect(await later.isWaiting()).toBe(true);
		later.stop.abort('ended');
		expect((await later.result).does).toBe('read stopped');
		expect(savedBook(runs.context, false)?.created).toEqual({ 1: 2 });
	});
});

test('two Retries at once that find one failed task create one more, not one after the other', async () => {
	await runs.bring([fox()], {}, 'failed');
	const first = await runs.assign([fox()], { executionId: '2' });
	const later = laterRun([fox()], { executionId: '3' });
	expect([first.does, firstOf(first).state]).toEqual(['create', { is: 'new', by: ['1'] }]);
	finish(first, firstOf(first), 'final');
	// Execution 3 had no part in it, so it is a person's. From then on, both have.
	const third = await later.result;
	expect([third.does, firstOf(third).state.by]).toEqual(['create', ['1', '2']]);
	finish(third, firstOf(third), 'final');
	for (const executionId of ['2', '3', '2']) {
		const again = await runs.bring([fox()], { executionId });
		expect([again.does, idsOf(again)]).toEqual(['cancelled', idsOf(third)]);
	}
	expect((await runs.assign([fox()], { executionId: '4' })).does).toBe('create');
});
