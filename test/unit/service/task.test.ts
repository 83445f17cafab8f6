import {
	asCreatedTask,
	asTask,
	hasVideo,
	mayBeFilled,
	percentIn,
} from '../../../nodes/Videogen/service/task';
import { taskOf } from '../../programs/support/orders';

describe('a task record', () => {
	test.each([
		['pending', 'unfinished'],
		['processing', 'unfinished'],
		['completed', 'completed'],
		['failed', 'failed'],
		['queued', 'unfinished'],
		['COMPLETED', 'completed'],
		[' Completed ', 'completed'],
		...['succeeded', 'success', 'done', 'SUCCEEDED'].map((word) => [word, 'completed']),
		...['failure', 'error', 'timeout', 'Failed', 'TIMEOUT'].map((word) => [word, 'failed']),
		...['cancelled', 'canceled', 'expired', 'CANCELLED'].map((word) => [word, 'failed']),
		...['uploading', 'successful', 'not completed'].map((word) => [word, 'unfinished']),
	])('with the status %s is %s', (status, state) => {
		expect(asTask({ id: 'task_1', status })).toMatchObject({ id: 'task_1', status, state });
	});

	test('keeps the very object that came, whatever its other fields hold', () => {
		const record = { id: ' task_1 ', status: 'pending', progress: 'half', results: 7, more: [{}] };
		const read = { id: ' task_1 ', status: 'pending', state: 'unfinished', record };
		expect(asTask(record)).toEqual(read);
		expect(asTask(record)?.record).toBe(record);
	});

	test.each(['.task', 'task.', 'a..b', '...a'])('may have dots in its id: %s', (id) =>
		expect(asTask({ id, status: 'pending' })?.id).toBe(id),
	);

	test('may have a number as its id', () => {
		expect(asTask({ id: 0, status: 'pending' })?.id).toBe('0');
		expect(asTask({ id: 123, status: 'pending' })?.record).toEqual({ id: 123, status: 'pending' });
	});

	test.each([
		[{ id: 'task_1', status: 'pending' }],
		{},
		{ id: 'task_1' },
		{ status: 'pending' },
		{ id: '  ', status: 'pending' },
		{ id: { id: 'a' }, status: 'pending' },
		{ id: 'task_1', status: '' },
		{ data: { id: 'task_1', status: 'pending' } },
		...['.', '..', ' .. ', 'task_\ufffd', '\ud800'].map((id) => ({ id, status: 'pending' })),
	])('%j is none', (reply) => expect(asTask(reply)).toBeUndefined());

	test('with a __proto__ keeps it as a field and changes no other object', () => {
		const text = '{"id":"task_1","status":"pending","__proto__":{"polluted":true}}';
		const record = asTask(JSON.parse(text))?.record;
		expect(JSON.stringify(record)).toBe(text);
		expect(JSON.stringify({ ...record })).toBe(text);
		expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
		expect('polluted' in {}).toBe(false);
	});

	test('of a create needs no more than an id: reading it tells the rest', () => {
		const record = { id: 'task_1' };
		const created = { id: 'task_1', status: 'not given', state: 'unfinished', record };
		expect(asCreatedTask(record)).toEqual(created);
		expect(asCreatedTask({ id: 'request_1', error: { message: 'no' } })).toBeUndefined();
		expect(asCreatedTask(['task_1'])).toBeUndefined();
	});

	test('does not take its id from its prototype', () => {
		const reply: unknown = JSON.parse('{"__proto__":{"id":"task_1","status":"completed"}}');
		expect(asTask(reply)).toBeUndefined();
	});
});

test.each([
	['processing', undefined, false, false],
	['processing', [], false, false],
	['processing', ['https://e.com/a.mp4'], true, false],
	['completed', undefined, true, true],
	['completed', [], true, true],
	['completed', 'https://e.com/a.mp4', true, false],
	['completed', {}, true, true],
	['completed', ['https://e.com/a.mp4'], true, false],
	['expired', ['https://e.com/a.mp4'], true, false],
	['expired', [], false, false],
])(
	'a task that is %s with the results %j: has its video %s, may be filled %s',
	(as, results, has, may) => {
		const task = taskOf('task_1', as, { results });
		expect([hasVideo(task), mayBeFilled(task)]).toEqual([has, may]);
	},
);

test('only a number says how far a task has come', () =>
	expect(
		[0, 42.5, '42', NaN, Infinity, null, undefined].map((progress) =>
			percentIn({ progress: progress ?? null }),
		),
	).toEqual([0, 42.5, ...Array(5).fill(undefined)]));
