import { type DownloadResult, MAX_DOWNLOAD_TRIES } from '../../../nodes/Videogen/files/download';
import { turnOfEventLoop } from '../../programs/support/clocks';
import {
	answerWith,
	bodyOf,
	codedError,
	DownloadScene,
	filesOf,
	openBody,
	storeByListening,
	storePiecewise,
} from '../../programs/support/downloadScene';

const stopped = expect.objectContaining({ kind: 'notDownloaded', error: { kind: 'stopped' } });
const never = async (): Promise<never> => await new Promise(() => undefined);

/** Ends when the request is aborted, as n8n's does. */
const answerOnAbort = async (signal: AbortSignal): Promise<never> =>
	await new Promise((_, reject) => {
		signal.addEventListener('abort', () => reject(codedError('ERR_CANCELED')));
	});

/** Stops once everything has come to rest; no time may pass until the result is there. */
async function stoppedDownload(
	scene: DownloadScene,
	going: Promise<DownloadResult>,
): Promise<DownloadResult> {
	await turnOfEventLoop();
	const atMs = scene.clock.now();
	scene.stop();
	const result = await going;
	expect(scene.clock.now()).toBe(atMs);
	await turnOfEventLoop();
	expect(scene.clock.sleeping).toBe(0);
	return result;
}

describe('a download that is stopped', () => {
	test('just before its answer comes stores nothing and lets go of the body', async () => {
		const store = jest.fn(storePiecewise);
		const scene: DownloadScene = new DownloadScene({
			answer: () => {
				scene.stop();
				return answerWith(bodyOf('x'));
			},
			store,
		});
		expect(await scene.download()).toEqual(stopped);
		expect(store).not.toHaveBeenCalled();
		expect(scene.bodies.map((body) => body.destroyed)).toEqual([true]);
	});

	test.each([
		['does not notice', never],
		['reads piece by piece', storePiecewise],
		['listens', storeByListening],
	])('while a storage that %s takes it ends at once', async (_name, store) => {
		const body = openBody();
		body.push('x');
		const scene = new DownloadScene({ store, answer: () => answerWith(body) });
		expect(await stoppedDownload(scene, scene.download())).toEqual(stopped);
		expect(body.destroyed).toBe(true);
		expect(scene.asks).toHaveLength(1);
	});

	test('while n8n does not say where it keeps files ends at once', async () => {
		const scene = new DownloadScene({ storage: new Promise(() => undefined) });
		const going = scene.download();
		await turnOfEventLoop();
		scene.stop();
		expect(await going).toEqual(stopped);
		expect(scene.asks).toEqual([]);
	});

	test('while it waits for its turn is never asked for', async () => {
		const scene = new DownloadScene({
			answer: async (_url, _tries, signal) => await answerOnAbort(signal),
		});
		const urls = Array.from({ length: 10 }, (_, index) => `https://e.com/${index}`);
		const going = urls.map(async (url) => await scene.download([url]));
		await turnOfEventLoop();
		scene.stop();
		expect(await Promise.all(going)).toEqual(urls.map(() => stopped));
		expect(scene.clock.now()).toBe(0);
		expect(scene.asks.map(({ url }) => url)).toEqual(urls.slice(0, 4));
	});
});

describe('a body that does not go on', () => {
	const STALLED = (receivedBytes: number) => ({ kind: 'stalled', receivedBytes });

	test.each([
		['before it begins', 0, storePiecewise],
		['in its middle', 5_000, storePiecewise],
		['and whose storage does not notice its end', 0, never],
	])('%s is given up, ended and asked for again', async (_name, bytes, store) => {
		const scene = new DownloadScene({
			store,
			answer: () => {
				const body = openBody();
				if (bytes > 0) body.push(Buffer.alloc(bytes));
				return answerWith(body, { declaredBytes: 10_000 });
			},
		});
		expect(await scene.error()).toEqual(STALLED(bytes));
		expect(scene.asks).toHaveLength(MAX_DOWNLOAD_TRIES);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		expect(scene.clock.now()).toBeLessThan(MAX_DOWNLOAD_TRIES * (60_000 + 60_000));
	});

	test('because it broke, and whose storage does not notice, is no endless wait', async () => {
		const scene = new DownloadScene({
			store: never,
			answer: () => {
				const body = openBody();
				setImmediate(() => body.destroy(codedError('ECONNRESET')));
				return answerWith(body);
			},
		});
		expect(await scene.error()).toEqual({ kind: 'network', reason: 'lost' });
		expect(scene.asks).toHaveLength(MAX_DOWNLOAD_TRIES);
	});

	test('because it is all there is no stall, however slow the storage', async () => {
		const scene: DownloadScene = new DownloadScene({
			store: async (...file) => {
				const kept = await storePiecewise(...file);
				await scene.clock.sleep(500_000);
				return kept;
			},
		});
		expect(filesOf(await scene.download())).toHaveLength(1);
		expect(scene.asks).toHaveLength(1);
	});
});
