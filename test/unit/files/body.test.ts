/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { buffer } from 'node:stream/consumers';
import { BodyWatch, firstBytesOf } from '../../../nodes/Videogen/files/body';
import { turnOfEventLoop } from '../../../tools/virtualClock';
import { answerWith, openBody, StreamClock } from '../../support/downloadScene';

const { signal: NEVER } = new AbortController();
const LONG = Buffer.alloc(300_000, 'video');

test.each<[string, pieces: Array<string | Buffer>, first: string]>([
	['of one piece', ['a'], 'a'],
	['of a long piece', [LONG], LONG.toString('latin1', 0, 64)],
	['of several pieces', ['\n', '<html>No'], '\n<html>No'],
	['of longer ones', ['x'.repeat(40), 'y', 'z'.repeat(40)], `${'x'.repeat(40)}y${'z'.repeat(23)}`],
])('a body %s tells its first bytes, and still delivers them', async (_what, pieces, expected) => {
	const body = openBody();
	const first = firstBytesOf(body, new StreamClock(), NEVER);
	for (const piece of pieces) {
		body.push(piece);
		await turnOfEventLoop();
	}
	body.push(null);
	expect(Buffer.from(await first).toString()).toBe(expected);
	const watch = new BodyWatch(answerWith(body), 1_000_000);
	const whole = await buffer(body);
	expect(whole.toString()).toBe(pieces.join(''));
	expect([watch.receivedBytes, watch.failure]).toEqual([whole.length, undefined]);
});
