import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import {
	CREATE_PATH,
	DURATION_SECONDS,
	FRAME_IMAGES,
	REFERENCE_AUDIOS,
	REFERENCE_IMAGES,
	REFERENCE_VIDEOS,
	TASKS_PATH,
	modelOf,
} from '../../nodes/Videogen/contract/limits';
import { taskRecordSchema } from '../../nodes/Videogen/contract/task';
import {
	CLIP_BYTES,
	DEFAULT_API_KEY,
	type Fault,
	type Simulator,
	type SimulatorOptions,
	newTaskId,
	startSimulator,
} from '../simulator';
import { callbackObjection } from '../simulator/callbackAddress';
import { readArguments } from '../simulator/cliArguments';
import { Journal } from '../simulator/journal';
import { listen, shut } from '../simulator/server';
import { systemCodeOf } from '../simulator/systemCode';
import { videoBytes } from '../simulator/video';
import { startFileHost } from '../support/fileHost';
import { samplePng } from '../support/sampleFiles';

const FAMILY = 'videogen-2.5';
const PICTURE = 'https://media.example/a.png';
const TEXT_REQUEST = { model: modelOf(FAMILY, 'text-to-video'), prompt: 'A lighthouse at dusk' };
const IMAGE_REQUEST = {
	model: modelOf(FAMILY, 'image-to-video'),
	prompt: 'Waves move',
	image_urls: [PICTURE],
};
const REFERENCE_REQUEST = {
	model: modelOf(FAMILY, 'reference-to-video'),
	prompt: 'As in the pictures',
	image_urls: [PICTURE],
};
const CLIP = readFileSync(join(__dirname, '../simulator/assets/clip.mp4'));
const AUTHORIZED = { authorization: `Bearer ${DEFAULT_API_KEY}` };

let sim: Simulator;
let clockMs: number;
const running: Array<{ close: () => Promise<unknown> }> = [];

/** Starts a simulator on a clock that the test moves; it is closed after the test. */
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
	const started = await startSimulator({ now: () => clockMs, ...options });
	running.push(started);
	return started;
}

beforeEach(async () => {
	clockMs = 1_700_000_000_000;
	sim = await start();
});

afterEach(async () => {
	await Promise.all(running.splice(0).map(async (server) => await server.close()));
});

const create = async (
	body: unknown = TEXT_REQUEST,
	init: RequestInit = {},
	to: Simulator = sim,
): Promise<Response> =>
	await fetch(`${to.baseUrl}/${CREATE_PATH}`, {
		method: 'POST',
		headers: { ...AUTHORIZED, 'content-type': 'application/json' },
		body: typeof body === 'string' ? body : JSON.stringify(body),
		...init,
	});

const read = async (id: string, to: Simulator = sim, init: RequestInit = {}): Promise<Response> =>
	await fetch(`${to.baseUrl}/${TASKS_PATH}/${id}`, { headers: AUTHORIZED, ...init });

const recordOf = async (response: Response) => taskRecordSchema.parse(await response.json());

const createdId = async (body: unknown = TEXT_REQUEST, to: Simulator = sim): Promise<string> =>
	(await recordOf(await create(body, {}, to))).id;

/** Status and progress that a read of the task is answered. */
const statusOf = async (id: string) => {
	const { status, progress } = await recordOf(await read(id));
	return [status, progress];
};

/** Status and error of a refusal, which must have the form seen in the field. */
async function refusalOf(response: Response) {
	expect(response.headers.get('content-type')).toBe('application/json');
	const body: unknown = await response.json();
	expect(body).toMatchObject({
		error: {
			code: expect.stringMatching(/./),
			message: expect.stringMatching(/./),
			type: expect.stringMatching(/./),
			fallback_suggestion: null,
		},
	});
	return [response.status, JSON.stringify(body)];
}

interface RawRequest {
	method?: string;
	path: string;
	headers?: Record<string, string>;
	body?: string;
}

/** Sends what fetch refuses to send, such as a GET with a body. */
async function raw({ body, path, ...options }: RawRequest): Promise<IncomingMessage> {
	const request = httpRequest(`${sim.baseUrl}${path}`, { agent: false, ...options });
	request.end(body);
	return await new Promise((resolve, reject) => {
		request.on('response', (response) => resolve(response.resume()));
		request.on('error', reject);
	});
}

const urls = (count: number) => Array.from({ length: count }, (_, n) => `${PICTURE}?${n}`);

