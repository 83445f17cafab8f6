import type {
	NetworkReason,
	StatusTrouble,
	Trouble,
	UnreadableReason,
	UnreadableTrouble,
} from '../service/answer';
import { quotable } from '../common/quotable';
import { codeIn, messageIn } from '../service/serviceMessage';
import type { Task } from '../service/task';
import { InvalidParameter } from '../parameters/invalidParameter';
import { LABELS } from '../parameters/labels';
import type { Outcome } from '../tasks/job';

/** What the user reads: what happened, and what to do next. */
export interface Message {
	message: string;
	description: string;
}

/** In place of a status that nobody has heard yet. */
export const NO_STATUS = 'not known';

/**
 * How a person comes back to a task: when the node stopped, by retrying the execution too; when it
 * went on, n8n has nothing to retry, and running the workflow anew would create and pay anew.
 */
export type WayBack = 'retry' | 'getTask';

/** During which call something happened; the next step differs. */
type During = 'create' | 'read';

const CREDENTIAL = 'the Videogen credential';
const NOTHING_CREATED = 'No task was created for this item.';
/** After a 5XX, which a gateway may send while the service behind it goes on. */
const NO_ID_CAME =
	"No task ID came back for this item; the provider's console shows whether there is a task.";

/** What each answer below 500 means here; 3xx, other 4xx and 5xx have their own rules. */
const STATUS_MESSAGES: Record<number, Record<During, Message>> = {
	400: {
		create: {
			message: 'The service did not accept the request (400)',
			description: 'Check the prompt, the addresses and the options of this item and run again.',
		},
		read: {
			message: 'The service does not accept this task ID (400)',
			description: `Check that ${LABELS.taskId} is the "id" that a create operation returned.`,
		},
	},
	401: bothWays(
		'The service did not accept the API key (401)',
		`Open ${CREDENTIAL}, paste the key again and check that Base URL is the address of the same service.`,
	),
	402: bothWays(
		'The balance of your account is too low (402)',
		"Top up the account in the provider's console and run again.",
	),
	403: bothWays(
		'The API key may not do this (403)',
		"Check in the provider's console that the key has access to this model and account.",
	),
	404: {
		create: {
			message: 'There is no video generation at this address (404)',
			description: `Check Base URL in ${CREDENTIAL}: it is the address of the service's API, as its documentation gives it.`,
		},
		read: {
			message: 'The service does not know this task (404)',
			description:
				'Check the task ID, and that the credential is of the account that created the task. Services forget old tasks.',
		},
	},
	408: bothWays(
		'The service did not get the whole request in time (408)',
		'Try again; if this stays, check the network between n8n and the service.',
	),
	413: bothWays(
		'The request is too large for the service (413)',
		'Shorten the prompt or give fewer references and run again.',
	),
	429: {
		create: {
			message: 'The service takes no more requests for now (429)',
			description: `Try again later, or lower ${LABELS.maxConcurrentTasks} in ${LABELS.options}.`,
		},
		read: {
			message: 'The service takes no more requests for now (429)',
			description: 'Try again later, or read fewer tasks at once.',
		},
	},
};

function bothWays(message: string, description: string): Record<During, Message> {
	return { create: { message, description }, read: { message, description } };
}

const NETWORK_MESSAGES: Record<NetworkReason, Message> = {
	refused: {
		message: 'The service could not be reached: nothing accepts connections at its address',
		description: `Check Base URL in ${CREDENTIAL}, its port included, and whether the service is running.`,
	},
	unknownHost: {
		message: "The service could not be reached: its host's name is not known",
		description: `Check Base URL in ${CREDENTIAL} for typing mistakes, and the DNS of the machine that n8n runs on.`,
	},
	tls: {
		message: 'No secure connection to the service: its certificate or encryption was not accepted',
		description: `Check that Base URL in ${CREDENTIAL} begins with https:// or http:// as the service needs it, and that its certificate is valid.`,
	},
	timeout: {
		message: 'The service did not answer in time',
		description: 'Try again later; if this stays, ask the provider about its status.',
	},
	lost: {
		message: 'The connection to the service broke off before it answered',
		description: 'Try again later; if this stays, check the network between n8n and the service.',
	},
	blocked: {
		message: 'n8n does not allow connections to the address of the service',
		description: `Check Base URL in ${CREDENTIAL}, or ask who runs this n8n to allow the address.`,
	},
};

