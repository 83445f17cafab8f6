import { type ErrorKind, LABELS } from '../../../nodes/Videogen/ground/words';

/** What each kind of error means, and what to do. */
export const ERROR_KINDS: Record<ErrorKind, [means: string, next: string]> = {
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
		`Check ${LABELS.baseUrl} and the network of n8n. If there is a \`taskId\`, its task exists.`,
	],
	rateLimited: [
		'The service asked to wait until the time was up.',
		`Retry later, or lower ${LABELS.maxConcurrentTasks}. If there is a \`taskId\`, its task exists.`,
	],
	noAnswer: [
		'Nobody knows whether there is a task: the provider did not answer clearly.',
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
		`Do not order it again. Use ${LABELS.getTask} with its \`taskId\` and ${LABELS.waitForCompletion} on.`,
	],
	stopped: [
		'Nothing was sent: its turn did not come before the node stopped, or another execution is ordering it.',
		'Run it again.',
	],
	notFound: [
		'The service knows no task with this ID.',
		`Check ${LABELS.taskId}, and use the credential with which the video was ordered (not Practice).`,
	],
	download: [
		'The video exists, but its file could not be fetched or stored.',
		`Use ${LABELS.getTask} with its \`taskId\` and ${LABELS.downloadResults} on. It costs nothing.`,
	],
};