describe('what it refuses', () => {
	test.each([
		['no key', {}],
		['another key', { authorization: 'Bearer sim-key-0' }],
		['another scheme', { authorization: `Basic ${DEFAULT_API_KEY}` }],
		['the scheme in lower case', { authorization: `bearer ${DEFAULT_API_KEY}` }],
		['the key alone', { authorization: DEFAULT_API_KEY }],
	])('answers 401 to %s', async (_, headers) => {
		const response = await read(newTaskId(), sim, { headers });
		expect(await refusalOf(response)).toEqual([401, expect.stringContaining('unauthorized')]);
		expect((await create({}, { headers })).status).toBe(401);
	});

	test('looks at the key before anything else', async () => {
		const response = await fetch(`${sim.baseUrl}/${TASKS_PATH}/malformed`);
		expect(response.status).toBe(401);
	});

	test('accepts each of several keys', async () => {
		const other = await start({ apiKeys: ['first', 'second'] });
		for (const key of other.options.apiKeys) {
			const headers = { authorization: `Bearer ${key}` };
			expect((await read(newTaskId(), other, { headers })).status).toBe(404);
		}
		expect((await read(newTaskId(), other)).status).toBe(401);
	});

	const withCommon = (fields: object) => ({ ...TEXT_REQUEST, ...fields });
	const withImages = (fields: object) => ({ ...IMAGE_REQUEST, ...fields });
	const withReferences = (fields: object) => ({ ...REFERENCE_REQUEST, ...fields });

	test.each<[string, unknown, string]>([
		['an unknown model', withCommon({ model: 'other' }), 'model'],
		['no model', { prompt: 'x' }, 'model'],
		['an array', [], 'model'],
		['no prompt', { model: TEXT_REQUEST.model }, 'prompt'],
		['an empty prompt', withCommon({ prompt: '' }), 'prompt'],
		['a short duration', withCommon({ duration: DURATION_SECONDS.min - 1 }), 'duration'],
		['a long duration', withCommon({ duration: DURATION_SECONDS.max + 1 }), 'duration'],
		['half seconds', withCommon({ duration: 4.5 }), 'duration'],
		['a duration as text', withCommon({ duration: '5' }), 'duration'],
		['4K', withCommon({ quality: '4k' }), 'quality'],
		['an unknown ratio', withCommon({ aspect_ratio: '2:1' }), 'aspect_ratio'],
		['a switch as text', withCommon({ generate_audio: 'true' }), 'generate_audio'],
		['a callback that is no address', withCommon({ callback_url: 'here' }), 'callback_url'],
		['pictures in text to video', withCommon({ image_urls: [PICTURE] }), 'image_urls'],
		['an unknown property', withCommon({ seed: 1 }), 'seed'],
		['web search in image to video', withImages({ model_params: {} }), 'model_params'],
		['no frame', withImages({ image_urls: [] }), 'image_urls'],
		['frames left out', withImages({ image_urls: undefined }), 'image_urls'],
		['many frames', withImages({ image_urls: urls(FRAME_IMAGES.max + 1) }), 'image_urls'],
		['a frame that is no address', withImages({ image_urls: ['a.png'] }), 'image_urls.0'],
		['no reference at all', withReferences({ image_urls: undefined }), 'audio_urls'],
		['many pictures', withReferences({ image_urls: urls(REFERENCE_IMAGES.max + 1) }), 'image_urls'],
		['many videos', withReferences({ video_urls: urls(REFERENCE_VIDEOS.max + 1) }), 'video_urls'],
		['many audios', withReferences({ audio_urls: urls(REFERENCE_AUDIOS.max + 1) }), 'audio_urls'],
		['broken JSON', '{"model":', 'JSON'],
		['an empty body', '', 'JSON'],
	])('answers 400 to a create with %s and names the field', async (_, body, field) => {
		expect(await refusalOf(await create(body))).toEqual([400, expect.stringContaining(field)]);
		expect(sim.tasks.size).toBe(0);
	});

	test.each([undefined, 'text/plain', 'application/x-www-form-urlencoded'])(
		'answers 400 to a create with content type %s',
		async (type) => {
			const headers = { ...AUTHORIZED, ...(type && { 'content-type': type }) };
			expect(await refusalOf(await create(TEXT_REQUEST, { headers }))).toEqual([
				400,
				expect.stringContaining('Content-Type'),
			]);
		},
	);

	test('tells a malformed id from an unknown one', async () => {
		for (const id of ['malformed', `${newTaskId()}a`, newTaskId().toUpperCase(), 'task_%2F']) {
			const refusal = await refusalOf(await read(id));
			expect(refusal).toEqual([400, expect.stringContaining('invalid_task_id')]);
		}
		const refusal = await refusalOf(await read(newTaskId()));
		expect(refusal).toEqual([404, expect.stringContaining('task_not_found')]);
	});

	test.each(['/', '/v1', '/v2/tasks/x', `//${CREATE_PATH}`, `/${CREATE_PATH}/`, '/v1/tasks/'])(
		'answers 404 at %s',
		async (path) => {
			const response = await fetch(`${sim.baseUrl}${path}`, { headers: AUTHORIZED });
			expect((await refusalOf(response))[0]).toBe(404);
		},
	);

	test('answers 405 to another method and says which it takes', async () => {
		const task = await read(newTaskId(), sim, { method: 'DELETE' });
		expect([task.status, task.headers.get('allow')]).toEqual([405, 'GET']);
		const list = await fetch(`${sim.baseUrl}/${CREATE_PATH}`, { headers: AUTHORIZED });
		expect([list.status, list.headers.get('allow')]).toEqual([405, 'POST']);
	});

	test('answers 400 to a read with a body', async () => {
		const path = `/${TASKS_PATH}/${newTaskId()}`;
		const response = await raw({ method: 'GET', path, headers: AUTHORIZED, body: '{}' });
		expect(response.statusCode).toBe(400);
	});

	test('answers 413 to a huge body', async () => {
		const small = await start({ maxBodyBytes: 1_000 });
		const response = await create({ ...TEXT_REQUEST, prompt: 'x'.repeat(2_000) }, {}, small);
		expect((await refusalOf(response))[0]).toBe(413);
		expect(small.requests).toMatchObject([{ route: 'create', status: 413, bodyText: '' }]);
	});

	test('answers 429 while too many tasks are unfinished', async () => {
		const busy = await start({ maxUnfinishedTasks: 2 });
		const id = await createdId(TEXT_REQUEST, busy);
		await createdId(TEXT_REQUEST, busy);
		const refused = await create(TEXT_REQUEST, {}, busy);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, null]);
		busy.finish(id);
		expect((await create(TEXT_REQUEST, {}, busy)).status).toBe(200);
	});

	test('answers 429 when creates come too fast', async () => {
		const slow = await start({ createsPerSecond: 1 });
		expect((await create(TEXT_REQUEST, {}, slow)).status).toBe(200);
		clockMs += 999;
		const refused = await create(TEXT_REQUEST, {}, slow);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
		clockMs += 1;
		expect((await create(TEXT_REQUEST, {}, slow)).status).toBe(200);
	});

	test('refuses private callback addresses only when told to', async () => {
		const request = { ...TEXT_REQUEST, callback_url: 'https://127.0.0.1/hook' };
		expect((await create(request)).status).toBe(200);
		const strict = await start({ rejectPrivateCallbacks: true });
		expect(await refusalOf(await create(request, {}, strict))).toEqual([
			400,
			expect.stringContaining('callback_url'),
		]);
	});

	test.each([
		'http://hooks.example/a',
		'https://localhost/a',
		'https://10.1.2.3/a',
		'https://172.20.0.1/a',
		'https://192.168.0.1/a',
		'https://[::1]/a',
		'https://[fd00::1]/a',
		'https://intranet/a',
		`https://hooks.example/${'a'.repeat(2_048)}`,
	])('would not call %s from outside', (address) => {
		expect(callbackObjection(address)).toEqual(expect.any(String));
	});

	test.each(['https://hooks.example/a', 'https://172.32.0.1/a', 'https://8.8.8.8/a'])(
		'would call %s from outside',
		(address) => expect(callbackObjection(address)).toBeUndefined(),
	);
});

