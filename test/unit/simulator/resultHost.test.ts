import { type IncomingMessage, get } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { TASKS_PATH } from '../../../nodes/Videogen/contract/limits';
import {
	CLIP_BYTES,
	DEFAULT_API_KEY,
	type Fault,
	type NewTask,
	type Simulator,
	startSimulator,
} from '../../simulator';
import { type FileHost, startFileHost } from '../../support/fileHost';
import { sampleMp4, samplePng } from '../../support/sampleFiles';
import { systemCodeOf } from '../../simulator/systemCode';

let sim: Simulator;
let host: FileHost;

beforeEach(async () => {
	[sim, host] = await Promise.all([startSimulator(), startFileHost()]);
});

afterEach(async () => {
	await Promise.all([sim.close(), host.close()]);
});

const resultUrls = (task: NewTask = {}): string[] =>
	sim.addTask({ status: 'completed', ...task }).results();

const resultUrl = (task: NewTask = {}): string => String(resultUrls(task)[0]);

const faultedUrl = (fault: Fault, task: NewTask = {}): string => {
	sim.script({ on: 'result', fault });
	return resultUrl(task);
};

const download = async (url: string, init?: RequestInit) => {
	const response = await fetch(url, init);
	return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** The answer as it comes over the wire, before anything is decoded. */
const open = async (url: string): Promise<IncomingMessage> =>
	await new Promise((resolve, reject) => {
		get(url, { agent: false }, resolve).on('error', reject);
	});

/** What arrives of a body, and how it ends. */
async function readAll(response: IncomingMessage) {
	const chunks: Buffer[] = [];
	response.on('data', (chunk: Buffer) => chunks.push(chunk));
	const end = await new Promise<string>((resolve) => {
		response.on('end', () => resolve('whole'));
		response.on('error', (reason) => resolve(String(systemCodeOf(reason))));
	});
	return { end, bytes: Buffer.concat(chunks) };
}

describe('faults of a result host', () => {
	test.each([403, 404, 410, 429, 500, 503])('status %i', async (status) => {
		const { response, bytes } = await download(faultedUrl({ kind: 'status', status }));
		expect(response.status).toBe(status);
		expect(JSON.parse(bytes.toString())).toHaveProperty('error.code');
		expect(response.headers.get('retry-after')).toBeNull();
	});

	test('status 410 says that the file is gone', async () => {
		const { bytes } = await download(faultedUrl({ kind: 'status', status: 410 }));
		expect(JSON.parse(bytes.toString())).toHaveProperty('error.code', 'gone');
	});

	test('status 429 with Retry-After', async () => {
		const url = faultedUrl({ kind: 'status', status: 429, retryAfter: 3 });
		expect((await fetch(url)).headers.get('retry-after')).toBe('3');
		expect((await fetch(url)).status).toBe(200);
	});

	test('reset before any answer', async () => {
		const reason: unknown = await open(faultedUrl({ kind: 'reset' })).catch((e: unknown) => e);
		expect(systemCodeOf(reason)).toBe('ECONNRESET');
	});

	test('redirect to another host', async () => {
		const location = host.serve('/moved.mp4', { body: sampleMp4(), contentType: 'video/mp4' });
		const { response, bytes } = await download(faultedUrl({ kind: 'redirect', location }), {
			headers: { authorization: `Bearer ${DEFAULT_API_KEY}` },
		});
		expect(response.url).toBe(location);
		expect(bytes.equals(sampleMp4())).toBe(true);
		// fetch itself drops the header between origins.
		expect(host.leaks(DEFAULT_API_KEY)).toEqual([]);
	});

	test('stall: half of the announced body, then silence on an open connection', async () => {
		const response = await open(faultedUrl({ kind: 'stall' }));
		expect(response.headers['content-length']).toBe(String(CLIP_BYTES));
		const half = Math.floor(CLIP_BYTES / 2);
		let received = 0;
		await new Promise<void>((resolve) => {
			response.on('data', (chunk: Buffer) => {
				received += chunk.length;
				if (received >= half) resolve();
			});
		});
		await new Promise((resolve) => setImmediate(resolve));
		expect([received, response.complete, response.destroyed]).toEqual([half, false, false]);
		expect(sim.downloads()).toMatchObject([{ fault: 'stall', status: 200, ended: false }]);
		response.on('error', () => undefined).destroy();
		await sim.waitForRequest((request) => request.ended);
	});

	test('stall after the headers, when there is no half to send', async () => {
		const url = faultedUrl({ kind: 'stall' }, { resultBody: 'x' });
		const response = await open(url);
		expect(response.headers['content-length']).toBe('1');
		response.on('error', () => undefined).destroy();
	});

	test('chunked: the whole body, its length not announced', async () => {
		const response = await open(faultedUrl({ kind: 'chunked' }));
		expect(response.headers).not.toHaveProperty('content-length');
		expect(response.headers['transfer-encoding']).toBe('chunked');
		const { end, bytes } = await readAll(response);
		expect([end, bytes.equals(sampleMp4())]).toEqual(['whole', true]);
	});

	test('chunked and cut off', async () => {
		const response = await open(faultedUrl({ kind: 'chunked', cutOff: true }));
		expect(response.headers).not.toHaveProperty('content-length');
		const { end, bytes } = await readAll(response);
		expect([end, bytes.length]).toEqual(['ECONNRESET', Math.floor(CLIP_BYTES / 2)]);
	});

	test('gzip: fewer bytes than the file has, and announced as such', async () => {
		const totalBytes = CLIP_BYTES + 100_000;
		const response = await open(faultedUrl({ kind: 'gzip' }, { resultBytes: totalBytes }));
		expect(response.headers['content-encoding']).toBe('gzip');
		const { bytes } = await readAll(response);
		expect(response.headers['content-length']).toBe(String(bytes.length));
		expect(bytes.length).toBeLessThan(totalBytes);
		const content = gunzipSync(bytes);
		expect(content).toHaveLength(totalBytes);
		expect(content.subarray(0, CLIP_BYTES).equals(sampleMp4())).toBe(true);
	});

	test('headers of any kind on the normal body', async () => {
		const disposition = `attachment; filename*=UTF-8''..%2F..%2F%00%0Ax.mp4`;
		const { response, bytes } = await download(
			faultedUrl({
				kind: 'headers',
				headers: {
					'content-type': 'text/html',
					'content-disposition': disposition,
					'content-length': '1',
					'accept-ranges': undefined,
				},
			}),
		);
		expect(response.headers.get('content-type')).toBe('text/html');
		expect(response.headers.get('content-disposition')).toBe(disposition);
		expect(response.headers.get('content-length')).toBe(String(CLIP_BYTES));
		expect(response.headers.has('accept-ranges')).toBe(false);
		expect(bytes.equals(sampleMp4())).toBe(true);
	});

	test('headers that cannot be sent are told as a mistake of the test', async () => {
		const fault: Fault = { kind: 'headers', headers: { 'content-disposition': 'a\u0000b' } };
		const { response, bytes } = await download(faultedUrl(fault));
		expect(response.status).toBe(500);
		expect(bytes.toString()).toContain('Simulator: ');
	});

	test.each<Fault>([{ kind: 'stall' }, { kind: 'chunked', cutOff: true }, { kind: 'gzip' }])(
		'leave other results and other routes alone: %j',
		async (fault) => {
			sim.script({ on: 'result', resultNumber: 2, times: Infinity, fault });
			const task = sim.addTask({ status: 'completed', resultCount: 2 });
			const headers = { authorization: `Bearer ${DEFAULT_API_KEY}` };
			await fetch(`${sim.baseUrl}/${TASKS_PATH}/${task.id}`, { headers });
			await download(String(task.results()[0]));
			const second = await open(String(task.results()[1]));
			second.on('error', () => undefined).destroy();
			expect(sim.requests.map((request) => request.fault)).toEqual([
				undefined,
				undefined,
				fault.kind,
			]);
		},
	);
});

describe('results under other names', () => {
	const HOSTILE_NAMES = [
		'..%2F..%2Fetc%2Fx.mp4',
		'%2E%2E%5C%2E%2E%5Cx.mp4',
		'%00%0A%1B%5B2J.mp4',
		`${'a'.repeat(300)}.mp4`,
		'setup.exe',
		'%E6%98%A0%E7%94%BB.mp4',
		'100%.mp4',
		'no-extension',
	];

	test('serve the same bytes, one result for each name', async () => {
		const task = sim.addTask({ status: 'completed', resultNames: HOSTILE_NAMES });
		const urls = task.results();
		expect(urls).toEqual(
			HOSTILE_NAMES.map((name, index) => `${sim.baseUrl}/results/${task.id}/${index + 1}/${name}`),
		);
		for (const url of urls) {
			const { response, bytes } = await download(url);
			expect([response.status, response.headers.get('content-type')]).toEqual([200, 'video/mp4']);
			expect(bytes.equals(sampleMp4())).toBe(true);
		}
		expect(sim.downloads(task.id).map(({ resultNumber }) => resultNumber)).toEqual([
			1, 2, 3, 4, 5, 6, 7, 8,
		]);
	});

	test('are found under no other name', async () => {
		const [named = '', usual = ''] = resultUrls({ resultNames: ['a.mp4'], resultCount: 2 });
		const others = [named.replace('a.mp4', 'b.mp4'), named.replace('/a.mp4', '.mp4')];
		for (const url of [...others, `${usual.replace('.mp4', '')}/a.mp4`]) {
			expect((await fetch(url)).status).toBe(404);
		}
		expect((await fetch(named)).status).toBe(200);
		expect((await fetch(usual)).status).toBe(200);
	});

	test.each(['', '..', '%2e%2e', 'a/b', 'a b', 'a?b', 'a#b', 'film\n.mp4', 'é.mp4'])(
		'cannot be %j, which no client would ask for as it is',
		(name) => {
			expect(() => sim.planTask({ resultNames: ['a.mp4', name] })).toThrow(RangeError);
			expect(() => sim.addTask({ resultNames: [name] })).toThrow(RangeError);
		},
	);

	test('can be something other than a video', async () => {
		const url = resultUrl({
			resultNames: ['picture.png'],
			resultType: 'image/png',
			resultBody: samplePng(),
		});
		const { response, bytes } = await download(url);
		expect(response.headers.get('content-type')).toBe('image/png');
		expect(bytes.equals(samplePng())).toBe(true);
		const range = await download(url, { headers: { range: 'bytes=1-3' } });
		expect([range.response.status, range.bytes.toString()]).toEqual([206, 'PNG']);
	});

	test('can be empty', async () => {
		const { response, bytes } = await download(resultUrl({ resultBody: '' }));
		expect([response.status, response.headers.get('content-length')]).toEqual([200, '0']);
		expect(bytes).toHaveLength(0);
	});

	test('cannot have a body and a size', () => {
		const plan = { resultBody: 'x', resultBytes: CLIP_BYTES };
		expect(() => sim.planTask(plan)).toThrow('a size of its own');
	});
});
