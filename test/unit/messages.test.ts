import type { ServiceError } from '../../nodes/Videogen/service/answer';
import { emptyField, type Message } from '../../nodes/Videogen/ground/words';
import {
	invalidMessage,
	outcomeMessage,
	STOPPED_MESSAGE,
	tooManyMessage,
	UNANSWERED_BEFORE,
	unreadyMessage,
} from '../../nodes/Videogen/run/outcomeMessage';
import { emptyExpressionMessage } from '../../nodes/Videogen/fields/prompt';
import { entryWith, type Given, taskOf } from '../programs/support/entries';
import { network, status } from '../programs/support/fakeService';

/** The message of an entry that came to this. */
const messageOfOutcome = (given: Given): Message => outcomeMessage(entryWith(given));

const NOT_KNOWN = ', so it is not known whether a task was created';
const MAY_EXIST = 'The service may have created a task and may charge for it';

describe('what the node says in whole', () => {
	const task = taskOf('task_1');
	const gone: ServiceError = { ...status(404), serviceMessage: 'Gone' };
	const [refused, lost, busy] = [status(400), network('lost'), status(429)];
	const excerpt = '{"task":"t"}';
	const notTask: ServiceError = { kind: 'unreadable', reason: 'notTask', excerpt };
	const empty = emptyField({ displayName: 'Prompt' }, 'Write one.');
	const FETCH = 'Use Get Task with ID task_1, in a new workflow: that costs nothing more.';
	const WAIT_FOR_IT =
		"Use Get Task with ID task_1 and 'Wait for Completion' on, in a new workflow: that costs nothing more.";
	const LOST = 'The connection to the service was lost before an answer came';
	const LOOK = `${MAY_EXIST}. Check the provider's console before you create it again.`;
	const KNEW =
		'The service knew this task before. Check that the credential belongs to the account that created it. Services delete old tasks.';
	const OPEN_NODE =
		'Open the node, choose a credential under “Credential to connect with”, and check its fields.';
	const ORDER_AGAIN =
		'To order it again, run this item again. Ask your provider whether failed videos cost money.';

	test.each<[message: string, description: string, given: () => Message | undefined]>([
		[
			'Max New Videos per Execution is 2, but this run would create 3',
			"Nothing new was created. Raise 'Max New Videos per Execution' in 'Options', or send fewer items.",
			() => tooManyMessage(3, 0, 2),
		],
		[
			'Max New Videos per Execution is 2, but this run would create 1 after 2 in this execution',
			"Nothing new was created. Raise 'Max New Videos per Execution' in 'Options', or send fewer items.",
			() => tooManyMessage(1, 2, 2),
		],
		['Prompt is empty.', 'Write one.', () => invalidMessage(empty)],
		['No such node', OPEN_NODE, () => invalidMessage('No such node')],
		[
			'No link',
			`${OPEN_NODE} Nothing was created for this item.`,
			() => unreadyMessage(new Error('No link')),
		],
		[
			'Prompt: the expression {{ $json.x }} gave nothing for this item',
			'There is no field x. Fields: none. Write one.',
			() => emptyExpressionMessage(empty, '={{ $json.x }}', () => ({})),
		],
		[
			'Prompt: the expression {{ $json.x }} gave nothing for this item',
			'The field x is empty in this row. Write one.',
			() => emptyExpressionMessage(empty, '={{ $json.x }}', () => ({ x: '', text: 2 })),
		],
		[
			'The execution was stopped',
			'In the editor, run it again: what was ordered is taken, not ordered again. Or use Get Task with the IDs in n8n’s log.',
			() => STOPPED_MESSAGE,
		],
		[
			'The service cancelled this video',
			`Task task_1 was cancelled at the service. ${ORDER_AGAIN}`,
			() => messageOfOutcome({ kind: 'failed', task: taskOf('task_1', 'cancelled') }),
		],
		[
			'This video expired at the service',
			`Task task_1 expired before it was finished. ${ORDER_AGAIN}`,
			() => messageOfOutcome({ kind: 'failed', task: taskOf('task_1', 'expired') }),
		],
		[
			'Task task_1 was not finished in time (status: processing)',
			`It is still running at the service. ${WAIT_FOR_IT} To wait longer next time, raise 'Timeout (Minutes)' in 'Options'.`,
			() => messageOfOutcome({ kind: 'timedOut', taskId: 'task_1', task }),
		],
		[
			'Task task_1 was not finished in time (status: processing)',
			`Last read: Rate limit reached (429). It may be finished by now. ${WAIT_FOR_IT} To wait longer next time, raise 'Timeout (Minutes)' in 'Options'.`,
			() => messageOfOutcome({ kind: 'timedOut', taskId: 'task_1', task, error: busy }),
		],
		[
			'Task task_1 was not finished in time (status: not known)',
			`Last read: ${LOST}. It may be finished by now. ${WAIT_FOR_IT} To wait longer next time, raise 'Timeout (Minutes)' in 'Options'.`,
			() => messageOfOutcome({ kind: 'timedOut', taskId: 'task_1', error: lost }),
		],
		[
			'Stopped waiting for task task_1 (status: processing)',
			"It is still running at the service. Do not ask for it again: that may order, and charge for, another video. Use Get Task with ID task_1 and 'Wait for Completion' on: that costs nothing more.",
			() =>
				outcomeMessage({
					...entryWith({ kind: 'stopped', taskId: 'task_1', task }),
					call: { executionId: '7', run: 0, lastRun: 0 },
				}),
		],
		[
			'No task was created for this item',
			'The node stopped before its turn. Run this item again.',
			() => messageOfOutcome({ kind: 'notStarted' }),
		],
		[
			'Stopped waiting for task task_1 (status: processing)',
			`It is still running at the service. ${WAIT_FOR_IT}`,
			() => messageOfOutcome({ kind: 'stopped', taskId: 'task_1', task }),
		],
		[
			'Stopped waiting for task task_1 (status: processing)',
			"It is still running at the service. Use Get Task with ID task_1 and 'Wait for Completion' on: that costs nothing more.",
			() => messageOfOutcome({ kind: 'stopped', taskId: 'task_1', task, isRead: true }),
		],
		[
			'Task task_1 could not be read: No answer from the service in time',
			`Try again later. If this continues, ask the provider. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', error: network('timeout') }),
		],
		[
			'Task task_1 could not be read: Rate limit reached (429)',
			`Try again later, or read fewer tasks at once. Last status: processing. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task, error: busy }),
		],
		[
			'Task task_1 could not be read: Task not found (404)',
			`The service says: “Gone”. ${KNEW} Last status: processing. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task, error: gone }),
		],
		[
			'Task task_1 could not be read: Task ID not accepted (400)',
			`${KNEW} Last status: processing. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task, error: refused }),
		],
		[
			'Task task_1 could not be read: Task ID not accepted (400)',
			`Use the "id" of a create operation as 'Task ID'.`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', error: refused }),
		],
		[
			`Task task_1 could not be read: ${LOST}`,
			`${LOOK} ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', error: lost, mayExist: true }),
		],
		[
			'An earlier try got no clear answer, so this request was not sent again',
			LOOK,
			() => UNANSWERED_BEFORE,
		],
		[
			`${LOST}${NOT_KNOWN}`,
			LOOK,
			() => messageOfOutcome({ kind: 'notCreated', error: lost, mayExist: true }),
		],
		[
			`Request not accepted (400); an earlier try got no clear answer${NOT_KNOWN}`,
			LOOK,
			() => messageOfOutcome({ kind: 'notCreated', error: refused, mayExist: true }),
		],
		[
			`The answer of the service is not a task record${NOT_KNOWN}`,
			`${LOOK} It begins with “{"task":"t"}”.`,
			() => messageOfOutcome({ kind: 'notCreated', error: notTask, mayExist: true }),
		],
		[
			`${LOST}${NOT_KNOWN}`,
			`${LOOK} It may be task task_1, which could not be read. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notCreated', taskId: 'task_1', error: lost, mayExist: true }),
		],
		[
			`The service returned a server error (500)${NOT_KNOWN}`,
			`The service says: “Out”. ${LOOK} Sending it again gives the same answer. To order a new video, change the prompt.`,
			() => {
				const error = { ...status(500), serviceMessage: 'Out', isReplay: true };
				return messageOfOutcome({ kind: 'notCreated', error, mayExist: true });
			},
		],
	])('%s: %s', (message, description, given) => {
		expect(given()).toEqual({ message, description });
	});
});
