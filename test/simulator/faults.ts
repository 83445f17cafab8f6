import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Exchange, Framing } from './exchange';
import { type Reply, bodyReply, errorBody, jsonReply } from './replies';

/** Faults that stand in for the normal reply. */
export type ReplacingFault =
	/** A status, by default with the error body that goes with it. A text body is sent as it is. */
	| {
			kind: 'status';
			status: number;
			body?: unknown;
			contentType?: string;
			headers?: Record<string, string>;
			/** Sets `Retry-After`: a number as seconds, a date as an HTTP date. */
			retryAfter?: number | Date;
	  }
	/** The connection is reset before any answer. */
	| { kind: 'reset' }
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
	/** 200 with JSON that contains bytes which are no UTF-8. */
	| { kind: 'invalidUtf8' }
	/** Sends the client elsewhere; default status 302. */
	| { kind: 'redirect'; location: string; status?: number };

/** Faults that spoil the normal reply. */
export type AlteringFault =
	/** Answers normally, but this much later (real time). */
	| { kind: 'slow'; ms: number }
	/** Sends the body piece by piece; default 1 byte every millisecond (real time). */
	| { kind: 'trickle'; chunkBytes?: number; everyMs?: number }
	/** Announces the whole body, sends half of it and closes the connection. */
	| { kind: 'cutOff' }
	/** Announces the whole body, sends half of it and then nothing more; the connection stays. */
	| { kind: 'stall' }
	/** Does not announce how long the body is; with `cutOff`, half of it is missing. */
	| { kind: 'chunked'; cutOff?: boolean }
	/** The body compressed, whatever the client accepts; the length is the compressed one. */
	| { kind: 'gzip' }
	/**
	 * The reply with these headers set (names in lower case); `undefined` takes one away. The
	 * length stays true. Node refuses control characters in values.
	 */
	| { kind: 'headers'; headers: Record<string, string | undefined> }
	/** The record with a status that the contract does not know. */
	| { kind: 'unknownStatus'; status: string }
	/** The record with these fields set; `undefined` takes a field away. */
	| { kind: 'merge'; fields: Record<string, unknown> };

export type Fault = ReplacingFault | AlteringFault;

const ALTERING: ReadonlySet<Fault['kind']> = new Set([
	'slow',
	'trickle',
	'cutOff',
	'stall',
	'chunked',
	'gzip',
	'headers',
	'unknownStatus',
	'merge',
]);

export const isAltering = (fault: Fault): fault is AlteringFault => ALTERING.has(fault.kind);

const HTML_PAGE =
	'<!DOCTYPE html><html><head><title>Gateway</title></head><body>Sorry</body></html>';

function statusReply(fault: Extract<Fault, { kind: 'status' }>): Reply {
	const { status, retryAfter, body = errorBody(status) } = fault;
	const headers = { ...fault.headers };
	if (retryAfter !== undefined) {
		headers['retry-after'] =
			typeof retryAfter === 'number' ? String(retryAfter) : retryAfter.toUTCString();
	}
	if (fault.contentType !== undefined) headers['content-type'] = fault.contentType;
	if (typeof body === 'string') return bodyReply(status, 'text/plain', body, headers);
	return jsonReply(status, body, headers);
}

/** A record whose id holds bytes that no UTF-8 text can hold. */
const invalidUtf8 = (): Buffer =>
	Buffer.concat([
		Buffer.from('{"id":"task_'),
		Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
		Buffer.from('","status":"pending"}'),
	]);

/** The reply of a replacing fault; undefined when the fault is that there is none. */
function replacementOf(fault: ReplacingFault): Reply | undefined {
	switch (fault.kind) {
		case 'status':
			return statusReply(fault);
		case 'empty':
			return bodyReply(200, 'application/json', '');
		case 'html':
			return bodyReply(fault.status ?? 200, 'text/html; charset=utf-8', HTML_PAGE);
		case 'json':
			return jsonReply(fault.status ?? 200, fault.body);
		case 'invalidJson':
			return bodyReply(200, 'application/json', '{"id":"task_');
		case 'invalidUtf8':
			return bodyReply(200, 'application/json', invalidUtf8());
		case 'redirect':
			return bodyReply(fault.status ?? 302, 'text/plain', '', { location: fault.location });
		case 'reset':
		case 'hang':
			return undefined;
	}
}

/** Only JSON objects have fields; any other reply stays as it is. */
function withFields(reply: Reply, fields: Record<string, unknown>): Reply {
	const { json } = reply;
	if (typeof json !== 'object' || json === null) return reply;
	return jsonReply(reply.status, { ...json, ...fields });
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
	sleep(ms, undefined, { signal, ref: false });

async function trickle(
	exchange: Exchange,
	reply: Reply,
	{ chunkBytes = 1, everyMs = 1 }: Extract<Fault, { kind: 'trickle' }>,
): Promise<void> {
	const { response, signal } = exchange;
	exchange.sendHead(reply);
	for (const chunk of reply.chunks()) {
		for (let position = 0; position < chunk.length; position += chunkBytes) {
			if (response.destroyed) return;
			response.write(chunk.subarray(position, position + chunkBytes));
			await pause(everyMs, signal);
		}
	}
	response.end();
}

async function cutOff(exchange: Exchange, reply: Reply, framing?: Framing): Promise<void> {
	exchange.sendHead(reply, framing);
	await exchange.sendHalf(reply);
	exchange.response.socket?.end();
}

async function stall(exchange: Exchange, reply: Reply): Promise<void> {
	exchange.sendHead(reply);
	await exchange.sendHalf(reply);
}

async function chunked(exchange: Exchange, reply: Reply, isCutOff: boolean): Promise<void> {
	if (isCutOff) await cutOff(exchange, reply, 'chunked');
	else await exchange.send(reply, 'chunked');
}

/** Made in memory, as the compressed length has to be known beforehand. */
function compressed({ status, headers, chunks }: Reply): Reply {
	const body = gzipSync(Buffer.concat([...chunks()]));
	const contentHeaders = { ...headers, 'content-encoding': 'gzip' };
	return { status, headers: contentHeaders, length: body.length, chunks: () => [body] };
}

function withHeaders(reply: Reply, wanted: Record<string, string | undefined>): Reply {
	const headers: Record<string, string> = {};
	for (const [name, value] of Object.entries({ ...reply.headers, ...wanted })) {
		if (value !== undefined) headers[name] = value;
	}
	return { ...reply, headers };
}

/** Plays a fault that spoils `reply`. */
export async function playOn(exchange: Exchange, reply: Reply, fault: AlteringFault) {
	switch (fault.kind) {
		case 'slow':
			await pause(fault.ms, exchange.signal);
			return await exchange.send(reply);
		case 'trickle':
			return await trickle(exchange, reply, fault);
		case 'cutOff':
			return await cutOff(exchange, reply);
		case 'stall':
			return await stall(exchange, reply);
		case 'chunked':
			return await chunked(exchange, reply, fault.cutOff ?? false);
		case 'gzip':
			return await exchange.send(compressed(reply));
		case 'headers':
			return await exchange.send(withHeaders(reply, fault.headers));
		case 'unknownStatus':
			return await exchange.send(withFields(reply, { status: fault.status }));
		case 'merge':
			return await exchange.send(withFields(reply, fault.fields));
	}
}

/** Plays a fault that needs no normal reply. */
export async function playInstead(exchange: Exchange, fault: ReplacingFault): Promise<void> {
	const reply = replacementOf(fault);
	if (reply) await exchange.send(reply);
	else if (fault.kind === 'reset') exchange.response.socket?.resetAndDestroy();
}