const UNREADABLE_MESSAGES: Record<UnreadableReason, string> = {
	empty: 'The service answered with an empty body',
	html: 'A web page came instead of an answer of the service',
	notJson: 'The service answered with something that is not JSON',
	notTask: 'The service answered with JSON that is not a task record',
	otherTask: 'The service answered with the record of another task',
};

/** Said whenever a create may have made a task that nobody can name. */
const MAY_EXIST =
	"The service may have created a task all the same, and may charge for it: look in the provider's console before you create it again.";
const NOT_SENT_AGAIN = `No retry sends it again, unless you switch on ${LABELS.resendAfterNoReply} in ${LABELS.options}, save, and choose “Retry with currently saved workflow”.`;

const NO_REASON = 'The service gives no reason.';

/** What a failed task's own code suggests to do; codes are not shown in the contract. */
const ADVICE_ON_FAILURE: Array<[RegExp, string]> = [
	[
		/polic|moderat|safety|sensitive/i,
		`Reword the prompt, use other pictures, or switch off ${LABELS.generateAudio} in ${LABELS.options}, and run again.`,
	],
	[/quota|balance|credit/i, "Check the balance and limits in the provider's console."],
	[/timeout|timed out|exhausted|unavailable|capacity/i, 'Run again later: the service is busy.'],
	[
		/image[_ -](?!to)|picture|frame|dimension|media/i,
		'Use other pictures: JPEG, PNG or WebP, of the same size, that the service can open.',
	],
	[/parameter|invalid|input/i, 'Change the settings that the service names and run again.'],
];

/** The message for whatever kept a call from giving a task record. */
export function troubleMessage(trouble: Trouble, during: During): Message {
	switch (trouble.kind) {
		case 'status':
			return withQuote(statusMessage(trouble, during), trouble.serviceMessage);
		case 'network':
			return NETWORK_MESSAGES[trouble.reason];
		case 'unreadable':
			return {
				message: UNREADABLE_MESSAGES[trouble.reason],
				description: `${diagnosis(trouble)}; if it is right, try again later.`,
			};
		case 'notSent':
			return { message: trouble.message, description: trouble.description };
	}
}

const diagnosis = ({ excerpt }: UnreadableTrouble): string =>
	`${excerpt ? `It begins with “${excerpt}”. ` : ''}Check Base URL in ${CREDENTIAL}`;

const mayExistAdvice = (wayBack: WayBack): string =>
	wayBack === 'retry' ? `${MAY_EXIST} ${NOT_SENT_AGAIN}` : MAY_EXIST;

function statusMessage({ status, location }: StatusTrouble, during: During): Message {
	const known = STATUS_MESSAGES[status];
	if (known) return known[during];
	if (status >= 500) return serverMessage(status, during);
	if (status >= 300 && status < 400) {
		const target = location ? ` to ${quotable(location)}` : '';
		return {
			message: `The address of the service redirects${target} (${status})`,
			description: `Put the final address, up to where /v1 begins, into Base URL of ${CREDENTIAL}. The node does not follow redirects, because they would take the API key along.`,
		};
	}
	return {
		message: `The service refused the request (${status})`,
		description: 'Check the fields of this item and the credential, and run again.',
	};
}

const serverMessage = (status: number, during: During): Message => ({
	message: `The service is in trouble (${status})`,
	description:
		during === 'create'
			? 'Run again later. The node does not repeat a create by itself after this answer; Retry On Fail in the node settings and Retry execution do.'
			: 'Try again later: reading a task costs nothing.',
});

/** A quote that ends like a sentence, whether the service's own words do or not. */
export const quoted = (words: string): string => `“${words}”${/[.!?…]$/.test(words) ? '' : '.'}`;

const withQuote = ({ message, description }: Message, quote: string | undefined): Message => ({
	message,
	description: quote ? `The service says: ${quoted(quote)} ${description}` : description,
});

/** The message of an item that did not get what it asked for. */
export function outcomeMessage(
	outcome: Exclude<Outcome, { kind: 'done' }>,
	wayBack: WayBack,
): Message {
	switch (outcome.kind) {
		case 'failed':
			return failedMessage(outcome.task);
		case 'timedOut':
			return timedOutMessage(outcome, wayBack);
		case 'notCreated':
			return notCreatedMessage(outcome, wayBack);
		case 'notRead':
			return notReadMessage(outcome, wayBack);
		case 'left':
			return {
				message: `Task ${quotable(outcome.taskId)} was left while ${statusWord(outcome.task)}`,
				description: `${GOES_ON} ${fetchAdvice(outcome.taskId, wayBack)}`,
			};
		case 'notStarted':
			return {
				message: 'Nothing was sent for this item',
				description: 'The node ended before it was this item’s turn. Run again.',
			};
	}
}

