import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { LOOPBACK } from '../programs/realN8n/ports';
import { SELF_SIGNED } from '../programs/support/selfSigned';

/** A proxy that answers in the place of every host: http, and https of who checks no certificate. */
export async function startListener() {
	/** Of each request: how its way was opened, and what it brought. */
	const heard: string[] = [];
	const answer: RequestListener = ({ method, url, rawHeaders }, response) => {
		heard.push([method, url, ...rawHeaders].join(' '));
		response.end('{}');
	};
	const inside = createTlsServer(SELF_SIGNED, answer);
	const server = createServer(answer).on('connect', ({ method, url, rawHeaders }, socket) => {
		heard.push([method, url, ...rawHeaders].join(' '));
		socket.on('error', () => socket.destroy());
		socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
		inside.emit('connection', socket);
	});
	server.listen(0, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('It has no port');
	return {
		proxyUrl: `http://${LOOPBACK}:${address.port}`,
		heard,
		close: async () => {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
