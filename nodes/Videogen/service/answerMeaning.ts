import { type ErrorKind, fetchElsewhere, type Message, NOTHING_CREATED } from '../ground/words';
import type { NetworkError, ServiceError, StatusError } from './answer';
import { beginningOf, quoteOf, sentences } from './answerWords';
import type { GenerationRequest } from './contract/request';
import { type CreateVerdict, createRow, refusesKey } from './createAnswers';
import { type ReadVerdict, readRow } from './readAnswers';

export type { CreateVerdict, ReadVerdict };

/** What an answer to a create that is no task means for paying, and for what is sent next. */
export const createVerdict = (error: ServiceError): CreateVerdict => createRow(error).verdict;

/** What an answer to a read that is no record means for the next read. */
export const readVerdict = (error: ServiceError): ReadVerdict => readRow(error).verdict;

/** What an item's error is about when this is what its create was answered. */
export const kindOfCreate = (error: ServiceError): ErrorKind => createRow(error).kind;

/** The same when this is what the read of its task was answered. */
export const kindOfRead = (error: ServiceError): ErrorKind => readRow(error).kind;

/** Whether a create was refused for its content, as it would be again. */
export const refusesContent = (error: ServiceError): boolean =>
	kindOfCreate(error) === 'moderation';

/** Whether the service says that it knows the order key already, from another request. */
export const knowsOrderKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.namedTaskId === undefined && refusesKey(error);

/** Whether the service says that it plays its earlier answer to the same order key again. */
export const isReplayed = (error: ServiceError): boolean =>
	error.kind === 'status' && error.isReplay === true;

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (error: ServiceError): number | undefined =>
	error.kind === 'status' ? error.retryAfterMs : undefined;

/** Answers below 500 that say "not now" rather than "no". */
const TRANSIENT_STATUSES = [408, 425, 429];

/** Whether the same request may get another answer later, for what orders nothing and is no read of a task. */
export const isTransient = (error: Pick<StatusError, 'kind' | 'status'> | NetworkError): boolean =>
	error.kind === 'status'
		? error.status >= 500 || TRANSIENT_STATUSES.includes(error.status)
		: error.reason !== 'tls' && error.reason !== 'blocked';

/** What else is known of an order when its create is told of. */
export interface CreateFacts {
	/** What was sent, which says which field of the editor a list of it was. */
	request?: GenerationRequest;
	/** Whether an earlier send of the same order may have made a task, whatever this answer says. */
	isUnanswered?: boolean;
}

const MAY_EXIST_CLAUSE = 'a task may exist';
const CHECK_CONSOLE =
	"Look in the provider's console before you create it again, because the service may charge for both.";

/** The message of an item whose create brought no task: what happened, what exists, what to do next. */
export function wordsOfCreate(error: ServiceError, facts: CreateFacts = {}): Message {
	const { request, isUnanswered = false } = facts;
	const { verdict, words } = createRow(error, request);
	const [what, next] = words;
	const happened = `${what}${statusIn(error)}`;
	const quote = quoteIn(error);
	if (verdict === 'mayExist' || verdict === 'inUse') {
		const description = sentences(quote, findingsIn(error, next), CHECK_CONSOLE);
		return { message: `${happened}, so ${MAY_EXIST_CLAUSE}`, description };
	}
	// To run it again, as is advised else, may be to pay again.
	if (isUnanswered) {
		return {
			message: `${happened}, but ${MAY_EXIST_CLAUSE} from an earlier try`,
			description: sentences(quote, CHECK_CONSOLE),
		};
	}
	return { message: happened, description: sentences(quote, next, NOTHING_CREATED) };
}

/** The message for a read that brought no record. */
export function wordsOfRead(error: ServiceError): Message {
	const [what, next] = readRow(error).words;
	const found = error.kind === 'unreadable' ? beginningOf(error) : '';
	return {
		message: `${what}${statusIn(error)}`,
		description: sentences(quoteIn(error), found, next),
	};
}

const statusIn = (error: ServiceError): string =>
	error.kind === 'status' ? ` (${error.status})` : '';

const quoteIn = (error: ServiceError): string =>
	error.kind === 'status' ? quoteOf(error.serviceMessage) : '';

/** What helps to find a task that may exist. */
function findingsIn(error: ServiceError, next: string): string {
	if (error.kind === 'network') return '';
	if (error.kind === 'unreadable') return sentences(beginningOf(error), next);
	return error.namedTaskId === undefined ? next : fetchElsewhere(error.namedTaskId);
}

/** Whether a read says that there is no such task, as for a task that the service has deleted. */
export const deniesTask = (error: ServiceError): boolean => kindOfRead(error) === 'notFound';

/** Whether the service does not accept the key, as it would not for any other request. */
export const rejectsTheKey = (error: ServiceError): boolean =>
	error.kind === 'status' && error.status === 401;
