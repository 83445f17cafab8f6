import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { MAX_BODY_BYTES, readBody } from '../../nodes/Videogen/service/transport';
import { turnOfEventLoop } from '../programs/support/clocks';
import { openBody } from '../programs/support/downloadScene';

const { signal: never } = new AbortController();
const halves = [Buffer.from([0xc3]), Buffer.from([0xa4])];
const MEGABYTE = Buffer.alloc(1_000_000, 'x');

describe('reading the body of an answer', () => {
	test.each<[string, unknown, string]>([
		['that is not there', undefined, ''],
		['that is text already', 'äöü', 'äöü'],
		['in pieces that cut a character', Readable.from(halves), 'ä'],
		['with a mark of its encoding', Readable.from([Buffer.from('\ufeff{}')]), '{}'],
		['with bytes that are no text', Readable.from([Buffer.from([0x61, 0xff])]), 'a\ufffd'],
		['that is empty', Readable.from([]), ''],
	])('%s', async (_what, body, text) => {
		expect(await readBody(body, never)).toEqual({ text, isTooLarge: false });
	});

	test('of just the most that is read, has all of it', async () => {
		const pieces = Array.from({ length: MAX_BODY_BYTES / MEGABYTE.length }, () => MEGABYTE);
		const { text, isTooLarge } = await readBody(Readable.from(pieces), never);
		expect([text.length, isTooLarge]).toEqual([MAX_BODY_BYTES, false]);
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
		const { text, isTooLarge } = await readBody(body, never);
		expect(isTooLarge).toBe(true);
		expect(text).toMatch(/^\{"id":"task_1"x+$/);
		expect(text.length).toBeLessThan(100_000);
		expect(body.destroyed).toBe(true);
		expect(pieces).toBeLessThan(15);
	});

	test('that unpacks to far more than it is, is unpacked no further than it is read', async () => {
		const megabytes = 400;
		const packed = Readable.from(Array.from({ length: megabytes }, () => MEGABYTE)).pipe(
			createGzip(),
		);
		const unpack = createGunzip();
		const { isTooLarge } = await readBody(packed.pipe(unpack), never);
		expect(isTooLarge).toBe(true);
		expect(unpack.bytesWritten).toBeLessThan(100_000);
	});

	test('that breaks off, throws what it broke off with', async () => {
		const body = openBody();
		const reading = readBody(body, never);
		body.push('{"id":');
		body.destroy(new Error('ECONNRESET'));
		await expect(reading).rejects.toThrow('ECONNRESET');
	});

	test('that is closed without an end, throws', async () => {
		const body = openBody();
		const reading = readBody(body, never);
		body.destroy();
		await expect(reading).rejects.toThrow('broke off');
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
