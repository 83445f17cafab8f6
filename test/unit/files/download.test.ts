import { Readable } from 'node:stream';
import {
	type DownloadError,
	MAX_BYTES,
	MAX_BYTES_IN_DATABASE,
	MAX_BYTES_IN_MEMORY,
	MAX_FILES,
	NotFetched,
} from '../../../nodes/Videogen/files/downloadError';
import {
	MAX_DOWNLOAD_TRIES,
	MAX_DOWNLOADS_AT_ONCE,
	MIN_TIME_MS,
} from '../../../nodes/Videogen/files/download';
import type { FileAccess, FileAnswer } from '../../../nodes/Videogen/files/fetchFile';
import type { Storage } from '../../../nodes/Videogen/ground/storage';
import {
	answerWith,
	bodyOf,
	codedError,
	DownloadScene,
	filesOf,
	openBody,
	START_MS,
	statusAnswer,
	storeByListening,
	storePiecewise,
	storeThatFails,
} from '../../programs/support/downloadScene';
import { failedCall } from '../../programs/support/networkErrors';

const URL = 'https://e.com/fox.mp4';
const throwing = (thrown: Error) => () => {
	throw thrown;
};
/** Of a video: a host says how it has packed it. */
const packed = (encoding: string) => () =>
	answerWith(bodyOf('x'), {
		headers: { 'content-type': 'video/mp4', 'content-encoding': encoding },
	});

/** A body that breaks off when what came before has been read, and somebody asks for more. */
function brokenBody(before: string): FileAnswer['body'] {
	let isBegun = before === '';
	return new Readable({
		highWaterMark: before.length,
		read() {
			if (isBegun) this.destroy(codedError('ECONNRESET'));
			else this.push(before);
			isBegun = true;
		},
	});
}

describe('the results of a task', () => {
	test('end with the first that cannot be had, which is named', async () => {
		const urls = ['https://e.com/1', 'https://e.com/2', 'https://e.com/3'];
		const scene = new DownloadScene({
			answer: (url) => (url.endsWith('2') ? statusAnswer(404) : answerWith(bodyOf('x'))),
		});
		expect(await scene.download(urls)).toEqual({
			kind: 'notDownloaded',
			error: { kind: 'status', status: 404 },
			url: urls[1],
		});
		expect(scene.asks.map(({ url }) => url)).toEqual(urls.slice(0, 2));
	});

	test.each([null, [], '', ' ', {}, 7, [null, 7, {}, { url: 7 }, [URL]]])(
		'that read %j are none',
		async (results) => {
			const scene = new DownloadScene();
			expect(await scene.error(results)).toEqual({ kind: 'noResults' });
			expect(scene.asks).toEqual([]);
		},
	);

	test.each<[unknown, asked?: string]>([
		[` ${URL}\n`],
		[{ url: URL }],
		[[{ url: URL, type: 'video' }]],
		[[null, '', { url: '' }, URL]],
		['http://e.com/a', 'http://e.com/a'],
		['HTTPS://E.com/a', 'HTTPS://E.com/a'],
	])('are understood as %j', async (results, asked = URL) => {
		const scene = new DownloadScene();
		expect(filesOf(await scene.download(results))).toHaveLength(1);
		expect(scene.asks.map(({ url }) => url)).toEqual([asked]);
	});

	test.each([
		...['ftp://e.com/a', 'file:///etc/passwd', 'data:video/mp4;base64,AA', 'a.mp4', '//e.com/a'],
	])('at %s are not asked for', async (url) => {
		const scene = new DownloadScene();
		const error = { kind: 'noUrl' };
		expect(await scene.download([url])).toEqual({ kind: 'notDownloaded', error, url });
		expect(scene.asks).toEqual([]);
	});
});

