import { LABELS } from '../parameters/labels';
import type { NetworkReason, ServiceError } from '../service/answer';
import { codeIn, isBalance, isModeration, messageIn } from '../service/serviceMessage';
import { endingOf, type Task } from '../service/task';
import type { Entry } from '../tasks/entry';
import type { Words } from './message';

/**
 * What an item's error is about, in one word that stays when its texts change (interface.md), for
 * switches in workflows. `docs/reference.md` says it in these words.
 */
export const ERROR_KINDS = {
	invalid: [
		'Nothing was sent: a field, an expression or a file of this item is not as it must be.',
		'Correct it. The description says what is allowed.',
	],
	limit: [
		`Nothing was sent: ${LABELS.maxNewTasks} is reached.`,
		`Raise it in ${LABELS.options}, or send fewer items.`,
	],
	moderation: [
		'The service refused the request, or the video while it was made, for its content.',
		'Change the prompt or the files. Without a change, only a Retry by a person sends it again.',
	],
	refused: [
		'The service refused the request for another reason. There is no task.',
		'Check the fields and the files of this item, then send it again.',
	],
	balance: [
		'Too little money or quota.',
		"Top up the account in the provider's console, then retry.",
	],
	key: [
		'The API key is wrong, or may not do this.',
		'Correct the credential, then retry. If there is a `taskId`, its task exists.',
	],
	address: [
		'The service cannot be reached, or something else answered at its URL.',
		'Check Base URL and the network of n8n. If there is a `taskId`, its task exists.',
	],
	rateLimited: [
		'The service asked to wait until the time was up.',
		`Retry later, or lower ${LABELS.maxConcurrentTasks}. If there is a \`taskId\`, its task exists.`,
	],
	noAnswer: [
		'Nobody knows whether there is a task: the create got no clear answer.',
		"Do not send it again by a workflow: you may pay twice. Look in the provider's console first.",
	],
	serviceError: [
		'The service failed, and made no task; with a `taskId`, only reading that task failed.',
		'Retry later.',
	],
	failed: [
		'The task failed, and not for its content.',
		'Send it again, at once or later. That makes a new task.',
	],
	cancelled: [
		'The task was cancelled at the service.',
		'Send it again if you still want it. That makes a new task.',
	],
	expired: ['The task expired at the service.', 'Send it again. That makes a new task.'],
	timeout: [
		'The task is still running: the time was up, or the execution was stopped.',
		`Do not order it again. Use Get Task with its \`taskId\` and ${LABELS.waitForCompletion} on.`,
	],
	notFound: [
		'The service knows no task with this ID.',
		`Check ${LABELS.taskId}, and that the credential is of the account that created the task.`,
	],
	download: [
		'The video exists, but its file could not be fetched or stored.',
		`Use Get Task with its \`taskId\` and ${LABELS.downloadResults} on. It costs nothing.`,
	],
} satisfies Record<string, Words>;

export type ErrorKind = keyof typeof ERROR_KINDS;

/** Of both calls; what else a status says differs. */
const KIND_BY_STATUS: Record<number, ErrorKind> = {
	401: 'key',
	402: 'balance',
	403: 'key',
	405: 'address',
	429: 'rateLimited',
};

/** Of reads alone: a create that was lost may have made a task. */
const KIND_BY_NETWORK_REASON: Record<NetworkReason, ErrorKind> = {
	connectionRefused: 'address',
	noRoute: 'address',
	unknownHost: 'address',
	tls: 'address',
	blocked: 'address',
	timeout: 'serviceError',
	lost: 'serviceError',
};

/** The kind of an entry that did not come to what was asked for, its files aside. */
export function errorKindOf({ outcome, task, unanswered }: Entry): ErrorKind {
	switch (outcome?.kind) {
		case 'notSent':
			return outcome.why;
		case 'notCreated':
			return unanswered === undefined ? kindOfCreate(outcome.error) : 'noAnswer';
		case 'notRead':
			return unanswered === undefined ? kindOfRead(outcome.error) : 'noAnswer';
		case 'failed':
			return kindOfFailure(task);
		case 'timedOut':
		case 'noCallback':
		case 'stopped':
			return 'timeout';
		case 'done':
		case 'notStarted':
		case undefined:
			return 'invalid';
	}
}

function kindOfCreate(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return 'noAnswer';
	const { status, code, serviceMessage } = error;
	if (status < 500 && isModeration(code, serviceMessage)) return 'moderation';
	if (isBalance(code)) return 'balance';
	if (status < 400 || status === 404) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}

function kindOfRead(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return error.reason === 'html' ? 'address' : 'serviceError';
	const { status } = error;
	if ([400, 404, 410].includes(status)) return 'notFound';
	if (status < 400) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}

function kindOfFailure(task: Task | undefined): ErrorKind {
	const ending = endingOf(task?.status ?? '');
	if (ending && ending !== 'failed') return ending;
	const payload = task?.record.error;
	const code = codeIn(payload);
	if (isModeration(code, messageIn(payload))) return 'moderation';
	return isBalance(code) ? 'balance' : 'failed';
}
