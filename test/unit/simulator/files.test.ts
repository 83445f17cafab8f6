import { CLIP_BYTES, DEFAULT_API_KEY, type NewTask, type Simulator } from '../../simulator';
import { sampleMp4, samplePng, sampleWav, sha256Of } from '../../support/sampleFiles';
import {
	AUTHORIZED,
	IMAGE_REQUEST,
	IMAGE_URL,
	REFERENCE_REQUEST,
	SimulatorScene,
	create,
	readRecord,
	recordOf,
} from './scene';

const scene = new SimulatorScene();
let sim: Simulator;
let host: Simulator;

beforeEach(async () => {
	[sim, host] = await Promise.all([scene.start(), scene.start()]);
});
afterEach(async () => await scene.end());

const download = async (url: string) => {
	const response = await fetch(url);
	const bytes = Buffer.from(await response.arrayBuffer());
	return { response, bytes, type: response.headers.get('content-type') };
};

describe('results', () => {
	const resultUrls = (task: NewTask = {}): string[] =>
		sim.addTask({ status: 'completed', ...task }).results();

	test('are a real MP4 that needs no key', async () => {
		const [url = ''] = resultUrls();
		const { response, bytes, type } = await download(url);
		expect([response.status, type]).toEqual([200, 'video/mp4']);
		expect(response.headers.get('content-length')).toBe(String(CLIP_BYTES));
		expect(bytes.equals(sampleMp4())).toBe(true);
		expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
	});

	test('exist only once the task is completed', async () => {
		const [unfinished = ''] = sim.addTask().results();
		expect((await fetch(unfinished)).status).toBe(404);
	});
});

describe('leaks', () => {
	const KEY = 'key-12345/67890';

	test.each<[string, string, RequestInit, string[]]>([
		['nothing', '/a', { headers: { 'x-a': '1' } }, []],
		['the key as bearer', '/a', { headers: { authorization: `Bearer ${KEY}` } }, ['headers']],
		['any authorization', '/a', { headers: { authorization: 'Basic eA==' } }, ['headers']],
		['the key in another header', '/a', { headers: { 'x-key': KEY } }, ['headers']],
		['the key in the query', `/a?key=${KEY}`, {}, ['address']],
		['the key encoded in the query', `/a?key=${encodeURIComponent(KEY)}`, {}, ['address']],
		['the key in the body', '/a', { method: 'POST', body: `{"k":"${KEY}"}` }, ['body']],
	])('name %s that a request to a host carried', async (_, path, init, places) => {
		host.serve('/a');
		await fetch(`${host.origin}${path}`, init);
		const { method = 'GET' } = init;
		expect(host.leaks(KEY)).toEqual(places.map((place) => `${method} ${path}: ${place}`));
	});

	test('name a key sent for a result, but not one sent to the service', async () => {
		const task = sim.addTask({ status: 'completed' });
		await readRecord(sim, task.id);
		expect(sim.leaks(DEFAULT_API_KEY)).toEqual([]);
		await fetch(String(task.results()[0]), { headers: AUTHORIZED });
		expect(sim.leaks(DEFAULT_API_KEY)).toEqual([`GET /results/${task.id}/1.mp4: headers`]);
	});
});

describe('frames and references', () => {
	const createFrom = async (frames: string[], to: Simulator = sim) =>
		await recordOf(await create(to, { ...IMAGE_REQUEST, image_urls: frames }));

	const createFromReferences = async (lists: object, to: Simulator = sim) =>
		await recordOf(await create(to, { ...REFERENCE_REQUEST, image_urls: undefined, ...lists }));

	const servePng = (path = '/a.png'): string =>
		host.serve(path, { body: samplePng(), contentType: 'image/png' });

	test('are fetched without the key and reported by list, place and digest', async () => {
		const audio_urls = [220, 880].map((hertz) =>
			host.serve(`/${hertz}`, { body: sampleWav(hertz), contentType: 'audio/x-wav; rate=8000' }),
		);
		const video = host.serve('/a.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
		const image = `${servePng()}?token=a%2Bb&x=%20`;
		const lists = { audio_urls, video_urls: [video], image_urls: [image] };
		const { id } = await createFromReferences(lists);
		await sim.waitForMedia(4);
		const seen = sim
			.mediaOf(id)
			.map(({ field, index, outcome, sha256 }) => [`${field}[${index}]`, outcome, sha256]);
		expect(seen).toEqual([
			['image_urls[0]', 'fetched', sha256Of(samplePng())],
			['video_urls[0]', 'fetched', sha256Of(sampleMp4())],
			['audio_urls[0]', 'fetched', sha256Of(sampleWav(220))],
			['audio_urls[1]', 'fetched', sha256Of(sampleWav(880))],
		]);
		expect(host.requests.map(({ path }) => path)).toContain('/a.png?token=a%2Bb&x=%20');
		expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
	});

	test.each([
		IMAGE_URL,
		'http://10.0.0.1/a.png',
		'http://127.example/a.png',
		'http://localhost.example/a.png',
		'http://[2001:db8::1]/a.png',
	])('are skipped when not on this machine: %s', async (url) => {
		const moved = host.serve('/moved', { status: 302, headers: { location: url } });
		const { id } = await createFrom([url, moved]);
		await sim.waitForMedia(2);
		expect(sim.mediaOf(id)).toMatchObject([{ outcome: 'skipped' }, { outcome: 'skipped' }]);
	});

	test.each([
		['a missing file', () => host.serve('/a.png', { status: 404 }), 'status 404'],
		['a host that is not there', () => 'http://127.0.0.1:2/a.png', 'ECONNREFUSED'],
	])('are reported as failed: %s', async (_, url, reason) => {
		await createFrom([url()]);
		const media = await sim.waitForMedia(1);
		expect(media).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(reason) });
	});
});
