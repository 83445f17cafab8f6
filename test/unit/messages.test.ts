import type { ServiceError } from '../../nodes/Videogen/service/answer';
import { emptyField, LABELS, type Message } from '../../nodes/Videogen/ground/words';
import {
	invalidMessage,
	outcomeMessage,
	STOPPED_MESSAGE,
	tooManyMessage,
	UNANSWERED_BEFORE,
	unreadyMessage,
} from '../../nodes/Videogen/run/outcomeMessage';
import { emptyExpressionMessage } from '../../nodes/Videogen/fields/prompt';
import { serviceErrorMessage } from '../../nodes/Videogen/service/answerWords';
import { createRetryPolicy } from '../../nodes/Videogen/service/answerTable';
import { messageIn } from '../../nodes/Videogen/service/errorPayload';
import { entryWith, type Given, taskOf } from '../programs/support/entries';
import { network, status, unreadable } from '../programs/support/fakeService';

/** The message of an entry that came to this. */
const messageOfOutcome = (given: Given): Message => outcomeMessage(entryWith(given));

const NOT_KNOWN = ', so it is not known whether a task was created';
const MAY_EXIST = 'The service may have created a task and may charge for it';

/** What holds for every message: a heading without a full stop, then whole sentences. */
function expectPlain({ message, description }: Message): void {
	expect(message).toMatch(/^(?:n8n |[A-Z]).*[^.\s]$/);
	expect(description).toMatch(/^[A-Z“].*\.$/);
	expect(`${message} ${description}`).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\./);
	expect(`${message} ${description}`).not.toMatch(/E[A-Z]{4,}|HTTP|payload|endpoint|schema/);
}

type Said = [what: string, next: string];
const CHECK_URL = "Check 'Base URL'";
const CHECK_WAY = `${CHECK_URL} in the Videogen credential (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.`;
const LATER = 'Try again later.';

const answers: Array<[ServiceError, create: Said, read?: Said]> = [
	[status(302), ['The URL of the service redirects (302)', 'Use the final URL, up to where']],
	[
		{ ...status(302), location: 'https://e.com/' },
		['The URL of the service redirects to https://e.com/ (302)', 'Use the final URL'],
	],
	[
		{ ...status(400), serviceMessage: 'Sorry' },
		['Request not accepted (400)', 'The service says: “Sorry”. Check the prompt'],
		['Task ID not accepted (400)', 'The service says: “Sorry”. Use the "id"'],
	],
	[status(401), ['API key not accepted (401)', `Paste the key again. ${CHECK_URL}`]],
	[status(402), ['Balance too low (402)', 'Top up your account']],
	[status(403), ['API key without access (403)', "Check in the provider's console what this key"]],
	[status(404), ['Wrong Base URL (404)', CHECK_URL], ['Task not found (404)', "Check 'Task ID'"]],
	[status(413), ['Request too large (413)', 'Shorten the prompt or give fewer references']],
	[status(418), ['The service refused the request (418)', 'Check the fields of this item and']],
	[
		status(429),
		['Rate limit reached (429)', "lower 'Max Concurrent Tasks' in 'Options'"],
		['Rate limit reached (429)', 'read fewer tasks at once'],
	],
	...[299, 408, 425, 460, 499].map((code): [ServiceError, Said] => [
		status(code),
		[`The service gave no clear answer (${code})`, LATER],
	]),
	...[500, 501, 503, 521, 599].map((code): [ServiceError, Said, Said] => [
		status(code),
		[
			`The service returned a server error (${code})`,
			'Run this item again later: the node does not send it again by itself',
		],
		[`The service returned a server error (${code})`, LATER],
	]),
	[network('connectionRefused'), ['No connection to the service', CHECK_WAY]],
	[network('noRoute'), ['No network route to the service', CHECK_WAY]],
	[network('unknownHost'), ['Host name of the service not found', CHECK_WAY]],
	[network('tls'), ['No secure connection to the service', CHECK_WAY]],
	[network('timeout'), ['No answer from the service in time', LATER]],
	[network('lost'), ['The connection to the service was lost before an answer came', LATER]],
	[network('blocked'), ['n8n blocks the URL of the service', 'Ask who runs this n8n']],
	[unreadable('empty'), ['The answer of the service is empty', CHECK_URL]],
	[unreadable('html'), ['A web page came instead of an answer of the service', CHECK_URL]],
	[unreadable('notJson'), ['The answer of the service is not JSON', CHECK_URL]],
	[unreadable('notTask'), ['The answer of the service is not a task record', CHECK_URL]],
	[unreadable('tooLarge'), ['The answer of the service is larger than 1 MB', CHECK_URL]],
	[unreadable('otherTask'), ['The answer of the service is about another task', CHECK_URL]],
];

