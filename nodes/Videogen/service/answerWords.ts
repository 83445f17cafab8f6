import { quotable, quoted, wholeId } from '../ground/text';
import { type ErrorKind, LABELS, type Message, TRY_LATER, type Words } from '../ground/words';
import type {
	NetworkReason,
	ServiceError,
	StatusError,
	UnreadableError,
	UnreadableReason,
} from './answer';
import { askedPauseMs, createVerdict, refusesContent } from './answerTable';
import type { GenerationRequest } from './contract/request';
import {
	codeIn,
	failureOf,
	isBalance,
	isModeration,
	messageIn,
	namesModel,
	requestIdIn,
} from './errorPayload';
import { endingOf, type Task } from './task';
import { MAX_BODY_BYTES } from './transport';

/**
 * Why a host gave no answer, and what to do.
 * @param check What to do where its URL or the network may be wrong.
 */
export function networkWords(reason: NetworkReason, host: string, check: string): Words {
	const words: Record<NetworkReason, Words> = {
		connectionRefused: [`No connection to ${host}`, check],
		noRoute: [`No network route to ${host}`, check],
		unknownHost: [`Host name of ${host} not found`, check],
		tls: [`No secure connection to ${host}`, check],
		timeout: [`No answer from ${host} in time`, TRY_LATER],
		lost: [`The connection to ${host} was lost before an answer came`, TRY_LATER],
		blocked: [`n8n blocks the URL of ${host}`, 'Ask who runs this n8n to allow it.'],
	};
	return words[reason];
}

/** The call in which something happened; the next step differs. */
type During = 'create' | 'read';

const CHECK_BASE_URL = "Check 'Base URL' in the Videogen credential";
const CHECK_NETWORK = `${CHECK_BASE_URL} (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.`;
const CHECK_MODEL_FAMILY =
	'Check Model Family in the Videogen credential, or in Options: the names of the models start with it.';
const UNKNOWN_MODEL: Words = ['Model not found', CHECK_MODEL_FAMILY];
const RATE_LIMIT = 'Rate limit reached';

/** What the statuses below 500 mean, where they mean the same in both calls and where not. */
const STATUS_WORDS: Record<During | 'both', Record<number, Words>> = {
	both: {
		401: ['API key not accepted', `Paste the key again. ${CHECK_BASE_URL}, too.`],
		402: [
			'Balance too low',
			"Top up your account in the provider's console and run this item again.",
		],
		403: ['API key without access', "Check in the provider's console what this key may use."],
		413: ['Request too large', 'Shorten the prompt or give fewer references.'],
	},
	create: {
		400: ['Request not accepted', 'Check the prompt, the URLs and the options of this item.'],
		404: ['Wrong Base URL', `${CHECK_BASE_URL}: nothing there makes videos.`],
		429: [
			RATE_LIMIT,
			`Try again later, or lower '${LABELS.maxConcurrentTasks}' in '${LABELS.options}'.`,
		],
	},
	read: {
		400: ['Task ID not accepted', `Use the "id" of a create operation as '${LABELS.taskId}'.`],
		404: [
			'Task not found',
			`Check '${LABELS.taskId}', and that the credential belongs to the account that created the task. Services delete old tasks.`,
		],
		429: [RATE_LIMIT, 'Try again later, or read fewer tasks at once.'],
	},
};

const RUN_AGAIN_LATER =
	'Run this item again later: the node does not send it again by itself, but Retry On Fail and Retry execution do.';

const UNREADABLE_MESSAGES: Record<UnreadableReason, string> = {
	empty: 'The answer of the service is empty',
	html: 'A web page came instead of an answer of the service',
	notJson: 'The answer of the service is not JSON',
	notTask: 'The answer of the service is not a task record',
	otherTask: 'The answer of the service is about another task',
	tooLarge: `The answer of the service is larger than ${MAX_BODY_BYTES / 1_000_000} MB`,
};

/** The message for a call that gave no task record. */
export function serviceErrorMessage(error: ServiceError, during: During): Message {
	switch (error.kind) {
		case 'status':
			return withQuote(error.serviceMessage, statusMessage(error, during));
		case 'network': {
			const [message, description] = networkWords(error.reason, 'the service', CHECK_NETWORK);
			return { message, description };
		}
		case 'unreadable':
			return {
				message: UNREADABLE_MESSAGES[error.reason],
				description: `${diagnosis(error)}; if it is right, try again later.`,
			};
	}
}

/** What came instead of a task record, and what to check; the last sentence has no end yet. */
export const diagnosis = ({ excerpt }: UnreadableError): string =>
	`${excerpt ? `It begins with “${excerpt}”. ` : ''}${CHECK_BASE_URL}`;