describe('a download that fails', () => {
	type Failure = [string, () => FileAnswer, DownloadError];
	const refused = failedCall({ syscall: 'connect', code: 'ECONNREFUSED' });
	const lost: DownloadError = { kind: 'network', reason: 'lost' };
	const noTls: DownloadError = { kind: 'network', reason: 'tls' };
	const withStatus = (status: number): Failure => [
		`with ${status}`,
		() => statusAnswer(status),
		{ kind: 'status', status },
	];
	const cutOff = (receivedBytes: number): DownloadError => {
		return { kind: 'cutOff', receivedBytes, declaredBytes: 6 };
	};
	const ofSix = (body: FileAnswer['body']) => answerWith(body, { declaredBytes: 6 });
	const saysEmpty = () => answerWith(bodyOf(), { declaredBytes: 0 });
	const passing: Failure[] = [
		...[408, 429, 503].map(withStatus),
		['refused', throwing(refused), { kind: 'network', reason: 'connectionRefused' }],
		['with a broken line', throwing(codedError('ECONNRESET')), lost],
		['with an empty body', () => answerWith(bodyOf()), { kind: 'empty' }],
		['with a body that is said to be empty', saysEmpty, { kind: 'empty' }],
		['with a body that ends early', () => ofSix(bodyOf('12345')), cutOff(5)],
		['with one that says its length, and breaks off', () => ofSix(brokenBody('12')), cutOff(2)],
		['with one that breaks off before it begins', () => answerWith(brokenBody('')), lost],
	];

	test('with a body that is said to be empty puts no file into the storage', async () => {
		const store = jest.fn(storePiecewise);
		const scene = new DownloadScene({ answer: saysEmpty, store });
		expect(await scene.error()).toEqual({ kind: 'empty' });
		expect(store).not.toHaveBeenCalled();
	});

	async function expectFailure(scene: DownloadScene, error: DownloadError, tries: number) {
		expect(await scene.download()).toEqual({ kind: 'notDownloaded', error, url: URL });
		expect(scene.asks).toHaveLength(tries);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		expect(scene.clock.sleeping).toBe(0);
	}

	test.each(passing)('%s is tried again, but not for ever', async (_name, answer, error) => {
		await expectFailure(new DownloadScene({ answer }), error, MAX_DOWNLOAD_TRIES);
	});

	const page = () =>
		answerWith(bodyOf('<p>Log in'), { headers: { 'content-type': 'Text/HTML; charset=utf-8' } });
	const lasting: Failure[] = [
		...[199, 300, 304, 403, 404, 410].map(withStatus),
		['for its certificate', throwing(codedError('CERT_HAS_EXPIRED')), noTls],
		['for its URL', throwing(new NotFetched('local')), { kind: 'local' }],
		['with a web page', page, { kind: 'noMedia' }],
		['compressed', packed('GZip'), { kind: 'compressed' }],
		['compressed twice', packed('identity, br'), { kind: 'compressed' }],
		['unpacked, as it says less', () => ofSix(bodyOf('1234567')), { kind: 'compressed' }],
	];

	test.each(lasting)('%s is not tried again', async (_name, answer, error) => {
		await expectFailure(new DownloadScene({ answer }), error, 1);
	});

	const noManager = 'No binary data manager found for: s3';
	const storesNothing = async () => await Promise.reject(new Error(noManager));
	const [full, denied] = ['ENOSPC', 'EACCES'].map((code) => storeThatFails(codedError(code)));
	const endsBody: FileAccess['store'] = async (body) => {
		const ownError = codedError('ENOSPC');
		body.destroy(ownError);
		await new Promise((resolve) => body.once('close', resolve));
		throw ownError;
	};
	test.each<[DownloadError, FileAccess['store'] | undefined, (() => FileAnswer)?]>([
		[{ kind: 'diskFull' }, full],
		[{ kind: 'diskFull' }, endsBody],
		[{ kind: 'storage', reason: 'EACCES' }, denied],
		[{ kind: 'storage', reason: noManager }, storesNothing],
		// Although the body is also short.
		[{ kind: 'diskFull' }, full, () => answerWith(bodyOf('x'), { declaredBytes: 9 })],
	])('in the storage is %j and not tried again', async (error, store, answer = undefined) => {
		await expectFailure(new DownloadScene({ store, answer }), error, 1);
	});
});

