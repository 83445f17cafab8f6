import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Exchange } from './exchange';
import { play } from './faults';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';
import type { Service, Target } from './service';

/** Callbacks, faults and tests are all on this machine; nothing outside it can connect. */
export const HOST = '127.0.0.1';

function parseJson(body: string): unknown {
	try {
		const json: unknown = JSON.parse(body);
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
	const { route, taskId, resultNumber } = target;
	const task = taskId === undefined ? undefined : service.tasks.byId.get(taskId);
	return {
		at: service.options.now(),
		method: request.method ?? '',
		path: request.url ?? '',
		headers: request.headers,
		rawHeaders: request.rawHeaders,
		bodyText,
		json,
		route,
		taskId,
		resultNumber,
		model: textField(json, 'model') ?? task?.model,
		prompt: textField(json, 'prompt') ?? task?.prompt,
		ended: false,
	};
}

async function respond(service: Service, exchange: Exchange, target: Target): Promise<void> {
	const { recorded } = exchange;
	const admission = service.admit(recorded, target);
	if ('refusal' in admission) return await exchange.send(admission.refusal);
	let reply: Reply | undefined;
	const answer = () => (reply ??= admission.answer());
	const rule = service.rules.take(recorded);
	if (!rule) return await exchange.send(answer());
	exchange.markFault(rule.fault.kind);
	if (recorded.route === 'create' && rule.createTask) answer();
	await play(exchange, rule.fault, answer);
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
	const body = await text(request);
	const target = service.targetOf(request.method ?? '', request.url ?? '');
	const recorded = describe(service, request, target, body);
	const exchange = new Exchange(recorded, response, signal, service.log);
	await respond(service, exchange, target).catch(
		async (reason: unknown) => await abandon(exchange, reason),
	);
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
