import type {
	NetworkReason,
	ServiceError,
	UnreadableReason,
} from '../../nodes/Videogen/service/answer';
import type { Task } from '../../nodes/Videogen/service/task';
import { emptyField } from '../../nodes/Videogen/parameters/invalidParameter';
import { LABELS } from '../../nodes/Videogen/parameters/labels';
import type { Message } from '../../nodes/Videogen/messages/message';
import {
	invalidMessage,
	outcomeMessage,
	STOPPED_MESSAGE,
	tooManyMessage,
	UNANSWERED_BEFORE,
} from '../../nodes/Videogen/messages/outcomeMessage';
import { emptyExpressionMessage } from '../../nodes/Videogen/messages/expressionMessages';
import { serviceErrorMessage } from '../../nodes/Videogen/messages/serviceErrorMessage';
import { createRetryPolicy } from '../../nodes/Videogen/service/retryPolicy';
import { messageIn } from '../../nodes/Videogen/service/serviceMessage';
import { entryWith, type Given, taskOf } from '../programs/support/entries';
import { network, status, unreadable } from '../programs/support/fakeService';

/** The message of an entry that came to this. */
const messageOfOutcome = (given: Given): Message => outcomeMessage(entryWith(given));

const NOTHING_CREATED = 'Nothing was created for this item.';
const NOT_KNOWN = ', so it is not known whether a task was created';
const MAY_EXIST = 'The service may have created a task and may charge for it';

const STATUSES = [302, 400, 401, 402, 403, 404, 405, 408, 413, 418, 422, 429, 500, 502, 503, 504];
const NETWORK: NetworkReason[] = [
	...([
		'connectionRefused',
		'noRoute',
		'unknownHost',
		'tls',
		'timeout',
		'lost',
		'blocked',
	] as const),
];
const UNREADABLE: UnreadableReason[] = ['empty', 'html', 'notJson', 'notTask', 'otherTask'];

const errors: ServiceError[] = [
	...STATUSES.map((code) => status(code)),
	...NETWORK.map(network),
	...UNREADABLE.map(unreadable),
];

