/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { Readable } from 'node:stream';
import { STALL } from '../../../nodes/Videogen/files/body';
import { DownloadError } from '../../../nodes/Videogen/files/downloadError';
import type { FileAccess, FileAnswer } from '../../../nodes/Videogen/files/fetch';
import type { Outcome } from '../../../nodes/Videogen/work/session';
import { turnOfEventLoop } from '../../../tools/virtualClock';
import {
	answerWith,
	bodyOf,
	codedError,
	DownloadScene,
	filesOf,
	openBody,
	START_MS,
	statusAnswer,
	storePiecewise,
	storeThatFails,
	urls,
	whyOf,
} from '../../support/downloadScene';

const never = async (): Promise<never> => await new Promise(() => undefined);
const throwing = (thrown: Error) => () => {
	throw thrown;
};

/** A body that breaks off when what came before has been read, and somebody asks for more. */
function* thenBroken(...pieces: string[]) {
	yield* pieces.map((piece) => Buffer.from(piece));
	throw codedError('ECONNRESET');
}
const brokenBody = (...pieces: string[]) => Readable.from(thenBroken(...pieces));

const closingBody = () => new Readable({ read: closes });
function closes(this: Readable): void {
	this.destroy();
}

/** The least time for all files of a task. */
const MIN_TIME_MS = 600_000;

/** For how long files may be late. */
const PATIENCE_MS = 120_000;

/** Why there is no file, in the words of its message. */
const WHY = {
	busy: 'its host is not available right now',
	lost: 'n8n cannot connect to its host',
	cutOff: 'the download was interrupted',
	link: 'its link does not work',
	page: 'its URL leads to something else, such as a web page',
	text: 'its link leads to text, not to a video',
	disk: 'the disk of n8n is full',
	large: 'its results are too large or too many',
	store: 'n8n could not store it',
};

describe('the results of a task', () => {
	test('come in their order, named after the id', async () => {
		expect(filesOf(await new DownloadScene().download(urls(2)))).toEqual([
			{ data: `bytes of ${urls(1)[0]}`, fileName: 'video-ask1.mp4', mimeType: 'video/mp4' },
			expect.objectContaining({ fileName: 'video-ask1_1.mp4' }),
		]);
	});

	test('are all asked for, but what is stored only once', async () => {
		const answer = (url: string, tries: number) =>
			url.endsWith('1') && tries < 3 ? statusAnswer(404) : answerWith(bodyOf(url));
		const scene = new DownloadScene({ answer });
		const files = filesOf(await scene.download(urls(3)));
		expect(files.map(({ data }) => data)).toEqual(urls(3));
		const [first, late, last] = urls(3);
		expect(scene.asks.map(({ url }) => url)).toEqual([first, late, last, late, late]);
	});

	test('end with the first that cannot be had', async () => {
		const answer = (url: string) =>
			url.endsWith('0') ? answerWith(bodyOf('x')) : statusAnswer(url.endsWith('1') ? 410 : 401);
		const scene = new DownloadScene({ answer });
		expect(await scene.why(urls(3))).toBe(`${WHY.link} (status 410)`);
		expect(scene.asks).toHaveLength(3);
	});

	test('are at most 50, or none is asked for', async () => {
		const scene = new DownloadScene();
		expect(filesOf(await scene.download(urls(50)))).toHaveLength(50);
		expect(await scene.why(urls(51))).toBe(WHY.large);
		expect(scene.asks).toHaveLength(50);
	});
});