describe('an answer without a task', () => {
	test.each(answers)('%j says what it means and what to do', (error, create, read = create) => {
		for (const [during, [what, next]] of [['create', create] as const, ['read', read] as const]) {
			const said = serviceErrorMessage(error, during);
			expect(said).toEqual({ message: what, description: expect.stringContaining(next) });
			expectPlain(said);
		}
	});

	test.each(answers)('to a create, %j, says whether a task may exist', (error) => {
		const { message, description } = serviceErrorMessage(error, 'create');
		const certain = messageOfOutcome({ kind: 'notCreated', error, mayExist: false });
		expect(certain.message).toBe(message);
		expect(certain.description).toBe(`${description} Nothing was created for this item.`);
		const open = messageOfOutcome({ kind: 'notCreated', error, mayExist: true });
		const isUnsettled = createRetryPolicy(error) === 'unknown';
		const earlier = isUnsettled ? '' : '; an earlier try got no clear answer';
		expect(open.message).toBe(`${message}${earlier}${NOT_KNOWN}`);
		expect(open.description).toContain(MAY_EXIST);
		expect(open.description).not.toContain('Nothing was created');
		expect(open.description).not.toMatch(/(?:run|try) again/i);
		expectPlain(certain);
		expectPlain(open);
	});

	test.each([
		[60_000, ''],
		[60_001, 'The service asks to wait for 2 minutes. '],
		[7_140_000, 'The service asks to wait for 119 minutes. '],
		[7_200_000, 'The service asks to wait for 2 hours. '],
	])('says of 429 that it asks to wait for %i ms', (askedMs, words) => {
		const { description } = serviceErrorMessage(status(429, askedMs), 'create');
		expect(description).toBe(`${words}${serviceErrorMessage(status(429), 'create').description}`);
	});

	test('keeps the request id at the end of what the service says, however long that is', () => {
		const said = `${'Too long. '.repeat(100)}(request id: req_42)`;
		const refused = { ...status(400), serviceMessage: messageIn({ error: { message: said } }) };
		expect(serviceErrorMessage(refused, 'create').description).toContain('(request id: req_42)');
	});
});

describe('a refused create', () => {
	const refusal = (more: object): ServiceError => ({ ...status(400), ...more });
	const CHECK_FAMILY = 'Check Model Family in the Videogen credential';

	test.each([
		{ param: 'model' },
		{ param: 'model', serviceMessage: 'Unsupported value' },
		{ serviceMessage: 'Unknown model “videogen-9-text-to-video”' },
		{ serviceMessage: 'model: must be one of a, b' },
	])('whose model was refused points to the credential first: %j', (more) => {
		expect(serviceErrorMessage(refusal(more), 'create').description).toContain(CHECK_FAMILY);
		expect(serviceErrorMessage(refusal(more), 'read').description).not.toContain(CHECK_FAMILY);
	});

	test.each([
		{},
		{ param: 'prompt', serviceMessage: 'Refused by the moderation model' },
		{ serviceMessage: 'model_params.seed: must be a number' },
		{ status: 403, serviceMessage: 'No access to this model' },
	])('whose model was not refused does not: %j', (more) => {
		expect(serviceErrorMessage(refusal(more), 'create').description).not.toContain(CHECK_FAMILY);
	});

	test('whose model nothing is known of points to Model Family, not to Base URL', () => {
		const unknown = { ...status(404), isJson: true, serviceMessage: 'Unknown model “x”' };
		const { message, description } = serviceErrorMessage(unknown, 'create');
		expect(message).toBe('Model not found (404)');
		expect(description).toContain(CHECK_FAMILY);
		expect(description).not.toContain('Base URL');
		for (const other of [{ isJson: false }, { serviceMessage: 'No route' }]) {
			const { description: said } = serviceErrorMessage({ ...unknown, ...other }, 'create');
			expect(said).toContain('Base URL');
			expect(said).not.toContain(CHECK_FAMILY);
		}
	});
});