describe('the pause before the next try', () => {
	/** How the header is read stands in `service/answer.test.ts`. */
	test.each([
		['7', 7_000],
		[new Date(START_MS + 9_000).toUTCString(), 9_000],
		['3600', 60_000],
		['0', 750],
		[undefined, 750],
	])('when the host asks for %j is %i ms', async (asked, pauseMs) => {
		const scene = new DownloadScene({
			answer: (_url, tries) =>
				tries === 1 ? statusAnswer(429, { 'retry-after': asked }) : answerWith(bodyOf('x')),
		});
		filesOf(await scene.download());
		expect(scene.pausesMs).toEqual([pauseMs]);
	});
});

describe('the downloads of many items', () => {
	test('that pause hold up no others', async () => {
		const asked = { 'retry-after': '60' };
		const scene = new DownloadScene({
			answer: (url, tries) =>
				url.includes('busy') && tries === 1 ? statusAnswer(429, asked) : answerWith(bodyOf(url)),
		});
		const urls = ['busy/1', 'busy/2', 'busy/3', 'busy/4', 'free/5'];
		const all = urls.map(async (path) => await scene.download([`https://e.com/${path}`]));
		for (const result of await Promise.all(all)) expect(filesOf(result)).toHaveLength(1);
		const free = scene.asks.find(({ url }) => url.includes('free'));
		expect(free?.atMs).toBe(0);
	});

	test('that are tried again go before those that never had their turn', async () => {
		const scene: DownloadScene = new DownloadScene({
			answer: async (url, tries) => {
				if (url.endsWith('/0') && tries === 1) return statusAnswer(503);
				await scene.clock.sleep(1_000);
				return answerWith(bodyOf(url));
			},
		});
		const urls = Array.from({ length: 20 }, (_, index) => `https://e.com/${index}`);
		await Promise.all(urls.map(async (url) => await scene.download([url])));
		const again = scene.asks.filter(({ url }) => url === urls[0])[1];
		expect(again?.atMs).toBe(1_000);
	});
});

test.each(['', 'Identity', 'aws-chunked', 'aws-chunked, identity'])(
	'the encoding %j is no compression',
	async (encoding) => {
		const result = await new DownloadScene({ answer: packed(encoding) }).download();
		expect(filesOf(result)).toHaveLength(1);
	},
);

test.each(['application/octet-stream', undefined])(
	'a file of the type %j is what its first bytes say, and whole',
	async (type) => {
		const png = `\u0089PNG\r\n${'x'.repeat(100)}`;
		const answer = () =>
			answerWith(Readable.from([Buffer.from(png, 'latin1')]), {
				headers: { 'content-type': type },
			});
		for (const store of [storePiecewise, storeByListening]) {
			const [file] = filesOf(await new DownloadScene({ answer, store }).download());
			expect(file).toEqual({ data: png, fileName: 'task_1.png', mimeType: 'image/png' });
		}
		const other = () => answerWith(bodyOf('%PDF-1.4 and more'), { headers: {} });
		expect(await new DownloadScene({ answer: other }).error()).toEqual({ kind: 'noMedia' });
	},
);

test.each([
	['memory', 1],
	['database', MAX_DOWNLOADS_AT_ONCE],
	['bucket', 1],
	['disk', MAX_DOWNLOADS_AT_ONCE],
] as const)('where n8n keeps files in: %s, %i are held at once', async (storage, most) => {
	let held = 0;
	let mostHeld = 0;
	const scene: DownloadScene = new DownloadScene({
		storage,
		store: async (...file) => {
			held += 1;
			mostHeld = Math.max(mostHeld, held);
			await scene.clock.sleep(1_000);
			held -= 1;
			return await storePiecewise(...file);
		},
	});
	const urls = Array.from({ length: 8 }, (_, index) => `https://e.com/${index}`);
	await Promise.all(urls.map(async (url) => filesOf(await scene.download([url]))));
	expect(mostHeld).toBe(most);
});

