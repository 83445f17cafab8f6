import type { Task } from '../../nodes/Videogen/client/task';
import type { Delivery, DownloadTrouble } from '../../nodes/Videogen/download/download';
import type { ItemPlan } from '../../nodes/Videogen/run/itemPlan';
import { TaskMemory } from '../../nodes/Videogen/run/memory';
import { RunLedger } from '../../nodes/Videogen/run/runLedger';
import type { Outcome } from '../../nodes/Videogen/waiting/job';

const plan: ItemPlan = {
	intent: { kind: 'read', taskId: 'task_1' },
	wait: undefined,
	download: { binaryProperty: 'data' },
	createSettings: undefined,
};

const ledger = (): RunLedger =>
	new RunLedger(
		[plan, plan],
		new TaskMemory({ context: {}, run: 0, executionId: '1', baseUrl: 'https://a.example' }),
		'retry',
	);

const task: Task = {
	id: 'task_1',
	status: 'completed',
	state: 'completed',
	record: { id: 'task_1', status: 'completed' },
};
const done: Outcome = { kind: 'done', task };
const failed: Outcome = { kind: 'failed', task: { ...task, status: 'failed', state: 'failed' } };
const notDownloaded = (trouble: DownloadTrouble): Delivery => ({ kind: 'notDownloaded', trouble });

const cutShort: Array<[string, Outcome, Delivery | undefined]> = [
	['a task that was left', { kind: 'left', taskId: 'task_1' }, undefined],
	['a task that was not started', { kind: 'notStarted' }, undefined],
	['a download that was ended', done, notDownloaded({ kind: 'stopped' })],
];

describe('the item that stops the node', () => {
	test.each(cutShort)('is not %s because of another one', (_name, outcome, delivery) => {
		const entered = ledger();
		entered.enter(0, outcome, delivery);
		expect(entered.stoppingItem()).toBeUndefined();
		entered.enter(1, failed, undefined);
		expect(entered.stoppingItem()).toMatchObject({ itemIndex: 1, outcome: failed });
	});

	test('may be one whose file did not come', () => {
		const entered = ledger();
		entered.enter(0, done, notDownloaded({ kind: 'empty' }));
		entered.enter(1, failed, undefined);
		expect(entered.stoppingItem()).toMatchObject({ itemIndex: 0, error: { taskId: 'task_1' } });
	});
});

test('an item with a result stops nothing', () => {
	const entered = ledger();
	for (const itemIndex of [0, 1]) entered.enter(itemIndex, done, { kind: 'files', files: [] });
	expect(entered.stoppingItem()).toBeUndefined();
	expect(entered.hasErrors()).toBe(false);
});
