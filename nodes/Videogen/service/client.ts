import { CREATE_PATH, TASK_STATUSES, TASKS_PATH } from './contract/limits';
import type { GenerationRequest } from './contract/request';
import type { Answer, HttpAnswer, ServiceError, StatusError, UnreadableReason } from './answer';
import { isJsonObject, looksLikeHtml, parseJson } from '../common/json';
import { networkReasonOf } from './networkReason';
import { retryAfterMs } from './retryAfter';
import { quotable } from '../common/quotable';
import { messageInBody, paramInBody } from './serviceMessage';
import { asCreatedTask, asTask, type Task } from './task';

/**
 * How long a request may take. A read should not take long; a create has as long as n8n gives any
 * request, because what is given up then may be paid for.
 */
export const REQUEST_LIMITS = { createMs: 300_000, readMs: 30_000 };
export type RequestLimits = typeof REQUEST_LIMITS;

/** What a transport is to send; the key is added on the way. */
export interface OutgoingRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: GenerationRequest;
	/** Nobody waits longer than this, whatever the connection is doing. */
	limitMs: number;
	/** A request with this goes on after its limit, and what it is answered then is told here. */
	onLate?: (answer: HttpAnswer) => void;
	/** Ends the request. A create has none: once it has gone out, it may be a payment. */
	signal?: AbortSignal;
}

/**
 * Sends one request with the credential's key and gives the answer, whatever its status, without
 * following redirects. Throws only when there is no whole answer.
 */
export type Send = (request: OutgoingRequest) => Promise<HttpAnswer>;

/**
 * The service's two endpoints (service-spec.md, section 4). Nothing is thrown and nothing is sent
 * twice here: every call comes to a task or to a typed error, and the caller decides.
 */
export class ServiceClient {
	constructor(
		private readonly send: Send,
		/** As `cleanBaseUrl` gives it. */
		private readonly baseUrl: string,
		/** Milliseconds since 1970, as a `Retry-After` may be a date. */
		private readonly epochMs: () => number,
		private readonly limits: RequestLimits = REQUEST_LIMITS,
	) {}

	/** Section 4.1. An answer that comes when nobody waits for it any more goes to `onLate`. */
	async create(body: GenerationRequest, onLate?: (answer: Answer) => void): Promise<Answer> {
		const url = `${this.baseUrl}/${CREATE_PATH}`;
		const meaning = (answer: HttpAnswer) => this.meaningOfCreate(answer);
		const late = (answer: HttpAnswer) => onLate?.(meaning(answer));
		const limitMs = this.limits.createMs;
		return await this.call({ method: 'POST', url, body, limitMs, onLate: late }, meaning);
	}

	/**
	 * Section 4.2. The id cannot leave its place in the path, whatever characters it has. Takes at
	 * most `atMostMs`, and never longer than any read may.
	 */
	async read(taskId: string, signal?: AbortSignal, atMostMs = Infinity): Promise<Answer> {
		const url = `${this.baseUrl}/${TASKS_PATH}/${encodeURIComponent(taskId)}`;
		const limitMs = Math.min(this.limits.readMs, Math.ceil(atMostMs));
		return await this.call({ method: 'GET', url, limitMs, signal }, (answer) =>
			this.meaningOfRead(answer, taskId),
		);
	}

	private async call(
		request: OutgoingRequest,
		meaning: (answer: HttpAnswer) => Answer,
	): Promise<Answer> {
		let answer: HttpAnswer;
		try {
			answer = await this.send(request);
		} catch (thrown) {
			return failed({ kind: 'network', reason: networkReasonOf(thrown) });
		}
		return meaning(answer);
	}

	private meaningOfCreate(answer: HttpAnswer): Answer {
		const reply = parseJson(answer.body);
		const task = asCreatedTask(reply);
		// A server error may come with the record of a task that exists all the same, and is paid for.
		const isCreated = answer.statusCode >= 500 && hasKnownStatus(task);
		if (!isSuccess(answer) && !isCreated) return failed(statusError(answer, this.epochMs()));
		return task ? { kind: 'task', task } : unreadable(answer, reply);
	}

	private meaningOfRead(answer: HttpAnswer, wantedId: string): Answer {
		if (!isSuccess(answer)) return failed(statusError(answer, this.epochMs()));
		const reply = parseJson(answer.body);
		const task = asTask(reply);
		if (!task) return unreadable(answer, reply);
		// Somebody else's video must not go out as this one, nor its id replace the paid one.
		if (task.id.trim() === wantedId.trim()) return { kind: 'task', task };
		return failed({ kind: 'unreadable', reason: 'otherTask', excerpt: quotable(answer.body) });
	}
}

const isSuccess = ({ statusCode }: HttpAnswer): boolean => statusCode >= 200 && statusCode < 300;

const hasKnownStatus = (task: Task | undefined): boolean =>
	TASK_STATUSES.some((status) => status === task?.status);

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });

const unreadable = (answer: HttpAnswer, reply: unknown): Answer => {
	const excerpt = quotable(answer.body);
	return failed({ kind: 'unreadable', reason: unreadableReason(answer, reply), excerpt });
};

function unreadableReason({ body, isTooLarge }: HttpAnswer, reply: unknown): UnreadableReason {
	if (isTooLarge) return 'tooLarge';
	if (body.trim() === '') return 'empty';
	if (looksLikeHtml(body)) return 'html';
	return reply === undefined ? 'notJson' : 'notTask';
}

const statusError = ({ statusCode, headers, body }: HttpAnswer, nowMs: number): StatusError => ({
	kind: 'status',
	status: statusCode,
	isJson: isJsonObject(parseJson(body)),
	serviceMessage: messageInBody(body),
	param: paramInBody(body),
	retryAfterMs: retryAfterMs(headers['retry-after'], nowMs),
	location: headers.location,
});
