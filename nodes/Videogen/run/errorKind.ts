import type { NetworkReason, ServiceError } from '../service/answer';
import { refusesContent } from '../service/answerTable';
import { failureOf, isBalance, namesModel } from '../service/errorPayload';
import type { Entry } from '../work/entry';

/**
 * What an item's error is about, in one word that stays when its texts change (interface.md), for
 * switches in workflows.
 */
export type ErrorKind =
	| 'invalid'
	| 'limit'
	| 'moderation'
	| 'refused'
	| 'balance'
	| 'key'
	| 'address'
	| 'rateLimited'
	| 'noAnswer'
	| 'serviceError'
	| 'failed'
	| 'cancelled'
	| 'expired'
	| 'timeout'
	| 'notFound'
	| 'download';

/** Of both calls; what else a status says differs. */
const KIND_BY_STATUS: Record<number, ErrorKind> = {
	401: 'key',
	402: 'balance',
	403: 'key',
	405: 'address',
	429: 'rateLimited',
};

/** Of reads alone: a create that was lost may have made a task. */
const KIND_BY_NETWORK_REASON: Record<NetworkReason, ErrorKind> = {
	connectionRefused: 'address',
	noRoute: 'address',
	unknownHost: 'address',
	tls: 'address',
	blocked: 'address',
	timeout: 'serviceError',
	lost: 'serviceError',
};

/** The kind of an entry that did not come to what was asked for, its files aside. */
export function errorKindOf({ outcome, task, unanswered }: Entry): ErrorKind {
	switch (outcome?.kind) {
		case 'notSent':
			return outcome.why;
		case 'notCreated':
			return unanswered === undefined ? kindOfCreate(outcome.error) : 'noAnswer';
		case 'notRead':
			return unanswered === undefined ? kindOfRead(outcome.error) : 'noAnswer';
		case 'failed':
			return task ? failureOf(task) : 'failed';
		case 'timedOut':
		case 'stopped':
			return 'timeout';
		case 'done':
		case 'notStarted':
		case undefined:
			return 'invalid';
	}
}

function kindOfCreate(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return 'noAnswer';
	const { status, code } = error;
	if (refusesContent(error)) return 'moderation';
	if (isBalance(code)) return 'balance';
	if (status < 400 || (status === 404 && !namesModel(error))) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}

function kindOfRead(error: ServiceError): ErrorKind {
	if (error.kind === 'network') return KIND_BY_NETWORK_REASON[error.reason];
	if (error.kind === 'unreadable') return error.reason === 'html' ? 'address' : 'serviceError';
	const { status } = error;
	if ([400, 404, 410].includes(status)) return 'notFound';
	if (status < 400) return 'address';
	return KIND_BY_STATUS[status] ?? (status >= 500 ? 'serviceError' : 'refused');
}
