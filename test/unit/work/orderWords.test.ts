import type { ServiceError } from '../../../nodes/Videogen/service/answer';
import { wordsOfCreate, wordsOfRead } from '../../../nodes/Videogen/service/answerTable';
import { emptyField, InvalidParameter } from '../../../nodes/Videogen/ground/words';
import { fail, type Item, type Order, TOOL_RUN } from '../../../nodes/Videogen/work/order';
import {
	invalidMessage,
	mayExistFault,
	notCreatedFault,
	notReadFault,
	orderedElsewhereFault,
	stoppedFault,
	timedOutFault,
	tooManyFault,
	tooManyInEditorFault,
	unansweredBefore,
	unreadyFault,
	withoutResultsFault,
} from '../../../nodes/Videogen/work/orderWords';
import { network, status } from '../../programs/support/fakeService';
import { createItem, orderOf, readItem, runningAs, taskOf } from '../../programs/support/orders';

const MAY_EXIST =
	"The service may have made a task and may charge for it. Check the provider's console before you order it again.";
const SEND_AGAIN =
	"To send it again all the same, switch on 'Retry Unanswered Requests' in 'Options'.";
const FETCH = 'Use Get Task with ID task_1, in a new workflow: that costs nothing more.';
const WAIT_FOR_IT =
	"Use Get Task with ID task_1 and 'Wait for Completion' on, in a new workflow: that costs nothing more.";
const LONGER = "To wait longer next time, raise 'Timeout (Minutes)' in 'Options'.";

const [refused, lost, busy] = [status(400), network('lost'), status(429)];
const gone: ServiceError = { ...status(404), serviceMessage: 'Gone' };

function created(more: Partial<Order> = {}): Item {
	const item = createItem('A fox');
	item.order.state = runningAs(taskOf('task_1'));
	return { ...item, order: { ...item.order, ...more } };
}
const unread = () => created({ state: { is: 'running', taskId: 'task_1' } });

describe('a create without a task', () => {
	test.each<[ServiceError, kind: string]>([
		[refused, 'refused'],
		[status(402), 'balance'],
		[network('unknownHost'), 'address'],
	])('after %j has certainly made none', (error, kind) => {
		expect(notCreatedFault(error)).toEqual({ kind, ...wordsOfCreate(error) });
	});

	test.each<[string, ServiceError, isUnanswered: boolean, next: string]>([
		['no answer', lost, false, ` ${SEND_AGAIN}`],
		['a no after no answer', refused, true, ` ${SEND_AGAIN}`],
		['another request under its key', status(409), false, ''],
		['a task that is named', { ...status(500), namedTaskId: 'task_7' }, false, ''],
	])('may have made one after %s', (_what, error, isUnanswered, next) => {
		const { message, description } = wordsOfCreate(error, { isUnanswered });
		const fault = { kind: 'noAnswer', message, description: `${description}${next}` };
		expect(mayExistFault(error, isUnanswered)).toEqual(fault);
	});

	test('that was not sent again says what the earlier try said, where that is known', () => {
		const order = orderOf('A fox', { mayExist: {} });
		const kind = 'noAnswer';
		expect(unansweredBefore(order)).toMatchObject({
			kind,
			description: `${MAY_EXIST} ${SEND_AGAIN}`,
		});
		fail(order, { kind, message: '', description: 'It names task_7.' });
		expect(unansweredBefore(order).description).toBe('It names task_7.');
		fail(order, { kind: 'stopped', message: '', description: 'It stopped.' });
		expect(unansweredBefore(order).description).toBe(`${MAY_EXIST} ${SEND_AGAIN}`);
	});

	test('that another execution orders says which', () => {
		expect(orderedElsewhereFault('12').message).toBe('Execution 12 is ordering this video now');
		expect(orderedElsewhereFault().message).toBe('Another execution is ordering this video now');
	});
});

