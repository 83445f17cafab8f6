import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import {
	type Entry,
	isForPerson,
	isOver,
	lastOutcome,
	settleOne,
	trim,
} from '../../../nodes/Videogen/work/entry';
import { entryWith, taskOf } from '../../programs/support/entries';
import { network, status } from '../../programs/support/fakeService';

const failed = (code?: string) =>
	taskOf('task', 'failed', code === undefined ? {} : { error: { code } });
const inModeration: ServiceError = { ...status(400), code: 'content_policy_violation' };

describe('what came to its end without a video', () => {
	const notCreated = (error: ServiceError, more: Partial<Entry> = {}): Entry => ({
		...entryWith({ kind: 'notCreated', error }),
		...more,
	});
	const withTask = (task: Entry['task'], more: Partial<Entry> = {}): Entry => ({
		...entryWith({ kind: 'failed' }),
		task,
		...more,
	});

	test.each<[string, Entry, isOver: boolean, isForPerson: boolean]>([
		['refused for its content', notCreated(inModeration), true, true],
		[
			'the same, an earlier create unanswered',
			notCreated(inModeration, { unanswered: 1 }),
			false,
			true,
		],
		['the same, with a task to read', notCreated(inModeration, { taskId: 'task' }), false, false],
		['refused for something else', notCreated(status(400)), false, false],
		['not read', entryWith({ kind: 'notRead', error: inModeration }), false, false],
		['not begun', { item: 0, wishes: [] }, false, false],
		['failed for its content', withTask(failed('content_policy_violation')), true, true],
		[
			'the same, another create unanswered',
			withTask(failed('moderation'), { unanswered: 1 }),
			false,
			false,
		],
		['failed for something else', withTask(failed()), true, false],
		['cancelled', withTask(taskOf('task', 'cancelled')), true, true],
		['expired before it had a video', withTask(taskOf('task', 'expired')), true, false],
		[
			'expired after it had one',
			withTask(taskOf('task', 'expired'), { hadVideo: true }),
			true,
			true,
		],
		['failed after it had one', withTask(failed(), { hadVideo: true }), true, false],
		['unfinished', withTask(taskOf('task')), false, false],
		['completed', withTask(taskOf('task', 'completed')), false, false],
	])('%s', (_what, entry, isAtEnd, onlyPerson) => {
		expect([isOver(entry), isForPerson(entry)]).toEqual([isAtEnd, onlyPerson]);
	});
});

test.each<[Entry['task'], ServiceError, kind: string]>([
	[taskOf('task', 'completed'), status(404), 'done'],
	[taskOf('task', 'completed'), status(500), 'notRead'],
	[taskOf('task'), status(404), 'notRead'],
	[undefined, network('lost'), 'notRead'],
])('%j, and then %j: %s', (task, error, kind) => {
	const more = kind === 'done' ? {} : { error };
	expect(lastOutcome({ item: 0, wishes: [], task }, error)).toEqual({ kind, ...more });
});

test('creates without an answer are settled one by one', () => {
	const entry: Entry = { item: 0, wishes: [], unanswered: 3 };
	const left = [1, 2, 3, 4].map(() => {
		settleOne(entry);
		return entry.unanswered;
	});
	expect(left).toEqual([2, 1, undefined, undefined]);
});

test('a record is kept up to 8,192 characters', () => {
	const recordWith = (length: number) => {
		const entry: Entry = { item: 0, wishes: [], task: taskOf('task', 'failed', { log: '' }) };
		const { task } = entry;
		const size = JSON.stringify(task?.record).length;
		if (task) task.record.log = 'x'.repeat(length - size);
		trim(entry);
		return entry.task?.record;
	};
	expect(recordWith(8_192)).toHaveProperty('log');
	expect(recordWith(8_193)).toEqual({ id: 'task', status: 'failed' });
});