function statusMessage(error: StatusError, during: During): Message {
	const { status, isJson } = error;
	const known = STATUS_WORDS[during][status] ?? STATUS_WORDS.both[status];
	const isOfModel = during === 'create' && namesModel(error);
	const [what, description] =
		isOfModel && isJson && status === 404 ? UNKNOWN_MODEL : (known ?? otherWords(error, during));
	const asked = askedWords(askedPauseMs(error) ?? 0);
	const first = isOfModel && status === 400 ? `${CHECK_MODEL_FAMILY} ` : asked;
	return {
		message: `${what} (${status})`,
		description: `${first}${description}`,
	};
}

/** Said where it is longer than somebody stays to look on. */
function askedWords(askedMs: number): string {
	const minutes = Math.ceil(askedMs / 60_000);
	if (minutes < 2) return '';
	const time = minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
	return `The service asks to wait for ${time}. `;
}

function otherWords(error: StatusError, during: During): Words {
	const { status, location } = error;
	if (status >= 500) {
		const next = during === 'create' ? RUN_AGAIN_LATER : TRY_LATER;
		return ['The service returned a server error', next];
	}
	if (status < 300 || status >= 400) {
		return createVerdict(error) === 'refused'
			? ['The service refused the request', 'Check the fields of this item and the credential.']
			: ['The service gave no clear answer', TRY_LATER];
	}
	return [
		`The URL of the service redirects${location ? ` to ${quotable(location)}` : ''}`,
		'Use the final URL, up to where /v1 begins, as Base URL in the Videogen credential. The node follows no redirects, to keep your API key safe.',
	];
}

/** Puts what the service said, if anything, before what to do. */
export const withQuote = (
	said: string | undefined,
	{ message, description }: Message,
): Message => ({
	message,
	description: said ? `The service says: ${quoted(said)} ${description}` : description,
});

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

export function kindOfCreate(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return 'noAnswer';
	const { status, code } = error;
	if (refusesContent(error)) return 'moderation';
	if (isBalance(code)) return 'balance';
	if (status < 400 || (status === 404 && !namesModel(error))) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}

export function kindOfRead(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return error.reason === 'html' ? 'address' : 'serviceError';
	const { status } = error;
	if ([400, 404, 410].includes(status)) return 'notFound';
	if (status < 400) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}

export const wordsOfCreate = (error: ServiceError): Message => serviceErrorMessage(error, 'create');
export const wordsOfRead = (error: ServiceError): Message => serviceErrorMessage(error, 'read');
export const kindOfFailed = (task: Task): ErrorKind => failureOf(task);

const SOUND = /audio|sound/i;

const CHECK_BALANCE = "Check the balance and limits in the provider's console.";
const CHANGE_OR_WAIT = 'Run this item again later, or with another prompt.';
const WHO_CHARGES = 'Ask your provider whether failed videos cost money.';

/** The endings of which the prompt is not the cause. */
const ENDED = {
	cancelled: ['The service cancelled this video', 'was cancelled at the service'],
	expired: ['This video expired at the service', 'expired before it was finished'],
} as const;

/** The message of an item whose task ended without a video. */
export function wordsOfFailed(task: Task, request?: GenerationRequest): Message {
	const ending = endingOf(task.status);
	if (ending === 'cancelled' || ending === 'expired') {
		const [message, what] = ENDED[ending];
		return {
			message,
			description: `Task ${wholeId(task.id)} ${what}. To order it again, run this item again. ${WHO_CHARGES}`,
		};
	}
	const payload = task.record.error;
	const quote = messageIn(payload);
	const requestId = requestIdIn(quote ?? '');
	const said = quote?.slice(0, quote.length - requestId.length).trim();
	const code = codeIn(payload);
	const what = isModeration(code, said)
		? 'The service refused this video'
		: 'The service did not make this video';
	const named = code && code !== said ? ` (${code})` : '';
	const failed = `Task ${wholeId(task.id)} failed${named}${requestId && ` ${requestId}`}.`;
	return {
		message: said ? `${what}: ${said.replace(/\.$/, '')}` : `${what} and gives no reason`,
		description: `${failed} ${adviceFor(code, said, request)} ${WHO_CHARGES}`,
	};
}

/** @param sent The request, which is not known for a task that the node only reads. */
function adviceFor(code = '', said = '', sent?: GenerationRequest): string {
	if (!isModeration(code, said)) return isBalance(code || said) ? CHECK_BALANCE : CHANGE_OR_WAIT;
	const isOfText = sent && !Object.keys(sent).some((name) => name.endsWith('_urls'));
	const files = isOfText ? '' : ' or the files';
	const audio = SOUND.test(`${code} ${said}`) ? `, or switch off '${LABELS.generateAudio}'` : '';
	return `Change the prompt${files}${audio}, and run this item again.`;
}