describe('what it accepts', () => {
	test.each([
		TEXT_REQUEST,
		IMAGE_REQUEST,
		REFERENCE_REQUEST,
		{ ...TEXT_REQUEST, model_params: { web_search: true, seed: 1 } },
		{ ...REFERENCE_REQUEST, image_urls: undefined, audio_urls: [PICTURE] },
	])('a create %j', async (request) => {
		const record = await recordOf(await create(request));
		expect(record).toMatchObject({ status: 'pending', progress: 0, model: request.model });
		expect(sim.tasks.get(record.id)).toMatchObject({ prompt: request.prompt });
	});

	test('a content type with a charset', async () => {
		const headers = { ...AUTHORIZED, 'content-type': 'application/json; charset=utf-8' };
		expect((await create(TEXT_REQUEST, { headers })).status).toBe(200);
	});

	test('another model family, and then no longer the usual one', async () => {
		const other = await start({ modelFamily: 'acme-1' });
		expect((await create(TEXT_REQUEST, {}, other)).status).toBe(400);
		const renamed = { ...TEXT_REQUEST, model: modelOf('acme-1', 'text-to-video') };
		expect((await create(renamed, {}, other)).status).toBe(200);
	});

	test.each(['/video', 'video/', '/a/b'])('a base address with the path %s', async (pathPrefix) => {
		const moved = await start({ pathPrefix });
		const id = await createdId(TEXT_REQUEST, moved);
		moved.finish(id);
		const { results = [] } = await recordOf(await read(id, moved));
		expect(results[0]).toBe(`${moved.baseUrl}/results/${id}/1.mp4`);
		expect((await fetch(String(results[0]))).status).toBe(200);
		const unmoved = `http://127.0.0.1:${moved.port}/${TASKS_PATH}/${id}`;
		expect((await fetch(unmoved, { headers: AUTHORIZED })).status).toBe(404);
	});
});

