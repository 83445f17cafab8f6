import {
	type Failure,
	failureOf,
	isCapacity,
	kindOfFailed,
	reasonIn,
} from '../../../nodes/Videogen/service/failure';
import { taskOf } from '../../programs/support/orders';

const failed = (error?: unknown, status = 'failed') => taskOf('task_1', status, { error });

/** What its error says stands in `causes.test.ts`. */
describe('why a task has no video', () => {
	test.each<[error: unknown, status: string, Failure, kind: string]>([
		[undefined, 'failed', 'failed', 'failed'],
		[undefined, 'FAILURE', 'failed', 'failed'],
		[undefined, 'timeout', 'failed', 'failed'],
		[{ code: 'unknown_error', message: 'It broke' }, 'failed', 'failed', 'failed'],
		[{ code: 'content_policy_violation' }, 'failed', 'moderation', 'moderation'],
		[{ message: 'A real person was found' }, 'error', 'moderation', 'moderation'],
		[{ code: 'quota_exceeded' }, 'failed', 'balance', 'balance'],
		['Not enough credits', 'failed', 'balance', 'balance'],
		[{ code: 'resource_exhausted' }, 'failed', 'capacity', 'failed'],
		['Too many concurrent tasks', 'failed', 'capacity', 'failed'],
		[{ code: 'image_processing_error' }, 'failed', 'input', 'failed'],
		[{ code: 'request_cancelled' }, 'cancelled', 'cancelled', 'cancelled'],
		[{ code: 'content_policy_violation' }, 'canceled', 'cancelled', 'cancelled'],
		[undefined, 'expired', 'expired', 'expired'],
	])('%j, with the status %s, is %s, of the kind %s', (error, status, failure, kind) => {
		const task = failed(error, status);
		expect([failureOf(task), kindOfFailed(task)]).toEqual([failure, kind]);
		expect(isCapacity(task)).toBe(failure === 'capacity');
	});
});

describe('why a completed task has no results', () => {
	test.each<[record: object, reason: string]>([
		[{ error: { code: 'filtered', message: 'Filtered' } }, 'Filtered'],
		[{ message: 'The output was blocked' }, 'The output was blocked'],
		[{ results: [], fail_reason: 'Blocked' }, 'Blocked'],
		[{ task_info: { filterReasons: ['A celebrity', 'A logo'] } }, 'A celebrity; A logo'],
		[{ result_data: [{ url: null, moderation: { reason: 'Faces' } }] }, 'Faces'],
		[
			{ message: 'success', usage: { detail: 'Refunded after moderation' } },
			'Refunded after moderation',
		],
		[{ error: null, error_code: 0, message: 'ok', reason: '' }, ''],
		[{ content_filter: true, usage: { billing_rule: 'per_second' } }, ''],
		[{}, ''],
	])('%j says %j', (record, reason) =>
		expect(reasonIn(taskOf('task_1', 'completed', record))).toBe(reason),
	);

	test('is not looked for without end', () => {
		let deep: object = { reason: 'no' };
		for (let depth = 0; depth < 1_000; depth += 1) deep = { deep };
		expect(reasonIn(taskOf('task_1', 'completed', deep))).toBe('');
	});
});