/** What holds for every message: a heading without a full stop, then whole sentences. */
function expectPlain({ message, description }: Message): void {
	expect(message).toMatch(/^(?:n8n |[A-Z]).*[^.\s]$/);
	expect(description).toMatch(/^[A-Z“].*\.$/);
	expect(`${message} ${description}`).not.toMatch(/undefined|null|\[object|NaN| {2}|\.\./);
	expect(`${message} ${description}`).not.toMatch(/E[A-Z]{4,}|HTTP|payload|endpoint|schema/);
}

describe('every error', () => {
	test.each(errors)('%j reads plainly', (error) => {
		expectPlain(serviceErrorMessage(error, 'create'));
		expectPlain(serviceErrorMessage(error, 'read'));
	});

	type Said = [what: string, next: string];
	const LATER: Said = ['The service gave no clear answer', 'Try again later.'];
	const FINAL_URL: Said = ['The URL of the service redirects', 'Use the final URL, up to where'];
	const REFUSED: Said = ['The service refused the request', 'Check the fields of this item and'];
	const LIMITED = 'Rate limit reached';
	const DOWN = 'The service returned a server error';

	test.each<[number, create: Said, read?: Said]>([
		[299, LATER],
		[302, FINAL_URL],
		[400, ['Request not accepted', 'Check the prompt'], ['Task ID not accepted', 'Use the "id"']],
		[401, ['API key not accepted', "Paste the key again. Check 'Base URL'"]],
		[402, ['Balance too low', 'Top up your account']],
		[403, ['API key without access', "Check in the provider's console what this key may use"]],
		[404, ['Wrong Base URL', "Check 'Base URL'"], ['Task not found', "Check 'Task ID'"]],
		...[408, 425, 460, 499].map((code): [number, Said] => [code, LATER]),
		[413, ['Request too large', 'Shorten the prompt or give fewer references']],
		[418, REFUSED],
		[
			429,
			[LIMITED, "lower 'Max Concurrent Tasks' in 'Options'"],
			[LIMITED, 'read fewer tasks at once'],
		],
		...[500, 501, 503, 521, 599].map((code): [number, Said, Said] => [
			code,
			[DOWN, 'Run this item again later: the node does not send it again by itself'],
			[DOWN, 'Try again later.'],
		]),
	])('of the status %i says what it means and what to do', (code, create, read = create) => {
		const error = status(code);
		for (const [during, [what, next]] of [['create', create] as const, ['read', read] as const]) {
			const { message, description } = serviceErrorMessage(error, during);
			expect(message).toBe(`${what} (${code})`);
			expect(description).toContain(next);
		}
	});

	const CHECK_WAY =
		"Check 'Base URL' in the Videogen credential (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.";
	test.each<[NetworkReason | UnreadableReason, ...Said]>([
		['connectionRefused', 'No connection to the service', CHECK_WAY],
		['noRoute', 'No network route to the service', CHECK_WAY],
		['unknownHost', 'Host name of the service not found', CHECK_WAY],
		['tls', 'No secure connection to the service', CHECK_WAY],
		['timeout', 'No answer from the service in time', 'Try again later.'],
		['lost', 'The connection to the service was lost before an answer came', 'Try again later.'],
		['blocked', 'n8n blocks the URL of the service', 'Ask who runs this n8n'],
		['empty', 'The answer of the service is empty', "Check 'Base URL'"],
		['html', 'A web page came instead of an answer of the service', "Check 'Base URL'"],
		['notJson', 'The answer of the service is not JSON', "Check 'Base URL'"],
		['notTask', 'The answer of the service is not a task record', "Check 'Base URL'"],
		['otherTask', 'The answer of the service is about another task', "Check 'Base URL'"],
	])('that is %s says so and what to do', (reason, what, next) => {
		const error = errors.find((one) => 'reason' in one && one.reason === reason);
		if (error === undefined) throw new Error('There is no such error');
		const { message, description } = serviceErrorMessage(error, 'create');
		expect(message).toBe(what);
		expect(description).toContain(next);
	});

	test.each([
		[60_000, ''],
		[3_540_001, 'The service asks to wait for 60 minutes. '],
		[86_400_000, 'The service asks to wait for 24 hours. '],
	])('says of 429 that it asks to wait for %i ms', (askedMs, words) => {
		const { description } = serviceErrorMessage(status(429, askedMs), 'create');
		expect(description).toBe(`${words}${serviceErrorMessage(status(429), 'create').description}`);
	});

	test('quotes the service before the advice', () => {
		const error = status(400);
		const plain = serviceErrorMessage(error, 'create').description;
		const quoted = serviceErrorMessage({ ...error, serviceMessage: 'Sorry' }, 'create').description;
		expect(quoted).toBe(`The service says: “Sorry”. ${plain}`);
	});

	test('of a redirect names its target, if there is one', () => {
		const error: ServiceError = { kind: 'status', status: 302, isJson: false };
		expect(serviceErrorMessage(error, 'read').message).toBe(
			'The URL of the service redirects (302)',
		);
		expect(serviceErrorMessage({ ...error, location: 'https://e.com/' }, 'read').message).toBe(
			'The URL of the service redirects to https://e.com/ (302)',
		);
	});
});

describe('a create without a task', () => {
	test.each(errors)('%j: it says whether a task may exist', (error) => {
		const { message, description } = serviceErrorMessage(error, 'create');
		const certain = messageOfOutcome({ kind: 'notCreated', error, mayExist: false });
		expect(certain.message).toBe(message);
		expect(certain.description).toBe(`${description} ${NOTHING_CREATED}`);
		const open = messageOfOutcome({ kind: 'notCreated', error, mayExist: true });
		const isUnsettled = createRetryPolicy(error) === 'unknown';
		const earlier = isUnsettled ? '' : '; an earlier try got no clear answer';
		expect(open.message).toBe(`${message}${earlier}${NOT_KNOWN}`);
		expect(open.description).toContain(MAY_EXIST);
		expect(open.description).not.toContain(NOTHING_CREATED);
		expect(open.description).not.toMatch(/(?:run|try) again/i);
		expectPlain(certain);
		expectPlain(open);
	});

	test('of which one may exist still says what the service said', () => {
		const error: ServiceError = { ...status(500), serviceMessage: 'Out of order' };
		const { description } = messageOfOutcome({ kind: 'notCreated', error, mayExist: true });
		expect(description).toContain(`The service says: “Out of order”. ${MAY_EXIST}`);
	});

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

	test('keeps the request id at the end of what the service says, however long that is', () => {
		const said = `${'Too long. '.repeat(100)}(request id: req_42)`;
		const refused = { ...status(400), serviceMessage: messageIn({ error: { message: said } }) };
		expect(serviceErrorMessage(refused, 'create').description).toContain('(request id: req_42)');
	});

	test('of a task that failed, stays in the description', () => {
		const error = { code: 'busy', message: 'No room left (request id: req_42)' };
		const { message, description } = outcomeMessage({
			...entryWith({ kind: 'failed' }),
			task: taskOf('task_1', 'failed', { error }),
		});
		expect(message).toBe('The service did not make this video: No room left');
		expect(description).toContain('Task task_1 failed (busy) (request id: req_42).');
	});

	test('in an earlier try says why it is not sent again', () => {
		expectPlain(UNANSWERED_BEFORE);
		expect(UNANSWERED_BEFORE.description).toContain(MAY_EXIST);
	});

	test('whose answer could not be used shows how that began', () => {
		const error: ServiceError = { kind: 'unreadable', reason: 'notTask', excerpt: '{"task":"t"}' };
		const { description } = messageOfOutcome({ kind: 'notCreated', error, mayExist: true });
		expect(description).toMatch(
			/ It begins with “{"task":"t"}”\. Check 'Base URL' in the Videogen credential\.$/,
		);
	});
});

describe('a task that could not be read', () => {
	const task = taskOf('task_1');

	const error = network('timeout');
	const messageOf = (seen?: Task, why: ServiceError = error) =>
		messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task: seen, error: why });

	test('is to be read again, unless the service does not know its ID', () => {
		expect(messageOf().description).toContain('Use Get Task with ID task_1');
		const unknown = status(404);
		expect(messageOf(undefined, unknown).description).not.toContain('Get Task');
		expect(messageOf(task, unknown).description).toContain('Use Get Task with ID task_1');
	});

	test.each([400, 404])('is not blamed on Task ID when it was seen before: %d', (code) => {
		const { description } = messageOf(task, status(code));
		expect(description).toMatch(/^The service knew this task before\. Check that the credential/);
		expect(description).toContain('Use Get Task with ID task_1');
	});
});