describe('the life of a task', () => {
	test('goes from pending over processing to completed with the clock', async () => {
		const id = await createdId();
		const seen = [];
		for (const step of [0, 299, 1, 1_200, 1_499, 1, 100_000]) {
			clockMs += step;
			seen.push(await statusOf(id));
		}
		expect(seen).toEqual([
			['pending', 0],
			['pending', 0],
			['processing', 10],
			['processing', 50],
			['processing', 99],
			['completed', 100],
			['completed', 100],
		]);
	});

	test('adds the fields of the field to those of the contract, unless told not to', async () => {
		const plain = await start({ extraFields: false, taskDurationMs: 0 });
		const id = await createdId(TEXT_REQUEST, plain);
		const contract = {
			id,
			object: 'video.generation.task',
			model: TEXT_REQUEST.model,
			status: 'completed',
			progress: 100,
			results: [expect.any(String)],
			task_info: { can_cancel: false, estimated_time: 0 },
		};
		expect(await (await read(id, plain)).json()).toEqual(contract);

		const rich = await createdId();
		sim.finish(rich);
		expect(await (await read(rich)).json()).toEqual({
			...contract,
			id: rich,
			task_info: { can_cancel: false, estimated_time: 3 },
			created: 1_700_000_000,
			type: 'video',
			usage: expect.any(Object),
			result_data: [{ url: expect.any(String) }],
		});
	});

	test('is not final in the reply to the create, however short, unless planned', async () => {
		sim.planTask({ durationMs: 0 });
		sim.planTask({ immediate: true });
		expect(await recordOf(await create())).toMatchObject({ status: 'pending' });
		expect(await recordOf(await create())).toMatchObject({ status: 'completed', progress: 100 });
	});

	test('fails with the planned payload, or with none', async () => {
		const error = { code: 'generation_timeout', message: 'Took too long.' };
		sim.planTask({ outcome: 'failed', error, durationMs: 10 });
		sim.planTask({ outcome: 'failed', durationMs: 10 });
		const ids = [await createdId(), await createdId()];
		clockMs += 10;
		expect(await recordOf(await read(String(ids[0])))).toMatchObject({ status: 'failed', error });
		const second = await recordOf(await read(String(ids[1])));
		expect(second.status).toBe('failed');
		expect(second).not.toHaveProperty('error');
		expect(second).not.toHaveProperty('results');
	});

	test('can last for ever', async () => {
		sim.planTask({ outcome: 'never' });
		const id = await createdId();
		clockMs += 1e9;
		expect(await statusOf(id)).toEqual(['processing', 99]);
	});

	test('follows a planned list, whose first final status stays', async () => {
		sim.planTask({
			statuses: [
				{ afterMs: 0, status: 'processing', progress: 7 },
				{ afterMs: 9_000, status: 'pending', progress: 0 },
				{ afterMs: 10_000, status: 'completed', progress: 100 },
				{ afterMs: 11_000, status: 'processing', progress: 1 },
			],
		});
		const id = await createdId();
		const seen = [];
		for (const step of [0, 9_000, 1_000, 1_000]) {
			clockMs += step;
			seen.push((await statusOf(id))[0]);
		}
		expect(seen).toEqual(['processing', 'pending', 'completed', 'completed']);
	});

	test('ends a list without a final status by itself', async () => {
		const statuses = [{ afterMs: 5_000, status: 'processing', progress: 40 } as const];
		sim.planTask({ statuses });
		const id = await createdId();
		clockMs += 5_000;
		expect(await statusOf(id)).toEqual(['processing', 40]);
		clockMs += 1;
		expect(await statusOf(id)).toEqual(['completed', 100]);
	});

	test('can be unknown just after its create', async () => {
		sim.planTask({ notFoundForMs: 500 });
		const id = await createdId();
		expect((await read(id)).status).toBe(404);
		clockMs += 500;
		expect((await read(id)).status).toBe(200);
	});

	test('takes the plan of its prompt, otherwise the next in line', async () => {
		sim.planTask({ estimatedTime: 1 });
		sim.planTask({ prompt: 'night', estimatedTime: 2 });
		sim.planTask({ prompt: /^star/, times: 2, estimatedTime: 3 });
		const estimates = [];
		for (const prompt of ['night', 'stars', 'night', 'start', 'starve']) {
			const { task_info: info } = await recordOf(await create({ ...TEXT_REQUEST, prompt }));
			estimates.push(info?.estimated_time);
		}
		expect(estimates).toEqual([2, 3, 1, 3, 3]);
		expect((await recordOf(await create())).task_info?.estimated_time).toBe(3);
	});

	test('can be steered', async () => {
		const id = await createdId();
		sim.setStatus(id, 'processing', 42);
		clockMs += 1e6;
		expect(await statusOf(id)).toEqual(['processing', 42]);
		sim.fail(id, { code: 'unknown_error' });
		expect(await recordOf(await read(id))).toMatchObject({ error: { code: 'unknown_error' } });
		sim.finish(id);
		expect(await recordOf(await read(id))).toMatchObject({ results: [expect.any(String)] });
		expect(() => sim.finish(newTaskId())).toThrow('no task');
	});

	test('can exist without a create', async () => {
		const failed = sim.addTask({ status: 'failed', error: { code: 'quota_exceeded' } });
		const fresh = sim.addTask({ id: newTaskId(), prompt: 'p', durationMs: 50, resultCount: 2 });
		expect((await recordOf(await read(failed.id))).error).toEqual({ code: 'quota_exceeded' });
		expect(await statusOf(fresh.id)).toEqual(['pending', 0]);
		clockMs += 50;
		expect((await recordOf(await read(fresh.id))).results).toHaveLength(2);
		expect(() => sim.addTask({ id: 'task_1' })).toThrow('no task id');
		expect(sim.creates()).toHaveLength(0);
	});

	test('never serves a record outside the contract', async () => {
		const { id } = sim.addTask({ status: 'completed', results: ['no address'] });
		const response = await read(id);
		expect(response.status).toBe(500);
		expect(await response.text()).toContain('Simulator: ');
	});
});