describe('a download that fails', () => {
	const ofSix = (body: FileAnswer['body']) => answerWith(body, { declaredBytes: 6 });

	async function expectFailure(scene: DownloadScene, why: string, isRetried = false) {
		const { failure, files } = await scene.download();
		expect([whyOf({ failure }), failure?.kind, files]).toEqual([why, 'download', undefined]);
		if (isRetried) expect(scene.asks.length).toBeGreaterThan(10);
		else expect(scene.asks).toHaveLength(1);
		expect(scene.clock.now()).toBe(isRetried ? PATIENCE_MS : 0);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		scene.stop();
		await turnOfEventLoop();
		expect(scene.clock.sleeping).toBe(0);
	}

	test.each([
		['busy', true, [408, 429, 503]],
		['link', false, [199, 300, 304, 401, 410]],
		['link', true, [403, 404]],
	] as const)(
		'with a status is tried again where the file may come: %s, %s, %j',
		async (why, isRetried, codes) => {
			for (const code of codes) {
				const scene = new DownloadScene({ answer: () => statusAnswer(code) });
				await expectFailure(scene, `${WHY[why]} (status ${code})`, isRetried);
			}
		},
	);

	const html = { 'content-type': 'text/html' };
	test.each<[string, () => FileAnswer, why: string, isRetried: boolean]>([
		['a lost line', throwing(codedError('ECONNRESET')), WHY.lost, true],
		['an empty body', () => answerWith(bodyOf()), WHY.cutOff, true],
		['a body that ends early', () => ofSix(bodyOf('12345')), WHY.cutOff, true],
		['one that breaks off at its end', () => ofSix(brokenBody('123456')), WHY.cutOff, true],
		['one that breaks off at once', () => answerWith(brokenBody()), WHY.cutOff, true],
		['one that is closed at once', () => answerWith(closingBody()), WHY.cutOff, true],
		['a URL that is local', throwing(new DownloadError('local')), 'its URL is local', false],
		['a web page', () => answerWith(bodyOf('<p>'), { headers: html }), WHY.page, false],
		['a page that is called a video', () => answerWith(bodyOf('<p>')), WHY.text, true],
	])('with %s is tried again only where that may help', async (_what, answer, why, isRetried) => {
		await expectFailure(new DownloadScene({ answer }), why, isRetried);
	});

	const noManager = 'No binary data manager found for: s3';
	const storesNothing = async () => await Promise.reject(new Error(noManager));
	const failing = (code: string) =>
		storeThatFails(new Error('Not stored', { cause: codedError(code) }));
	const endsBody: FileAccess['store'] = async (body) => {
		const ownError = codedError('ENOSPC');
		body.destroy(ownError);
		await new Promise((resolve) => body.once('close', resolve));
		throw ownError;
	};
	class FileTooLargeError extends Error {}
	test.each<[string, FileAccess['store'], why: string, answer?: () => FileAnswer]>([
		['for want of space', failing('ENOSPC'), WHY.disk],
		['for want of a share of it', failing('EDQUOT'), WHY.disk],
		['for that, which ends the body', endsBody, WHY.disk],
		['for that, with a short body', failing('ENOSPC'), WHY.disk, () => ofSix(bodyOf('1'))],
		['for too large a text', failing('ERR_STRING_TOO_LONG'), WHY.large],
		['at a limit', storeThatFails(new FileTooLargeError()), WHY.large],
		['without access', failing('EACCES'), WHY.store],
		['without a manager', storesNothing, WHY.store],
	])('to be stored %s is not tried again', async (_what, store, why, ...[answer]) => {
		await expectFailure(new DownloadScene({ store, answer }), why);
	});

	test('quotes what n8n says, and names the task', async () => {
		const { failure } = await new DownloadScene({ store: storesNothing }).download();
		expect(failure?.description).toContain(`n8n says: "${noManager}".`);
		expect(failure?.description).toContain('task_1');
	});
});

test.each([
	[503, [undefined, undefined, undefined], [750, 1_500, 3_000]],
	[429, ['7'], [7_000]],
	[429, [new Date(START_MS + 9_000).toUTCString()], [9_000]],
	[429, ['3600'], [60_000]],
	[429, ['0'], [750]],
])(
	'between two tries after %i, for which the host asks for %j, pass %j ms, and reads go on',
	async (code, asked, pausesMs) => {
		const answer = (_url: string, tries: number) =>
			tries > asked.length
				? answerWith(bodyOf('x'))
				: statusAnswer(code, { 'retry-after': asked[tries - 1] });
		const scene = new DownloadScene({ answer });
		const closing = jest.spyOn(scene.reads, 'refused');
		expect(filesOf(await scene.download())).toHaveLength(1);
		expect(scene.pausesMs).toEqual(pausesMs);
		expect(closing).not.toHaveBeenCalled();
	},
);

test('a file that is late is given up after two minutes, though reads pause for ten', async () => {
	const scene = new DownloadScene({ answer: () => statusAnswer(404) });
	const going = scene.why();
	await turnOfEventLoop();
	const error = { kind: 'status', status: 429, isJson: true, retryAfterMs: 600_000 } as const;
	scene.reads.refused(error, scene.clock.now());
	expect(await going).toBe(`${WHY.link} (status 404)`);
	expect(scene.clock.now()).toBe(PATIENCE_MS);
});

