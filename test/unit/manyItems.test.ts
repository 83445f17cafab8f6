/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
import { click, firstOf, NodeRuns, reach } from '../support/nodeRuns';
import { planOf } from '../support/orders';

test.each([
	['equal', () => 'A fox'],
	['different', (index: number) => `Fox ${index}`],
])(
	'10,000 %s items, and those of a second click, take at most two seconds',
	async (_, promptOf) => {
		const runs = new NodeRuns();
		const plans = Array.from({ length: 10_000 }, (_one, index) =>
			planOf(promptOf(index), { index }),
		);
		const since = process.cpuUsage();
		const first = await runs.assign(plans, click());
		runs.startAnew();
		const waiting = runs.assign(plans, click('2'));
		for (const order of first.orders.slice(1)) {
			first.ledger.release(order);
			await Promise.resolve();
		}
		reach(first, firstOf(first), 'task');
		first.ledger.release(firstOf(first));
		expect((await waiting).does.slice(0, 11)).toBe('read create');
		expect(process.cpuUsage(since).user / 1e6).toBeLessThan(2);
	},
);
