import {
	type ErrorKind,
	type Fault,
	kindOf,
	type MessageName,
	messageOf,
} from '../shared/messages';
import { quotable } from '../shared/text';
import { parseHttpUrl } from '../shared/url';
import {
	type NetworkReason,
	NOT_CONNECTED,
	type ServiceError,
	type StatusError,
	type UnreadableReason,
} from './answer';
import type { GenerationRequest } from './contract/request';
import { isBalance, isContent, quoteOf, type Said, saidIn } from './said';
import { endingOf, type Task } from './task';
import { saidOf, valuesOf } from './words';

/** What an answer without a task means. */
export interface Row {
	/**
	 * After a create. `no`: it made no task. `later`: neither, and the node sends it again itself.
	 * `maybe`: a task may exist and be charged for; nothing sends it again unasked.
	 */
	made: 'no' | 'later' | 'maybe';
	/**
	 * After a read. `passes`: it is read again until the timeout. `limited`: as well, and more slowly.
	 * `denied`: as well, for some time, once the key was accepted. `notFound`: it may be too early.
	 * `never`: the next read would be answered in the same way.
	 */
	again: 'passes' | 'limited' | 'denied' | 'notFound' | 'never';
	message: MessageName;
}

/** What fits an answer: what it means after a create, after a read, or both. */
interface Rule {
	fits(error: ServiceError): boolean;
	create?: [Row['made'], MessageName];
	read?: [Row['again'], MessageName];
}

/** Fits one of these statuses, or any where none is given, if the answer is such a one. */
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
 * The statuses that say no: by them alone a create is known to have made no task. Redirects that
 * ask for the same request elsewhere (303 points to what it has made); every 4XX in IANA's register
 * but 408, 409, 425 and 429 (unofficial ones, as 460 and 499, say that a client or a proxy gave up);
 * and of the 5XX 501, and what Cloudflare says when it did not reach the service.
 */
const NO_STATUSES = new Set([
	...[301, 302, 307, 308],
	...[400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 418],
	...[421, 422, 423, 424, 426, 428, 431, 451],
	...[501, 521, 523],
]);

const isUnclear = ({ status }: StatusError): boolean => !NO_STATUSES.has(status);

const namesKey = ({ code, serviceMessage }: StatusError): boolean =>
	/idempoten|paid_outcome_unknown/i.test(`${code} ${serviceMessage}`);

/** Where another field is named, the words may speak of the model all the same. */
const namesModel = ({ code, serviceMessage, param }: StatusError): boolean =>
	/model(?!_params)/i.test(param ?? `${code} ${serviceMessage}`);

/** All answers without a task; the first rule that fits counts. */
const RULES: Rule[] = [
	{ fits: when((e) => e.namedTaskId !== undefined), create: ['maybe', 'namedTask'] },
	{ fits: is(429), create: ['later', 'rateLimited'], read: ['limited', 'rateLimited'] },
	{ fits: is(409), create: ['maybe', 'knownKey'] },
	{ fits: when(namesKey, 400, 422), create: ['maybe', 'knownKey'] },
	// A proxy's 503 is seldom JSON, and may come after the service has got the request.
	{
		fits: when((e) => e.isJson, 503),
		create: ['no', 'serviceError'],
		read: ['passes', 'serviceError'],
	},
	{ fits: when((e) => isUnclear(e) && e.isPage === true), create: ['maybe', 'webPage'] },
	{ fits: when(isUnclear), create: ['maybe', 'noAnswer'] },
	// From here on, a status is a no to a create.
	{ fits: is(404), read: ['notFound', 'notFound'] },
	{ fits: is(400, 410), read: ['never', 'notFound'] },
	{ fits: is(401), create: ['no', 'key'], read: ['denied', 'key'] },
	{ fits: is(402), create: ['no', 'balance'], read: ['never', 'balance'] },
	{ fits: is(407), create: ['no', 'address'], read: ['denied', 'address'] },
	{ fits: when((e) => !e.isJson, 403), create: ['no', 'address'], read: ['denied', 'address'] },
	{ fits: is(405), create: ['no', 'address'], read: ['never', 'address'] },
	{ fits: when((e) => e.status < 400), create: ['no', 'address'], read: ['never', 'address'] },
	{
		fits: when((e) => e.status >= 500),
		create: ['no', 'serviceError'],
		read: ['passes', 'serviceError'],
	},
	{ fits: is(408, 425), read: ['passes', 'serviceError'] },
	{ fits: when(isContent), create: ['no', 'moderation'] },
	{ fits: when(isBalance), create: ['no', 'balance'] },
	{ fits: when(namesModel, 400, 404), create: ['no', 'wrongModel'] },
	{ fits: is(403), create: ['no', 'key'], read: ['denied', 'key'] },
	{ fits: is(404), create: ['no', 'address'] },
	{ fits: is(), create: ['no', 'refused'], read: ['never', 'refused'] },
	{ fits: without(...NOT_CONNECTED), create: ['later', 'address'], read: ['passes', 'address'] },
	{ fits: without('tls'), create: ['no', 'address'], read: ['denied', 'address'] },
	{ fits: without('blocked'), create: ['no', 'address'], read: ['never', 'address'] },
	{ fits: without('html'), create: ['maybe', 'webPage'], read: ['passes', 'address'] },
];

