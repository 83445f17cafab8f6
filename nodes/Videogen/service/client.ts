import { isJsonObject, looksLikeHtml } from '../shared/json';
import { quotable } from '../shared/text';
import {
	type Answer,
	type HttpAnswer,
	retryAfterMs,
	type Service,
	type ServiceError,
	type UnreadableReason,
} from './types';
import { CREATE_PATH, TASKS_PATH } from './contract/limits';
import type { GenerationRequest } from './contract/request';
import { networkReasonOf } from './networkReason';
import { providerMessageIn, reportedError } from './providerMessage';
import { createdTaskIn, hasRecord, idInText, namedTaskIdIn, readTaskIn, type Task } from './task';

/**
 * How long a request may take. Reads are quick. A create gets as long as n8n gives any request,
 * because one that is given up may still be charged.
 */
const REQUEST_LIMITS = { createMs: 300_000, readMs: 30_000 };
export type RequestLimits = typeof REQUEST_LIMITS;

/** What a transport sends. The key is added on the way. */
export interface OutgoingRequest {
	method: 'GET' | 'POST';
	url: string;
	body?: GenerationRequest;
	/** Sent as `Idempotency-Key`. */
	idempotencyKey?: string;
	/** The request ends after this time, whatever the connection is doing. */
	limitMs: number;
	/** Ends the request. A create has none: once it is sent, it may cost money. */
	signal?: AbortSignal;
}

/**
 * Sends one request with the credential's key and returns the answer, whatever its status. Does not
 * follow redirects. Throws only if there is no complete answer.
 */
export type Send = (request: OutgoingRequest) => Promise<HttpAnswer>;

/** The service over HTTP. */
export class ServiceClient implements Service {
	constructor(
		private readonly send: Send,
		/** As returned by `cleanBaseUrl`. */
		private readonly baseUrl: string,
		/** Milliseconds since 1970, because `Retry-After` may be a date. */
		private readonly epochMs: () => number,
		private readonly limits: RequestLimits = REQUEST_LIMITS,
	) {}

	async create(body: GenerationRequest, idempotencyKey: string): Promise<Answer> {
		const url = `${this.baseUrl}/${CREATE_PATH}`;
		const limitMs = this.limits.createMs;
		const request = { method: 'POST', url, body, idempotencyKey, limitMs } as const;
		return await this.call(request, createdTaskIn, namedIdIn);
	}

	/** The ID cannot leave its place in the path, whatever characters it contains. */
	async read(taskId: string, signal?: AbortSignal, atMostMs = Infinity): Promise<Answer> {
		const url = `${this.baseUrl}/${TASKS_PATH}/${encodeURIComponent(taskId)}`;
		const limitMs = Math.min(this.limits.readMs, Math.ceil(atMostMs));
		const request = { method: 'GET', url, limitMs, signal } as const;
		return await this.call(request, (json) => readTaskIn(json, taskId));
	}

	/**
	 * @param taskIn Finds the task in the body of a success.
	 * @param namedBy Finds the ID of a task that any other answer names.
	 */
	private async call(
		request: OutgoingRequest,
		taskIn: (json: unknown) => Task | undefined,
		namedBy?: (answer: HttpAnswer) => string | undefined,
	): Promise<Answer> {
		let answer: HttpAnswer;
		try {
			answer = await this.send(request);
		} catch (thrown) {
			return failed({ kind: 'network', reason: networkReasonOf(thrown) });
		}
		const { statusCode, headers, body, json } = answer;
		const task = isSuccess(statusCode) ? taskIn(json) : undefined;
		if (task) return { kind: 'task', task };
		const namedTaskId = namedBy?.(answer);
		if (answer.isCutOff && namedTaskId === undefined) return LOST;
		if (isSuccess(statusCode)) {
			return failed({
				kind: 'unreadable',
				reason: unreadableReason(answer),
				excerpt: quotable(body),
				serviceMessage: reportedError(json),
				namedTaskId,
			});
		}
		// A web page says nothing; plain text is the message itself.
		const isPage = looksLikeHtml(body);
		return failed({
			kind: 'status',
			status: statusCode,
			isJson: isJsonObject(json),
			isPage,
			...(!isPage && providerMessageIn(json === undefined ? body : json)),
			excerpt: isPage ? undefined : quotable(body),
			retryAfterMs: retryAfterMs(headers['retry-after'], this.epochMs()),
			location: headers.location,
			namedTaskId,
		});
	}
}

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });

const LOST = failed({ kind: 'network', reason: 'lost' });

/** Only a success is searched as text: elsewhere, the ID may be that of a request. */
function namedIdIn({ statusCode, body, json }: HttpAnswer): string | undefined {
	if (json !== undefined) return namedTaskIdIn(json);
	return isSuccess(statusCode) && !looksLikeHtml(body) ? idInText(body) : undefined;
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;

function unreadableReason({ body, json, isTooLarge }: HttpAnswer): UnreadableReason {
	if (isTooLarge) return 'tooLarge';
	if (body.trim() === '') return 'empty';
	if (looksLikeHtml(body)) return 'html';
	if (json === undefined) return 'notJson';
	// Another task's video must not be returned as this one, nor its ID replace the paid one.
	return hasRecord(json) ? 'otherTask' : 'notTask';
}