describe('faults', () => {
	const faulted = async (fault: Fault): Promise<Response> => {
		sim.script({ on: 'task', fault });
		return await read(sim.addTask().id);
	};

	test.each([400, 401, 402, 403, 404, 413, 429, 500, 502, 503])(
		'status %i with a body of the usual form',
		async (status) => {
			expect((await refusalOf(await faulted({ kind: 'status', status })))[0]).toBe(status);
		},
	);

	test('status with a body, type and headers of its own', async () => {
		const headers = { 'x-request-id': 'r1' };
		const text = await faulted({ kind: 'status', status: 503, body: 'Busy', headers });
		expect(await text.text()).toBe('Busy');
		expect(text.headers.get('content-type')).toBe('text/plain');
		expect(text.headers.get('x-request-id')).toBe('r1');
		const body = { error: { code: 17 } };
		const json = await faulted({ kind: 'status', status: 400, body, contentType: 'text/json' });
		expect([await json.json(), json.headers.get('content-type')]).toEqual([body, 'text/json']);
	});

	test.each([
		[7, '7'],
		[new Date(1_700_000_000_000), 'Tue, 14 Nov 2023 22:13:20 GMT'],
		[undefined, null],
	])('status 429 with Retry-After %s', async (retryAfter, header) => {
		const response = await faulted({ kind: 'status', status: 429, retryAfter });
		expect(response.headers.get('retry-after')).toBe(header);
	});

	test('reset: the connection ends before any answer', async () => {
		const { id } = sim.addTask();
		sim.script({ on: 'task', fault: { kind: 'reset' } });
		const path = `/${TASKS_PATH}/${id}`;
		const reason: unknown = await raw({ path, headers: AUTHORIZED }).catch((e: unknown) => e);
		expect(systemCodeOf(reason)).toBe('ECONNRESET');
		const over = await sim.waitForRequest((request) => request.ended);
		expect([over.fault, over.status]).toEqual(['reset', undefined]);
	});

	test('hang: no answer until the client gives up', async () => {
		const { id } = sim.addTask();
		sim.script({ on: 'task', fault: { kind: 'hang' } });
		const abort = new AbortController();
		const answer = read(id, sim, { signal: abort.signal });
		const arrived = await sim.waitForRequest((request) => request.fault === 'hang');
		expect(arrived.ended).toBe(false);
		abort.abort();
		await expect(answer).rejects.toThrow('aborted');
		await sim.waitForRequest((request) => request.ended);
		expect(arrived.status).toBeUndefined();
	});

	test('empty, html, json, invalidJson and invalidUtf8', async () => {
		const empty = await faulted({ kind: 'empty' });
		expect([empty.status, await empty.text()]).toEqual([200, '']);
		const html = await faulted({ kind: 'html', status: 502 });
		expect([html.status, await html.text()]).toEqual([502, expect.stringContaining('<html>')]);
		expect(html.headers.get('content-type')).toContain('text/html');
		const json = await faulted({ kind: 'json', body: [] });
		expect([json.status, await json.json()]).toEqual([200, []]);
		await expect((await faulted({ kind: 'invalidJson' })).json()).rejects.toThrow('JSON');
		const bytes = await (await faulted({ kind: 'invalidUtf8' })).arrayBuffer();
		expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).toThrow('not valid');
	});

	test('redirect', async () => {
		sim.script({ on: 'task', fault: { kind: 'redirect', location: 'https://other.example/' } });
		const response = await read(sim.addTask().id, sim, { redirect: 'manual' });
		expect(response.status).toBe(302);
		expect(response.headers.get('location')).toBe('https://other.example/');
	});

	test('slow and trickle: the whole answer, but late', async () => {
		expect((await recordOf(await faulted({ kind: 'slow', ms: 5 }))).status).toBe('pending');
		const trickled = await faulted({ kind: 'trickle', chunkBytes: 50, everyMs: 1 });
		expect((await recordOf(trickled)).status).toBe('pending');
	});

	test('cutOff: half of the announced body', async () => {
		const { id } = sim.addTask({ status: 'completed' });
		sim.script({ on: 'any', times: 2, fault: { kind: 'cutOff' } });
		const response = await read(id);
		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow('terminated');
		const download = await fetch(String(sim.tasks.get(id)?.results()[0]));
		expect(download.headers.get('content-length')).toBe(String(CLIP_BYTES));
		await expect(download.arrayBuffer()).rejects.toThrow('terminated');
	});

	test('unknownStatus and merge alter the record', async () => {
		const odd = await (await faulted({ kind: 'unknownStatus', status: 'paused' })).json();
		expect(odd).toMatchObject({ status: 'paused', id: expect.any(String) });
		const fields = { id: undefined, progress: 'half', note: 1 };
		const merged = await (await faulted({ kind: 'merge', fields })).json();
		expect(merged).toMatchObject({ status: 'pending', progress: 'half', note: 1 });
		expect(merged).not.toHaveProperty('id');
	});

	test('are played in order, after those to skip, as often as told', async () => {
		const { id } = sim.addTask();
		sim.script({ on: 'task', skip: 1, times: 2, fault: { kind: 'status', status: 500 } });
		sim.script({ on: 'task', fault: { kind: 'status', status: 429 } });
		const statuses = [];
		for (let reads = 0; reads < 5; reads += 1) statuses.push((await read(id)).status);
		expect(statuses).toEqual([429, 500, 500, 200, 200]);
	});

	test('are kept for one route, task or prompt', async () => {
		const [first, second] = [sim.addTask(), sim.addTask({ prompt: 'hills' })];
		const status = (code: number): Fault => ({ kind: 'status', status: code });
		sim.script({ on: 'task', times: Infinity, taskId: first.id, fault: status(500) });
		sim.script({ on: 'task', prompt: 'hills', fault: status(502) });
		sim.script({ on: 'create', prompt: /sea/, fault: status(503) });
		expect((await read(second.id)).status).toBe(502);
		expect((await read(second.id)).status).toBe(200);
		expect((await create()).status).toBe(200);
		expect((await create({ ...TEXT_REQUEST, prompt: 'the sea' })).status).toBe(503);
		expect((await read(first.id)).status).toBe(500);
		expect((await read(first.id)).status).toBe(500);
	});

	test('leave no task behind on a create, unless told', async () => {
		sim.script({ on: 'create', fault: { kind: 'status', status: 502 } });
		sim.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
		await create();
		expect(sim.tasks.size).toBe(0);
		await expect(create()).rejects.toThrow('fetch failed');
		expect([...sim.tasks.keys()]).toEqual([sim.creates()[1]?.taskId]);
	});

	test.each<Fault>([
		{ kind: 'slow', ms: 1 },
		{ kind: 'cutOff' },
		{ kind: 'merge', fields: { id: undefined } },
	])('that spoil the reply of a create make its task: %j', async (fault) => {
		sim.script({ on: 'create', fault });
		await (await create()).text().catch(() => undefined);
		expect(sim.tasks.size).toBe(1);
	});

	test('never hide a request that the contract refuses', async () => {
		sim.script({ on: 'any', fault: { kind: 'status', status: 503 } });
		expect((await create({})).status).toBe(400);
		expect((await read(newTaskId(), sim, { headers: {} })).status).toBe(401);
		expect((await read(newTaskId())).status).toBe(503);
	});
});

