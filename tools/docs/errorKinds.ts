import { type ErrorKind, LABELS } from '../../nodes/Videogen/shared/messages';

/** What each kind of error means, and what to do. */
export const ERROR_KINDS: Record<ErrorKind, [means: string, next: string]> = {
	invalid: [
		'A field, an expression or a file of this item cannot be used. Nothing was sent.',
		'Correct it. The description says what is allowed.',
	],
	limit: [
		`The execution would create more videos than ${LABELS.maxNewTasks} allows. Nothing was created.`,
		`Raise it in ${LABELS.options}, or send fewer items.`,
	],
	moderation: [
		'The provider rejected the request, or the video, for its content.',
		'Change the prompt or the files. Without a change, only a person can send it again.',
	],
	refused: [
		'The provider did not accept the request for another reason. There is no task.',
		'Correct the fields and the files of this item, then send it again.',
	],
	balance: [
		'The account has too little money or quota.',
		"Top up the account in the provider's console, then retry.",
	],
	key: [
		'The API key is wrong, or does not allow this.',
		'Correct the credential, then retry. If there is a `taskId`, its task exists.',
	],
	address: [
		'The provider cannot be reached, or something else answered at its URL.',
		`Check ${LABELS.baseUrl} and the network of n8n. If there is a \`taskId\`, its task exists.`,
	],
	rateLimited: [
		'The provider accepted no more requests until the time was up.',
		`Retry later, or lower ${LABELS.maxConcurrentTasks}. If there is a \`taskId\`, its task exists.`,
	],
	noAnswer: [
		'A task may exist: the provider did not answer clearly.',
		"Do not let a workflow send it again: you may pay twice. Look in the provider's console first.",
	],
	serviceError: [
		'The provider is not available. With a `taskId`, only reading that task failed; otherwise there is no task.',
		'Retry later.',
	],
	failed: [
		'The task failed, and not for its content.',
		'Send it again, at once or later. That creates a new task.',
	],
	cancelled: [
		'The task was cancelled at the provider.',
		'Send it again if you still want it. That creates a new task.',
	],
	expired: ['The task expired at the provider.', 'Send it again. That creates a new task.'],
	timeout: [
		'The video is still being generated, and the time is up.',
		`Do not create it again. Use ${LABELS.getTask} with its \`taskId\` and ${LABELS.waitForCompletion} on.`,
	],
	stopped: [
		'The node stopped first. Without a `taskId`, nothing was created; with one, its video is still being generated.',
		`Without a \`taskId\`, run it again; with one, use ${LABELS.getTask}.`,
	],
	notFound: [
		'The provider has no task with this ID.',
		`Check ${LABELS.taskId}, and use the credential with which the video was created (not Practice).`,
	],
	download: [
		'The task is completed, but its file could not be fetched or stored.',
		`Use ${LABELS.getTask} with its \`taskId\` and ${LABELS.downloadResults} on. It costs nothing.`,
	],
};
