/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import type { Scope } from '../../../nodes/Videogen/work/choose';
import type { Order } from '../../../nodes/Videogen/work/order';
import type { CreatePlan } from '../../../nodes/Videogen/work/session';
import { click, firstOf, type NodeRun, NodeRuns, reach } from '../../support/nodeRuns';
import { fox, planOf } from '../../support/orders';

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

/** The order gets a task, and nobody waits for it any longer. */
function finish(run: NodeRun, order: Order): void {
	reach(run, order, 'task');
	run.ledger.release(order);
}

describe('what another run is creating', () => {
	const noReuse = { settings: { ...fox().settings, reuseInEditor: false } };
	const asTool = { isTool: true };
	const retry = (executionId: string) => ({ executionId });

	test.each<[string, Partial<Scope>, Partial<Scope>, CreatePlan, isWaited: boolean]>([
		['an equal call of a tool', asTool, { ...asTool, run: 1 }, fox(), true],
		['another call of a tool', asTool, { ...asTool, run: 1 }, fox({ requestHash: 'x' }), false],
		['another Retry, with $now', retry('2'), retry('3'), fox({ requestHash: 'x' }), true],
		['another Retry of another request', retry('2'), retry('3'), planOf('An owl'), false],
		['the next click', click(), click('2'), fox(), true],
		['the next click without reuse', click(), click('2'), fox({}, noReuse), false],
		['the next click of another request', click(), click('2'), planOf('An owl'), false],
		['production', click(), retry('2'), fox(), false],
	])('is waited for by %s', async (_who, first, second, plan, isWaited) => {
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

	test('does not count toward the limit of who waited', async () => {
		const creating = await runs.assign([fox()]);
		const later = laterRun([fox(), planOf('An owl', { index: 1 })], { executionId: '2' }, 1);
		finish(creating, firstOf(creating));
		expect((await later.result).does).toBe('read create');
	});
});

test('Stop ends the waiting, and leaves the order of the other as it is', async () => {
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
	expect(run.jobs[0]?.order).toBe(order);
	run.ledger.close();
	expect(order).toEqual(copy);
	expect(runs.memory.isHeld(order, {})).toBe(true);
});
