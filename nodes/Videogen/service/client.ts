import { CREATE_PATH, TASK_STATUSES, TASKS_PATH } from './contract/limits';
import type { GenerationRequest } from './contract/request';
import type { Answer, HttpAnswer, ServiceError, StatusError, UnreadableReason } from './answer';
import { isJsonObject, looksLikeHtml, parseJson } from '../common/json';
import { networkReasonOf } from './networkReason';
import { retryAfterMs } from './retryAfter';
import { quotable } from '../common/quotable';
import { messageInBody, paramInBody } from './serviceMessage';
import { asCreatedTask, asTask, type Task } from './task';

/** How long a request may take; a create may take the service a while, a read should not. */
export const REQUEST_LIMITS = { createMs: 60_000, readMs: 30_000 };
export type RequestLimits = typeof REQUEST_LIMITS;

/** What a transport is to send; the key is added on the way. */
export interface OutgoingRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: GenerationRequest;
	/** The transport gives up after this long, whatever the connection is doing. */
	limitMs: number;
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

	/** Section 4.1. */
	async create(body: GenerationRequest): Promise<Answer> {
		const url = `${this.baseUrl}/${CREATE_PATH}`;
		const request: OutgoingRequest = { method: 'POST', url, body, limitMs: this.limits.createMs };
		return await this.call(request, asCreatedTask);
	}

	/**
	 * Section 4.2. The id cannot leave its place in the path, whatever characters it has. Takes at
	 * most `atMostMs`, and never longer than any read may.
	 */
	async read(taskId: string, signal?: AbortSignal, atMostMs = Infinity): Promise<Answer> {
		const url = `${this.baseUrl}/${TASKS_PATH}/${encodeURIComponent(taskId)}`;
		const limitMs = Math.min(this.limits.readMs, Math.ceil(atMostMs));
		return await this.call({ method: 'GET', url, limitMs, signal }, asTask, taskId);
	}

	private async call(
		request: OutgoingRequest,
		taskIn: (reply: unknown) => Task | undefined,
		wantedId?: string,
	): Promise<Answer> {
		let answer: HttpAnswer;
		try {
			answer = await this.send(request);
		} catch (thrown) {
			return failed({ kind: 'network', reason: networkReasonOf(thrown) });
		}
		const { statusCode, body } = answer;
		const reply = parseJson(body);
		const task = taskIn(reply);
		const isSuccess = statusCode >= 200 && statusCode < 300;
		// A server error may come with the record of a task that exists all the same, and is paid for.
		const isCreated = request.method === 'POST' && statusCode >= 500 && hasKnownStatus(task);
		if (!isSuccess && !isCreated) return failed(statusError(answer, this.epochMs()));
		// Somebody else's video must not go out as this one, nor its id replace the paid one.
		const isWanted = wantedId === undefined || task?.id === wantedId;
		if (task && isWanted) return { kind: 'task', task };
		const reason = task ? 'otherTask' : unreadableReason(body, reply);
		return failed({ kind: 'unreadable', reason, excerpt: quotable(body) });
	}
}

const hasKnownStatus = (task: Task | undefined): boolean =>
	TASK_STATUSES.some((status) => status === task?.status);

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });

function unreadableReason(body: string, reply: unknown): UnreadableReason {
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
