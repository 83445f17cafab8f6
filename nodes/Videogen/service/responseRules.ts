import {
	continued,
	type ErrorKind,
	type Failure,
	kindOfMessage,
	LABELS,
	type MessageName,
	messageOf,
} from '../shared/messages';
import { quotable } from '../shared/text';
import { parseHttpUrl } from '../shared/url';
import {
	type NetworkReason,
	NOT_CONNECTED,
	type ProviderMessage,
	type ServiceError,
	type StatusError,
	type UnreadableReason,
} from './types';
import type { GenerationRequest } from './contract/request';
import {
	hasModelCode,
	hasModelWords,
	isBalance,
	isContent,
	isEmptyAccount,
	isModelField,
	providerMessageIn,
	quoteOf,
	valuesOf,
	wordsOf,
} from './providerMessage';
import { endingOf, type Task } from './task';

/** What an answer without a task means. */
export interface Row {
	/**
	 * After a create. `no`: it made no task. `maybe`: a task may exist and be charged for, so nothing
	 * is sent again automatically.
	 */
	made: 'no' | 'maybe';
	/** After a create: whether all creates pause, and this one is sent again after that. */
	closesGate: boolean;
	/**
	 * After a read. `passes`: read again until the timeout. `limited`: the same, but more slowly.
	 * `denied`: the same for some time, if the key was accepted before. `notFound`: it may be too
	 * early. `never`: the next read would get the same answer.
	 */
	again: 'passes' | 'limited' | 'denied' | 'notFound' | 'never';
	message: MessageName;
}

/** Which answers a rule fits, and what they mean after a create, after a read, or both. */
interface Rule {
	fits(error: ServiceError): boolean;
	create?: [Row['made'], MessageName];
	read?: [Row['again'], MessageName];
	/** The create is sent again after a pause of all creates. */
	closesGate?: true;
}

/**
 * Fits answers for which `isSuch` is true, with one of these statuses or, if none is given, any.
 */
const when =
	(isSuch: (error: StatusError) => boolean, ...statuses: number[]) =>
	(error: ServiceError): boolean =>
		error.kind === 'status' &&
		(statuses.length === 0 || statuses.includes(error.status)) &&
		isSuch(error);

const is = (...statuses: number[]) => when(() => true, ...statuses);

const without =
	(...reasons: Array<NetworkReason | UnreadableReason>) =>
	(error: ServiceError): boolean =>
		error.kind !== 'status' && reasons.includes(error.reason);

/**
 * Statuses that mean no: the create certainly made no task. They are the redirects that ask for the
 * same request elsewhere (303 points to what the request made); every 4XX in IANA's registry except
 * for 408, 409, 425 and 429 (unofficial ones such as 460 and 499 say that a client or a proxy gave
 * up); and 501.
 */
const NO_STATUSES = new Set([
	...[301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418],
	...[421, 422, 423, 424, 426, 428, 431, 451, 501],
]);

const isPage = (error: StatusError): boolean => error.isPage === true;

const isUnclear = ({ status }: StatusError): boolean => !NO_STATUSES.has(status);

/** A limit may be one of a model, so its field is not enough with 429. */
const namesModel = (error: StatusError): boolean =>
	hasModelCode(error) || (error.status !== 429 && isModelField(error));

/** Whether the service itself rejects the request, and not the server in front of it. */
const isRejection = (error: StatusError): boolean =>
	[429, 503].includes(error.status) ? error.isJson : error.status >= 400 && !isUnclear(error);

const namesKey = ({ status, code, serviceMessage }: StatusError): boolean =>
	status === 409 || /idempoten|paid_outcome_unknown/i.test(`${code} ${serviceMessage}`);

const isFromProxy = ({ status, isJson }: StatusError): boolean => status === 407 || !isJson;

const isElsewhere = ({ status }: StatusError): boolean => status < 400 || status === 405;

/** With what a read may get while the service has no time. */
const isOfServer = ({ status }: StatusError): boolean =>
	status >= 500 || [408, 425].includes(status);

