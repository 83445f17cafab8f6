import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { Exchange } from './exchange';
import { isAltering, playInstead, playOn } from './faults';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';
import { type Target, targetOf } from './routes';
import type { Rule } from './rules';
import { type Service, admit } from './service';

/** Callbacks, faults and tests are all on this machine; nothing outside it can connect. */
export const HOST = '127.0.0.1';

/** What arrived of a body; of one that is too long, nothing is kept. */
interface ReceivedBody {
	text: string;
	isTooLong: boolean;
}

/** Reads to the end even when it is too long, so that the client gets to read the answer. */
async function readBody(request: IncomingMessage, maxBytes: number): Promise<ReceivedBody> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of request) {
		if (!Buffer.isBuffer(chunk)) continue;
		length += chunk.length;
		if (length <= maxBytes) chunks.push(chunk);
	}
	const isTooLong = length > maxBytes;
	return { text: isTooLong ? '' : Buffer.concat(chunks).toString('utf8'), isTooLong };
}

function parseJson(text: string): unknown {
	try {
		const json: unknown = JSON.parse(text);
		return json;
	} catch {
		return undefined;
	}
}

function textField(json: unknown, name: 'model' | 'prompt'): string | undefined {
	if (typeof json !== 'object' || json === null) return undefined;
	const value = Object.entries(json).find(([key]) => key === name)?.[1];
	return typeof value === 'string' ? value : undefined;
}

function describe(
	service: Service,
	request: IncomingMessage,
	target: Target,
	bodyText: string,
): RecordedRequest {
	const json = parseJson(bodyText);
	const task = target.taskId === undefined ? undefined : service.tasks.byId.get(target.taskId);
	const model = textField(json, 'model') ?? task?.model;
	const prompt = textField(json, 'prompt') ?? task?.prompt;
	return {
		at: service.options.now(),
		method: request.method ?? '',
		path: request.url ?? '',
		headers: request.headers,
		bodyText,
		route: target.route,
		ended: false,
		...(json !== undefined && { json }),
		...(target.taskId !== undefined && { taskId: target.taskId }),
		...(target.resultNumber !== undefined && { resultNumber: target.resultNumber }),
		...(model !== undefined && { model }),
		...(prompt !== undefined && { prompt }),
	};
}

/** Plays the rule's fault, on the normal reply or in place of it. */
async function play(exchange: Exchange, { fault, createTask }: Rule, answer: () => Reply) {
	exchange.markFault(fault.kind);
	if (isAltering(fault)) return await playOn(exchange, answer(), fault);
	if (exchange.recorded.route === 'create' && createTask) answer();
	await playInstead(exchange, fault);
}

async function respond(service: Service, exchange: Exchange, target: Target): Promise<void> {
	const admission = admit(service, exchange.recorded, target);
	if ('refusal' in admission) return await exchange.send(admission.refusal);
	const rule = service.rules.take(exchange.recorded);
	if (rule) return await play(exchange, rule, admission.answer);
	await exchange.send(admission.answer());
}

/** A client that hangs up is everyday business; anything else is a mistake in the simulator. */
async function abandon(exchange: Exchange, reason: unknown): Promise<void> {
	const { response, signal } = exchange;
	if (signal.aborted || response.destroyed || response.headersSent) {
		response.destroy();
		return;
	}
	const message = `Simulator: ${String(reason)}`;
	await exchange.send(errorReply(500, { code: 'simulator', message }));
}

async function handle(service: Service, request: IncomingMessage, response: ServerResponse) {
	const { signal } = service.lifetime;
	const body = await readBody(request, service.options.maxBodyBytes);
	const { method = '', url = '' } = request;
	const target = targetOf(method, url, service.options.pathPrefix);
	const recorded = describe(service, request, target, body.text);
	const exchange = new Exchange(recorded, response, signal, service.log);
	try {
		if (body.isTooLong) await exchange.send(errorReply(413));
		else await respond(service, exchange, target);
	} catch (reason) {
		await abandon(exchange, reason);
	}
}

/** An HTTP server that is listening, and the address it can be reached at. */
export interface Listening {
	server: Server;
	port: number;
}

/** Rejects with the system's code, such as EADDRINUSE, when the port cannot be had. */
export async function listen(port: number): Promise<Listening> {
	const server = createServer();
	// A client that reuses an idle connection must not meet its end: that would be a fault nobody
	// scripted.
	server.keepAliveTimeout = 60_000;
	server.listen(port, HOST);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('No port was assigned');
	return { server, port: address.port };
}

/** Lets the service answer what arrives at the server. */
export function serve(server: Server, service: Service): void {
	server.on('request', (request, response) => {
		handle(service, request, response).catch(() => response.destroy());
	});
}

/** Ends at once, open connections included. */
export async function shut(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}