/** For connections that were lost, and for what no service of this kind answers. */
const OTHERWISE = { create: ['maybe', 'noAnswer'], read: ['passes', 'serviceError'] } as const;

function rowOf(error: ServiceError, request: 'create' | 'read'): Row & { kind: ErrorKind } {
	const fitting = RULES.filter(({ fits }) => fits(error));
	const [made, ofCreate] = fitting.find(({ create }) => create)?.create ?? OTHERWISE.create;
	const [again, ofRead] = fitting.find(({ read }) => read)?.read ?? OTHERWISE.read;
	const message = request === 'create' ? ofCreate : ofRead;
	return { made, again, message, kind: kindOf(message) };
}

/** What the answer to a create means that is no task. */
export const createRow = (error: ServiceError) => rowOf(error, 'create');

/** What the answer to a read means that is no record. */
export const readRow = (error: ServiceError) => rowOf(error, 'read');

/** The id of a task that an answer to a create names though it is no success. */
export const namedTaskIdOf = (error: ServiceError): string | undefined =>
	error.kind === 'status' ? error.namedTaskId : undefined;

/** Whether the request got anywhere at all, as far as is known. */
export const isConnected = (error: ServiceError): boolean => !without(...NOT_CONNECTED)(error);

/** Whether the service does not accept the key, as it would not for any other request. */
export const rejectsKey = is(401);

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (error: ServiceError): number | undefined =>
	error.kind === 'status' ? error.retryAfterMs : undefined;

/** A host that is another machine inside of a container than outside. */
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

function messageFor({ message }: Row, error: ServiceError, baseUrl: string): MessageName {
	const isRefused = message === 'address' && without('connectionRefused')(error);
	const isLocal = LOOPBACK.test(parseHttpUrl(baseUrl)?.hostname ?? '');
	return isRefused && isLocal ? 'localAddress' : message;
}

/** What is known of the create beside its answer. */
interface CreateFacts {
	request?: GenerationRequest;
	/** Whether an earlier send of the same request may have made a task, whatever this answer says. */
	wasSent?: boolean;
	baseUrl?: string;
}

/** Why a create brought no task. */
export function faultOfCreate(error: ServiceError, facts: CreateFacts): Fault {
	const { request, wasSent = false, baseUrl = '' } = facts;
	const row = createRow(error);
	const isNo = row.made !== 'maybe';
	return messageOf(isNo && wasSent ? 'noAnswerThenNo' : messageFor(row, error, baseUrl), {
		values: { ...valuesOf(error), model: request?.model ?? '', id: namedTaskIdOf(error) ?? '' },
		said: saidOf(error),
		isNothingCreated: isNo && !wasSent,
	});
}

/** Why a read brought no record. @param facts `isKnown`: whether the task exists for certain. */
export function faultOfRead(
	error: ServiceError,
	{ taskId, isKnown, baseUrl = '' }: { taskId: string; isKnown: boolean; baseUrl?: string },
): Fault {
	const row = readRow(error);
	const values = { ...valuesOf(error), id: taskId };
	const said = saidOf(error);
	const own = messageOf(messageFor(row, error, baseUrl), { values, said });
	if (!isKnown || row.kind === 'notFound') return own;
	const why = row.kind === 'address' ? values.why : own.message.replace(/^The/, 'the');
	return messageOf('notRead', { values: { ...values, why }, said, kind: row.kind });
}

/** How a task has ended without its video, and why; `undefined` while it may still succeed. */
export function endOf(task: Task): { state: 'failed' | 'final'; fault: Fault } | undefined {
	if (task.state !== 'failed') return undefined;
	const ending = endingOf(task.status);
	const said = saidIn(task.record.error);
	const message = endMessage(ending, said);
	// A status such as `timeout` is a reason, too.
	const word = task.status === ending || message !== 'failed' ? '' : quotable(task.status);
	return {
		state: message === 'failed' || message === 'balance' ? 'failed' : 'final',
		fault: messageOf(message, { said: quoteOf(said) || word }),
	};
}

function endMessage(ending: ReturnType<typeof endingOf>, said: Said): MessageName {
	if (ending === 'cancelled' || ending === 'expired') return ending;
	if (isContent(said)) return 'moderation';
	return isBalance(said) ? 'balance' : 'failed';
}