/**
 * All answers without a task. Creates and reads each use the first fitting rule that covers them.
 */
const RULES: Rule[] = [
	{ fits: (error) => namedTaskIdOf(error) !== undefined, create: ['maybe', 'noAnswer.namedTask'] },
	{ fits: when(isEmptyAccount, 429), create: ['no', 'balance'] },
	{ fits: when((e) => isRejection(e) && namesModel(e)), create: ['no', 'refused.model'] },
	{
		fits: is(429),
		create: ['no', 'rateLimited'],
		closesGate: true,
		read: ['limited', 'rateLimited.toRead'],
	},
	{ fits: when(namesKey, 400, 409, 422), create: ['maybe', 'noAnswer.knownKey'] },
	// A proxy's 503 is rarely JSON, and may come after the service has received the request.
	{ fits: when((e) => e.isJson, 503), create: ['no', 'serviceError'] },
	{ fits: when((e) => isUnclear(e) && isPage(e)), create: ['maybe', 'noAnswer.webPage'] },
	{ fits: when(isUnclear), create: ['maybe', 'noAnswer'] },
	// From here on, every status is a no to a create.
	// Only a 400 in plain text may come from the service, which speaks JSON.
	{
		fits: when((e) => isPage(e) || (!e.isJson && e.status !== 400), 400, 404, 410),
		create: ['no', 'address.notApi'],
		read: ['notFound', 'address.notApi'],
	},
	{ fits: is(404), read: ['notFound', 'notFound'] },
	{ fits: is(400, 410), read: ['never', 'notFound'] },
	{ fits: is(401), create: ['no', 'key'], read: ['denied', 'key'] },
	{ fits: is(402), create: ['no', 'balance'], read: ['never', 'balance'] },
	{ fits: when(isFromProxy, 403, 407), create: ['no', 'address'], read: ['denied', 'address'] },
	{ fits: when(isElsewhere), create: ['no', 'address.notApi'], read: ['never', 'address.notApi'] },
	{ fits: when(isOfServer), create: ['no', 'serviceError'], read: ['passes', 'serviceError'] },
	{ fits: when(isContent), create: ['no', 'moderation'] },
	{ fits: when(isBalance), create: ['no', 'balance'] },
	{ fits: when(hasModelWords, 400, 403, 404, 422), create: ['no', 'refused.model'] },
	{ fits: is(403), create: ['no', 'key.notAllowed'], read: ['denied', 'key.notAllowed'] },
	{ fits: is(404), create: ['no', 'address.notApi'] },
	// With images inside it, and often from the server in front, whose page says nothing.
	{ fits: is(413), create: ['no', 'refused.tooLarge'] },
	{ fits: is(), create: ['no', 'refused'], read: ['never', 'refused'] },
	{
		fits: without(...NOT_CONNECTED),
		create: ['no', 'address'],
		closesGate: true,
		read: ['passes', 'address'],
	},
	{ fits: without('tls'), create: ['no', 'address'], read: ['denied', 'address'] },
	{ fits: without('blocked'), create: ['no', 'address'], read: ['never', 'address'] },
	{ fits: without('html'), create: ['maybe', 'noAnswer.webPage'], read: ['passes', 'address'] },
];

/** For lost connections, and for answers that no service of this kind gives. */
const OTHERWISE = { create: ['maybe', 'noAnswer'], read: ['passes', 'serviceError'] } as const;

function rowOf(error: ServiceError, request: 'create' | 'read'): Row & { kind: ErrorKind } {
	const fitting = RULES.filter(({ fits }) => fits(error));
	const creating = fitting.find(({ create }) => create);
	const [made, ofCreate] = creating?.create ?? OTHERWISE.create;
	const [again, ofRead] = fitting.find(({ read }) => read)?.read ?? OTHERWISE.read;
	const message = request === 'create' ? ofCreate : ofRead;
	const closesGate = creating?.closesGate ?? false;
	return { made, closesGate, again, message, kind: kindOfMessage(message) };
}

/** What an answer to a create means if it contains no task. */
export const createRow = (error: ServiceError) => rowOf(error, 'create');

