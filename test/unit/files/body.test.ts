/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BodyWatch, firstBytesOf } from '../../../nodes/Videogen/files/body';
import { turnOfEventLoop } from '../../../tools/virtualClock';
import { answerWith, bodyOf, openBody, StreamClock } from '../../support/downloadScene';

const LONG = Buffer.alloc(300_000, 'video');
const never = new AbortController();

const first = async (body: Readable) => await firstBytesOf(body, new StreamClock(), never.signal);

test.each([
	['of one piece', () => bodyOf('a'), 'a'],
	['of several pieces', () => bodyOf('abc', 'def', 'g'), 'abc'],
	['of bytes', () => Readable.from([LONG], { objectMode: false }), LONG.toString('latin1', 0, 64)],
])('a body %s tells its first bytes, and still delivers them', async (_what, open, expected) => {
	const body = open();
	expect(Buffer.from(await first(body)).toString()).toBe(expected);
	const watch = new BodyWatch(answerWith(body), 1_000_000);
	const whole = await buffer(body);
	expect(whole.toString()).toBe((await buffer(open())).toString());
	expect([watch.receivedBytes, watch.failure]).toEqual([whole.length, undefined]);
});

test.each([
	[['\n', '<html>No'], '\n<html>No'],
	[['x'.repeat(40), 'y', 'z'.repeat(40)], `${'x'.repeat(40)}y${'z'.repeat(23)}`],
])('first bytes that come piece by piece are waited for: %j', async (pieces, expected) => {
	const body = openBody();
	const found = first(body);
	for (const piece of pieces) {
		body.push(piece);
		await turnOfEventLoop();
	}
	body.push(null);
	expect(Buffer.from(await found).toString()).toBe(expected);
	expect((await buffer(body)).toString()).toBe(pieces.join(''));
});

test.each([
	['is empty', () => bodyOf()],
	['breaks off', () => openBody().destroy(new Error('ECONNRESET'))],
	['is closed', () => openBody().destroy()],
])('of a body that %s there are none', async (_what, open) => {
	await expect(first(open())).rejects.toMatchObject({ why: 'cutOff' });
});
