/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { LOOPBACK, portOf } from './ports';

export type Host = Awaited<ReturnType<typeof startHost>>;

/**
 * Starts a web server on this machine, on a free port unless given.
 * @param answer Where it fails, the error is answered with 400, which nobody tries again.
 */
export async function startHost(
	answer: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>,
	port = 0,
) {
	const server = createServer((request, response) => {
		Promise.resolve(answer(request, response)).catch((error: unknown) =>
			sendJson(response, 400, { error: { message: String(error) } }),
		);
	}).listen(port, LOOPBACK);
	await once(server, 'listening');
	const close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	};
	return { baseUrl: `http://${LOOPBACK}:${portOf(server)}`, close };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
