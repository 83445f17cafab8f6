import type { NetworkReason, StatusError, UnreadableError, UnreadableReason } from './answer';
import { LABELS, type Message, TRY_LATER, type Words } from '../ground/words';
import { quoted } from '../ground/text';
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
		connectTimeout: [`No connection to ${host} in time`, check],
		tls: [`No secure connection to ${host}`, check],
		blocked: [`n8n blocks the URL of ${host}`, 'Ask whoever runs this n8n to allow it.'],
		timeout: [`No answer from ${host} in time`, TRY_LATER],
		lost: [`The connection to ${host} was lost before an answer came`, TRY_LATER],
	};
	return words[reason];
}

export const CHECK_BASE_URL = `Check '${LABELS.baseUrl}' in the Videogen credential`;
const CHECK_NETWORK = `${CHECK_BASE_URL} (https:// or http://, typing mistakes), and that the machine of n8n can reach the service.`;

/** The same of the service itself. */
export const noAnswerWords = (reason: NetworkReason): Words =>
	networkWords(reason, 'the service', CHECK_NETWORK);

const WHAT_CAME: Record<UnreadableReason, string> = {
	empty: 'The answer of the service is empty',
	html: 'A web page came instead of an answer of the service',
	notJson: 'The answer of the service is not JSON',
	notTask: 'The answer of the service is not a task record',
	otherTask: 'The answer of the service is about another task',
	tooLarge: `The answer of the service is larger than ${MAX_BODY_BYTES / 1_000_000} MB`,
};

/** For an answer that says that all is well, and has no task record. */
export const unreadableWords = ({ reason, serviceMessage }: UnreadableError): Words => [
	serviceMessage && reason === 'notTask'
		? `The service answered with an error: “${serviceMessage}”`
		: WHAT_CAME[reason],
	`${CHECK_BASE_URL}; if it is right, try again later.`,
];

/** The beginning of what came, which may hold an id in an unexpected place; empty where nothing came. */
export const beginningOf = ({ excerpt }: UnreadableError): string =>
	excerpt ? `It begins with “${excerpt}”.` : '';

/** Words of several rows. */
export const LOW_BALANCE: Words = [
	'Balance too low',
	"Top up your account in the provider's console and run this item again.",
];
export const WRONG_BASE_URL: Words = [
	`Wrong ${LABELS.baseUrl}`,
	`${CHECK_BASE_URL}: nothing there makes videos.`,
];

/** Where an answer is not the service's own JSON: servers in front of it seldom speak it. */
export const betweenWords = (next: string): Words => [
	'A server between n8n and the service answered',
	`It may be a proxy, a firewall or a gateway${next}`,
];

/** When to try again, in words: as the service asks where that is longer than somebody looks on. */
export function laterIn({ retryAfterMs = 0 }: StatusError): string {
	const minutes = Math.ceil(retryAfterMs / 60_000);
	if (minutes < 2) return 'later';
	return minutes < 120 ? `in ${minutes} minutes` : `in ${Math.round(minutes / 60)} hours`;
}

/** What was said, as a sentence of its own. */
export const quoteOf = (said: string | undefined): string =>
	said ? `The service says: ${quoted(said)}` : '';

/** Sentences, without those that are empty. */
export const sentences = (...all: string[]): string => all.filter(Boolean).join(' ');

/** Puts what the service said, if anything, before what to do. */
export const withQuote = (
	said: string | undefined,
	{ message, description }: Message,
): Message => ({ message, description: sentences(quoteOf(said), description) });
