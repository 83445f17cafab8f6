import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type Server } from 'node:net';
import { SELF_SIGNED } from '../programs/support/selfSigned';
import { VirtualClock } from '../programs/support/clocks';
import { Engine, errorOf } from '../programs/support/engine';

/** What a server was asked for, once a connection was secure. */
let heard: string[];
const answer: RequestListener = ({ url = '' }, response) => {
	heard.push(url);
	response.end('{"id":"task_1","status":"pending"}');
};

const OLD_TLS = {
	minVersion: 'TLSv1',
	maxVersion: 'TLSv1.1',
	ciphers: 'DEFAULT@SECLEVEL=0',
} as const;

let engine: Engine;
beforeAll(async () => {
	engine = await Engine.start('https://unused.invalid');
});
beforeEach(() => {
	heard = [];
});

async function runAgainst(server: Server) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	try {
		return await engine.run({
			parameters: { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false },
			credential: { baseUrl: `https://127.0.0.1:${port}` },
			clock: new VirtualClock(),
		});
	} finally {
		server.close();
	}
}

/** A request is sent only after the handshake, so that none of these can have made a task. */
describe('a service with which no secure connection comes about', () => {
	test.each<[string, () => Server]>([
		['because it has no certificate', () => createHttps({}, answer)],
		['because its certificate is its own', () => createHttps(SELF_SIGNED, answer)],
		['because it speaks http', () => createHttp(answer)],
		['because its protocol is too old', () => createHttps({ ...SELF_SIGNED, ...OLD_TLS }, answer)],
	])('%s, has been sent nothing, and the message says so', async (_what, serverOf) => {
		const { message, description } = errorOf(await runAgainst(serverOf()));
		expect(heard).toEqual([]);
		expect(message).toBe('No secure connection to the service');
		expect(description).toContain('Nothing was created for this item');
	});

	// The same as when the connection breaks off after the request was sent.
	test('because it closes the connection, is not asked again unless the user allows it', async () => {
		let connections = 0;
		const closing = createTcp((socket) => {
			connections += 1;
			socket.once('data', () => socket.destroy());
		});
		const { message } = errorOf(await runAgainst(closing));
		expect(message).toMatch(/was lost before an answer came, so it is not known/);
		expect(connections).toBe(1);
	});
});
