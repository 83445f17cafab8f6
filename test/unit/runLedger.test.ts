import type { Task } from '../../nodes/Videogen/service/task';
import type { Delivery, DownloadTrouble } from '../../nodes/Videogen/downloads/download';
import type { PlannedRequest } from '../../nodes/Videogen/parameters/plannedRequest';
import type { ItemPlan } from '../../nodes/Videogen/items/plan';
import { TaskMemory } from '../../nodes/Videogen/tasks/memory';
import { RunLedger } from '../../nodes/Videogen/items/runLedger';
import type { Outcome } from '../../nodes/Videogen/tasks/job';

const plan: ItemPlan = {
	intent: { kind: 'read', taskId: 'task_1' },
	wait: undefined,
	download: { binaryProperty: 'data' },
	createSettings: undefined,
};

const noMemory = (): TaskMemory =>
	new TaskMemory({ context: {}, run: 0, baseUrl: 'https://a.example' });

const ledger = (plans = [plan, plan], memory = noMemory()): RunLedger =>
	new RunLedger(plans, memory, 'retry');

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

const files: Delivery = { kind: 'files', files: [] };

test('an item with a result stops nothing', () => {
	const entered = ledger();
	for (const itemIndex of [0, 1]) entered.enter(itemIndex, done, files);
	expect(entered.stoppingItem()).toBeUndefined();
	expect(entered.hasErrors()).toBe(false);
});

test('one error among results is one', () => {
	const entered = ledger();
	entered.enter(0, done, files);
	entered.enter(1, failed, undefined);
	expect(entered.hasErrors()).toBe(true);
});

test('one video of which there is only a link is worth a hint', () => {
	const entered = ledger([plan, { ...plan, download: undefined }]);
	entered.enter(0, done, files);
	expect(entered.hasLinksOnly()).toBe(false);
	entered.enter(1, done, undefined);
	expect(entered.hasLinksOnly()).toBe(true);
});

describe('the other items', () => {
	const body = { model: 'm', prompt: 'fox', duration: 5, quality: '720p' } as const;
	const request: PlannedRequest = { body, toSend: () => body };

	test('are told with the status that their tasks came to', () => {
		const memory = noMemory();
		memory.startFor(0, request, body);
		memory.keepTask(0, { ...task, status: 'pending', state: 'unfinished' });
		const entered = ledger([plan, plan], memory);
		expect(entered.otherItems().tasks).toEqual([
			{ itemIndex: 0, taskId: 'task_1', status: 'pending' },
		]);
		entered.enter(0, done, files);
		expect(entered.otherItems().tasks).toEqual([
			{ itemIndex: 0, taskId: 'task_1', status: 'completed' },
		]);
		expect(entered.otherItems(0, 'task_1').tasks).toEqual([]);
	});

	test('whose creates got no answer are told, without the one that stops the node', () => {
		const memory = noMemory();
		for (const itemIndex of [0, 1]) {
			memory.startFor(itemIndex, request, body);
			memory.keepSent(itemIndex);
		}
		const entered = ledger([plan, plan, plan], memory);
		expect(entered.otherItems().unansweredItems).toEqual([0, 1]);
		expect(entered.otherItems(0).unansweredItems).toEqual([1]);
	});
});
