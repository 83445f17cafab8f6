/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from './faults';
import { Journal } from './journal';

/** `file`: one of those that a test put there with `serve`. */
export type Route = 'create' | 'task' | 'result' | 'file' | 'other';

/** One request as it arrived, refused ones included. */
export interface RecordedRequest {
	/** Milliseconds of the simulator's clock. */
	at: number;
	method: string;
	/** As sent: with the path prefix and the query. */
	path: string;
	headers: IncomingHttpHeaders;
	/** Names and values in turn, as sent: also those that Node folds or drops. */
	rawHeaders: string[];
	bodyText: string;
	/** The parsed body; absent when it is empty or no JSON. */
	json?: unknown;
	/** Absent until answered, and for good when a fault leaves the request without an answer. */
	status?: number;
	route: Route;
	/** The task asked for, as in the path, or the one that a create made. */
	taskId?: string;
	prompt?: string;
	/** The fault that was played on this request. */
	fault?: Fault['kind'];
	/** True once the reply was sent in full or the connection was dropped. */
	ended: boolean;
}

/** Every request in order of arrival. */
export class RequestLog extends Journal<RecordedRequest> {
	/** Requests of one route, of one task if given. */
	of(route: Route, taskId?: string): RecordedRequest[] {
		return this.entries.filter(
			(request) => request.route === route && (taskId === undefined || request.taskId === taskId),
		);
	}
}

/** Percent-decoded where it can be. */
export function decoded(sent: string): string {
	try {
		return decodeURIComponent(sent);
	} catch {
		return sent;
	}
}
