import { CREATE_PATH, TASKS_PATH } from './contract/limits';
import type { GenerationRequest } from './contract/request';
import {
	type Answer,
	type HttpAnswer,
	type ServiceError,
	type StatusError,
	type UnreadableError,
	type UnreadableReason,
	retryAfterMs,
	type Service,
} from './answer';
import { isJsonObject, looksLikeHtml } from '../ground/json';
import { networkReasonOf } from './networkReason';
import { quotable } from '../ground/text';
import { codeIn, messageInAnswer, paramIn, reportedError } from './errorPayload';
import { createdTaskIn, hasRecord, namedTaskIdIn, readTaskIn } from './task';

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
	/** Sent as `Idempotency-Key`. */
	orderKey?: string;
	/** It ends after this time, whatever the connection is doing. */
	limitMs: number;
	/** Ends the request. A create has none: once it has gone out, it may be a payment. */
	signal?: AbortSignal;
}

/**
 * Sends one request with the credential's key and gives the answer, whatever its status, without
 * following redirects. Throws only when there is no whole answer.
 */
export type Send = (request: OutgoingRequest) => Promise<HttpAnswer>;

/** The service behind HTTP. */
export class ServiceClient implements Service {
	constructor(
		private readonly send: Send,
		/** As `cleanBaseUrl` gives it. */
		private readonly baseUrl: string,
		/** Milliseconds since 1970, as a `Retry-After` may be a date. */
		private readonly epochMs: () => number,
		private readonly limits: RequestLimits = REQUEST_LIMITS,
	) {}

	async create(body: GenerationRequest, orderKey: string): Promise<Answer> {
		const url = `${this.baseUrl}/${CREATE_PATH}`;
		const limitMs = this.limits.createMs;
		return await this.call({ method: 'POST', url, body, orderKey, limitMs }, (answer) =>
			this.meaningOfCreate(answer),
		);
	}

	/** The id cannot leave its place in the path, whatever characters it has. */
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
		const { json, isReplay } = answer;
		if (!isSuccess(answer)) {
			const namedTaskId = namedTaskIdIn(json);
			return failed({ ...statusError(answer, this.epochMs()), namedTaskId });
		}
		const task = createdTaskIn(json);
		return task ? { kind: 'task', task, isReplay } : failed(unreadable(answer));
	}

	private meaningOfRead(answer: HttpAnswer, wantedId: string): Answer {
		if (!isSuccess(answer)) return failed(statusError(answer, this.epochMs()));
		const task = readTaskIn(answer.json, wantedId);
		if (task) return { kind: 'task', task };
		const error = unreadable(answer);
		// Somebody else's video must not go out as this one, nor its id replace the paid one.
		return failed(hasRecord(answer.json) ? { ...error, reason: 'otherTask' } : error);
	}
}

const isSuccess = ({ statusCode }: HttpAnswer): boolean => statusCode >= 200 && statusCode < 300;

const failed = (error: ServiceError): Answer => ({ kind: 'error', error });

const unreadable = (answer: HttpAnswer): UnreadableError => ({
	kind: 'unreadable',
	reason: unreadableReason(answer),
	excerpt: quotable(answer.body),
	serviceMessage: reportedError(answer.json),
});

function unreadableReason({ body, json, isTooLarge }: HttpAnswer): UnreadableReason {
	if (isTooLarge) return 'tooLarge';
	if (body.trim() === '') return 'empty';
	if (looksLikeHtml(body)) return 'html';
	return json === undefined ? 'notJson' : 'notTask';
}

const statusError = (answer: HttpAnswer, nowMs: number): StatusError => ({
	kind: 'status',
	status: answer.statusCode,
	isJson: isJsonObject(answer.json),
	code: codeIn(answer.json),
	serviceMessage: messageInAnswer(answer),
	param: paramIn(answer.json),
	retryAfterMs: retryAfterMs(answer.headers['retry-after'], nowMs),
	isReplay: answer.isReplay,
	location: answer.headers.location,
});