describe('results', () => {
	const finishedUrl = (resultBytes?: number): string => {
		const task = sim.addTask({ status: 'completed', resultBytes });
		return String(task.results()[0]);
	};

	test('are a real MP4 that needs no key', async () => {
		const response = await fetch(finishedUrl());
		expect(response.status).toBe(200);
		expect(response.headers.get('content-type')).toBe('video/mp4');
		expect(response.headers.get('content-length')).toBe(String(CLIP.length));
		const bytes = Buffer.from(await response.arrayBuffer());
		expect(bytes.equals(CLIP)).toBe(true);
		expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
		expect(CLIP.length).toBeLessThan(30_000);
	});

	test('record a key that should not have been sent', async () => {
		await fetch(finishedUrl(), { headers: AUTHORIZED });
		await fetch(finishedUrl());
		const keys = sim.downloads().map(({ headers }) => headers.authorization);
		expect(keys).toEqual([AUTHORIZED.authorization, undefined]);
	});

	test.each([
		['bytes=0-7', 206, `bytes 0-7/${CLIP_BYTES}`, CLIP.subarray(0, 8)],
		['bytes=100-', 206, `bytes 100-${CLIP_BYTES - 1}/${CLIP_BYTES}`, CLIP.subarray(100)],
		['bytes=-5', 206, `bytes ${CLIP_BYTES - 5}-${CLIP_BYTES - 1}/${CLIP_BYTES}`, CLIP.subarray(-5)],
		['bytes=0-99999999', 206, `bytes 0-${CLIP_BYTES - 1}/${CLIP_BYTES}`, CLIP],
		['lines=1-2', 200, null, CLIP],
	])('answer the range %s', async (range, status, contentRange, expected) => {
		const response = await fetch(finishedUrl(), { headers: { range } });
		expect(response.status).toBe(status);
		expect(response.headers.get('content-range')).toBe(contentRange);
		expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
	});

	test('answer 416 to a range outside', async () => {
		const response = await fetch(finishedUrl(), { headers: { range: 'bytes=9999999-' } });
		expect(response.status).toBe(416);
		expect(response.headers.get('content-range')).toBe(`bytes */${CLIP_BYTES}`);
	});

	test('answer HEAD without a body', async () => {
		const response = await fetch(finishedUrl(), { method: 'HEAD' });
		expect(response.headers.get('content-length')).toBe(String(CLIP_BYTES));
		expect(await response.text()).toBe('');
	});

	test('exist only once the task is completed, and only as many as it has', async () => {
		const running = sim.addTask();
		expect((await fetch(String(running.results()[0]))).status).toBe(404);
		expect((await fetch(finishedUrl().replace('1.mp4', '2.mp4'))).status).toBe(404);
		expect((await fetch(finishedUrl(), { method: 'POST', headers: AUTHORIZED })).status).toBe(405);
	});

	test('can be of any size: the clip and a box that players skip', async () => {
		const totalBytes = 1_000_003;
		const bytes = Buffer.from(await (await fetch(finishedUrl(totalBytes))).arrayBuffer());
		expect(bytes).toHaveLength(totalBytes);
		expect(bytes.subarray(0, CLIP_BYTES).equals(CLIP)).toBe(true);
		expect(bytes.readUInt32BE(CLIP_BYTES)).toBe(totalBytes - CLIP_BYTES);
		expect(bytes.toString('latin1', CLIP_BYTES + 4, CLIP_BYTES + 8)).toBe('free');
		const range = { range: `bytes=${CLIP_BYTES + 4}-${CLIP_BYTES + 7}` };
		expect(await (await fetch(finishedUrl(totalBytes), { headers: range })).text()).toBe('free');
		expect(() => sim.planTask({ resultBytes: CLIP_BYTES + 1 })).toThrow(RangeError);
	});

	test('can be larger than 4 GB, without being made in full', () => {
		const totalBytes = 5_000_000_000;
		const [head] = videoBytes(totalBytes, CLIP_BYTES, CLIP_BYTES + 16);
		expect(head?.readUInt32BE(0)).toBe(1);
		expect(head?.readBigUInt64BE(8)).toBe(BigInt(totalBytes - CLIP_BYTES));
	});
});

