import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CREATE_PATH, TASKS_PATH, modelOf } from '../../../nodes/Videogen/contract/limits';
import { taskRecordSchema } from '../../../nodes/Videogen/contract/task';
import {
	DEFAULT_API_KEY,
	type Simulator,
	type SimulatorOptions,
	startSimulator,
} from '../../simulator';
import { listen, shut } from '../../simulator/server';
import { type FileHost, startFileHost } from '../../support/fileHost';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../support/sampleFiles';

const FAMILY = 'videogen-2.5';
const PUBLIC_PICTURE = 'https://media.example/a.png';

let sim: Simulator;
let host: FileHost;
let clockMs: number;
const running: Array<{ close: () => Promise<unknown> }> = [];

async function start(options: SimulatorOptions = {}): Promise<Simulator> {
	const started = await startSimulator({ now: () => clockMs, ...options });
	running.push(started);
	return started;
}

/** A server that answers each request as told; closed after the test. */
async function serveWith(answer: (request: IncomingMessage, response: ServerResponse) => void) {
	const { server, port } = await listen(0);
	server.on('request', answer);
	running.push({ close: async () => await shut(server) });
	return { server, url: `http://127.0.0.1:${port}/a.png` };
}

beforeEach(async () => {
	clockMs = 1_700_000_000_000;
	[sim, host] = await Promise.all([start(), startFileHost()]);
	running.push(host);
});

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.close()));
});

const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };

