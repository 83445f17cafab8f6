import { jsonTextOf } from './json';
import { asPlainText, bare, MAX_URL_CHARACTERS, quoted, shortened, wholeId } from './text';

/** Labels that appear in more than one place, as the editor shows them. */
export const LABELS = {
	apiKey: 'API Key',
	baseUrl: 'Base URL',
	callbackUrl: 'Callback URL',
	downloadResults: 'Download Results',
	environment: 'Environment',
	getTask: 'Get Task',
	idempotencyKey: 'Idempotency Key',
	maxConcurrentTasks: 'Max Videos at Once',
	maxNewTasks: 'Max New Videos',
	modelFamily: 'Model Family',
	options: 'Options',
	prompt: 'Prompt',
	reuseInEditor: 'Reuse Videos in Editor',
	resendAfterNoReply: 'Send Again if Unanswered',
	taskId: 'Task ID',
	timeoutMinutes: 'Timeout (Minutes)',
	waitForCompletion: 'Wait for Completion',
} as const;

/** What happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

const CHECK_CONSOLE = `Before you create it again, look in the provider's console: if the video is there, use '${LABELS.getTask}' with its ID.`;
const AND_RETRY = 'save, and retry this execution with the currently saved workflow';
const SEND_AGAIN = `To send the request again at the risk of paying twice, add '${LABELS.resendAfterNoReply}' in '${LABELS.options}', turn it on, ${AND_RETRY}.`;
const OR_RETRY = ', or retry this execution';
const WITH_GET_TASK = `'${LABELS.getTask}' with the ID {id}`;
const NO_DUPLICATE = 'you may create and pay for a second video';

/**
 * All messages about an item without its video. The first sentence says what happened, the rest
 * says what to do, and the provider's own words go in between. Names in braces are placeholders.
 * Each kind has a message with its name; a special case has the kind before the dot.
 */
export const MESSAGES = {
	invalid: '{what}. {next}',
	limit: `'${LABELS.maxNewTasks}' is {max}, but this execution would create {videos} ({seconds} seconds in total){before}. Nothing new was created. Send fewer items, or set '${LABELS.maxNewTasks}' in '${LABELS.options}' to a higher number.`,
	moderation: 'The provider rejected the content{status}. Change the prompt or the files.',
	refused: 'The provider rejected the request{status}. Correct the fields of this item.',
	'refused.tooLarge':
		'The request is too large for the provider{status}. Use smaller images, or enter their public URLs in place of files.',
	'refused.model': `The provider does not offer the model "{model}"{status}. Correct '${LABELS.modelFamily}' in the credential (or in '${LABELS.options}', if you added it there), or ask the provider to allow this model for your API key.`,
	balance:
		"Your balance with the provider is too low{status}. Top up in the provider's console, or raise the limit of your API key there.",
	key: `The provider rejected the API key{status}. Copy the key from the provider's console into the credential, and check that '${LABELS.baseUrl}' belongs to the same provider.`,
	'key.notAllowed':
		"Your API key is not allowed to do this{status}. Check in the provider's console what your plan and this key include.",
	address: `The provider's API cannot be used at '${LABELS.baseUrl}': {why}. Check '${LABELS.baseUrl}' in the credential, and that this n8n instance can reach it.`,
	'address.notApi': `The provider's API cannot be used at '${LABELS.baseUrl}': {why}. Enter the URL of the API in the credential, as the provider's documentation shows it, not that of a website or console.`,
	'address.local': `The provider's API cannot be used at '${LABELS.baseUrl}': {why}. Check that the API is running there: if n8n runs in a container, localhost is the container itself, so use host.docker.internal to reach the machine that it runs on.`,
	rateLimited: `The provider is limiting requests{status}. Wait a few minutes, or add '${LABELS.maxConcurrentTasks}' in '${LABELS.options}' with a lower number.`,
	'rateLimited.toRead':
		'The provider is limiting requests{status}. Wait a few minutes: reading a task again costs nothing.',
	noAnswer: `The provider did not confirm the request{status}, so a video may exist. ${CHECK_CONSOLE} ${SEND_AGAIN}`,
	'noAnswer.forTool': `{message}. Do not call this tool again for this video: ${NO_DUPLICATE}. Ask the user to look in the provider's console.`,
	'noAnswer.later': `The request was not sent again: the provider did not confirm an earlier one{status}, so a video may exist. ${CHECK_CONSOLE} ${SEND_AGAIN}`,
	'noAnswer.thenNo': `The provider rejected the request{status}, but a video may exist from an earlier one. ${CHECK_CONSOLE}`,
	'noAnswer.namedTask': `The provider did not confirm the request{status}, but its answer names a task, so this video may exist. To read the task, use ${WITH_GET_TASK}${OR_RETRY}.`,
	'noAnswer.webPage': `Check '${LABELS.baseUrl}' in the credential: a web page answered in place of the provider's API{status}. If the URL is right, a video may exist. ${CHECK_CONSOLE}`,
	'noAnswer.knownKey': `The provider already received a request with this idempotency key{status}, so a video may exist. ${CHECK_CONSOLE} To create another video, also after changing the prompt, add or change '${LABELS.idempotencyKey}' in '${LABELS.options}', and run the workflow again.`,
	'noAnswer.unreadableOrders': `The data of an earlier try cannot be read by this version of the node, so videos may exist and nothing new was created. Look for task IDs in n8n's log, and use '${LABELS.getTask}' with each. Then run the workflow from the start instead of retrying this execution.`,
	serviceError:
		'The provider is not available right now{status}. Wait a few minutes, and contact the provider if this persists.',
	failed:
		'The provider could not generate the video. Another try creates a new one. Most providers do not charge for failed videos.',
	cancelled:
		"The video was cancelled at the provider. Another try creates a new one. Check in the provider's console whether you were charged.",
	expired:
		"The video expired at the provider. Another try creates a new one. Check in the provider's console whether you were charged.",
	timeout: `The video is not completed after {minutes} and is still being generated (status: {taskStatus}). Do not create it again: use ${WITH_GET_TASK} and '${LABELS.waitForCompletion}' on${OR_RETRY}. To wait longer, add '${LABELS.timeoutMinutes}' in '${LABELS.options}' with a higher number.`,
	'timeout.forTool': `The video is not completed after {minutes} and is still being generated (status: {taskStatus}). Do not ask for it again: ${NO_DUPLICATE}. Use ${WITH_GET_TASK}.`,
	'timeout.toRead': `The task {id} is not completed after {minutes} (status: {taskStatus}). Run this node again later: reading a task costs nothing.`,
	'serviceError.notRead': `The video was created, but its status could not be read: {why}. {correct}Do not create it again: use ${WITH_GET_TASK}${OR_RETRY}.`,
	notFound: `The provider has no task with the ID {id}{status}. Check '${LABELS.taskId}', and use the credential that created the video. Providers delete old tasks.`,
	'notFound.created': `The video was created, but the provider now has no task with the ID {id}{status}. Look for the video in the provider's console before you create it again.`,
	download: `The video is completed, but its file could not be saved: {why}. {next} Use ${WITH_GET_TASK} and '${LABELS.downloadResults}' on, which costs nothing.`,
	'download.linksOnly': `The video is completed, but its file could not be saved: {why}. {next} To get its links, use ${WITH_GET_TASK} and '${LABELS.downloadResults}' off, which costs nothing.`,
	'download.noResults':
		'The task is completed, but the provider gave no video. Ask the provider for the video of task {id}: creating a new one costs money again.',
	'stopped.notStarted':
		'No video was created for this item, because {why}. You were not charged for it.',
	stopped: `The execution was stopped while the video was being generated (status: {taskStatus}). The provider still generates and charges for it: use ${WITH_GET_TASK}.`,
} as const;

