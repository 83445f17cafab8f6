import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { failedCall } from '../programs/support/networkErrors';
import { errorOf } from '../programs/support/engine';
import { tries, useEngine } from './useEngine';

const { simulator, run } = useEngine();

/** The sockets that clients of this process have opened. */
const sockets: Socket[] = [];
const onSocket = (message: unknown) => {
	if (typeof message !== 'object' || message === null || !('socket' in message)) return;
	if (message.socket instanceof Socket) sockets.push(message.socket);
};
beforeAll(() => subscribe('net.client.socket', onSocket));
afterAll(() => unsubscribe('net.client.socket', onSocket));
beforeEach(() => void sockets.splice(0));

/** What Node does with a socket of which the system says this when it is read or written. */
async function failOnceReceived(syscall: string, code: string): Promise<void> {
	await simulator.waitForRequest(({ fault }) => fault === 'hang');
	for (const socket of sockets) socket.destroy(failedCall({ syscall, code }));
}

/** As behind a firewall that begins to reject when the create has gone out. */
test.each([
	['read', 'ECONNREFUSED'],
	['read', 'EHOSTUNREACH'],
	['read', 'ENETUNREACH'],
	['write', 'ECONNREFUSED'],
])(
	'a create that the service has received, then "%s %s", is not sent again, neither by itself nor by Retry On Fail',
	async (syscall, code) => {
		simulator.script({ on: 'create', createTask: true, fault: { kind: 'hang' } });
		const failed = failOnceReceived(syscall, code);
		const error = errorOf(await run(['fox'], { settings: tries(3) }));
		await failed;
		expect(simulator.tasks.size).toBe(1);
		expect(error.description).toContain('may charge for both');
	},
);
