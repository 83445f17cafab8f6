import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { BodyWatch, STALL } from '../../../nodes/Videogen/downloads/bodyWatch';
import { Downloader } from '../../../nodes/Videogen/downloads/downloader';
import type { FileAccess } from '../../../nodes/Videogen/downloads/n8nFiles';
import { type Simulator, startSimulator } from '../../simulator';
import { VirtualClock } from '../../support/clocks';
import {
	answerWith,
	codedError,
	completedTask,
	openBody,
	storeByListening,
	storePiecewise,
	storeThatFails,
} from '../../support/downloadScene';

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

/** The streams of a real connection behave in their own ways when somebody ends them. */
describe('over a real connection', () => {
	const WHOLE = Buffer.alloc(300_000, 'fox');
	let host: Simulator;

	beforeAll(async () => {
		host = await startSimulator();
		host.serve('/whole', { body: WHOLE });
	});

	afterAll(async () => await host.close());

	async function delivery(path: string, store: FileAccess['store']) {
		let asks = 0;
		const downloader = new Downloader({
			fetch: async (url) => {
				if ((asks += 1) > 1) throw codedError('CERT_HAS_EXPIRED');
				const body = await new Promise<IncomingMessage>((resolve, reject) => {
					get(url, resolve).on('error', reject);
				});
				return answerWith(body, { declaredBytes: WHOLE.length });
			},
			store,
			signal: new AbortController().signal,
			// Pauses are over at once, stalls never come: nothing depends on the machine's speed.
			clock: {
				now: () => 0,
				random: () => 0.5,
				sleep: async (ms, signal) =>
					ms < STALL.windowMs
						? undefined
						: await new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
			},
			now: () => 0,
		});
		return { result: await downloader.download(completedTask([`${host.origin}${path}`])), asks };
	}

	test.each([
		['piece by piece', storePiecewise],
		['by listening', storeByListening],
	])('a file arrives whole where it is read %s', async (_name, store) => {
		const { result } = await delivery('/whole', store);
		expect(result).toMatchObject({ kind: 'files', files: [{ data: WHOLE.toString('latin1') }] });
	});

	test.each([
		['ENOSPC', { kind: 'diskFull' }],
		['EROFS', { kind: 'storage', reason: 'EROFS' }],
	])('a storage that fails with %s is not taken for the network', async (code, error) => {
		const { result, asks } = await delivery('/whole', storeThatFails(codedError(code)));
		expect(result).toMatchObject({ kind: 'notDownloaded', error });
		expect(asks).toBe(1);
	});

	test.each([
		['piece by piece', storePiecewise],
		['by listening', storeByListening],
	])('a body that is cut off is asked for again where it is read %s', async (_name, store) => {
		host.script({ on: 'file', fault: { kind: 'cutOff' } });
		const { result, asks } = await delivery('/whole', store);
		expect(result).toMatchObject({ error: { kind: 'network', reason: 'tls' } });
		expect(asks).toBe(2);
	});
});