describe('a failed task', () => {
	const ANYTHING = 'Change the prompt or the files, and run';
	const CHANGE_OR_WAIT = 'Run this item again later, or with another prompt.';
	const failed = (record: Record<string, unknown>, request?: Given['request']): Message => {
		const task = taskOf('task_1', 'failed', record);
		const message = messageOfOutcome({ kind: 'failed', task, request, isRead: !request });
		expect(message.description).toMatch(
			/^Task task_1 failed.* Ask your provider whether failed videos cost money\.$/,
		);
		expectPlain(message);
		return message;
	};

	test.each([
		[{ code: 'content_policy_violation', message: 'Flagged' }, ANYTHING],
		[{ code: 'x', message: 'Hidden by our safety system' }, ANYTHING],
		[{ code: 'quota_exceeded', message: 'No more' }, 'Check the balance and limits'],
		[{ code: 'quota_exceeded', message: 'Safety limit of your plan' }, 'Check the balance'],
		[{ code: 'generation_timeout', message: 'No credits were charged' }, CHANGE_OR_WAIT],
		[{ code: 'x', message: 'The first image is corrupt' }, CHANGE_OR_WAIT],
		[{ code: 'unknown_error', message: 'Hm' }, CHANGE_OR_WAIT],
	])('with %j tells what to do', (error, advice) => {
		const { message, description } = failed({ error });
		expect(description).toContain(advice);
		expect(description).toContain(`failed (${error.code}).`);
		expect(message).toMatch(/^The service (?:refused|did not make) this video: /);
		expect(message).toContain(error.message);
	});

	test('without a code is understood by its words', () => {
		expect(failed({ error: 'Not enough credits' }).description).toContain('Check the balance');
	});

	const asked = { model: 'any', prompt: 'A fox' };
	const policy = { error: { code: 'policy', message: 'Flagged' } };
	test.each([
		[asked, 'Change the prompt, and run this item again.'],
		[{ ...asked, image_urls: ['x'] }, ANYTHING],
		[{ ...asked, video_urls: ['x'] }, ANYTHING],
	])('that was asked for with %j is told what to change', (request, advice) => {
		const { message, description } = failed(policy, request);
		expect(message).toBe('The service refused this video: Flagged');
		expect(description).toContain(` ${advice}`);
	});

	test.each([
		['https://drive.google.com/file/d/1AbC/view?usp=sharing', true],
		['https://www.dropbox.com/s/x/a.png?dl=0', true],
		['https://www.dropbox.com/s/x/a.png?dl=1', false],
		['https://e.com/drive.google.com/file', false],
	])('made of %s is told that this is a page: %j', (url, isPage) => {
		const { description } = failed(policy, { ...asked, image_urls: ['https://e.com/a.png', url] });
		expect(description.includes('a page of Google Drive or Dropbox')).toBe(isPage);
	});

	test('is not told so of a page that only its prompt names', () => {
		const prompt = 'https://drive.google.com/file/d/1AbC/view';
		const { description } = failed(policy, { ...asked, prompt });
		expect(description).not.toContain('a page of Google Drive or Dropbox');
	});

	test.each([
		[{ code: 'audio_moderation', message: 'Flagged' }, true],
		[{ code: 'policy', message: 'The sound was flagged' }, true],
		[{ code: 'policy', message: 'Flagged' }, false],
		[{ code: 'unknown_error', message: 'No audio' }, false],
	])('with %j is told of audio: %s', (error, isOfAudio) => {
		const advice = `Change the prompt, or switch off '${LABELS.generateAudio}', and run this item again.`;
		expect(failed({ error }, asked).description.includes(advice)).toBe(isOfAudio);
	});

	test.each([
		['no luck', 'no luck'],
		['No luck.', 'No luck'],
		[{ message: 'no luck' }, 'no luck'],
		[[{ message: 'no' }, { message: 'luck' }], 'no; luck'],
		[{ error: { code: 7, message: 'no luck' } }, 'no luck'],
		[{ code: 'no_luck' }, 'no_luck'],
	])('says in its title what its error %j says', (error, quote) => {
		expect(failed({ error }).message).toBe(`The service did not make this video: ${quote}`);
	});

	test.each([{}, { error: null }, { error: {} }, { error: '' }, { error: [] }])(
		'with %j gives no reason, and says so',
		(record) => {
			const { message, description } = failed(record);
			expect(message).toBe('The service did not make this video and gives no reason');
			expect(description).toContain(CHANGE_OR_WAIT);
		},
	);
});