export type MessageName = keyof typeof MESSAGES;

/**
 * What an item's error is about: one word for switches in workflows, which stays when messages
 * change. docs/files-and-output.md explains each of them.
 */
export type ErrorKind = Exclude<MessageName, `${string}.${string}`>;

const isKind = (name: string): name is ErrorKind =>
	Object.hasOwn(MESSAGES, name) && !name.includes('.');

export const ERROR_KINDS = Object.keys(MESSAGES).filter(isKind);

/** The kind that a message belongs to: the first part of its name. */
export const kindOfMessage = (name: MessageName): ErrorKind =>
	name.split('.').find(isKind) ?? 'invalid';

/** Why an item did not get what it asked for: one word for workflows, and a message for people. */
export interface Failure extends Message {
	kind: ErrorKind;
}

/** For an item whose create made no task. */
export const NOTHING_CREATED = 'Nothing was created for this item.';

/** What fills the placeholders of a message and goes between its two parts. */
interface MessageFacts {
	/** Values by placeholder. A missing value leaves its placeholder empty. */
	values?: Record<string, string | number>;
	/** The provider's own words, as returned by `quotable`. */
	said?: string;
	/** Whether the message is about a create that made no task. */
	isNothingCreated?: boolean;
	/** Overrides the message's own kind. */
	kind?: ErrorKind;
}

/** Builds a message from the catalog. */
export function messageOf(name: MessageName, facts: MessageFacts = {}): Failure {
	const { values = {}, said, isNothingCreated = false, kind = kindOfMessage(name) } = facts;
	const text = MESSAGES[name];
	const end = text.indexOf('. ');
	const filled = (template: string) =>
		template.replace(/\{(\w+)\}/g, (_, field: string) => {
			const value = String(values[field] ?? '');
			return asPlainText(field === 'id' ? wholeId(value) : value);
		});
	const description = [
		said ? `The provider says: ${quoted(said)}` : '',
		isNothingCreated ? NOTHING_CREATED : '',
		filled(text.slice(end + 1)).trim(),
	];
	return {
		kind,
		message: filled(text.slice(0, end)),
		description: description.filter(Boolean).join(' '),
	};
}

