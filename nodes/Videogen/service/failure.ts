import { capitalised, wholeId } from '../ground/text';
import type { ErrorKind, Message, Words } from '../ground/words';
import { contentAdvice, hasMedia, notReadWords, RUN_AGAIN, type Said } from './advice';
import { type Cause, causeOf } from './causes';
import type { GenerationRequest } from './contract/request';
import { codeIn, messageIn, paramIn, requestIdIn } from './errorPayload';
import { endingOf, type Task } from './task';

/** Why a task ended without its video. */
export type Failure = 'cancelled' | 'expired' | 'moderation' | Exclude<Cause, 'content'> | 'failed';

const saidBy = ({ record: { error } }: Task): Said => ({
	code: codeIn(error),
	serviceMessage: messageIn(error),
	param: paramIn(error),
});

/** Why a task that is final has no video, by its status and the error in its record. */
export function failureOf(task: Task): Failure {
	const ending = endingOf(task.status);
	if (ending === 'cancelled' || ending === 'expired') return ending;
	const { code, serviceMessage } = saidBy(task);
	const cause = causeOf(code, serviceMessage);
	return cause === 'content' ? 'moderation' : (cause ?? 'failed');
}

/** Whether a task failed because the service had no room: the next ones go out more slowly. */
export const isCapacity = (task: Task): boolean => failureOf(task) === 'capacity';

/** What the item's error is about when its task has failed. */
export function kindOfFailed(task: Task): ErrorKind {
	const failure = failureOf(task);
	return failure === 'capacity' || failure === 'input' ? 'failed' : failure;
}

const WHO_CHARGES = 'ask your provider whether failed videos cost money.';
const NOT_MADE = 'The service did not make this video';

/** Get Task, which knows no request, orders nothing. */
const toOrderAgain = (request?: GenerationRequest): string =>
	request ? RUN_AGAIN : 'order it again with a Create operation';

/** What has happened, and what to do. */
const WORDS: Record<Failure, (said: Said, request?: GenerationRequest) => Words> = {
	cancelled: () => ['The service cancelled this video', 'was cancelled at the service'],
	expired: () => ['This video expired at the service', 'has expired'],
	moderation: (said, request) => [
		'The service refused this video',
		contentAdvice(said, request, toOrderAgain(request)),
	],
	balance: () => [NOT_MADE, "Check the balance and limits in the provider's console."],
	capacity: (_said, request) => [
		'The service was too busy for this video',
		`${capitalised(toOrderAgain(request))} later, or fewer at once.`,
	],
	input: notReadWords,
	failed: (_said, request) => [
		NOT_MADE,
		`${capitalised(toOrderAgain(request))} later, or with another prompt${hasMedia(request) ? ' or other files' : ''}.`,
	],
};

/**
 * The message of an item whose task ended without a video.
 * @param request What was sent; not known for a task that the node only reads.
 */
export function wordsOfFailed(task: Task, request?: GenerationRequest): Message {
	const failure = failureOf(task);
	const said = saidBy(task);
	const [what, next] = WORDS[failure](said, request);
	const id = `Task ${wholeId(task.id)}`;
	if (failure === 'cancelled' || failure === 'expired') {
		const description = `${id} ${next}. To get the video, ${toOrderAgain(request)}; ${WHO_CHARGES}`;
		return { message: what, description };
	}
	const quote = said.serviceMessage ?? '';
	const requestId = requestIdIn(quote);
	// A status such as `timeout` is a reason, too.
	const status = task.status.toLowerCase() === 'failed' ? '' : task.status;
	const reason = quote.slice(0, quote.length - requestId.length).trim() || status;
	const code = said.code && said.code !== reason ? ` (${said.code})` : '';
	return {
		message: reason ? `${what}: ${reason.replace(/\.$/, '')}` : `${what} and gives no reason`,
		description: `${id} failed${code}${requestId && ` ${requestId}`}. ${next.replace(/\.$/, '')}; ${WHO_CHARGES}`,
	};
}

/** Names under which records say why there are no results. */
const SAYS_WHY = /error|reason|message|detail|filter|moderation|warning/i;
const ALL_IS_WELL = /^(?:ok|success\w*|succeeded|completed|done|none)?$/i;

const MAX_DEPTH = 5;

/** What the record of a completed task says of why it has no results; empty when it says nothing. */
export const reasonIn = ({ record }: Task): string => reasonBelow(record) ?? '';

function reasonBelow(value: unknown, depth = 0): string | undefined {
	if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
	for (const [name, inner] of Object.entries(value)) {
		const words = SAYS_WHY.test(name) ? messageIn(inner) : undefined;
		const isReason = words !== undefined && /\p{L}/u.test(words) && !ALL_IS_WELL.test(words);
		const reason = isReason ? words : reasonBelow(inner, depth + 1);
		if (reason !== undefined) return reason;
	}
	return undefined;
}
