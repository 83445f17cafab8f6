import type { NetworkReason, StatusTrouble, Trouble } from './answer';

/**
 * What a create without a task record means for paying:
 * - `again`: it certainly made no task, and the cause passes; the node sends it again by itself.
 * - `rateLimited`: the same, and the service asks for patience.
 * - `refused`: the service answered no, or the request never got there; sending it again is for the
 *   user to decide.
 * - `unknown`: a task may exist and may be billed; nothing sends it again unasked.
 */
export type CreateVerdict = 'again' | 'rateLimited' | 'refused' | 'unknown';

const CREATE_VERDICT_BY_NETWORK: Record<NetworkReason, CreateVerdict> = {
	refused: 'again',
	unknownHost: 'again',
	tls: 'refused',
	blocked: 'refused',
	timeout: 'unknown',
	lost: 'unknown',
};

/**
 * Answers of a gateway in front of the service that may have passed the request on: bad gateway,
 * gateway timeout, and the same in Cloudflare's numbers (unknown error, connection timed out, a
 * timeout occurred). 503, 521 and 523 say that the service was not reached at all.
 */
const GATEWAY_STATUSES = [502, 504, 520, 522, 524];

/** For a create; see `CreateVerdict`. */
export function createVerdict(trouble: Trouble): CreateVerdict {
	switch (trouble.kind) {
		case 'status':
			if (isRateLimit(trouble)) return 'rateLimited';
			return GATEWAY_STATUSES.includes(trouble.status) ? 'unknown' : 'refused';
		case 'unreadable':
			return 'unknown';
		case 'network':
			return CREATE_VERDICT_BY_NETWORK[trouble.reason];
		case 'notSent':
			return 'refused';
	}
}

const isRateLimit = ({ status }: StatusTrouble): boolean => status === 429;

/** How long the service asks to wait, if it does. */
export const askedPauseMs = (trouble: Trouble): number | undefined =>
	trouble.kind === 'status' ? trouble.retryAfterMs : undefined;

/**
 * What a read without a task record means. Reads cost nothing, so all that may pass is tried
 * again; `rateLimited` slows down every read, `notFound` may only be too early.
 */
export type ReadVerdict = 'again' | 'rateLimited' | 'notFound' | 'stop';

/** Answers below 500 that say "not now" rather than "no". */
const PASSING_STATUSES = [408, 425];

/** Whether an answer of this status may be another one when asked again. */
export const isPassing = (status: number): boolean =>
	status >= 500 || PASSING_STATUSES.includes(status);

/** For a read; see `ReadVerdict`. */
export function readVerdict(trouble: Trouble): ReadVerdict {
	switch (trouble.kind) {
		case 'status':
			if (isRateLimit(trouble)) return 'rateLimited';
			if (trouble.status === 404) return 'notFound';
			return isPassing(trouble.status) ? 'again' : 'stop';
		case 'unreadable':
			return 'again';
		case 'network':
			return trouble.reason === 'tls' || trouble.reason === 'blocked' ? 'stop' : 'again';
		case 'notSent':
			return 'stop';
	}
}

/** Whether the service will answer every further request in the same way. */
export const rejectsTheKey = (trouble: Trouble): boolean =>
	trouble.kind === 'status' && trouble.status === 401;
