import type { Answer } from '../../../nodes/Videogen/service/answer';
import { saidIn } from '../../../nodes/Videogen/service/said';
import {
	createdTaskIn,
	namedTaskIdIn,
	readTaskIn,
	type Task,
} from '../../../nodes/Videogen/service/task';
import type { CreateAnswer, TaskRecord } from './service';

const CONTENT = { code: 'content_policy_violation', message: 'Rejected for its content' };

/** How services say no. */
const ERRORS = {
	bad: { code: 'bad_request', message: 'Not a valid request' },
	balance: { code: 'insufficient_balance', message: 'Not enough credits' },
	content: CONTENT,
	key: { code: 'unauthorized', message: 'Not a valid key' },
	conflict: { code: 'conflict', message: 'Already received' },
};

const bodyOf = ({ id, status, isContent }: TaskRecord) => ({
	...{ id, status },
	...(status === 'failed' && isContent && { error: CONTENT }),
});

/** The answer to a create as the node's client gives it. */
export function answerOf(answer: CreateAnswer): Answer {
	if (answer.is === 'noConnection') return lost('connectionRefused');
	if (answer.is === 'lost') return lost('lost');
	const { status } = answer;
	if (answer.is === 'html') return failed({ status, isJson: false, isPage: true });
	const { record, refusal } = answer;
	const json = record ? bodyOf(record) : refusal ? { error: ERRORS[refusal] } : {};
	const task = status < 300 ? createdTaskIn(json) : undefined;
	if (task) return { kind: 'task', task };
	return failed({ status, isJson: true, namedTaskId: namedTaskIdIn(json), ...saidIn(json) });
}

/** A task as the node's client reads it. */
export function taskOf(record: TaskRecord): Task {
	const task = readTaskIn(bodyOf(record), record.id);
	if (!task) throw new Error('No record');
	return task;
}

type ServiceError = Extract<Answer, { kind: 'error' }>['error'];
type StatusError = Extract<ServiceError, { kind: 'status' }>;

const lost = (reason: 'connectionRefused' | 'lost'): Answer => ({
	kind: 'error',
	error: { kind: 'network', reason },
});

const failed = (error: Omit<StatusError, 'kind'>): Answer => ({
	kind: 'error',
	error: { kind: 'status', ...error },
});
