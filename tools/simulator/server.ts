import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { portOf } from '../n8n/ports';
import { type DirectAnswer, DirectExchange, type Exchange, HttpExchange } from './exchange';
import { play } from './faults';
import { ruleMatches } from './plans';
import { type Reply, errorReply } from './replies';
import type { RecordedRequest } from './requests';
import type { Service, Target } from './service';

function parseJson(body: string): unknown {
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

/** Answers a request; what goes wrong meanwhile is a mistake in the simulator. */
async function handle<Kind extends Exchange>(
	service: Service,
	{ method = '', url = '', headers, rawHeaders }: Asked,
	bodyText: string,
	begin: (recorded: RecordedRequest) => Kind,
): Promise<Kind> {
	const target = service.targetOf(method, url);
	const { route, taskId } = target;
	const json = parseJson(bodyText);
	const { prompt = service.tasks.get(taskId ?? '')?.prompt } = toldSchema.parse(json);
	const exchange = begin({
		at: service.options.now(),
		...{ method, path: url, headers, rawHeaders, bodyText, json },
		...{ route, taskId, prompt },
		ended: false,
	});
	await respond(service, exchange, target).catch(async (reason: unknown) => {
		const message = `Simulator: ${String(reason)}`;
		await exchange.abandon(errorReply(500, { code: 'simulator', message }));
	});
	return exchange;
}

async function respond(service: Service, exchange: Exchange, target: Target): Promise<void> {
	const { recorded } = exchange;
	const admission = service.admit(recorded, target);
	if ('refusal' in admission) return await exchange.send(admission.refusal);
	let reply: Reply | undefined;
	const answer = () => {
		reply ??= admission.answer();
		service.keys.remember(recorded, reply);
		return reply;
	};
	exchange.onReply = (sent) => service.keys.remember(recorded, sent);
	const rule = service.rules.take((one) => ruleMatches(one, recorded));
	if (!rule) return await exchange.send(answer());
	exchange.markFault(rule.fault.kind);
	if (recorded.route === 'create' && rule.createTask) answer();
	await play(exchange, rule.fault, answer);
}

/**
 * Answers a request that comes without a connection. Rejects as a client's own request does when
 * its connection breaks off, or when `client` is aborted.
 */
export async function answerDirectly(
	service: Service,
	{ body, ...request }: DirectRequest,
	client: AbortSignal,
): Promise<DirectAnswer> {
	const { signal, log } = service;
	const asked = { ...request, rawHeaders: Object.entries(request.headers).flat() };
	const begin = (recorded: RecordedRequest) => new DirectExchange(client, recorded, signal, log);
	const exchange = await handle(service, asked, body, begin);
	return await exchange.answer;
}

/** Rejects with the system's code, such as EADDRINUSE, when the port cannot be had. */
export async function listen(
	wanted: number,
	host: string,
): Promise<{ server: Server; port: number }> {
	const server = createServer();
	// A client that reuses an idle connection must not meet its end: that would be a fault nobody
	// scripted.
	server.keepAliveTimeout = 60_000;
	server.listen(wanted, host);
	await once(server, 'listening');
	return { server, port: portOf(server) };
}

/** Lets the service answer what arrives at the server. */
export function serve(server: Server, service: Service): void {
	server.on('request', (request, response) => {
		const { signal, log } = service;
		const begin = (recorded: RecordedRequest) => new HttpExchange(response, recorded, signal, log);
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