describe('a value that is wrong', () => {
	test('has the words of its check', () => {
		expect(invalidMessage(emptyField({ displayName: 'Prompt' }, 'Describe it.'))).toEqual({
			message: 'Prompt is empty.',
			description: 'Describe it.',
		});
	});

	test.each([new Error('Referenced node does not exist'), 'Referenced node does not exist'])(
		'because n8n could not make it ready: %p',
		(thrown) => {
			expect(invalidMessage(thrown)).toEqual({
				message: 'Referenced node does not exist',
				description:
					'Open the node, choose a credential under “Credential to connect with”, and check its fields.',
			});
		},
	);
});

describe('what the node says in whole', () => {
	const task = taskOf('task_1');
	const completed = taskOf('task_1', 'completed');
	const gone: ServiceError = { ...status(404), serviceMessage: 'Gone' };
	const [refused, lost, busy] = [status(400), network('lost'), status(429)];
	const empty = emptyField({ displayName: 'Prompt' }, 'Write one.');
	const FETCH = 'Use Get Task with ID task_1, in a new workflow: that costs nothing more.';
	const WAIT_FOR_IT =
		"Use Get Task with ID task_1 and 'Wait for Completion' on, in a new workflow: that costs nothing more.";
	const LOST = 'The connection to the service was lost before an answer came';
	const LOOK =
		"The service may have created a task and may charge for it. Check the provider's console before you create it again.";

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
		[
			'Prompt: the expression {{ $json.x }} gave nothing for this item',
			'Fields of the item: none. Write one.',
			() => emptyExpressionMessage(empty, '={{ $json.x }}', {}),
		],
		[
			'Prompt: the expression {{ $json.x }} gave nothing for this item',
			'Fields of the item: title, text. Write one.',
			() => emptyExpressionMessage(empty, '={{ $json.x }}', { title: 1, text: 2 }),
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
			'Task task_1 could not be read: Rate limit reached (429)',
			`Try again later, or read fewer tasks at once. Last status: processing. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task, error: busy }),
		],
		[
			'Task task_1 could not be read: Task not found (404)',
			`The service says: “Gone”. The service knew this task before. Check that the credential belongs to the account that created it. Services delete old tasks. Last status: processing. ${FETCH}`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', task, error: gone }),
		],
		[
			'Task task_1 could not be read: Task ID not accepted (400)',
			`Use the "id" of a create operation as 'Task ID'.`,
			() => messageOfOutcome({ kind: 'notRead', taskId: 'task_1', error: refused }),
		],
		[
			`${LOST}, so it is not known whether a task was created`,
			LOOK,
			() => messageOfOutcome({ kind: 'notCreated', error: lost, mayExist: true }),
		],
		[
			`Request not accepted (400); an earlier try got no clear answer, so it is not known whether a task was created`,
			LOOK,
			() => messageOfOutcome({ kind: 'notCreated', error: refused, mayExist: true }),
		],
	])('%s: %s', (message, description, given) => {
		expect(given()).toEqual({ message, description });
		expectPlain({ message, description });
	});
});