describe('a task that is not finished', () => {
	test('in time is told of, with what a read last said', () => {
		expect(timedOutFault(created())).toEqual({
			kind: 'timeout',
			message: 'Task task_1 was not finished in time (status: processing)',
			description: `It is still running at the service. ${WAIT_FOR_IT} ${LONGER}`,
		});
		expect(timedOutFault(created(), busy).description).toBe(
			`Last read: Rate limit reached (429). It may be finished by now. ${WAIT_FOR_IT} ${LONGER}`,
		);
		expect(timedOutFault(unread(), lost).message).toContain('(status: not known)');
	});

	test('when the run ends is told of, to a person', () => {
		expect(stoppedFault(created())).toEqual({
			kind: 'timeout',
			message: 'Stopped waiting for task task_1 (status: processing)',
			description: `It is still running at the service. ${WAIT_FOR_IT}`,
			isCutShort: true,
		});
	});

	test.each<[string, Item, again: string]>([
		[
			'the model of an agent',
			created({ run: TOOL_RUN }),
			' Do not ask for it again: that may order, and charge for, another video.',
		],
		['who only reads it', readItem('task_1'), ''],
	])('when the run ends is told of, to %s', (_who, item, again) => {
		expect(stoppedFault(item).description).toBe(
			`It is still running at the service.${again} Use Get Task with ID task_1 and 'Wait for Completion' on: that costs nothing more.`,
		);
	});
});

describe('a task that cannot be read', () => {
	const KNEW =
		'The service knew this task before, and services delete old tasks. For a new video, change something or run the workflow anew.';

	test.each<[string, Item, ServiceError, kind: string, description: string]>([
		[
			'for a while',
			unread(),
			network('timeout'),
			'serviceError',
			`Try again later. If this continues, ask the provider. ${FETCH}`,
		],
		['that was seen before', created(), gone, 'notFound', KNEW],
		['that was ordered before', { ...unread(), isTaken: true }, refused, 'notFound', KNEW],
		[
			'that nobody has seen',
			readItem('task_1'),
			refused,
			'notFound',
			`Use the "id" of a create operation as 'Task ID'.`,
		],
	])('%s', (_what, item, error, kind, description) => {
		const { message } = wordsOfRead(error);
		expect(notReadFault(item, error)).toEqual({
			...{ kind, message: `Task task_1 could not be read: ${message}`, description },
		});
	});

	test('for want of results is a download that failed', () => {
		expect(withoutResultsFault(taskOf('task_1', 'completed'))).toEqual({
			kind: 'download',
			message: 'Task task_1 is completed, but the service gave no video',
			description: 'Ask the provider why, or change the prompt.',
		});
		const error = { message: 'Nothing came out' };
		expect(withoutResultsFault(taskOf('task_1', 'completed', { error })).description).toBe(
			'Its record says: “Nothing came out”. Ask the provider why, or change the prompt.',
		);
	});
});

describe('too many videos', () => {
	test('of a click are told with their seconds, none at the limit', () => {
		expect(tooManyInEditorFault([5, undefined, 30], 0, 3)).toBeUndefined();
		expect(tooManyInEditorFault([5, undefined, 30], 1, 3)).toEqual({
			kind: 'limit',
			message:
				'This would create 3 videos, 40 seconds in total after 1 before, but an execution in the editor creates at most 3',
			description:
				"Nothing new was created. For more, add 'Max New Videos per Execution' in 'Options', or send fewer items.",
		});
		expect(tooManyInEditorFault([4, 4], 0, 1)?.message).toContain('8 seconds in total, but an');
	});

	test('of a run are those beyond the limit, after those before', () => {
		expect(tooManyFault(2, 1, 3)).toBeUndefined();
		const raise =
			"Nothing new was created. Raise 'Max New Videos per Execution' in 'Options', or send fewer items.";
		expect(tooManyFault(3, 0, 2)).toEqual({
			kind: 'limit',
			message: "'Max New Videos per Execution' is 2, but this run would create 3",
			description: raise,
		});
		expect(tooManyFault(1, 2, 2)).toEqual({
			kind: 'limit',
			message:
				"'Max New Videos per Execution' is 2, but this run would create 1 after 2 in this execution",
			description: raise,
		});
	});
});

describe('what could not be sent', () => {
	const empty = emptyField({ displayName: 'Prompt' }, 'Write one.');
	const OPEN_NODE =
		"Open the node, choose a credential under 'Credential to connect with', and check its fields.";

	test.each<[thrown: unknown, message: string, description: string]>([
		[empty, 'Prompt is empty.', 'Write one.'],
		[
			new InvalidParameter({ displayName: 'X' }, ' is odd.', 'Change it.'),
			'X is odd.',
			'Change it.',
		],
		['No such node', 'No such node', OPEN_NODE],
		[new Error('No link'), 'No link', OPEN_NODE],
	])('says why: %s', (thrown, message, description) => {
		expect(invalidMessage(thrown)).toEqual({ message, description });
		expect(unreadyFault(thrown)).toEqual({
			...{ kind: 'invalid', message },
			description: `${description} Nothing was created for this item.`,
		});
	});
});
