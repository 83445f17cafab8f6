import {
	asTask,
	createdTaskIn,
	hasResults,
	percentIn,
	readTaskIn,
} from '../../../nodes/Videogen/service/task';

describe('a task record', () => {
	test.each([
		['unfinished', ['pending', 'processing', 'queued', 'uploading', 'ready']],
		['unfinished', ['successful', 'not completed']],
		['completed', ['completed', 'COMPLETED', ' Completed ', 'succeeded', 'succeed', 'success']],
		['completed', ['complete', 'done', 'Finished']],
		['failed', ['failed', 'failure', 'fail', 'error', 'timeout', 'Failed', 'TIMEOUT']],
		['failed', ['cancelled', 'canceled', 'expired', 'CANCELLED']],
	])('is %s with each of the statuses %j', (state, statuses) => {
		for (const status of statuses)
			expect(asTask({ id: 'task_1', status })).toMatchObject({ id: 'task_1', status, state });
	});

	test('keeps the very object that came, whatever its other fields hold', () => {
		const record = { id: ' task_1 ', status: 'pending', progress: 'half', results: 7, more: [{}] };
		const read = { id: ' task_1 ', status: 'pending', state: 'unfinished', record };
		expect(asTask(record)).toEqual(read);
		expect(asTask(record)?.record).toBe(record);
	});

	/** Which texts are IDs stands in `fields/field.test.ts`. */
	test('may have a number as its id', () => {
		expect(asTask({ id: 0, status: 'pending' })?.id).toBe('0');
		expect(asTask({ id: 123, status: 'pending' })?.record).toEqual({ id: 123, status: 'pending' });
	});

	test.each([
		[{ id: 'task_1', status: 'pending' }],
		{},
		{ id: 'task_1' },
		{ id: '  ', status: 'pending' },
		{ id: 'task_1', status: '' },
		{ data: { id: 'task_1', status: 'pending' } },
		JSON.parse('{"__proto__":{"id":"task_1","status":"completed"}}'),
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
		expect(createdTaskIn(record)).toEqual(created);
	});
});

test('only a number says how far a task has come', () =>
	expect(
		[0, 42.5, '42', NaN, Infinity, null, undefined].map((progress) =>
			percentIn({ progress: progress ?? null }),
		),
	).toEqual([0, 42.5, ...Array(5).fill(undefined)]));

describe('the task in an answer', () => {
	const pending = (id: string, more: object = {}) => ({ id, status: 'pending', ...more });

	test.each<[reply: object, id: string | undefined]>([
		[pending('task_1'), 'task_1'],
		[{ id: 'req_1', status: 'success', data: pending('task_1') }, 'task_1'],
		[{ id: 'req_1', status: 'queued', task: pending('task_1') }, 'task_1'],
		[{ id: 'req_1', result: pending('task_1') }, 'task_1'],
		[{ code: 0, message: 'ok', data: { id: 'task_1', status: 'queued' } }, 'task_1'],
		[
			{ id: 'req_1', status: 'ok', data: { id: 'a', status: 'b' }, task: pending('task_1') },
			'task_1',
		],
		// A word of the contract at the top is that of the task, whatever it holds.
		[pending('task_1', { result: { id: 'asset_9', status: 'processing' } }), 'task_1'],
		[{ id: 'task_1', status: 'COMPLETED', data: pending('asset_9') }, 'task_1'],
		[{ id: 'task_1', status: 'failed', result: pending('asset_9') }, 'task_1'],
		[{ id: 'task_1', status: 'queued' }, 'task_1'],
		[{ id: 'task_1', status: 'timeout' }, 'task_1'],
		[{ id: 'task_1', status: 'error' }, 'task_1'],
		// Without a status, an id is enough where nothing speaks of an error.
		[{ id: 'task_1' }, 'task_1'],
		[{ id: 'task_1', state: 'queued', request_id: 'req_1' }, 'task_1'],
		[{ data: { id: 'task_1', state: 'queued' }, requestId: 'req_1' }, 'task_1'],
		[{ id: 'task_1', task_id: 'task_1' }, 'task_1'],
		[{ id: 'task_1', status: 'queued', task_id: 'upstream_9' }, 'task_1'],
		[{ id: 'req_1', task_id: 'task_1' }, undefined],
		// Right after a create, a success is that of the request.
		[{ id: 'req_1', status: 'SUCCESS', taskId: 'task_1' }, undefined],
		[{ id: 'task_1', status: 'success', task_id: 'task_1' }, 'task_1'],
		[{ id: 'task_1', status: 'success' }, 'task_1'],
		[{ id: 'task_1', status: 'completed', task_id: 'upstream_9' }, 'task_1'],
		[{ id: 'req_1', error: { message: 'no' } }, undefined],
		[{ id: 'req_1', code: -2001, message: 'no', data: null }, undefined],
		[{ id: 'req_1', success: false, message: 'no' }, undefined],
		[{ data: { id: 'task_1' } }, 'task_1'],
		[{ id: 'req_1', data: { id: 'task_1' } }, 'task_1'],
		[{ data: [pending('task_1')] }, undefined],
		[{ output: pending('task_1') }, undefined],
		[[pending('task_1')], undefined],
		[{}, undefined],
	])('to a create, %j, is %s', (reply, id) => expect(createdTaskIn(reply)?.id).toBe(id));

	test.each<[reply: object, status: string | undefined]>([
		[pending('task_1'), 'pending'],
		[{ id: 'task_1', status: 'success', data: pending('task_1') }, 'pending'],
		[{ id: 'req_1', status: 'completed', data: pending('task_1') }, 'pending'],
		[pending('task_1', { result: { id: 'task_1', status: 'completed' } }), 'pending'],
		[{ id: ' task_1', status: 'success' }, 'success'],
		[pending('task_2'), undefined],
		[{ id: 'task_2', status: 'success', data: pending('task_3') }, undefined],
		[{ id: 'task_1' }, undefined],
	])('to a read of task_1, %j, is %s', (reply, status) =>
		expect(readTaskIn(reply, 'task_1')?.status).toBe(status),
	);
});

test.each([
	[false, [undefined, [], '', {}, ['', null, {}, { url: '' }]]],
	// Whatever the last is: it is not what is waited for.
	[true, [['https://e.com/a.mp4'], 'https://e.com/a.mp4', { url: 'https://e.com' }, [{ file: 7 }]]],
])('a record has results: %s, where they are one of %j', (has, all) => {
	const tasks = all.map((results) => asTask({ id: 'task_1', status: 'completed', results }));
	expect(tasks.map((task) => task && hasResults(task))).toEqual(all.map(() => has));
});
