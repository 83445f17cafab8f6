import {
	answered,
	decide,
	type Decision,
	type Made,
	type Order,
	orderSchema,
	send,
	type State,
	trim,
} from '../../../nodes/Videogen/work/order';
import { orderOf, taskOf } from '../../support/work';

const error = { kind: 'moderation', message: 'No', description: 'Change it.' } as const;
const task = taskOf('processing');
const taskId = 'task_1';

describe('what is done with an order that is asked for again', () => {
	test.each<
		[State, named: string | undefined, automatic: Decision, person: Decision, resending: Decision]
	>([
		['new', undefined, 'create', 'create', 'create'],
		['sent', undefined, 'refuse', 'refuse', 'create'],
		['sent', taskId, 'refuse', 'read', 'read'],
		['task', taskId, 'read', 'read', 'read'],
		['failed', taskId, 'anew', 'anew', 'anew'],
		['final', taskId, 'same', 'anew', 'anew'],
		['final', undefined, 'same', 'anew', 'anew'],
	])('%s, with the task %s', (state, named, automatic, person, resending) => {
		const order = orderOf(state, { taskId: named });
		expect([true, false].map((mayResend) => decide(order, '1', mayResend))).toEqual([
			automatic,
			automatic,
		]);
		expect(decide(order, '2', false)).toBe(person);
		expect(decide(order, '2', true)).toBe(resending);
	});

	test('is automatic where no execution has sent it', () =>
		expect(decide(orderOf('final', { executionId: undefined }), '2', false)).toBe('same'));
});

describe('what an answer makes of an order', () => {
	const no = { made: 'no', isContent: false, keepsKey: false } as const;
	const known = { state: 'task', taskId, task, error: undefined, key: 'key' } as const;

	test.each<[string, State, Partial<Order>, Made, expected: Partial<Order>]>([
		['a task', 'new', { error }, { made: 'yes', task }, known],
		['a task, at last', 'sent', { taskId: 'task_0' }, { made: 'yes', task }, known],
		['no answer', 'new', {}, { made: 'maybe' }, { state: 'sent', key: 'key' }],
		['a name', 'new', {}, { made: 'maybe', namedTaskId: taskId }, { state: 'sent', taskId }],
		['no other', 'sent', { taskId }, { made: 'maybe' }, { state: 'sent', taskId }],
		['another', 'sent', { taskId }, { made: 'maybe', namedTaskId: 'x' }, { state: 'sent', taskId }],
		['a no', 'new', {}, no, { state: 'new', key: 'new key' }],
		['a 429', 'new', {}, { ...no, keepsKey: true }, { state: 'new', key: 'key' }],
		['a no for content', 'new', {}, { ...no, isContent: true }, { state: 'final' }],
		['a no', 'sent', {}, no, { state: 'sent', key: 'key' }],
		['a no for content', 'sent', {}, { ...no, isContent: true }, { state: 'sent', key: 'key' }],
		['a no under a text', 'new', { keyText: 'row 7' }, no, { state: 'new', key: 'key' }],
	])('%s to one that was %s', (_what, before, its, made, expected) => {
		const order = orderOf(before, its);
		expect(send(order, '2')).toBe(before);
		expect(order).toMatchObject({ state: 'sent', executionId: '2' });
		answered(order, made, before, () => 'new key');
		expect(order).toMatchObject(expected);
	});
});

test.each([
	['is kept', 8_192, task.id],
	['is not kept where it is larger', 8_193, undefined],
])('the record of a task %s', (_what, characters, id) => {
	const large = taskOf('failed', { words: '' });
	large.record.words = 'x'.repeat(characters - JSON.stringify(large).length);
	const order = orderOf('final', { task: large, error });
	trim(order);
	expect([order.task?.id, order.error]).toEqual([id, error]);
});

describe('what was kept of an order', () => {
	const whole = orderOf('task', { countedBy: '1', taskId, task, error });

	test.each<State>(['new', 'sent', 'task', 'failed', 'final'])('can be read: %s', (state) =>
		expect(orderSchema.safeParse({ ...whole, state }).data).toEqual({ ...whole, state }),
	);

	test.each<[string, unknown]>([
		...Object.keys(orderOf('new'))
			.filter((name) => name !== 'executionId')
			.map((name): [string, unknown] => [name, undefined]),
		...Object.keys(whole).map((name): [string, unknown] => [name, [1]]),
		['state', 'made'],
		['error', { ...error, kind: 'odd' }],
		...Object.keys(error).map((name): [string, unknown] => ['error', { ...error, [name]: 1 }]),
	])('cannot be read where %s is %j', (name, value) =>
		expect(orderSchema.safeParse({ ...whole, [name]: value }).success).toBe(false),
	);
});
