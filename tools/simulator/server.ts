/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { LOOPBACK, portOf } from '../n8n/ports';
import { type Delivery, type LostConnection, play } from './faults';
import { ruleMatches } from './plans';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';
import type { SimulatedService } from './service';

function parseJson(body: string): unknown {
	if (body === '') return undefined;
	try {
		const json: unknown = JSON.parse(body);
		return json;
	} catch {
		return undefined;
	}
}

/** The prompt of a body, if it is text. */
const toldSchema = z.object({ prompt: z.string() }).partial().catch({});

/** A request without a connection. */
export interface DirectRequest {
	method: string;
	/** Path and query. */
	url: string;
	/** By their names in lower case. */
	headers: Record<string, string>;
	body: string;
}

/** A request as the service sees it, however it came. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** Writes a request down; `delivery` is what is then sent for it. */
function begin(service: SimulatedService, asked: Asked, bodyText: string) {
	const { method = '', url = '', headers, rawHeaders } = asked;
	const { route, taskId } = service.targetOf(method, url);
	const json = parseJson(bodyText);
	const { prompt = service.tasks.get(taskId ?? '')?.prompt } = toldSchema.parse(json);
	const recorded: RecordedRequest = {
		at: service.options.now(),
		...{ method, path: url, headers, rawHeaders, bodyText, json },
		...{ route, taskId, prompt },
		ended: false,
	};
	service.log.add(recorded);
	const delivery = deliveryOf(service, recorded).catch((reason: unknown): Delivery => {
		const message = `Simulator: ${String(reason)}`;
		return { reply: errorReply(500, { code: 'simulator', message }) };
	});
	return { recorded, delivery };
}

/** What goes wrong here is a mistake in the simulator. */
async function deliveryOf(service: SimulatedService, recorded: RecordedRequest): Promise<Delivery> {
	const admission = service.admit(recorded);
	if ('refusal' in admission) return { reply: admission.refusal };
	let reply: Reply | undefined;
	const answer = () => {
		reply ??= admission.answer();
		service.keys.remember(recorded, reply);
		return reply;
	};
	const rule = service.rules.take((one) => ruleMatches(one, recorded));
	if (!rule) return { reply: answer() };
	// Written down before the fault is played: a fault that hangs is seen only by this.
	service.log.update(recorded, { fault: rule.fault.kind });
	if (recorded.route === 'create' && rule.createTask) answer();
	const delivery = await play(rule.fault, answer);
	if (delivery.reply && !delivery.isHalf) service.keys.remember(recorded, delivery.reply);
	return delivery;
}

/**
 * Answers a request that comes without a connection, many times as fast. Rejects as a client's own
 * request does when its connection breaks off, or when `client` is aborted.
 */
export async function answerDirectly(
	service: SimulatedService,
	{ body, ...request }: DirectRequest,
	client: AbortSignal,
) {
	const { signal, log } = service;
	const rawHeaders = Object.entries(request.headers).flat();
	const { recorded, delivery } = begin(service, { ...request, rawHeaders }, body);
	const arrived = async () => {
		const { reply, isHalf, lost } = await delivery;
		if (reply) log.update(recorded, { status: reply.status });
		if (lost || isHalf) throw connectionLost(lost);
		if (!reply) return await new Promise<never>(() => {});
		const { status, headers, body: sent } = reply;
		return { statusCode: status, headers, body: sent.toString() };
	};
	let lose = () => {};
	const ended = new Promise<never>((_, reject) => (lose = () => reject(connectionLost())));
	for (const one of [client, signal]) one.addEventListener('abort', lose, { once: true });
	if (client.aborted) lose();
	try {
		return await Promise.race([ended, arrived()]);
	} finally {
		for (const one of [client, signal]) one.removeEventListener('abort', lose);
		log.update(recorded, { ended: true });
	}
}

const connectionLost = ({ code = 'ECONNRESET', syscall = 'read' }: LostConnection = {}): Error =>
	Object.assign(new Error(`${syscall} ${code}`), { code, syscall });

/** Rejects with the system's code, such as EADDRINUSE, when the port cannot be had. */
export async function listen(wanted: number) {
	const server = createServer();
	// A client that reuses an idle connection must not meet its end: that would be a fault nobody
	// scripted.
	server.keepAliveTimeout = 60_000;
	server.listen(wanted, LOOPBACK);
	await once(server, 'listening');
	return { server, port: portOf(server) };
}

/** Lets the service answer what arrives at the server. */
export function serve(server: Server, service: SimulatedService): void {
	server.on('request', (request, response) => {
		const { signal, log } = service;
		const respond = async () => {
			const { recorded, delivery } = begin(service, request, await text(request));
			response.on('close', () => log.update(recorded, { ended: true }));
			const given = await delivery;
			signal.throwIfAborted();
			if (given.reply) log.update(recorded, { status: given.reply.status });
			await send(response, given);
		};
		respond().catch(() => response.destroy());
	});
}

async function send(response: ServerResponse, { reply, isHalf, isChunked, lost }: Delivery) {
	if (lost) response.socket?.resetAndDestroy();
	if (!reply) return;
	const { status, headers, body } = reply;
	const { length } = body;
	const framing = isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': length };
	response.writeHead(status, { ...headers, ...framing });
	if (!isHalf) return void response.end(body);
	const begun = body.subarray(0, length / 2);
	// Flushed before the end, so that it happens to a client that has seen it.
	await new Promise<void>((resolve) => response.write(begun, () => resolve()));
	response.socket?.end();
}

/** Ends at once, open connections included. */
export async function shut(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}
