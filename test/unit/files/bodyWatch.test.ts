import { finished } from 'node:stream/promises';
import { BodyWatch, STALL } from '../../../nodes/Videogen/files/bodyWatch';
import { VirtualClock } from '../../programs/support/clocks';
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