describe('callbacks', () => {
	interface Receiver {
		url: string;
		bodies: unknown[];
	}

	/** Answers each callback with the next of `statuses`, then with the last; 0 never answers. */
	async function receiver(...statuses: number[]): Promise<Receiver> {
		const bodies: unknown[] = [];
		const { server, port } = await listen(0);
		running.push({ close: async () => await shut(server) });
		server.on('request', (request, response) => {
			const status = statuses.length > 1 ? statuses.shift() : statuses[0];
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				bodies.push(JSON.parse(Buffer.concat(chunks).toString('utf8')));
				if (status) response.writeHead(status).end();
			});
		});
		return { url: `http://127.0.0.1:${port}/hook`, bodies };
	}

	test('post the record once the clock has made the task final', async () => {
		const { url, bodies } = await receiver(200);
		const id = await createdId({ ...TEXT_REQUEST, callback_url: url });
		await createdId();
		clockMs += 3_000;
		const sent = await sim.waitForCallback((callback) => callback.taskId === id);
		expect(sent).toMatchObject({ at: clockMs, url, attempt: 1, status: 200, delivered: true });
		expect(bodies).toEqual([await (await read(id)).json()]);
		expect(sim.callbacks).toHaveLength(1);
	});

	test('are sent again after each pause until the receiver takes them', async () => {
		const eager = await start({ callbackRetryDelaysMs: [1, 2, 4] });
		const { url, bodies } = await receiver(500, 404, 204);
		const id = await createdId({ ...TEXT_REQUEST, callback_url: url }, eager);
		eager.fail(id, { code: 'unknown_error' });
		await eager.waitForCallback((callback) => callback.delivered);
		expect(eager.callbacks.map(({ attempt, status }) => [attempt, status])).toEqual([
			[1, 500],
			[2, 404],
			[3, 204],
		]);
		expect(bodies).toHaveLength(3);
		expect(bodies[2]).toMatchObject({ id, status: 'failed', error: { code: 'unknown_error' } });
	});

	test('end after the last pause, also when nobody answers', async () => {
		const eager = await start({ callbackRetryDelaysMs: [1], callbackTimeoutMs: 20 });
		const { url } = await receiver(0);
		const id = await createdId({ ...TEXT_REQUEST, callback_url: url }, eager);
		eager.finish(id);
		const last = await eager.waitForCallback((callback) => callback.attempt === 2);
		expect(last).toMatchObject({
			delivered: false,
			reason: expect.stringContaining('No answer within 20 ms'),
		});
		expect(last).not.toHaveProperty('status');
	});

	test('can tell every status', async () => {
		const chatty = await start({ callbackOn: 'change' });
		const { url } = await receiver(200);
		const id = await createdId({ ...TEXT_REQUEST, callback_url: url }, chatty);
		chatty.setStatus(id, 'processing');
		await chatty.waitForCallback(({ body }) => body.status === 'processing');
		chatty.finish(id);
		await chatty.waitForCallback(({ body }) => body.status === 'completed');
		expect(chatty.callbacks).toHaveLength(2);
	});

	test('end with the simulator', async () => {
		const { url, bodies } = await receiver(500);
		const id = await createdId({ ...TEXT_REQUEST, callback_url: url });
		sim.finish(id);
		await sim.waitForCallback((callback) => callback.attempt === 1);
		await sim.close();
		expect(bodies).toHaveLength(1);
	});
});