const post = async (body: unknown, to: Simulator): Promise<Response> =>
	await fetch(`${to.baseUrl}/${CREATE_PATH}`, {
		method: 'POST',
		headers: { ...AUTHORIZED, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});

const recordOf = async (response: Response) => taskRecordSchema.parse(await response.json());

/** Creates an image-to-video task from the frames; gives its record. */
const createFrom = async (frames: string[], to: Simulator = sim) => {
	const model = modelOf(FAMILY, 'image-to-video');
	return await recordOf(await post({ model, prompt: 'Waves', image_urls: frames }, to));
};

const createFromReferences = async (lists: object, to: Simulator = sim) => {
	const model = modelOf(FAMILY, 'reference-to-video');
	return await recordOf(await post({ model, prompt: 'As shown', ...lists }, to));
};

const read = async (id: string, from: Simulator = sim) =>
	await recordOf(await fetch(`${from.baseUrl}/${TASKS_PATH}/${id}`, { headers: AUTHORIZED }));

const servePng = (path = '/a.png', body = samplePng()): string =>
	host.serve(path, { body, contentType: 'image/png' });

describe('frames and references', () => {
	test('are fetched and reported by their digest', async () => {
		const frames = [servePng('/first.png'), servePng('/last.png', samplePng([0, 0, 0]))];
		const { id } = await createFrom(frames);
		await sim.waitForMedia(2);
		expect(sim.mediaOf(id)).toEqual(
			[samplePng(), samplePng([0, 0, 0])].map((bytes, index) => ({
				at: clockMs,
				taskId: id,
				field: 'image_urls',
				index,
				url: frames[index],
				outcome: 'fetched',
				status: 200,
				contentType: 'image/png',
				bytes: bytes.length,
				sha256: sha256Of(bytes),
			})),
		);
		expect(sim.media).toHaveLength(2);
	});

	test('are told apart by list and place, whichever comes first', async () => {
		const video = host.serve('/a.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
		const [low, high] = [sampleWav(220), sampleWav(880)];
		const audio_urls = [
			host.serve('/low.wav', { body: low, contentType: 'audio/wav' }),
			host.serve('/high.wav', { body: high, contentType: 'audio/x-wav; rate=8000' }),
		];
		const lists = { audio_urls, video_urls: [video], image_urls: [servePng()] };
		const { id } = await createFromReferences(lists);
		await sim.waitForMedia(4);
		const seen = sim.mediaOf(id).map(({ field, index, outcome, sha256 }) => {
			return [`${field}[${index}]`, outcome, sha256];
		});
		expect(seen).toEqual([
			['image_urls[0]', 'fetched', sha256Of(samplePng())],
			['video_urls[0]', 'fetched', sha256Of(sampleMp4())],
			['audio_urls[0]', 'fetched', sha256Of(low)],
			['audio_urls[1]', 'fetched', sha256Of(high)],
		]);
	});

	test('are asked for without the key, and the query as it was given', async () => {
		await createFrom([`${servePng()}?token=a%2Bb&x=%20`]);
		await sim.waitForMedia(1);
		expect(host.requests.map(({ method, path }) => [method, path])).toEqual([
			['GET', '/a.png?token=a%2Bb&x=%20'],
		]);
		expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
	});

	test('do not hold up the answer to the create', async () => {
		const { server, url } = await serveWith(() => undefined);
		const asked = once(server, 'request');
		expect(await createFrom([url])).toMatchObject({ status: 'pending' });
		await asked;
		expect(sim.media).toEqual([]);
	});

	test('are fetched for accepted creates only', async () => {
		const frames = Array.from({ length: 3 }, () => servePng());
		const body = { model: modelOf(FAMILY, 'image-to-video'), prompt: 'x', image_urls: frames };
		expect((await post(body, sim)).status).toBe(400);
		sim.script({ on: 'create', fault: { kind: 'status', status: 503 } });
		await post({ ...body, image_urls: [servePng()] }, sim);
		await createFrom([servePng('/accepted.png')]);
		await sim.waitForMedia(1);
		expect(host.requests.map(({ path }) => path)).toEqual(['/accepted.png']);
	});

	test.each([
		PUBLIC_PICTURE,
		'http://10.0.0.1/a.png',
		'http://127.example/a.png',
		'http://128.0.0.1/a.png',
		'http://localhost.example/a.png',
		'http://[2001:db8::1]/a.png',
	])('are skipped when not on this machine: %s', async (url) => {
		const { id } = await createFrom([url]);
		const skipped = await sim.waitForMedia((media) => media.taskId === id);
		expect(skipped).toMatchObject({ url, outcome: 'skipped', reason: expect.stringMatching(/./) });
		expect(skipped).not.toHaveProperty('status');
	});

	test('are skipped when a redirect leads away from this machine', async () => {
		const headers = { location: PUBLIC_PICTURE };
		await createFrom([host.serve('/a.png', { status: 302, headers })]);
		expect(await sim.waitForMedia(1)).toMatchObject({ outcome: 'skipped' });
	});

	test('are fetched from anywhere when told so', async () => {
		const open = await start({ fetchPublicMedia: true });
		// This machine under an address that is none of its loopback ones.
		const url = servePng().replace('127.0.0.1', '0.0.0.0');
		await createFrom([url]);
		expect(await sim.waitForMedia(1)).toMatchObject({ url, outcome: 'skipped' });
		await createFrom([url], open);
		expect(await open.waitForMedia(1)).toMatchObject({ url, outcome: 'fetched' });
	});

	test('are followed over redirects, but not for ever', async () => {
		const headers = { location: '/a.png' };
		servePng();
		const moved = host.serve('/moved', { status: 301, headers });
		const circle = host.serve('/circle', { status: 302, headers: { location: '/circle' } });
		const { id } = await createFrom([moved, circle]);
		await sim.waitForMedia(2);
		expect(sim.mediaOf(id)).toMatchObject([
			{ url: moved, outcome: 'fetched', status: 200, sha256: sha256Of(samplePng()) },
			{ outcome: 'failed', reason: expect.stringContaining('redirected more than 5 times') },
		]);
	});
});

describe('frames and references that are no use', () => {
	test.each([403, 404, 410, 500])('status %i', async (status) => {
		await createFrom([host.serve('/a.png', { status, contentType: 'text/plain' })]);
		const media = await sim.waitForMedia(1);
		expect(media).toMatchObject({ outcome: 'failed', status, contentType: 'text/plain' });
		expect(media.reason).toContain(String(status));
		expect(media).not.toHaveProperty('sha256');
	});

	test('no server, and a protocol of another kind', async () => {
		const gone = await startFileHost();
		await gone.close();
		const { id } = await createFrom([`${gone.origin}/a.png`, 'ftp://127.0.0.1/a.png']);
		await sim.waitForMedia(2);
		expect(sim.mediaOf(id)).toMatchObject([
			{ outcome: 'failed', reason: expect.stringContaining('ECONNREFUSED') },
			{ outcome: 'failed', reason: expect.stringContaining('ftp:') },
		]);
	});

	test('a body that is cut off', async () => {
		const { url } = await serveWith((_, response) => {
			response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1_000 });
			response.write('half', () => response.destroy());
		});
		await createFrom([url]);
		const media = await sim.waitForMedia(1);
		expect(media).toMatchObject({ outcome: 'failed', status: 200, contentType: 'image/png' });
		expect(media).not.toHaveProperty('sha256');
	});

	test.each([
		['before the answer', false],
		['in the middle of the body', true],
	])('a server that falls silent %s', async (_, isAnswered) => {
		const hasty = await start({ mediaTimeoutMs: 50 });
		const { url } = await serveWith((__, response) => {
			if (isAnswered) response.writeHead(200, { 'content-type': 'image/png' }).write('half');
		});
		await createFrom([url], hasty);
		expect(await hasty.waitForMedia(1)).toMatchObject({
			outcome: 'failed',
			reason: 'It took longer than 50 ms',
		});
	});

	test('a file over the limit, of which no more is read', async () => {
		const small = await start({ maxMediaBytes: 100 });
		const { url, server } = await serveWith((_, response) => {
			response.writeHead(200, { 'content-type': 'image/png' });
			const more = () => {
				if (!response.destroyed) response.write(Buffer.alloc(60), () => setImmediate(more));
			};
			more();
		});
		const cut = new Promise((resolve) => {
			server.on('request', (_, response) => response.on('close', () => resolve(true)));
		});
		await createFrom([url], small);
		const media = await small.waitForMedia(1);
		expect(media).toMatchObject({ outcome: 'tooLarge', status: 200, contentType: 'image/png' });
		expect(media.reason).toContain('100 bytes');
		expect(await cut).toBe(true);
	});

	test('a file of just the limit is fine', async () => {
		const small = await start({ maxMediaBytes: 100 });
		const { id } = await createFrom(
			[servePng('/a.png', Buffer.alloc(100)), servePng('/b.png', Buffer.alloc(101))],
			small,
		);
		await small.waitForMedia(2);
		expect(small.mediaOf(id).map(({ outcome }) => outcome)).toEqual(['fetched', 'tooLarge']);
	});

	test.each([
		['image_urls', 'image/jpeg', 'fetched'],
		['image_urls', 'IMAGE/WebP; q=1', 'fetched'],
		['image_urls', 'image/gif', 'wrongType'],
		['image_urls', 'image/svg+xml', 'wrongType'],
		['image_urls', 'video/mp4', 'wrongType'],
		['image_urls', '', 'wrongType'],
		['video_urls', 'video/webm', 'fetched'],
		['video_urls', 'application/octet-stream', 'wrongType'],
		['audio_urls', 'audio/mpeg', 'fetched'],
		['audio_urls', 'video/mp4', 'wrongType'],
	])('%s with content type "%s": %s', async (field, contentType, outcome) => {
		const url = host.serve('/a', { body: 'content', contentType });
		await createFromReferences({ [field]: [url] });
		expect(await sim.waitForMedia(1)).toMatchObject({
			field,
			outcome,
			contentType,
			sha256: sha256Of(Buffer.from('content')),
		});
	});

	test('change nothing about the task unless told to', async () => {
		const { id } = await createFrom([host.serve('/a.png', { status: 404 })]);
		await sim.waitForMedia(1);
		clockMs += 3_000;
		expect(await read(id)).toMatchObject({ status: 'completed' });
	});
});

