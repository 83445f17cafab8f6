import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { LOOPBACK } from './ports';

export interface Host {
	baseUrl: string;
	close(): Promise<void>;
}

/** A web server that is not the service: every path gets the same page. */
export async function startWebsite(status: number): Promise<Host> {
	return await startHost((_request, response) => {
		response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
		response.end('<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>');
	});
}

/** A web server that keeps its callers waiting until it is opened. */
export interface Gate extends Host {
	/** Answers all callers, also those to come. */
	open(): void;
	/** Resolves when somebody calls. */
	untilCalled(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
	let open = () => {};
	let call = () => {};
	const opened = new Promise<void>((resolve) => (open = resolve));
	const called = new Promise<void>((resolve) => (call = resolve));
	const host = await startHost((_request, response) => {
		call();
		void opened.then(() => sendJson(response, 200, {}));
	});
	return { ...host, open, untilCalled: async () => await called };
}

/** Starts a web server on this machine, on a free port unless given. */
export async function startHost(answer: RequestListener, port = 0): Promise<Host> {
	const server = createServer(answer).listen(port, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The host has no port');
	const close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	};
	return { baseUrl: `http://${LOOPBACK}:${address.port}`, close };
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}
