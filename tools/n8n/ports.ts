/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Below those that systems give to connections. */
const FIRST_PORT = 12_000;
const PORTS_OF_A_WORKER = 1_000;
/** Other processes without a worker's number begin elsewhere. */
let given = process.pid;

/** A port that nobody uses, and that no other worker of Jest is given. */
export async function freePort(): Promise<number> {
	const first = FIRST_PORT + Number(process.env.JEST_WORKER_ID ?? 0) * PORTS_OF_A_WORKER;
	given += 1;
	const port = first + (given % PORTS_OF_A_WORKER);
	return (await isPortFree(port)) ? port : await freePort();
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
