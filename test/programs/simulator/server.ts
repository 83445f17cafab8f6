import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { type DirectAnswer, DirectExchange, type Exchange, HttpExchange } from './exchange';
import { play } from './faults';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';
import type { Service, Target } from './service';

/** Callbacks, faults and tests are all on this machine; nothing outside it can connect. */
export const HOST = '127.0.0.1';

function parseJson(body: string): unknown {
	if (body === '') return undefined;
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

/** A request as the service sees it, however it came. */
type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>;

/** A request without a connection. */
export interface DirectRequest {
	method: string;
	/** Path and query. */
	url: string;
	/** By their names in lower case. */
	headers: Record<string, string>;
	body: string;
}

function describe(
	service: Service,
	{ method = '', url = '', headers, rawHeaders }: Asked,
	{ route, taskId }: Target,
	bodyText: string,
): RecordedRequest {
	const json = parseJson(bodyText);
	const task = taskId === undefined ? undefined : service.tasks.byId.get(taskId);
	return {
		at: service.options.now(),
		method,
		path: url,
		headers,
		rawHeaders,
		bodyText,
		json,
		route,
		taskId,
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
	const answer = () => {
		reply ??= admission.answer();
		service.orders.remember(recorded, reply);
		return reply;
	};
	exchange.onReply = (sent) => service.orders.remember(recorded, sent);
	const rule = service.rules.take(recorded);
	if (!rule) return await exchange.send(answer());
	exchange.markFault(rule.fault.kind);
	if (recorded.route === 'create' && rule.createTask) answer();
	await play(exchange, rule.fault, answer);
}

/** Answers a request; what goes wrong meanwhile is a mistake in the simulator. */
async function handle<Kind extends Exchange>(
	service: Service,
	request: Asked,
	bodyText: string,
	begin: (recorded: RecordedRequest) => Kind,
): Promise<Kind> {
	const target = service.targetOf(request.method ?? '', request.url ?? '');
	const exchange = begin(describe(service, request, target, bodyText));
	await respond(service, exchange, target).catch(
		async (reason: unknown) =>
			await exchange.abandon(() =>
				errorReply(500, { code: 'simulator', message: `Simulator: ${String(reason)}` }),
			),
	);
	return exchange;
}

/**
 * Answers a request that comes without a connection. Rejects as a client's own request does when
 * its connection breaks off, or when `client` is aborted.
 */
export async function answerDirectly(
	service: Service,
	{ method, url, headers, body }: DirectRequest,
	client: AbortSignal,
): Promise<DirectAnswer> {
	const asked = { method, url, headers, rawHeaders: Object.entries(headers).flat() };
	const { signal } = service.lifetime;
	const exchange = await handle(
		service,
		asked,
		body,
		(recorded) => new DirectExchange(client, recorded, signal, service.log),
	);
	return await exchange.answer;
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
		const { signal } = service.lifetime;
		const begin = (recorded: RecordedRequest) =>
			new HttpExchange(response, recorded, signal, service.log);
		text(request)
			.then(async (body) => await handle(service, request, body, begin))
			.catch(() => response.destroy());
	});
}

/** Ends at once, open connections included. */
export async function shut(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}