describe('the files of a task, all together', () => {
	const MEGABYTE = Buffer.alloc(1_000_000);
	/** A file of so many megabytes that does not say how long it is; it has no end of its own. */
	function endless(megabytes: number): Readable {
		let left = megabytes;
		return new Readable({
			read() {
				left -= 1;
				this.push(left >= 0 ? MEGABYTE : null);
			},
		});
	}
	/** Keeps nothing, or the test would need all that memory. */
	const store: FileAccess['store'] = async (body) => {
		for await (const piece of body) expect(piece).toBe(MEGABYTE);
		return { data: '', mimeType: 'video/mp4' };
	};
	const URLS = ['https://e.com/1', 'https://e.com/2'];
	/** What becomes of two files of these sizes. */
	async function of(storage: Storage, first: number, second: number): Promise<string> {
		const answer = (url: string) => answerWith(endless(url === URLS[0] ? first : second));
		const scene = new DownloadScene({ answer, storage, store });
		const result = await scene.download(URLS);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		return result.kind === 'files' ? 'files' : `${result.error.kind} ${result.url}`;
	}

	test.each([
		['disk', MAX_BYTES, 'tooMuch'],
		['bucket', MAX_BYTES_IN_DATABASE, 'tooLarge'],
		['database', MAX_BYTES_IN_DATABASE, 'tooLarge'],
		['memory', MAX_BYTES_IN_MEMORY, 'memory'],
	] as const)('may have so many bytes where n8n keeps them in: %s', async (storage, max, kind) => {
		const megabytes = max / 1_000_000;
		expect(await of(storage, 20, megabytes - 20)).toBe('files');
		expect(await of(storage, 20, megabytes - 19)).toBe(`${kind} ${URLS[1]}`);
		expect(await of(storage, Infinity, 1)).toBe(`${kind} ${URLS[0]}`);
	});

	test('are refused unread when one says that it has more', async () => {
		const answer = () => answerWith(bodyOf('x'), { declaredBytes: MAX_BYTES + 1 });
		const scene = new DownloadScene({ answer, store: jest.fn() });
		expect(await scene.error()).toEqual({ kind: 'tooMuch' });
	});

	test('count for each task by itself, but for all in the memory of n8n', async () => {
		const answer = () => answerWith(endless(MAX_BYTES_IN_MEMORY / 1_000_000));
		const database = new DownloadScene({ answer, storage: 'database', store });
		for (let task = 0; task < 11; task += 1) filesOf(await database.download());
		const memory = new DownloadScene({ answer, storage: 'memory', store });
		filesOf(await memory.download());
		expect(await memory.error()).toEqual({ kind: 'memory' });
	});

	test.each([
		[undefined, MIN_TIME_MS],
		[60_000, MIN_TIME_MS],
		[3_600_000, 3_600_000],
	])('may take as long as the wait for the task, %j ms: %i ms', async (waitMs, mostMs) => {
		const scene: DownloadScene = new DownloadScene({
			answer: () => {
				const body = openBody();
				void (async () => {
					// Never so slow that it stalls, and never at its end.
					for (; !body.destroyed; await scene.clock.sleep(10_000)) body.push(Buffer.alloc(40_000));
				})();
				return answerWith(body);
			},
		});
		expect(await scene.error(undefined, waitMs)).toEqual({ kind: 'tooSlow' });
		expect(scene.clock.now()).toBe(mostMs);
	});

	test('have time that does not pass while others have the places', async () => {
		const scene: DownloadScene = new DownloadScene({
			answer: async (url) => {
				await scene.clock.sleep(MIN_TIME_MS - 1_000);
				return answerWith(bodyOf(url));
			},
		});
		const urls = Array.from({ length: 20 }, (_, index) => `https://e.com/${index}`);
		const all = await Promise.all(urls.map(async (url) => await scene.download([url])));
		for (const result of all) expect(filesOf(result)).toHaveLength(1);
	});

	test('are at most so many, or none is asked for', async () => {
		const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://e.com/${at}`);
		const scene = new DownloadScene();
		expect(filesOf(await scene.download(urls(MAX_FILES)))).toHaveLength(MAX_FILES);
		expect(await scene.error(urls(MAX_FILES + 1))).toEqual({ kind: 'tooMany' });
		expect(scene.asks).toHaveLength(MAX_FILES);
	});
});
