import { type ErrorKind, LABELS, TRY_LATER } from '../ground/words';
import type { NetworkReason, ServiceError } from './answer';
import {
	isAny,
	isRedirect,
	isServerError,
	ofStatus,
	type Row,
	rowOf,
	type StatusRow,
} from './answerRow';
import {
	BAD_KEY,
	FORBIDDEN_BETWEEN,
	laterIn,
	LOW_BALANCE,
	NO_ACCESS,
	noAnswerWords,
	PROXY,
	redirectWords,
	SERVER_BETWEEN_LATER,
	unreadableWords,
	WRONG_BASE_URL,
} from './answerWords';

/**
 * What a read that gave no record means. Reads order nothing, so all that may pass is tried again:
 * - `again`: it may pass.
 * - `rateLimited`: it may pass, and slows down every read.
 * - `notFound`: it may only be too early.
 * - `denied`: it ends the wait, but not at once where a read or a create was accepted before.
 * - `stop`: the next read would be answered in the same way.
 */
export type ReadVerdict = 'again' | 'rateLimited' | 'notFound' | 'denied' | 'stop';

/** What it means that there was no answer. */
const BY_NETWORK_REASON: Record<NetworkReason, [ReadVerdict, ErrorKind]> = {
	connectionRefused: ['again', 'address'],
	noRoute: ['again', 'address'],
	unknownHost: ['again', 'address'],
	connectTimeout: ['again', 'address'],
	tls: ['denied', 'address'],
	blocked: ['stop', 'address'],
	timeout: ['again', 'serviceError'],
	lost: ['again', 'serviceError'],
};

/** What answers of a status that is no success mean; the first row that fits counts. */
const TABLE: Array<StatusRow<ReadVerdict>> = [
	{
		fits: ofStatus(429),
		verdict: 'rateLimited',
		kind: 'rateLimited',
		words: (error) => [
			'Rate limit reached',
			`Try again ${laterIn(error)}, or read fewer tasks at once.`,
		],
	},
	{
		fits: ofStatus(404),
		verdict: 'notFound',
		kind: 'notFound',
		words: [
			'Task not found',
			`Check '${LABELS.taskId}', and that the credential is of the account that created the task: services delete old tasks.`,
		],
	},
	{
		fits: ofStatus(410),
		verdict: 'stop',
		kind: 'notFound',
		words: [
			'The service no longer has this task',
			'Services delete old tasks, so its video cannot be fetched any more.',
		],
	},
	{
		fits: ofStatus(400),
		verdict: 'stop',
		kind: 'notFound',
		words: ['Task ID not accepted', `Use the "id" of a create operation as '${LABELS.taskId}'.`],
	},
	{ fits: ofStatus(401), verdict: 'denied', kind: 'key', words: BAD_KEY },
	{
		fits: ({ status, isJson }) => status === 403 && isJson,
		verdict: 'denied',
		kind: 'key',
		words: NO_ACCESS,
	},
	{ fits: ofStatus(403), verdict: 'denied', kind: 'address', words: FORBIDDEN_BETWEEN },
	{ fits: ofStatus(407), verdict: 'denied', kind: 'address', words: PROXY },
	{ fits: ofStatus(402), verdict: 'stop', kind: 'balance', words: LOW_BALANCE },
	{ fits: ofStatus(405), verdict: 'stop', kind: 'address', words: WRONG_BASE_URL },
	{ fits: isRedirect, verdict: 'stop', kind: 'address', words: redirectWords },
	{
		fits: (error) => isServerError(error) && !error.isJson,
		verdict: 'again',
		kind: 'serviceError',
		words: SERVER_BETWEEN_LATER,
	},
	{
		fits: isServerError,
		verdict: 'again',
		kind: 'serviceError',
		words: ['The service returned a server error', TRY_LATER],
	},
	{
		fits: ofStatus(408, 425),
		verdict: 'again',
		kind: 'serviceError',
		words: ['The service did not answer clearly', TRY_LATER],
	},
	{
		fits: isAny,
		verdict: 'stop',
		kind: 'refused',
		words: ['The service refused the request', 'Check the fields of this item and the credential.'],
	},
];

/** What the answer to a read means that is no record. */
export function readRow(error: ServiceError): Row<ReadVerdict> {
	switch (error.kind) {
		case 'network': {
			const [verdict, kind] = BY_NETWORK_REASON[error.reason];
			return { verdict, kind, words: noAnswerWords(error.reason) };
		}
		case 'unreadable': {
			const kind = error.reason === 'html' ? 'address' : 'serviceError';
			return { verdict: 'again', kind, words: unreadableWords(error) };
		}
		case 'status':
			return rowOf(TABLE, error);
	}
}