describe('a failed task', () => {
	const ANYTHING = 'Change the prompt or the files, and run';
	const CHANGE_OR_WAIT = 'Run this item again later, or with another prompt.';
	const failed = (error: unknown, request?: Given['request']): Message => {
		const task = taskOf('task_1', 'failed', { error });
		const message = messageOfOutcome({ kind: 'failed', task, request, isRead: !request });
		expect(message.description).toMatch(
			/^Task task_1 failed.* Ask your provider whether failed videos cost money\.$/,
		);
		expectPlain(message);
		return message;
	};

	/** What is moderation, and where the words of an error are, stands in `serviceMessage.test.ts`. */
	test.each([
		[{ code: 'policy', message: 'Flagged.' }, 'refused this video: Flagged', ANYTHING],
		[
			{ code: 'quota', message: 'No more' },
			'did not make this video: No more',
			'Check the balance',
		],
		['Not enough credits', 'did not make this video: Not enough credits', 'Check the balance'],
		[{ code: 'x', message: 'No. 5 broke' }, 'did not make this video: No. 5 broke', CHANGE_OR_WAIT],
		[{ code: 'busy' }, 'did not make this video: busy', CHANGE_OR_WAIT],
		[undefined, 'did not make this video and gives no reason', CHANGE_OR_WAIT],
	])('with the error %j says so in its title, and what to do', (error, title, advice) => {
		const { message, description } = failed(error);
		expect(message).toBe(`The service ${title}`);
		expect(description).toContain(advice);
	});

	test('names its code unless that is all that was said, and the request id only below', () => {
		expect(failed({ code: 'busy', message: 'No' }).description).toContain('failed (busy). ');
		expect(failed({ code: 'busy' }).description).toContain('failed. ');
		const said = failed({ code: 'busy', message: 'No room left (request id: req_42)' });
		expect(said.message).toBe('The service did not make this video: No room left');
		expect(said.description).toContain('Task task_1 failed (busy) (request id: req_42).');
	});

	const asked = { model: 'any', prompt: 'A fox' };
	const policy = { code: 'policy', message: 'Flagged' };
	test.each([
		[asked, 'Change the prompt, and run this item again.'],
		[{ ...asked, image_urls: ['x'] }, ANYTHING],
		[{ ...asked, video_urls: ['x'] }, ANYTHING],
	])('that was asked for with %j is told what to change', (request, advice) => {
		expect(failed(policy, request).description).toContain(` ${advice}`);
	});

	test.each([
		[{ code: 'audio_moderation', message: 'Flagged' }, true],
		[{ code: 'policy', message: 'The sound was flagged' }, true],
		[{ code: 'policy', message: 'Flagged' }, false],
		[{ code: 'unknown_error', message: 'No audio' }, false],
	])('with %j is told of audio: %s', (error, isOfAudio) => {
		const advice = `Change the prompt, or switch off '${LABELS.generateAudio}', and run this item again.`;
		expect(failed(error, asked).description.includes(advice)).toBe(isOfAudio);
	});
});

describe('what the node says in whole', () => {
	const task = taskOf('task_1');
	const completed = taskOf('task_1', 'completed');
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
			'No callback came in time for task task_1 (status before: processing)',
			`It may be finished by now. ${WAIT_FOR_IT}`,
			() => messageOfOutcome({ kind: 'noCallback', task }),
		],
		[
			'No callback came in time for task task_1 (status before: completed)',
			"Its video is finished, but not downloaded. Use Get Task with ID task_1 and 'Download Results' on, in a new workflow: that costs nothing more.",
			() => messageOfOutcome({ kind: 'noCallback', task: completed }),
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
			`${LOOK} It begins with “{"task":"t"}”. Check 'Base URL' in the Videogen credential.`,
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
