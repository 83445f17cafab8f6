import { quotable, quoted } from '../common/quotable';
import { LABELS } from '../parameters/labels';
import type {
	NetworkReason,
	ServiceError,
	StatusError,
	UnreadableError,
	UnreadableReason,
} from '../service/answer';
import type { Message } from './message';

/** During which call something happened; the next step differs. */
type During = 'create' | 'read';

const CREDENTIAL = 'the Videogen credential';
const CHECK_BASE_URL = `Check Base URL in ${CREDENTIAL}`;

/** What an answer below 500 means, in `both` unless its own call has other words. */
const STATUS_MESSAGES: Record<During | 'both', Record<number, Message>> = {
	both: {
		401: {
			message: 'The service did not accept the API key (401)',
			description: `Open ${CREDENTIAL}, paste the key again and check that Base URL is the address of the same service.`,
		},
		402: {
			message: 'The balance of your account is too low (402)',
			description: "Top up the account in the provider's console and run again.",
		},
		403: {
			message: 'The API key may not do this (403)',
			description:
				"Check in the provider's console that the key has access to this model and account.",
		},
		408: {
			message: 'The service did not get the whole request in time (408)',
			description: 'Try again; if this stays, check the network between n8n and the service.',
		},
		413: {
			message: 'The request is too large for the service (413)',
			description: 'Shorten the prompt or give fewer references and run again.',
		},
	},
	create: {
		400: {
			message: 'The service did not accept the request (400)',
			description: 'Check the prompt, the addresses and the options of this item and run again.',
		},
		404: {
			message: 'Endpoint not found (404)',
			description: `${CHECK_BASE_URL}: it is the address of the service's API, as its documentation gives it.`,
		},
		429: {
			message: 'Rate limit reached (429)',
			description: `Try again later, or lower ${LABELS.maxConcurrentTasks} in ${LABELS.options}.`,
		},
	},
	read: {
		400: {
			message: 'The service does not accept this task ID (400)',
			description: `Check that ${LABELS.taskId} is the "id" that a create operation returned.`,
		},
		404: {
			message: 'The service does not know this task (404)',
			description:
				'Check the task ID, and that the credential is of the account that created the task. Services forget old tasks.',
		},
		429: {
			message: 'Rate limit reached (429)',
			description: 'Try again later, or read fewer tasks at once.',
		},
	},
};

const SERVER_ERROR_ADVICE: Record<During, string> = {
	create:
		'Run again later. The node does not repeat a create by itself after this answer; Retry On Fail in the node settings and Retry execution do.',
	read: 'Try again later: reading a task costs nothing.',
};

const NETWORK_MESSAGES: Record<NetworkReason, Message> = {
	refused: {
		message: 'The service could not be reached: nothing accepts connections at its address',
		description: `${CHECK_BASE_URL}, its port included, and whether the service is running.`,
	},
	unknownHost: {
		message: "The service could not be reached: its host's name is not known",
		description: `${CHECK_BASE_URL} for typing mistakes, and the DNS of the machine that n8n runs on.`,
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
		description: `${CHECK_BASE_URL}, or ask who runs this n8n to allow the address.`,
	},
};

const UNREADABLE_MESSAGES: Record<UnreadableReason, string> = {
	empty: 'The service answered with an empty body',
	html: 'A web page came instead of an answer of the service',
	notJson: 'The service answered with something that is not JSON',
	notTask: 'The service answered with JSON that is not a task record',
	otherTask: 'The service answered with the record of another task',
};

/** The message for whatever kept a call from giving a task record. */
export function serviceErrorMessage(error: ServiceError, during: During): Message {
	switch (error.kind) {
		case 'status':
			return withQuote(error.serviceMessage, statusMessage(error, during));
		case 'network':
			return NETWORK_MESSAGES[error.reason];
		case 'unreadable':
			return {
				message: UNREADABLE_MESSAGES[error.reason],
				description: `${diagnosis(error)}; if it is right, try again later.`,
			};
		case 'notSent':
			return { message: error.message, description: error.description };
	}
}

/** What came instead of a task record, and where to look; the end of a sentence. */
export const diagnosis = ({ excerpt }: UnreadableError): string =>
	`${excerpt ? `It begins with “${excerpt}”. ` : ''}${CHECK_BASE_URL}`;

function statusMessage({ status, location }: StatusError, during: During): Message {
	const known = STATUS_MESSAGES[during][status] ?? STATUS_MESSAGES.both[status];
	if (known) return known;
	if (status >= 500) {
		return {
			message: `The service returned a server error (${status})`,
			description: SERVER_ERROR_ADVICE[during],
		};
	}
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

/** What the service said, if it said anything, before what to do. */
export const withQuote = (
	said: string | undefined,
	{ message, description }: Message,
): Message => ({
	message,
	description: said ? `The service says: ${quoted(said)} ${description}` : description,
});
