import { once } from 'node:events';
import { type RequestListener, createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server } from 'node:net';
import { SELF_SIGNED } from '../programs/support/selfSigned';
import { errorOf } from '../programs/support/engine';
import { useEngine } from './useEngine';

const { runNode } = useEngine();

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

beforeEach(() => {
	heard = [];
});

async function runAgainst(server: Server) {
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	try {
		return await runNode({
			parameters: { operation: 'createTextVideo', prompt: 'fox', waitForCompletion: false },
			credential: { baseUrl: `https://127.0.0.1:${port}` },
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
});
