import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { type Task, asTask } from '../../../nodes/Videogen/service/task';
import type { Entry, Outcome, WaitSettings } from '../../../nodes/Videogen/work/entry';

/** How a node waits. */
export const WAITING: WaitSettings = {
	intervalMs: 5_000,
	timeoutMs: 600_000,
	onTimeout: 'error',
	onFailure: 'error',
};

/** The task of a record, with no more than these fields. */
export function taskOf(id: string, status = 'processing', more: object = {}): Task {
	const task = asTask({ id, status, ...more });
	if (task === undefined) throw new Error('The record is none');
	return task;
}

/** What an entry came to, as tests write it. */
export interface Given {
	kind: Exclude<Outcome['kind'], 'notSent'>;
	error?: ServiceError;
	task?: Task;
	taskId?: string;
	/** Whether a create may have made a task all the same. */
	mayExist?: boolean;
	/** Whether the task is one that was only read, and not created by the node. */
	isRead?: boolean;
	/** What was sent for it, unless it is the shortest. */
	request?: Entry['request'];
}

/** An entry of a create that came to this, unless it only reads. */
export function entryWith(given: Given): Entry {
	const { kind, error, task, taskId, mayExist, isRead } = given;
	const { request = { model: 'model', prompt: 'A fox' } } = given;
	const lost: ServiceError = { kind: 'network', reason: 'lost' };
	const outcome: Outcome =
		kind === 'notCreated' || kind === 'notRead'
			? { kind, error: error ?? lost }
			: kind === 'timedOut'
				? { kind, error }
				: { kind };
	return {
		item: 0,
		wishes: [],
		outcome,
		...(!isRead && { request }),
		...(task && { task }),
		...(taskId !== undefined && { taskId }),
		...(mayExist && { unanswered: 1 }),
	};
}
