import { quotable } from '../ground/text';
import { type ErrorKind, LABELS, TRY_LATER, type Words } from '../ground/words';
import type { ServiceError, StatusError } from './answer';
import {
	type Answers,
	isAny,
	isRedirect,
	isServerError,
	ofStatus,
	type Row,
	rowOf,
	type StatusRow,
} from './answerRow';
import { betweenWords, laterIn, LOW_BALANCE, WRONG_BASE_URL } from './answerWords';

/**
 * What a read that gave no record means. Reads order nothing, so all that may pass is tried again:
 * - `again`: it may pass.
 * - `rateLimited`: it may pass, and slows down every read.
 * - `notFound`: it may only be too early.
 * - `denied`: it ends the wait, but not at once where a read or a create was accepted before.
 * - `stop`: the next read would be answered in the same way.
 */
export type ReadVerdict = 'again' | 'rateLimited' | 'notFound' | 'denied' | 'stop';

const row = (
	fits: StatusRow<ReadVerdict>['fits'],
	verdict: ReadVerdict,
	kind: ErrorKind,
	words: StatusRow<ReadVerdict>['words'],
): StatusRow<ReadVerdict> => ({ fits, verdict, kind, words });

const redirectWords = ({ location }: StatusError): Words => [
	`The URL of the service redirects${location ? ` to ${quotable(location)}` : ''}`,
	`Use the final URL, up to where /v1 begins, as '${LABELS.baseUrl}' in the Videogen credential: the node follows no redirects, to keep your API key safe.`,
];

/** Of these, kind and words are the same after a create. */
export const ALSO_OF_CREATES = [
	row(ofStatus(401), 'denied', 'key', [
		'API key not accepted',
		`Paste the key again, and check '${LABELS.baseUrl}' in the Videogen credential.`,
	]),
	row(ofStatus(402), 'stop', 'balance', LOW_BALANCE),
	row(
		({ status, isJson }) => status === 403 && !isJson,
		'denied',
		'address',
		betweenWords(': ask whoever runs this n8n, or the provider, to let its requests through.'),
	),
	row(ofStatus(405), 'stop', 'address', WRONG_BASE_URL),
	row(ofStatus(407), 'denied', 'address', [
		'A proxy between n8n and the service asks for a login',
		'Whoever runs this n8n can put the login of the proxy into HTTPS_PROXY (or HTTP_PROXY), or the host of the service into NO_PROXY.',
	]),
	row(isRedirect, 'stop', 'address', redirectWords),
	row(
		(error) => isServerError(error) && !error.isJson,
		'again',
		'serviceError',
		betweenWords(': try again later.'),
	),
];

/** The same, after what a create that is forbidden may say of its content. */
export const FORBIDDEN = row(ofStatus(403), 'denied', 'key', [
	'API key without access',
	"Check in the provider's console what this key may use.",
]);

const ANSWERS: Answers<ReadVerdict> = {
	rows: [
		row(ofStatus(429), 'rateLimited', 'rateLimited', (error) => [
			'Rate limit reached',
			`Try again ${laterIn(error)}, or read fewer tasks at once.`,
		]),
		row(ofStatus(404), 'notFound', 'notFound', [
			'Task not found',
			`Check '${LABELS.taskId}', and use the credential with which the video was ordered (not Practice); services also delete old tasks.`,
		]),
		row(ofStatus(410), 'stop', 'notFound', [
			'The service no longer has this task',
			'Services delete old tasks, so its video cannot be fetched any more.',
		]),
		row(ofStatus(400), 'stop', 'notFound', [
			'Task ID not accepted',
			`Use the "id" of a create operation as '${LABELS.taskId}'.`,
		]),
		...ALSO_OF_CREATES,
		FORBIDDEN,
		row(isServerError, 'again', 'serviceError', ['The service returned a server error', TRY_LATER]),
		row(ofStatus(408, 425), 'again', 'serviceError', [
			'The service did not answer clearly',
			TRY_LATER,
		]),
		row(isAny, 'stop', 'refused', [
			'The service refused the request',
			'Check the fields of this item and the credential.',
		]),
	],
	network: {
		connectionRefused: ['again', 'address'],
		noRoute: ['again', 'address'],
		unknownHost: ['again', 'address'],
		connectTimeout: ['again', 'address'],
		tls: ['denied', 'address'],
		blocked: ['stop', 'address'],
		timeout: ['again', 'serviceError'],
		lost: ['again', 'serviceError'],
	},
	unreadable: ({ reason }) => ['again', reason === 'html' ? 'address' : 'serviceError'],
};

/** What the answer to a read means that is no record. */
export const readRow = (error: ServiceError): Row<ReadVerdict> => rowOf(ANSWERS, error);