/** For a node that continues on errors: its execution succeeds, so n8n offers no Retry for it. */
export const withoutRetry = (failure: Failure): Failure => ({
	...failure,
	description: failure.description.replace(` ${SEND_AGAIN}`, '').replace(OR_RETRY, ''),
});

/** For the editor, where executing the node again continues as a retry does. */
export const forEditor = (description: string): string =>
	description
		.replace(AND_RETRY, 'and execute the node again')
		.replace(OR_RETRY, ', or execute the node again with the same request');

/** The first sentence of a message, to continue another one after a colon. */
export const continued = (message: string): string =>
	message.replace(/^(?:The|Your)\b/, (word) => word.toLowerCase());

/** The number of an item as people count it; n8n counts from 0. */
export const itemOf = (index: number, total: number): string => `Item ${index + 1} of ${total}`;

export const videosOf = (count: number): string => (count === 1 ? '1 video' : `${count} videos`);

/** The first few texts, and how many more there are. */
export function listed(texts: string[], limit: number, separator = ', '): string {
	const more = texts.length > limit ? ` and ${texts.length - limit} more` : '';
	return `${texts.slice(0, limit).join(separator)}${more}`;
}

/** Longer values are shortened in messages. */
const MAX_SHOWN_CHARACTERS = 80;

/** The label of one field or of several together, and the name if it is just one. */
export interface NamedField {
	displayName: string;
	name?: string;
}

/** A value that the contract or the node does not allow, identified by its field's label. */
export class InvalidParameter extends Error {
	override readonly name = 'InvalidParameter';

	constructor(
		readonly field: NamedField,
		/** Completes a sentence that starts with the field's label. */
		whatIsWrong: string,
		/** What is allowed, or what to do next, as a full sentence. */
		readonly advice: string,
		/** Whether it is about a file that has to be provided in another way. */
		readonly about?: 'file',
	) {
		super(`'${field.displayName}'${whatIsWrong}`);
	}
}

/** For a value that is not allowed, and for anything that n8n could not prepare. */
export function invalidFailure(thrown: unknown): Failure {
	const what = (thrown instanceof Error ? thrown.message : String(thrown)).replace(/\.$/, '');
	const next = thrown instanceof InvalidParameter ? thrown.advice : CHECK_CREDENTIAL;
	return messageOf('invalid', { values: { what, next } });
}

const CHECK_CREDENTIAL = 'Open the node, choose a credential, and check its fields.';

export const emptyField = (field: NamedField, advice: string): InvalidParameter =>
	new InvalidParameter(field, ' is empty.', advice);

/** For a required field whose saved value is an expression. */
export const emptyExpression = (field: NamedField): InvalidParameter =>
	new InvalidParameter(
		field,
		' is empty: its expression gave nothing for this item.',
		'Check the column in the input of this node, and drag it into the field again.',
	);

/** @param allowed What is allowed, as a full sentence. */
export const notAllowed = (field: NamedField, given: unknown, allowed: string): InvalidParameter =>
	isEmpty(given)
		? emptyField(field, allowed)
		: new InvalidParameter(field, `: ${shown(given)} is not allowed.`, allowed);

/** Whether a field is blank, or an expression returned nothing. */
export const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && bare(value) === '');

/** A given value, as messages show it. */
export function shown(value: unknown): string {
	if (isEmpty(value)) return 'nothing';
	// JSON has no `NaN`, which `Number` gives for any other text.
	const isObject = typeof value === 'object';
	const text = isObject ? (jsonTextOf(value) ?? 'what was given') : String(value);
	const start = shortened(text, MAX_SHOWN_CHARACTERS);
	return asPlainText(typeof value === 'string' ? `"${start}"` : start);
}

export const PASTE_KEY = "Paste the key from the provider's console into the credential.";
export const GIVE_BASE_URL =
	"Enter the URL of the API from your provider's documentation into the credential, such as https://api.example.com, without a login, ? or #.";

export const GIVE_FULL_URL = 'Use a full URL that begins with http:// or https://.';
export const GIVE_SHORT_URL = `Use a URL of at most ${MAX_URL_CHARACTERS} characters.`;

export const GIVE_FILE =
	'Put a node that gives a file before this one, such as Google Drive or HTTP Request.';
export const STORE_FILES =
	'The administrator of this n8n instance can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it.';

/** For an AI model that calls the node as a tool. */
export const ABOUT_FILES_FOR_TOOL =
	'Tools get no files, not even those uploaded in the chat. Ask for a public URL of the file, and give that.';
export const FILE_IS_GONE =
	'n8n keeps some uploads only until the execution ends or waits. Upload it again, or store it before that.';
export const ONLY_IMAGES_INLINE =
	'Without a link, only images can be sent, of up to 20 MB together: give a public URL instead.';

export const SET_PUBLIC_URL =
	'The administrator of this n8n instance can set WEBHOOK_URL to its public URL, such as https://n8n.example.com/, and restart it.';
