/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import type { ICredentialTestFunctions } from 'n8n-workflow';
import {
	credentialTestTransport,
	MAX_BODY_BYTES,
	readBody,
} from '../../../nodes/Videogen/service/transport';
import { RequestTimedOut } from '../../../nodes/Videogen/service/networkReason';
import {
	type OutgoingRequest,
	type Send,
	ServiceClient,
} from '../../../nodes/Videogen/service/client';
import { turnOfEventLoop } from '../../../tools/virtualClock';
import { credentialTestContext } from '../../support/credentialTestContext';
import { openBody } from '../../support/downloadScene';

describe('a request through n8n', () => {
	const KEY = 'key-1234567890';
	const outgoing: OutgoingRequest = { method: 'GET', url: 'https://e.com/x', limitMs: 60_000 };

	const transport = (request: ICredentialTestFunctions['helpers']['request']): Send => {
		const data = { apiKey: KEY, baseUrl: 'https://e.com' };
		return credentialTestTransport(credentialTestContext(request), data, KEY);
	};
	const answering = (answer: object): Send =>
		transport(async () => await Promise.resolve({ statusCode: 200, ...answer }));
	const clientAnswered = (answer: object) =>
		new ServiceClient(answering(answer), 'https://e.com', () => 0);

	test('that fails after its limit has timed out, and what it failed with is ignored', async () => {
		let fail: (reason: Error) => void = () => undefined;
		const late = new Promise<never>((_, reject) => (fail = reject));
		const sending = transport(async () => await late)({ ...outgoing, limitMs: 20 });
		await expect(sending).rejects.toBeInstanceOf(RequestTimedOut);
		fail(new Error('too late'));
		await expect(late).rejects.toThrow('too late');
	});

	test('that is stopped ends at once, and closes a body that comes later', async () => {
		const stop = new AbortController();
		let answer: (whole: object) => void = () => undefined;
		const late = new Promise<object>((resolve) => (answer = resolve));
		const send = transport(async () => await late);
		const sending = send({ ...outgoing, signal: stop.signal });
		stop.abort();
		await expect(sending).rejects.toThrow('Stopped');
		const body = openBody();
		answer({ statusCode: 200, body });
		await turnOfEventLoop();
		expect(body.destroyed).toBe(true);
		await expect(send({ ...outgoing, signal: stop.signal })).rejects.toThrow();
	});

	test.each([
		[7, undefined],
		[`/x?key=${KEY}`, '/x?key=[API key]'],
	])('keeps of the headers what is used; the target %j becomes %j', async (given, location) => {
		const headers = { 'retry-after': ['5'], location: given, 'set-cookie': ['a=1'] };
		const answer = await answering({ statusCode: 302, headers })(outgoing);
		expect(answer.headers).toEqual({ 'retry-after': ['5'], location });
	});

	test('is answered with as much as it sent inline, and 1 MB more', async () => {
		const image = `data:image/png;base64,${'a'.repeat(50_000)}`;
		const body = { model: 'a', prompt: 'b', image_urls: [image] };
		const said = JSON.stringify({ words: 'x'.repeat(MAX_BODY_BYTES) });
		const send = answering({ body: said });
		expect(await send(outgoing)).toMatchObject({ isTooLarge: true });
		expect(await send({ ...outgoing, body })).toMatchObject({ isTooLarge: false });
		expect(await send(outgoing)).toMatchObject({ isTooLarge: false });
	});

	test.each(['狐', 'é', '🦊', 'a'])(
		'finds the record behind an echo of many %s',
		async (letter) => {
			const body = { model: 'a', prompt: letter.repeat(600_000) };
			const escaped = (text: string) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}`;
			const echo = JSON.stringify(body.prompt).replace(/[^ -~]/g, escaped);
			const said = `{"prompt":${echo},"note":"${'x'.repeat(900_000)}","id":"task_1","status":"pending"}`;
			const client = clientAnswered({ body: said });
			expect(await client.create(body, 'order')).toMatchObject({ task: { id: 'task_1' } });
		},
	);

	test('that fails with an echo of a large image is what it says', async () => {
		const image = `data:image/png;base64,${'a'.repeat(6_000_000)}`;
		const body = { model: 'a', prompt: 'b', image_urls: [image] };
		const said = JSON.stringify({ detail: [{ msg: 'Too large', input: body }] });
		const client = clientAnswered({ statusCode: 422, body: said });
		const error = { kind: 'status', status: 422, serviceMessage: 'Too large' };
		expect(await client.create(body, 'order')).toMatchObject({ error });
	});

	test('asks for JSON, and says of a body that it is JSON', async () => {
		const given: unknown[] = [];
		const send = transport(async (options) => {
			given.push(Object(options).headers);
			return await Promise.resolve({ statusCode: 200 });
		});
		await send(outgoing);
		await send({ ...outgoing, method: 'POST', body: { model: 'a', prompt: 'b' } });
		const accept = 'application/json';
		const headers = { accept, Authorization: `Bearer ${KEY}` };
		expect(given).toEqual([headers, expect.objectContaining({ accept, 'content-type': accept })]);
	});
});

const { signal: NEVER } = new AbortController();
const halves = [Buffer.from([0xc3]), Buffer.from([0xa4])];
const MEGABYTE = Buffer.alloc(MAX_BODY_BYTES, 'x');

describe('reading the body of an answer', () => {
	test.each<[string, unknown, string]>([
		['that is not there', undefined, ''],
		['that is text already', 'äöü', 'äöü'],
		['in pieces that cut a character', Readable.from(halves), 'ä'],
		['with a mark of its encoding', Readable.from([Buffer.from('\ufeff{}')]), '{}'],
		['with bytes that are no text', Readable.from([Buffer.from([0x61, 0xff])]), 'a\ufffd'],
		['that is empty', Readable.from([]), ''],
		['of just the most that is read', Readable.from([MEGABYTE]), MEGABYTE.toString()],
	])('%s', async (_what, body, text) => {
		const whole = { text, isTooLarge: false, isCutOff: false };
		expect(await readBody(body, NEVER)).toEqual(whole);
	});

	test('that never ends, ends with its beginning and is closed', async () => {
		let pieces = 0;
		async function* endless() {
			yield Buffer.from('{"id":"task_1"');
			for (;;) {
				await turnOfEventLoop();
				pieces += 1;
				yield MEGABYTE;
			}
		}
		const body = Readable.from(endless());
		const { text, isTooLarge } = await readBody(body, NEVER);
		expect(isTooLarge).toBe(true);
		expect(text).toMatch(/^\{"id":"task_1"x+$/);
		expect(text.length).toBeLessThan(100_000);
		expect(body.destroyed).toBe(true);
		expect(pieces).toBeLessThan(15);
	});

	test.each([
		['breaks off', new Error('ECONNRESET'), 'ECONNRESET'],
		['is closed without an end', undefined, 'Premature close'],
	])('that %s throws, unless something of it has come', async (_what, error, says) => {
		const [empty, begun] = [openBody(), openBody()];
		const readings = [empty, begun].map(async (body) => await readBody(body, NEVER));
		begun.push('{"id":');
		await turnOfEventLoop();
		for (const body of [empty, begun]) body.destroy(error);
		await expect(readings[0]).rejects.toThrow(says);
		await expect(readings[1]).resolves.toMatchObject({ text: '{"id":', isCutOff: true });
	});

	test.each([true, false])('ends when its request does; before it began: %s', async (before) => {
		const end = new AbortController();
		const body = openBody();
		if (before) end.abort();
		const reading = readBody(body, end.signal);
		end.abort();
		await expect(reading).rejects.toThrow();
		expect(body.destroyed).toBe(true);
	});
});
