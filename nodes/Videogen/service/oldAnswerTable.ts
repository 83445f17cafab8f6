import type { Message } from '../ground/words';
import { createVerdict, isReplayed, readVerdict, wordsOfRead } from './answerTable';
import type { ServiceError } from './answer';
import { quoteOf, sentences } from './answerWords';
import { createRow, refusesKey } from './createAnswers';

/** The former names of the answer table, for the callers in work and run that are left. */

const OLD_VERDICTS = {
	rateLimited: 'rateLimited',
	notConnected: 'unreachable',
	inUse: 'inUse',
	refused: 'refused',
	mayExist: 'unknown',
} as const;

export const createRetryPolicy = (error: ServiceError) => OLD_VERDICTS[createVerdict(error)];

export const readRetryPolicy = (error: ServiceError) => {
	const verdict = readVerdict(error);
	return verdict === 'denied' ? 'stop' : verdict;
};

const isOfKey = (error: ServiceError): boolean => error.kind === 'status' && refusesKey(error);

export const isForGood = (error: ServiceError): boolean =>
	createVerdict(error) === 'mayExist' && (isOfKey(error) || isReplayed(error));

export function unansweredAfter(error: ServiceError, sent: number): number {
	if (isOfKey(error)) return Math.max(1, sent - 1);
	if (createVerdict(error) === 'mayExist') return sent;
	return isReplayed(error) ? 0 : sent - 1;
}

const SHUT_OUT_STATUSES = [401, 402, 403];

export const deniesTask = (read: ServiceError, create?: ServiceError): boolean =>
	read.kind === 'status' &&
	([400, 404, 410].includes(read.status) ||
		(SHUT_OUT_STATUSES.includes(read.status) &&
			create?.kind === 'status' &&
			SHUT_OUT_STATUSES.includes(create.status)));

export const rejectsTheKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.status === 401;

/** The message for a call that gave no task record, without what exists of it. */
export function serviceErrorMessage(error: ServiceError, during: 'create' | 'read'): Message {
	const said = wordsOfRead(error);
	if (during === 'read' || error.kind !== 'status') return said;
	const [what, next] = createRow(error).words;
	const description = sentences(quoteOf(error.serviceMessage), next || 'Try again later.');
	return { message: `${what} (${error.status})`, description };
}
