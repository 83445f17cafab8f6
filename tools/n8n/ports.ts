import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** A port that nobody uses at the moment. */
export const freePort = async (): Promise<number> => await listenOnce(0);

/** Whether a server could listen on the port right now. */
export const isPortFree = async (port: number): Promise<boolean> =>
	await listenOnce(port).then(
		() => true,
		() => false,
	);

/** Listens for a moment; gives the port, which the system chooses for 0. */
async function listenOnce(wanted: number): Promise<number> {
	const server = createServer().listen(wanted, LOOPBACK);
	await once(server, 'listening');
	const port = portOf(server);
	server.close();
	await once(server, 'close');
	return port;
}

/** A port at which every connection is refused: one end of a connection holds it, and nobody listens. */
export async function refusingPort(): Promise<{ port: number; close(): Promise<void> }> {
	const server = createServer().listen(0, LOOPBACK);
	await once(server, 'listening');
	const socket = connect(portOf(server), LOOPBACK);
	await once(socket, 'connect');
	server.close();
	return { port: socket.localPort ?? 0, close: async () => void socket.destroy() };
}

/** At which a server listens. */
export function portOf(server: Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('It has no port');
	return address.port;
}