describe('watching and stopping', () => {
	test('records every request in order, refused ones included', async () => {
		await read('malformed', sim, { headers: {} });
		const id = await createdId();
		await (await read(id)).text();
		expect(sim.requests).toMatchObject([
			{ at: clockMs, method: 'GET', route: 'task', taskId: 'malformed', status: 401 },
			{ route: 'create', taskId: id, json: TEXT_REQUEST, model: TEXT_REQUEST.model, status: 200 },
			{ route: 'task', path: `/${TASKS_PATH}/${id}`, taskId: id, bodyText: '', status: 200 },
		]);
		expect(sim.requests[1]?.headers['content-type']).toBe('application/json');
		expect(sim.reads(id)).toHaveLength(1);
		expect(sim.reads()).toHaveLength(2);
		expect(sim.creates()).toHaveLength(1);
	});

	test('tells of requests as they arrive', async () => {
		const seen: string[] = [];
		const stop = sim.onRequest(({ route }) => seen.push(route));
		const { id } = sim.addTask();
		const second = sim.waitForRequest(() => sim.reads(id).length === 2);
		await read(id);
		await read(id);
		await second;
		stop();
		await read(id);
		expect(seen).toEqual(['task', 'task']);
		await expect(sim.waitForRequest(() => false, 5)).rejects.toThrow('within 5 ms');
	});

	test('forgets everything on reset, in the same arrays', async () => {
		const { requests } = sim;
		const id = await createdId();
		sim.script({ on: 'any', fault: { kind: 'status', status: 500 } });
		sim.planTask({ immediate: true });
		sim.reset();
		expect([requests.length, sim.tasks.size]).toEqual([0, 0]);
		expect((await read(id)).status).toBe(404);
		expect(await recordOf(await create())).toMatchObject({ status: 'pending' });
		expect(requests).toHaveLength(2);
	});

	test('closes at once although a request hangs, and twice without harm', async () => {
		sim.script({ on: 'any', fault: { kind: 'hang' } });
		const answer = read(newTaskId());
		const refused = expect(answer).rejects.toThrow('fetch failed');
		await sim.waitForRequest(() => true);
		await Promise.all([sim.close(), sim.close()]);
		await refused;
	});

	test('says when the port is taken', async () => {
		await expect(start({ port: sim.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});
});

describe('the command line', () => {
	test('has defaults', () => {
		expect(readArguments([])).toEqual({
			kind: 'start',
			port: 4010,
			key: DEFAULT_API_KEY,
			options: { port: 4010, apiKeys: [DEFAULT_API_KEY], taskDurationMs: 20_000 },
		});
	});

	test('takes every flag', () => {
		const flags =
			'--port 0 --key k --task-seconds 0.5 --max-unfinished 2 --creates-per-second 3 ' +
			'--require-media --fetch-public-media --max-media-mb 0.5';
		expect(readArguments(flags.split(' '))).toMatchObject({
			options: {
				port: 0,
				apiKeys: ['k'],
				taskDurationMs: 500,
				maxUnfinishedTasks: 2,
				createsPerSecond: 3,
				mediaPolicy: 'require',
				fetchPublicMedia: true,
				maxMediaBytes: 524_288,
			},
		});
		expect(readArguments(['--help'])).toEqual({ kind: 'help' });
	});

	test.each([
		['--port', 'x'],
		['--port', '70000'],
		['--task-seconds=-1'],
		['--max-unfinished', '1.5'],
		['--creates-per-second', ''],
		['--key', 'two words'],
		['--max-media-mb', 'x'],
		['--unknown'],
	])('explains what is wrong with %j', (...args) => {
		const flag = String(args[0]?.split('=')[0]);
		expect(readArguments(args)).toEqual({
			kind: 'mistake',
			message: expect.stringContaining(flag),
		});
	});

	/** Runs the command and gathers what it prints. */
	function run(...args: string[]) {
		const cli = join(__dirname, '../simulator/cli.ts');
		const child = spawn(process.execPath, ['--import', 'tsx', cli, ...args]);
		const output = new Journal<string>();
		for (const stream of [child.stdout, child.stderr]) {
			stream.setEncoding('utf8').on('data', (text: string) => output.add(text));
		}
		const exit = once(child, 'close');
		running.push({ close: async () => child.kill('SIGKILL') && (await exit) });
		const printed = () => output.entries.join('');
		const waitFor = async (text: string) =>
			await output.waitFor(() => printed().includes(text), 20_000);
		return { child, exit, printed, waitFor };
	}

	test('says what to paste, lists requests and files without their keys, and stops on Ctrl-C', async () => {
		const { child, exit, printed, waitFor } = run('--port', '0', '--key', 'pasted-key');
		await waitFor('Press Ctrl-C');
		expect(printed()).toContain('API Key   pasted-key');
		const baseUrl = /Base URL {2}(\S+)/.exec(printed())?.[1];
		const headers = { authorization: 'Bearer secret-key' };
		await fetch(`${baseUrl}/${TASKS_PATH}/x?key=secret-key`, { headers });
		await waitFor('401');
		const host = await startFileHost();
		running.push(host);
		const frame = host.serve('/frame.png', { body: samplePng(), contentType: 'image/png' });
		await fetch(`${baseUrl}/${CREATE_PATH}`, {
			method: 'POST',
			headers: { authorization: 'Bearer pasted-key', 'content-type': 'application/json' },
			body: JSON.stringify({ ...IMAGE_REQUEST, image_urls: [`${frame}?token=secret-token`] }),
		});
		await waitFor('image_urls[0]');
		expect(printed()).toMatch(
			/image_urls\[0\] {2}127\.0\.0\.1:\d+\/frame\.png {2}fetched {2}\(task_/,
		);
		expect(printed()).toContain(`image/png, ${samplePng().length} bytes)`);
		expect(printed()).toContain(`GET  /${TASKS_PATH}/x  401  (key ****)`);
		child.kill('SIGINT');
		expect(await exit).toEqual([0, null]);
		expect(printed()).toContain('The simulator has stopped.');
		expect(printed()).not.toContain('secret-');
	});

	test('says plainly when the port is taken', async () => {
		const { exit, printed } = run('--port', String(sim.port));
		expect(await exit).toEqual([1, null]);
		expect(printed()).toContain(`Port ${sim.port} is already in use`);
	});
});
