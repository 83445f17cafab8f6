import { outputOf } from '../../../nodes/Videogen/run/output';
import { errorOfNode } from '../../../nodes/Videogen/run/plan';
import type { Item } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, taskOf } from '../../support/work';

const FAULT = { kind: 'failed', message: 'No', description: 'Again.' } as const;
const RESULTS = ['https://e.com/fox.mp4', { url: 'x' }];
const RECORD = { progress: 40, results: RESULTS, model: 'm', created: 7, error: 'Busy' };
const file = { data: 'x', mimeType: 'video/mp4' };
const download = { binaryProperty: 'data' };

const order = orderOf('task', { taskId: 'task_1' });
const itemOf = (its: Partial<Item>): Item => itemWith({ index: 3, order, ...its });

test.each([
	['processing', { progress: 40 }],
	['completed', {}],
	['failed', { error: 'Busy' }],
])('a record that is %s goes out simplified, or as it was received', (status, its) => {
	const task = taskOf(status, RECORD);
	const asked = { prompt: 'A fox', duration: 5 };
	const simple = { id: 'task_1', status, videoUrl: RESULTS[0], results: RESULTS, model: 'm' };
	expect(outputOf(itemOf({ task }))).toEqual({
		...{ json: { ...simple, ...asked, ...its }, pairedItem: { item: 3 } },
	});
	expect(outputOf(itemOf({ task, simplify: false })).json).toEqual(task.record);
	const read = { index: 0, simplify: true, readId: 'task_1', task };
	expect(outputOf(read).json).toEqual({ ...simple, ...its });
});

test.each<[string, Partial<Item>, object | undefined]>([
	['in their fields', { download, files: [file, file] }, { data: file, data_1: file }],
	['where there are none', { download, files: [] }, undefined],
	['where they are not asked for', { files: [file] }, undefined],
	['of an error', { download, files: [file], failure: FAULT }, undefined],
])('files go out %s', (_what, its, binary) =>
	expect(outputOf(itemOf({ task: taskOf('completed'), ...its })).binary).toEqual(binary),
);

const task = taskOf('queued');
const ofTask = { status: 'queued', task: task.record };
test.each<[string, Partial<Item>, object]>([
	['of nothing', { order: undefined }, {}],
	['of an order', { order: orderOf('sent') }, { orderId: 'order' }],
	['of a task', { task }, { orderId: 'order', taskId: 'task_1', ...ofTask }],
	['of its last try', { order: orderOf('final', { task }) }, { orderId: 'order', ...ofTask }],
	['of a task to be read', { order: undefined, readId: 'task_1' }, { taskId: 'task_1' }],
])('an error says what is known %s, and is known when it comes back', (_what, its, known) => {
	const { json } = outputOf(itemOf({ failure: FAULT, ...its }));
	expect(json).toEqual({ error: { ...FAULT, ...known } });
	expect(errorOfNode(json)).toEqual('orderId' in known ? { orderId: 'order' } : {});
});
