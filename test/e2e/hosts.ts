import { once } from 'node:events';
import { createServer } from 'node:http';
import { LOOPBACK } from '../n8n/ports';

export interface Host {
	baseUrl: string;
	close(): Promise<void>;
}

/** A web server that is not the service: every path gets the same page. */
export async function startWebsite(status: number): Promise<Host> {
	const server = createServer((_request, response) => {
		response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
		response.end('<!DOCTYPE html><html><body><h1>Welcome</h1></body></html>');
	}).listen(0, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The website has no port');
	const close = async () => {
		server.close();
		server.closeAllConnections();
		await once(server, 'close');
	};
	return { baseUrl: `http://${LOOPBACK}:${address.port}`, close };
}
