import { quotable } from '../common/quotable';
import { LABELS } from '../parameters/labels';
import type {
	NetworkReason,
	ServiceError,
	StatusError,
	UnreadableError,
	UnreadableReason,
} from '../service/answer';
import type { Message } from './message';
import { quoted } from './message';

/** During which call something happened; the next step differs. */
type During = 'create' | 'read';

const CREDENTIAL = 'the Videogen credential';
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
			message: 'Endpoint not found (404)',
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
			message: 'Rate limit reached (429)',
			description: `Try again later, or lower ${LABELS.maxConcurrentTasks} in ${LABELS.options}.`,
		},
		read: {
			message: 'Rate limit reached (429)',
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

/** The message for whatever kept a call from giving a task record. */
export function serviceErrorMessage(error: ServiceError, during: During): Message {
	switch (error.kind) {
		case 'status':
			return withQuote(statusMessage(error, during), error.serviceMessage);
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

export const diagnosis = ({ excerpt }: UnreadableError): string =>
	`${excerpt ? `It begins with “${excerpt}”. ` : ''}Check Base URL in ${CREDENTIAL}`;

function statusMessage({ status, location }: StatusError, during: During): Message {
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
	message: `The service returned a server error (${status})`,
	description:
		during === 'create'
			? 'Run again later. The node does not repeat a create by itself after this answer; Retry On Fail in the node settings and Retry execution do.'
			: 'Try again later: reading a task costs nothing.',
});

const withQuote = ({ message, description }: Message, quote: string | undefined): Message => ({
	message,
	description: quote ? `The service says: ${quoted(quote)} ${description}` : description,
});