describe('required frames and references', () => {
	const failure = async (id: string, from: Simulator) => {
		await from.waitForMedia((media) => media.taskId === id);
		const record = await read(id, from);
		expect(record.status).toBe('failed');
		return record.error;
	};

	test('fail the task with the address and its query', async () => {
		const strict = await start({ mediaPolicy: 'require' });
		const url = `${host.serve('/a.png', { status: 403 })}?token=secret`;
		const { id, status } = await createFrom([url], strict);
		expect(status).toBe('pending');
		expect(await failure(id, strict)).toEqual({
			code: 'image_processing_error',
			message: `Could not process image_urls[0] ${url}: Its host answered with status 403`,
		});
	});

	test('fail the task when the type does not fit, naming the first in the order of the create', async () => {
		const strict = await start({ mediaPolicy: 'require' });
		const page = host.serve('/login', { body: '<html>', contentType: 'text/html; charset=utf-8' });
		const lists = { image_urls: [servePng(), page], audio_urls: [servePng('/b.png')] };
		const { id } = await createFromReferences(lists, strict);
		await strict.waitForMedia(3);
		expect(await failure(id, strict)).toEqual({
			code: 'image_processing_error',
			message: `Could not process image_urls[1] ${page}: It has the content type text/html`,
		});
	});

	test('let the task end as usual when all are good or skipped', async () => {
		const strict = await start({ mediaPolicy: 'require' });
		const { id } = await createFrom([servePng(), PUBLIC_PICTURE], strict);
		await strict.waitForMedia(2);
		expect(await read(id, strict)).toMatchObject({ status: 'pending' });
		clockMs += 3_000;
		expect(await read(id, strict)).toMatchObject({ status: 'completed' });
	});

	test('keep the task from its end until they are there, however short it is', async () => {
		const strict = await start({ mediaPolicy: 'require', taskDurationMs: 0 });
		strict.planTask({ immediate: true });
		let respond = () => {};
		const { server, url } = await serveWith((_, response) => {
			respond = () => {
				response.writeHead(200, { 'content-type': 'image/png' }).end(samplePng());
			};
		});
		const asked = once(server, 'request');
		const { id, status } = await createFrom([url], strict);
		clockMs += 1e6;
		expect(status).toBe('processing');
		expect(await read(id, strict)).toMatchObject({ status: 'processing', progress: 99 });
		await asked;
		respond();
		await strict.waitForMedia(1);
		expect(await read(id, strict)).toMatchObject({ status: 'completed' });
	});

	test('leave a task alone that a test has made final', async () => {
		const strict = await start({ mediaPolicy: 'require' });
		const { id } = await createFrom([host.serve('/a.png', { status: 404 })], strict);
		strict.finish(id);
		await strict.waitForMedia(1);
		expect(await read(id, strict)).toMatchObject({ status: 'completed' });
	});
});

