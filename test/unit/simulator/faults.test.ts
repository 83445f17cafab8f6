import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { TASKS_PATH } from '../../simulator/contract';
import { CLIP_BYTES, type Fault, type Simulator, newTaskId } from '../../simulator';
import { sampleMp4 } from '../../support/sampleFiles';
import { AUTHORIZED, SimulatorScene, TEXT_REQUEST, create, read } from './scene';

const HALF = Math.floor(CLIP_BYTES / 2);
const CLIP_LENGTH = String(CLIP_BYTES);

const scene = new SimulatorScene();
let sim: Simulator;

beforeEach(async () => {
	sim = await scene.start();
});
afterEach(async () => await scene.end());

const status = (code: number): Fault => ({ kind: 'status', status: code });

/** A read of a task, on which the fault is played. */
async function faulted(fault: Fault, init?: RequestInit): Promise<Response> {
	sim.script({ on: 'task', fault });
	return await read(sim, sim.addTask().id, init);
}

interface Received {
	headers: Record<string, unknown>;
	bytes: Buffer;
	/** `whole`, or the code with which the connection ended. */
	end: unknown;
}

/** What a download brings over the wire, before anything is decoded. */
async function download(fault: Fault, resultBytes?: number): Promise<Received> {
	sim.script({ on: 'result', fault });
	const [url = ''] = sim.addTask({ status: 'completed', resultBytes }).results();
	return await new Promise((resolve) => {
		const chunks: Buffer[] = [];
		const request = httpRequest(url, { agent: false }, (response) => {
			const { headers } = response;
			const finish = (end: unknown) => resolve({ headers, bytes: Buffer.concat(chunks), end });
			response.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				const isStalled = fault.kind === 'stall' && Buffer.concat(chunks).length === HALF;
				if (isStalled) setTimeout(() => finish('silent'), 50);
			});
			response.on('end', () => finish('whole'));
			response.on('error', (reason) => finish('code' in reason && reason.code));
		});
		request.on('error', (reason) => {
			resolve({ headers: {}, bytes: Buffer.of(), end: 'code' in reason && reason.code });
		});
		request.end();
	});
}

test('a hang leaves the request without an answer until the client gives up', async () => {
	const abort = new AbortController();
	const answer = faulted({ kind: 'hang' }, { signal: abort.signal });
	const arrived = await sim.waitForRequest(({ fault }) => fault === 'hang');
	expect([arrived.ended, arrived.status]).toEqual([false, undefined]);
	abort.abort();
	await expect(answer).rejects.toThrow('aborted');
	await sim.waitForRequest(({ ended }) => ended);
});

test.each<[Fault, Received['end'], number]>([
	[{ kind: 'reset' }, 'ECONNRESET', 0],
	[{ kind: 'cutOff' }, 'ECONNRESET', HALF],
	[{ kind: 'chunked', cutOff: true }, 'ECONNRESET', HALF],
	[{ kind: 'chunked' }, 'whole', CLIP_BYTES],
	[{ kind: 'stall' }, 'silent', HALF],
])('a download with %j ends %s after %i bytes', async (fault, expectedEnd, count) => {
	const { headers, bytes, end } = await download(fault);
	expect([end, bytes.equals(sampleMp4().subarray(0, count))]).toEqual([expectedEnd, true]);
	const hasLength = fault.kind === 'cutOff' || fault.kind === 'stall';
	expect(headers['content-length']).toBe(hasLength ? CLIP_LENGTH : undefined);
});

test('gzip announces the compressed length', async () => {
	const { headers, bytes } = await download({ kind: 'gzip' }, CLIP_BYTES + 100_000);
	expect(headers).toMatchObject({
		'content-encoding': 'gzip',
		'content-length': String(bytes.length),
	});
	expect(gunzipSync(bytes).subarray(0, CLIP_BYTES).equals(sampleMp4())).toBe(true);
});

test('faults are played in order, after those to skip, as often as told', async () => {
	const { id } = sim.addTask();
	sim.script({ on: 'task', skip: 1, times: 2, fault: status(500) });
	sim.script({ on: 'task', fault: status(429) });
	const statuses = [];
	for (let reads = 0; reads < 5; reads += 1) statuses.push((await read(sim, id)).status);
	expect(statuses).toEqual([429, 500, 500, 200, 200]);
});

test('faults are kept for one route or prompt', async () => {
	const { id } = sim.addTask({ prompt: 'hills' });
	sim.script({ on: 'task', prompt: 'hills', fault: status(502) });
	sim.script({ on: 'create', prompt: /sea/, fault: status(503) });
	expect((await create(sim)).status).toBe(200);
	expect((await create(sim, { ...TEXT_REQUEST, prompt: 'the sea' })).status).toBe(503);
	expect([(await read(sim, id)).status, (await read(sim, id)).status]).toEqual([502, 200]);
});

test('faults leave no task behind on a create, unless told', async () => {
	sim.script({ on: 'create', fault: status(502) });
	sim.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
	await create(sim);
	expect(sim.tasks.size).toBe(0);
	await expect(create(sim)).rejects.toThrow('fetch failed');
	expect([...sim.tasks.keys()]).toEqual([sim.creates()[1]?.taskId]);
});

test('faults never hide a request that the contract refuses', async () => {
	sim.script({ on: 'any', fault: status(503) });
	expect((await create(sim, {})).status).toBe(400);
	expect((await read(sim, newTaskId(), { headers: {} })).status).toBe(401);
	expect((await read(sim, newTaskId())).status).toBe(503);
});

describe('a request without a connection', () => {
	const answer = async (fault: Fault, signal = new AbortController().signal) => {
		sim.script({ on: 'task', fault });
		const url = `/${TASKS_PATH}/${sim.addTask().id}`;
		return await sim.answer({ method: 'GET', url, headers: AUTHORIZED, body: '' }, signal);
	};

	test.each<Fault>([
		status(503),
		{ kind: 'empty' },
		{ kind: 'html' },
		{ kind: 'redirect', location: '/x' },
		{ kind: 'unknownStatus', status: 'queued' },
	])('is answered as over HTTP: %j', async (fault) => {
		const direct = await answer(fault);
		const response = await faulted(fault, { redirect: 'manual' });
		const anyId = (text: string) => text.replace(/task_\w{24}/g, 'task');
		expect(direct.statusCode).toBe(response.status);
		expect(Object.fromEntries(response.headers)).toMatchObject(direct.headers);
		expect(anyId(direct.body)).toBe(anyId(await response.text()));
	});

	test.each<Fault>([{ kind: 'reset' }, { kind: 'cutOff' }])('breaks off: %j', async (fault) => {
		await expect(answer(fault)).rejects.toMatchObject({ code: 'ECONNRESET' });
		expect(sim.requests[0]?.ended).toBe(true);
	});

	test('hangs until the client gives up', async () => {
		const client = new AbortController();
		const pending = answer({ kind: 'hang' }, client.signal);
		expect(sim.requests[0]?.ended).toBe(false);
		client.abort();
		await expect(pending).rejects.toThrow();
		expect(sim.requests[0]?.ended).toBe(true);
	});
});
