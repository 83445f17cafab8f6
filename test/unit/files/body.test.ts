/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BodyWatch, firstBytesOf, STALL } from '../../../nodes/Videogen/files/body';
import { DownloadError } from '../../../nodes/Videogen/files/downloadError';
import { answerWith, bodyOf, openBody, StreamClock } from '../../support/downloadScene';

const LONG = Buffer.alloc(300_000, 'video');
const never = new AbortController();

const first = async (body: Readable, clock = new StreamClock(), end = never.signal) =>
	await firstBytesOf(body, clock, end);

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

test('a body that comes late is waited for, but not for longer than one that stalls', async () => {
	const late = openBody();
	const clock = new StreamClock();
	const found = firstBytesOf(late, clock, never.signal);
	late.push('ab');
	expect(Buffer.from(await found).toString()).toBe('ab');
	const before = clock.now();
	await expect(first(openBody(), clock)).rejects.toBeInstanceOf(DownloadError);
	expect(clock.now() - before).toBe(STALL.windowMs);
});

test.each([
	['is empty', () => bodyOf()],
	['breaks off', () => openBody().destroy(new Error('ECONNRESET'))],
	['is closed', () => openBody().destroy()],
])('of a body that %s there are none', async (_what, open) => {
	await expect(first(open())).rejects.toMatchObject({ why: 'cutOff' });
});

test('a run that is stopped does not wait', async () => {
	const stop = new AbortController();
	const found = first(openBody(), new StreamClock(), stop.signal);
	stop.abort();
	await expect(found).rejects.toBeInstanceOf(DownloadError);
});