/** What an answer to a read means if it contains no record. */
export const readRow = (error: ServiceError) => rowOf(error, 'read');

/** The ID of a task that the answer to a create names without being its record. */
export const namedTaskIdOf = (error: ServiceError): string | undefined =>
	error.kind === 'network' ? undefined : error.namedTaskId;

/** Whether the request reached anyone, as far as is known. */
export const isConnected = (error: ServiceError): boolean => !without(...NOT_CONNECTED)(error);

/** Whether the service rejects the key, as it would for any other request. */
export const rejectsKey = is(401);

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (error: ServiceError): number | undefined =>
	error.kind === 'status' ? error.retryAfterMs : undefined;

/** Hosts that are a different machine inside a container than outside. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function messageFor({ message }: Row, error: ServiceError, baseUrl: string): MessageName {
	const isRefused = message === 'address' && without('connectionRefused')(error);
	const isLocal = LOOPBACK.test(parseHttpUrl(baseUrl)?.hostname ?? '');
	return isRefused && isLocal ? 'address.local' : message;
}

/** What is known about a create besides its answer. */
interface CreateFacts {
	request?: GenerationRequest;
	/** Whether an earlier send of this request may have made a task, whatever this answer says. */
	wasSent?: boolean;
	baseUrl?: string;
}

/** Why a create returned no task. */
export function failureOfCreate(error: ServiceError, facts: CreateFacts): Failure {
	const { request, wasSent = false, baseUrl = '' } = facts;
	const row = createRow(error);
	const isNo = row.made !== 'maybe';
	return messageOf(isNo && wasSent ? 'noAnswer.thenNo' : messageFor(row, error, baseUrl), {
		values: { ...valuesOf(error), model: request?.model ?? '', id: namedTaskIdOf(error) ?? '' },
		said: wordsOf(error),
		isNothingCreated: isNo && !wasSent,
	});
}

/** Why a create that the service did not confirm is not sent again: it repeats that answer. */
export function laterFailureOf(error: ServiceError, facts: CreateFacts): Failure {
	const { message } = createRow(error);
	if (message !== 'noAnswer') return failureOfCreate(error, facts);
	return messageOf('noAnswer.later', { values: valuesOf(error), said: wordsOf(error) });
}

/** Why a read returned no record. @param facts `isKnown`: whether the task certainly exists. */
export function failureOfRead(
	error: ServiceError,
	{ taskId, isKnown, baseUrl = '' }: { taskId: string; isKnown: boolean; baseUrl?: string },
): Failure {
	const row = readRow(error);
	const values = { ...valuesOf(error), id: taskId };
	const said = wordsOf(error);
	if (isKnown && row.kind === 'notFound') return messageOf('notFound.created', { values, said });
	const own = messageOf(messageFor(row, error, baseUrl), { values, said });
	if (!isKnown) return own;
	const why = row.kind === 'address' ? values.why : continued(own.message);
	const correct = row.message === 'key' ? `Correct '${LABELS.apiKey}' in the credential. ` : '';
	return messageOf('serviceError.notRead', {
		values: { ...values, why, correct },
		said,
		kind: row.kind,
	});
}

/** How and why a task ended without its video, or `undefined` if it did not. */
export function endOf(task: Task): { state: 'failed' | 'final'; failure: Failure } | undefined {
	if (task.state !== 'failed') return undefined;
	const ending = endingOf(task.status);
	const said = providerMessageIn(task.record.error);
	const message = endMessage(ending, said);
	// A status such as `timeout` is a reason, too.
	const word = task.status === ending || message !== 'failed' ? '' : quotable(task.status);
	return {
		state: message === 'failed' || message === 'balance' ? 'failed' : 'final',
		failure: messageOf(message, { said: quoteOf(said) || word }),
	};
}

function endMessage(ending: ReturnType<typeof endingOf>, said: ProviderMessage): MessageName {
	if (ending === 'cancelled' || ending === 'expired') return ending;
	if (isContent(said)) return 'moderation';
	return isBalance(said) ? 'balance' : 'failed';
}
