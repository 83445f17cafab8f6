import { once } from 'node:events';
import { createServer } from 'node:net';

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
	const address = server.address();
	server.close();
	await once(server, 'close');
	if (address === null || typeof address === 'string') throw new Error('No free port was found');
	return address.port;
}
