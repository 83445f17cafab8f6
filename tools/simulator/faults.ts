import { type Reply, bodyReply, errorReply, jsonReply } from './replies';

/** The first stand in for the normal reply; from `held` on, they spoil it, and so do create the task. */
export type Fault =
	/** A status, by default with the error body that goes with it. A text body is sent as it is. */
	| {
			kind: 'status';
			status: number;
			body?: unknown;
			/** Seconds, sent as `Retry-After`. */
			retryAfter?: number;
	  }
	/** Any bytes, with these headers and no others but those of HTTP itself. */
	| { kind: 'raw'; status: number; headers: Record<string, string>; body: string | Buffer }
	/**
	 * The connection is reset before any answer. A client without a connection can be told that its
	 * reading failed with another code, as behind a firewall that begins to reject.
	 */
	| { kind: 'reset'; code?: string }
	/** The client is told that connecting timed out. */
	| { kind: 'noConnection' }
	/** The connection stays open without an answer. */
	| { kind: 'hang' }
	/** A gateway's page; default status 200. */
	| { kind: 'html'; status?: number }
	/** JSON of another shape; default status 200. */
	| { kind: 'json'; body: unknown; status?: number }
	/** Sends the client elsewhere; default status 302. */
	| { kind: 'redirect'; location: string; status?: number }
	/** Answers normally, but only when the test lets it. */
	| { kind: 'held'; until: Promise<void> }
	/** Sends half of the body and closes the connection; how long it is was announced unless chunked. */
	| { kind: 'cutOff'; isChunked?: true }
	/** The record with a status that the contract does not know. */
	| { kind: 'unknownStatus'; status: string }
	/** The record with these fields set; `undefined` takes a field away. */
	| { kind: 'merge'; fields: object }
	/** The record in an answer of another status, or in the field `data` beside others. */
	| { kind: 'misplaced'; status: number; beside?: object };

const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const HTML_PAGE =
	'<!DOCTYPE html><html><head><title>Gateway</title></head><body>Sorry</body></html>';

function statusReply(fault: Extract<Fault, { kind: 'status' }>): Reply {
	const { status, retryAfter, body } = fault;
	const headers: Reply['headers'] = {};
	if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
	if (body === undefined) return errorReply(status, {}, headers);
	if (typeof body !== 'string') return jsonReply(status, body, headers);
	return bodyReply(status, { 'content-type': 'text/plain', ...headers }, body);
}

/** Files have no fields; such a reply stays as it is. */
function withFields(reply: Reply, fields: object): Reply {
	const { status, json } = reply;
	return typeof json === 'object' ? jsonReply(status, { ...json, ...fields }) : reply;
}

/** How a connection is lost: the system's code for it, and the call that failed with it. */
export interface LostConnection {
	code?: string;
	syscall?: 'read' | 'connect';
}

/** What the client gets; nothing at all leaves the connection open. */
export interface Delivery {
	reply?: Reply;
	/** Half of the reply is sent; then the connection ends. */
	isHalf?: true;
	/** The end of the body is told by a last chunk, and not by its length beforehand. */
	isChunked?: true;
	/** Before any answer. */
	lost?: LostConnection;
}

/**
 * Plays a fault. `answer` makes the normal reply, and with it the task of a create; it is only
 * called by the faults that spoil this reply.
 */
export async function play(fault: Fault, answer: () => Reply): Promise<Delivery> {
	switch (fault.kind) {
		case 'status':
			return { reply: statusReply(fault) };
		case 'raw':
			return { reply: bodyReply(fault.status, fault.headers, fault.body) };
		case 'reset':
			return { lost: { code: fault.code } };
		case 'noConnection':
			return { lost: { code: 'ETIMEDOUT', syscall: 'connect' } };
		case 'hang':
			return {};
		case 'html':
			return { reply: bodyReply(fault.status ?? 200, HTML_TYPE, HTML_PAGE) };
		case 'json':
			return { reply: jsonReply(fault.status ?? 200, fault.body) };
		case 'redirect':
			return { reply: bodyReply(fault.status ?? 302, { location: fault.location }, '') };
		case 'held': {
			const reply = answer();
			await fault.until;
			return { reply };
		}
		case 'cutOff':
			return { reply: answer(), isHalf: true, isChunked: fault.isChunked };
		case 'unknownStatus':
			return { reply: withFields(answer(), { status: fault.status }) };
		case 'merge':
			return { reply: withFields(answer(), fault.fields) };
		case 'misplaced': {
			const { status, beside } = fault;
			const { json: data } = answer();
			return { reply: jsonReply(status, beside ? { ...beside, data } : data) };
		}
	}
}
