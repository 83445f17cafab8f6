import type { Answer } from '../../../nodes/Videogen/service/answer';
import { saidIn } from '../../../nodes/Videogen/service/said';
import {
	createdTaskIn,
	namedTaskIdIn,
	readTaskIn,
	type Task,
} from '../../../nodes/Videogen/service/task';
import { noReply, refusal } from '../../support/work';
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
	if (answer.is === 'noConnection') return noReply('connectionRefused');
	if (answer.is === 'lost') return noReply();
	const { status } = answer;
	if (answer.is === 'html') return refusal(status, { isJson: false, isPage: true });
	const { record, refusal: no } = answer;
	const json = record ? bodyOf(record) : no ? { error: ERRORS[no] } : {};
	const task = status < 300 ? createdTaskIn(json) : undefined;
	if (task) return { kind: 'task', task };
	return refusal(status, { namedTaskId: namedTaskIdIn(json), ...saidIn(json) });
}

/** A task as the node's client reads it. */
export function taskOf(record: TaskRecord): Task {
	const task = readTaskIn(bodyOf(record), record.id);
	if (!task) throw new Error('No record');
	return task;
}
