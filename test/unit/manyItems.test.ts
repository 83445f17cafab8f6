import { expectInTime } from '../support/expectInTime';
import { click, firstOf, NodeRuns, reach } from '../support/nodeRuns';
import { planOf } from '../support/orders';

test.each([
	['equal', () => 'A fox'],
	['different', (index: number) => `Fox ${index}`],
])('10,000 %s items, and those of a second click, are planned in time', async (_, promptOf) => {
	const clickTwice = async (length: number) => {
		const runs = new NodeRuns();
		const plans = Array.from({ length }, (_one, index) => planOf(promptOf(index), { index }));
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
	};
	await expectInTime(clickTwice, 10_000, 2_000);
});
