import { once } from 'node:events';
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A port that nobody uses at the moment. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, LOOPBACK);
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No free port was found');
	return address.port;
}

/** Whether a server could listen on the port right now. */
export async function isPortFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, LOOPBACK);
	try {
		await once(server, 'listening');
	} catch {
		return false;
	}
	server.close();
	await once(server, 'close');
	return true;
}
