import type { Exchange } from './exchange';
import { type Reply, bodyReply, errorReply, jsonReply } from './replies';

/** Faults that stand in for the normal reply. */
export type ReplacingFault =
	/** A status, by default with the error body that goes with it. A text body is sent as it is. */
	| {
			kind: 'status';
			status: number;
			body?: unknown;
			contentType?: string;
			headers?: Record<string, string>;
			/** Seconds, sent as `Retry-After`. */
			retryAfter?: number;
	  }
	/** Any bytes, with these headers and no others but those of HTTP itself. */
	| { kind: 'raw'; status: number; headers: Record<string, string>; body: Buffer }
	/**
	 * The connection is reset before any answer. A client without a connection can be told that its
	 * reading failed with another code, as behind a firewall that begins to reject.
	 */
	| { kind: 'reset'; code?: string }
	/** The client is told that it never came to a connection; default code `ETIMEDOUT`. */
	| { kind: 'noConnection'; code?: string }
	/** The connection stays open without an answer. */
	| { kind: 'hang' }
	/** 200 without a body. */
	| { kind: 'empty' }
	/** A gateway's page; default status 200. */
	| { kind: 'html'; status?: number }
	/** JSON of another shape; default status 200. */
	| { kind: 'json'; body: unknown; status?: number }
	/** 200 with JSON that ends halfway. */
	| { kind: 'invalidJson' }
	/** Sends the client elsewhere; default status 302. */
	| { kind: 'redirect'; location: string; status?: number };

/** Faults that spoil the normal reply. */
export type AlteringFault =
	/** Answers normally, but only when the test lets it. */
	| { kind: 'held'; until: Promise<void> }
	/** Announces the whole body, sends half of it and closes the connection. */
	| { kind: 'cutOff' }
	/** Announces the whole body, sends half of it and then nothing more; the connection stays. */
	| { kind: 'stall' }
	/** Does not announce how long the body is; with `cutOff`, half of it is missing. */
	| { kind: 'chunked'; cutOff?: boolean }
	/** The record with a status that the contract does not know. */
	| { kind: 'unknownStatus'; status: string }
	/** The record with these fields set; `undefined` takes a field away. */
	| { kind: 'merge'; fields: Record<string, unknown> }
	/** The record, with these fields set, in an answer of another status. */
	| {
			kind: 'misplaced';
			status: number;
			fields?: Record<string, unknown>;
			/** The field that it stands in, and what stands beside it. */
			wrapper?: string;
			beside?: object;
	  };

export type Fault = ReplacingFault | AlteringFault;

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html; charset=utf-8' };
const HTML_PAGE =
	'<!DOCTYPE html><html><head><title>Gateway</title></head><body>Sorry</body></html>';

function statusReply(fault: Extract<Fault, { kind: 'status' }>): Reply {
	const { status, retryAfter, body, contentType } = fault;
	const headers = { ...fault.headers };
	if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
	if (contentType !== undefined) headers['content-type'] = contentType;
	if (body === undefined) return errorReply(status, {}, headers);
	if (typeof body !== 'string') return jsonReply(status, body, headers);
	return bodyReply(status, { 'content-type': 'text/plain', ...headers }, body);
}

/** Only JSON objects have fields; any other reply stays as it is. */
function withFields(reply: Reply, fields: Record<string, unknown>): Reply {
	const { json } = reply;
	if (typeof json !== 'object' || json === null) return reply;
	return jsonReply(reply.status, { ...json, ...fields });
}

/** A gateway's answer around the service's own. */
function misplaced(reply: Reply, fault: Extract<Fault, { kind: 'misplaced' }>): Reply {
	const { status, fields = {}, wrapper, beside } = fault;
	const { json } = withFields(reply, fields);
	return jsonReply(status, wrapper === undefined ? json : { ...beside, [wrapper]: json });
}

/**
 * Plays a fault. `answer` makes the normal reply, and with it the task of a create; it is only
 * called by the faults that spoil this reply.
 */
export async function play(exchange: Exchange, fault: Fault, answer: () => Reply): Promise<void> {
	switch (fault.kind) {
		case 'status':
			return await exchange.send(statusReply(fault));
		case 'raw':
			return await exchange.send(bodyReply(fault.status, fault.headers, fault.body));
		case 'reset':
			return exchange.reset({ code: fault.code });
		case 'noConnection':
			return exchange.reset({ code: fault.code ?? 'ETIMEDOUT', syscall: 'connect' });
		case 'hang':
			return;
		case 'empty':
			return await exchange.send(bodyReply(200, JSON_TYPE, ''));
		case 'html':
			return await exchange.send(bodyReply(fault.status ?? 200, HTML_TYPE, HTML_PAGE));
		case 'json':
			return await exchange.send(jsonReply(fault.status ?? 200, fault.body));
		case 'invalidJson':
			return await exchange.send(bodyReply(200, JSON_TYPE, '{"id":"task_'));
		case 'redirect':
			return await exchange.send(bodyReply(fault.status ?? 302, { location: fault.location }, ''));
		case 'held': {
			const reply = answer();
			await fault.until;
			exchange.signal.throwIfAborted();
			return await exchange.send(reply);
		}
		case 'cutOff':
			return await exchange.sendHalf(answer(), { closes: true });
		case 'stall':
			return await exchange.sendHalf(answer(), { closes: false });
		case 'chunked':
			return fault.cutOff
				? await exchange.sendHalf(answer(), { closes: true, framing: 'chunked' })
				: await exchange.send(answer(), 'chunked');
		case 'unknownStatus':
			return await exchange.send(withFields(answer(), { status: fault.status }));
		case 'merge':
			return await exchange.send(withFields(answer(), fault.fields));
		case 'misplaced':
			return await exchange.send(misplaced(answer(), fault));
	}
}