const statusWord = (task: Task | undefined): string =>
	task ? `its status was “${quotable(task.status)}”` : `its status was ${NO_STATUS}`;

const GOES_ON = 'It goes on at the service.';

const fetchAdvice = (taskId: string, wayBack: WayBack): string =>
	wayBack === 'retry'
		? `Retry this execution, or use Get Task with the ID ${quotable(taskId)}, to fetch it without paying again.`
		: `Use Get Task with the ID ${quotable(taskId)} to fetch it: creating it again is paid again.`;

function failedMessage(task: Task): Message {
	const payload = task.record.error;
	const said = messageIn(payload);
	const code = codeIn(payload);
	const advice =
		failureAdvice(code) ??
		failureAdvice(said) ??
		'Change the prompt or the settings and run again.';
	const named = code && code !== said ? ` (${code}).` : '';
	const reason = said
		? `The service says: ${named ? `“${said}”` : quoted(said)}${named}`
		: NO_REASON;
	return {
		message: `Task ${quotable(task.id)} failed at the service`,
		description: `${reason} Last status: ${quotable(task.status)}. ${advice}`,
	};
}

/** What the words say is only asked when the code says nothing: words have many meanings. */
const failureAdvice = (text = ''): string | undefined =>
	ADVICE_ON_FAILURE.find(([pattern]) => pattern.test(text))?.[1];

function timedOutMessage(
	{ taskId, task, trouble }: Outcome & { kind: 'timedOut' },
	wayBack: WayBack,
): Message {
	const lately = trouble ? `${troubleMessage(trouble, 'read').message} when last asked. ` : '';
	return {
		message: `Task ${quotable(taskId)} was not finished in time: ${statusWord(task)}`,
		description: `${lately}${GOES_ON} ${fetchAdvice(taskId, wayBack)} ${LABELS.timeoutMinutes} in ${LABELS.waitOptions} sets how long the node waits.`,
	};
}

function notCreatedMessage(
	{ trouble, mayExist, sinceEarlierTry }: Outcome & { kind: 'notCreated' },
	wayBack: WayBack,
): Message {
	const { message, description } = troubleMessage(trouble, 'create');
	if (!mayExist) {
		const serverSide = trouble.kind === 'status' && trouble.status >= 500;
		return { message, description: `${description} ${serverSide ? NO_ID_CAME : NOTHING_CREATED}` };
	}
	if (sinceEarlierTry) {
		return {
			message: `${message}; an earlier try got no answer, so it is not known whether a task was created`,
			description: mayExistAdvice(wayBack),
		};
	}
	// Not what else is advised: whoever runs it again may pay again.
	const cause = trouble.kind === 'unreadable' ? ` ${diagnosis(trouble)}.` : '';
	return {
		message: `${message}, so it is not known whether a task was created`,
		description: `${mayExistAdvice(wayBack)}${cause}`,
	};
}

function notReadMessage(
	{ taskId, task, trouble }: Outcome & { kind: 'notRead' },
	wayBack: WayBack,
): Message {
	const { message, description } = troubleMessage(trouble, 'read');
	return {
		message: `Task ${quotable(taskId)} could not be read: ${afterColon(message)}`,
		description: `${description} Last status: ${task ? quotable(task.status) : NO_STATUS}. ${fetchAdvice(taskId, wayBack)}`,
	};
}

/** An expression that cannot be resolved is as wrong as a value that is not allowed. */
export function invalidMessage(thrown: unknown): Message {
	if (thrown instanceof InvalidParameter) {
		return { message: thrown.message, description: thrown.advice };
	}
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return {
		message,
		description: 'Check the credential of the node and the expressions in its fields.',
	};
}

const afterColon = (sentence: string): string =>
	sentence.charAt(0).toLowerCase() + sentence.slice(1);

/** How to get at the other items when one of them may not be sent again and stops the node. */
const GET_THE_OTHERS =
	'To get the videos of the other items, set On Error in the settings of the node to Continue, save, and choose “Retry with currently saved workflow”, or use Get Task.';

/** For an item whose create got no answer in an earlier try. */
export const unansweredBeforeMessage = (wayBack: WayBack, isOnlyItem: boolean): Message => ({
	message: 'An earlier try sent this request and got no answer, so it was not sent again',
	description:
		wayBack === 'retry' && !isOnlyItem
			? `${mayExistAdvice(wayBack)} ${GET_THE_OTHERS}`
			: mayExistAdvice(wayBack),
});
