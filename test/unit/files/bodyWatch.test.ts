import { finished } from 'node:stream/promises';
import { BodyWatch, STALL } from '../../../nodes/Videogen/files/bodyWatch';
import { turnOfEventLoop, VirtualClock } from '../../programs/support/clocks';
import { codedError, openBody } from '../../programs/support/downloadScene';

describe('watching a body', () => {
	test('does not start it, and counts what others read, in bytes', async () => {
		const body = openBody();
		const watch = new BodyWatch({ body, headers: {} });
		body.push('äö');
		await new Promise((resolve) => setImmediate(resolve));
		expect(watch.receivedBytes).toBe(0);
		body.push(Buffer.alloc(10));
		body.push(null);
		body.resume();
		await finished(body);
		expect(watch.receivedBytes).toBe(14);
	});

	test('keeps an error that nobody else listens to from ending the process', async () => {
		const body = openBody();
		const watch = new BodyWatch({ body, headers: {} });
		const first = codedError('ECONNRESET');
		body.destroy(first);
		await new Promise((resolve) => body.once('close', resolve));
		body.emit('error', codedError('EPIPE'));
		expect(watch.brokeWith).toBe(first);
	});

	const cutOff = (receivedBytes: number) => ({
		...{ kind: 'cutOff', receivedBytes, declaredBytes: 200 },
	});
	const lost = { kind: 'network', reason: 'lost' };
	test.each([
		[200, 200, 'ends', undefined],
		// Less than one in a hundred is missing: its host has packed it.
		[199, 200, 'ends', { kind: 'compressed' }],
		[201, 200, 'ends', { kind: 'compressed' }],
		[197, 200, 'ends', cutOff(197)],
		[199, 200, 'breaks off', cutOff(199)],
		[200, 200, 'breaks off', lost],
		[5, undefined, 'breaks off', lost],
		[5, undefined, 'ends', undefined],
		[0, undefined, 'ends', { kind: 'empty' }],
	])('that has %i bytes, declared as %j, and %s: %j', async (bytes, declared, how, fault) => {
		const body = openBody();
		const headers = declared === undefined ? {} : { 'content-length': String(declared) };
		const watch = new BodyWatch({ body, headers });
		body.resume();
		body.push(Buffer.alloc(bytes));
		await turnOfEventLoop();
		const closed = new Promise((resolve) => body.once('close', resolve));
		if (how === 'ends') body.push(null);
		else body.destroy(codedError('ECONNRESET'));
		await closed;
		expect(watch.fault).toEqual(fault);
	});

	test.each([
		['nothing', 0, true],
		['a byte too little', STALL.minBytes - 1, true],
		['just enough', STALL.minBytes, false],
	])('with %s in a window', async (_name, bytes, stalls) => {
		const clock = new VirtualClock();
		const over = new AbortController();
		const body = openBody();
		const watch = new BodyWatch({ body, headers: {} });
		body.resume();
		body.push(Buffer.alloc(bytes));
		const result = watch.stall(clock, over.signal);
		await clock.sleep(STALL.windowMs + 1);
		over.abort();
		expect(await result).toEqual(stalls ? { kind: 'stalled', receivedBytes: bytes } : undefined);
		expect(clock.sleeping).toBe(0);
	});
});