describe('the files of a task, all together', () => {
	const MEGABYTE = Buffer.alloc(1_000_000);
	function* megabytes(count: number) {
		for (let piece = 0; piece < count; piece += 1) yield MEGABYTE;
	}
	/** Keeps nothing, or the test would need all that memory. */
	const store: FileAccess['store'] = async (body) => {
		for await (const piece of body) expect(piece).toBe(MEGABYTE);
		return { data: '', mimeType: 'video/mp4' };
	};
	async function of(isOnDisk: boolean, first: number, second: number): Promise<string> {
		const answer = (url: string) =>
			answerWith(Readable.from(megabytes(url === urls(1)[0] ? first : second)));
		const scene = new DownloadScene({ answer, isOnDisk, store });
		const result = await scene.download(urls(2));
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		expect(scene.asks).toHaveLength(2);
		return result.failure ? whyOf(result) : 'files';
	}
	test.each([
		[true, 2_000],
		[false, 512],
	])('where n8n keeps them on disk: %s, have up to %i MB', async (isOnDisk, megabytes) => {
		expect(await of(isOnDisk, 20, megabytes - 20)).toBe('files');
		expect(await of(isOnDisk, 20, megabytes - 19)).toBe(WHY.large);
		expect(await of(isOnDisk, Infinity, 1)).toBe(WHY.large);
	});

	test('are refused unread when one says that it has more', async () => {
		const answer = () => answerWith(bodyOf('x'), { declaredBytes: 2_000_000_001 });
		const scene = new DownloadScene({ answer, store: jest.fn() });
		expect(await scene.why()).toBe(WHY.large);
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
		expect(await scene.why(undefined, waitMs)).toBe('it took too long');
		expect(scene.clock.now()).toBe(mostMs);
		await turnOfEventLoop();
		expect(scene.bodies[0]?.destroyed).toBe(true);
	});
});

/** A database holds a file in memory before it stores it: defect 12 of earlier builds. */
test.each([
	[true, 4],
	[false, 1],
])('where n8n keeps files on disk: %s, it gets %i at a time', async (isOnDisk, expected) => {
	let [atOnce, mostAtOnce] = [0, 0];
	const store: FileAccess['store'] = async (...file) => {
		atOnce += 1;
		mostAtOnce = Math.max(mostAtOnce, atOnce);
		const kept = await storePiecewise(...file);
		atOnce -= 1;
		return kept;
	};
	const scene = new DownloadScene({ isOnDisk, store });
	await Promise.all(urls(10).map(async (url) => filesOf(await scene.download([url]))));
	expect(mostAtOnce).toBe(expected);
});

test('what n8n has unpacked is whole, whatever its length says', async () => {
	// As a decompressor has it, which counts what comes in.
	const unpacked = () => Object.assign(bodyOf('whole'), { bytesWritten: 7 });
	const scene = new DownloadScene({
		answer: () => answerWith(unpacked(), { declaredBytes: 5_000 }),
	});
	expect(filesOf(await scene.download())).toMatchObject([{ data: 'whole' }]);
});

describe('a body that does not go on', () => {
	test.each([
		['before it begins', 0, storePiecewise],
		['in its middle', STALL.minBytes - 1, storePiecewise],
		['and whose storage does not notice its end', 0, never],
	])('%s is given up, ended and asked for again', async (_name, bytes, store) => {
		const scene = new DownloadScene({
			store,
			answer: () => {
				const body = openBody();
				if (bytes > 0) body.push(Buffer.alloc(bytes));
				return answerWith(body, { declaredBytes: 100_000 });
			},
		});
		expect(await scene.why()).toBe(WHY.cutOff);
		expect(scene.asks.length).toBeGreaterThan(1);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
		expect(scene.pausesMs[0]).toBeGreaterThanOrEqual(STALL.windowMs);
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
	});
});

describe('a download that is stopped', () => {
	/** Stops once everything has come to rest; no time may pass until the result is there. */
	async function stopped(scene: DownloadScene, going: Promise<Outcome>): Promise<void> {
		await turnOfEventLoop();
		const atMs = scene.clock.now();
		scene.stop();
		expect(await going).toMatchObject({ failure: { kind: 'stopped' } });
		expect(scene.clock.now()).toBe(atMs);
		await turnOfEventLoop();
		expect(scene.clock.sleeping).toBe(0);
		expect(scene.bodies.every((body) => body.destroyed)).toBe(true);
	}

	test.each([never, storePiecewise])('while %p stores it ends at once', async (store) => {
		const body = openBody();
		body.push('x');
		const scene = new DownloadScene({ store, answer: () => answerWith(body) });
		await stopped(scene, scene.download());
		expect(scene.asks).toHaveLength(1);
	});

	test('closes an answer that comes later', async () => {
		const body = openBody();
		let answer: (late: FileAnswer) => void = () => undefined;
		const late = new Promise<FileAnswer>((resolve) => (answer = resolve));
		const scene = new DownloadScene({ answer: async () => await late });
		await stopped(scene, scene.download());
		answer(answerWith(body));
		await turnOfEventLoop();
		expect(body.destroyed).toBe(true);
	});

	test('while it waits for its turn is never asked for', async () => {
		const scene = new DownloadScene({ answer: never });
		const going = urls(10).map(async (url) => await scene.download([url]));
		await Promise.all(going.map(async (one) => await stopped(scene, one)));
		expect(scene.asks.map(({ url }) => url)).toEqual(urls(4));
	});
});