describe('the list of what was fetched', () => {
	test('is told as it grows, and waited for by number or by what it holds', async () => {
		const seen: string[] = [];
		const stop = sim.onMedia(({ url }) => seen.push(url));
		const second = sim.waitForMedia(2);
		const [first, last] = [servePng('/1.png'), servePng('/2.png')];
		await createFrom([first]);
		expect((await sim.waitForMedia(({ url }) => url === first)).index).toBe(0);
		await createFrom([last]);
		expect(await second).toBe(sim.media[1]);
		stop();
		await createFrom([first]);
		await sim.waitForMedia(3);
		expect(seen).toEqual([first, last]);
		await expect(sim.waitForMedia(4, 5)).rejects.toThrow('within 5 ms');
	});

	test('stays the same array after a reset, which ends what is under way', async () => {
		const { media } = sim;
		const { server, url } = await serveWith(() => undefined);
		const closed = new Promise((resolve) => {
			server.on('request', (_, response) => response.on('close', () => resolve(true)));
		});
		const asked = once(server, 'request');
		await createFrom([servePng(), url]);
		await Promise.all([asked, sim.waitForMedia(1)]);
		sim.reset();
		expect(await closed).toBe(true);
		expect(media).toEqual([]);
		await createFrom([servePng('/b.png')]);
		await sim.waitForMedia(1);
		expect(media).toMatchObject([{ url: `${host.origin}/b.png` }]);
	});
});
