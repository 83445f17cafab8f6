import { errorOfNode } from '../../../nodes/Videogen/run/plan';
import { outputOf } from '../../../nodes/Videogen/run/output';
import type { Item } from '../../../nodes/Videogen/work/order';
import { itemWith, orderOf, taskOf } from '../../programs/support/work';

const VIDEO = 'https://e.com/fox.mp4';
const FAULT = { kind: 'failed', message: 'No', description: 'Again.' } as const;
const file = { data: 'x', mimeType: 'video/mp4' };
const download = { binaryProperty: 'data' };
const more = {
	progress: 40,
	results: [VIDEO, { url: 'x' }],
	model: 'm',
	created: 7,
	error: 'Busy',
};
const [running, completed, failed] = ['processing', 'completed', 'failed'].map((status) =>
	taskOf(status, more),
);

const made = (its: Partial<Item>): Item =>
	itemWith({ index: 3, order: orderOf('task', { taskId: 'task_1' }), ...its });

describe('the record of a task', () => {
	const simple = {
		id: 'task_1',
		videoUrl: VIDEO,
		results: more.results,
		model: 'm',
		prompt: 'A fox',
		duration: 5,
	};

	test.each([
		[running, { status: 'processing', progress: 40 }],
		[completed, { status: 'completed' }],
		[failed, { status: 'failed', error: 'Busy' }],
	])('goes out simplified, or as it was received: %#', (task, its) => {
		expect(outputOf(made({ task }))).toEqual({
			json: { ...simple, ...its },
			pairedItem: { item: 3 },
		});
		expect(outputOf(made({ task, simplify: false })).json).toEqual(task?.record);
	});

	test('has no prompt where it was only read', () => {
		const { json } = outputOf({
			index: 0,
			simplify: true,
			readId: 'task_1',
			task: taskOf('queued'),
		});
		expect(json).toEqual({ id: 'task_1', status: 'queued' });
	});
});

test.each<[string, Partial<Item>, object | undefined]>([
	['in their fields', { download, files: [file, file] }, { data: file, data_1: file }],
	['where there are none', { download, files: [] }, undefined],
	['where they are not asked for', { files: [file] }, undefined],
	['of an error', { download, files: [file], fault: FAULT }, undefined],
])('files go out %s', (_what, its, binary) =>
	expect(outputOf(made({ task: completed, ...its })).binary).toEqual(binary),
);

test.each<[string, Partial<Item>, object]>([
	['of nothing', { order: undefined }, {}],
	['of an order', { order: orderOf('sent') }, { orderId: 'order' }],
	[
		'of a task that may exist',
		{ order: orderOf('sent', { taskId: 'x' }) },
		{ orderId: 'order', taskId: 'x' },
	],
	[
		'of a task',
		{ task: running },
		{ orderId: 'order', taskId: 'task_1', status: 'processing', task: running?.record },
	],
	[
		'of the task before',
		{ order: orderOf('final', { task: failed }) },
		{ orderId: 'order', status: 'failed', task: failed?.record },
	],
	['of a task that was read', { order: undefined, readId: 'task_1' }, { taskId: 'task_1' }],
])('an error says what is known %s', (_what, its, known) => {
	const { json } = outputOf(made({ fault: FAULT, ...its }));
	expect(json).toEqual({ error: { ...FAULT, ...known } });
	expect(errorOfNode(json)).toEqual('orderId' in known ? { orderId: 'order' } : {});
});

test.each([
	undefined,
	'No',
	{ message: 'No' },
	{ ...FAULT, kind: 1 },
	{ ...FAULT, description: null },
])('an item with the error %j has not come back from this node', (error) =>
	expect(errorOfNode({ error })).toBeUndefined(),
);
