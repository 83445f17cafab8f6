import type { Simulator, SimulatorOptions } from '../../simulator';
import { taskRecordSchema } from '../../simulator/taskRecord';
import { SimulatorScene, createdId, readRecord } from './scene';

const scene = new SimulatorScene();
let receiver: Simulator;
let callback_url: string;

beforeEach(async () => {
	receiver = await scene.start();
	callback_url = receiver.serve('/hook');
});
afterEach(async () => await scene.end());

const startEager = async (options: SimulatorOptions = {}): Promise<Simulator> =>
	await scene.start({ callbackRetryDelaysMs: [1, 2], ...options });

const received = (): unknown[] => receiver.requests.map(({ json }) => json);

test('a callback brings the record once the clock has made the task final', async () => {
	const sim = await startEager();
	const id = await createdId(sim, { callback_url });
	await createdId(sim);
	scene.nowMs += 3_000;
	const sent = await sim.waitForCallback(({ taskId }) => taskId === id);
	expect(sent).toMatchObject({ at: scene.nowMs, attempt: 1, status: 200, delivered: true });
	expect(received()).toEqual([await readRecord(sim, id)]);
	expect(sim.callbacks).toHaveLength(1);
});

test('a callback is sent again after each pause until the receiver takes it', async () => {
	const sim = await startEager();
	receiver.serve('/hook', { status: 500 });
	sim.planTask({ error: { code: 'unknown_error' } });
	const id = await createdId(sim, { callback_url });
	sim.finish(id, 'failed');
	await sim.waitForCallback(({ attempt }) => attempt === 1);
	receiver.serve('/hook', { status: 204 });
	await sim.waitForCallback(({ delivered }) => delivered);
	expect(sim.callbacks[0]).toMatchObject({ status: 500, delivered: false });
	expect(received().at(-1)).toMatchObject({ id, status: 'failed', error: expect.anything() });
});

test('a callback is given up after the last pause when nobody answers', async () => {
	const sim = await startEager({ callbackRetryDelaysMs: [1] });
	receiver.script({ on: 'any', times: 2, fault: { kind: 'reset' } });
	sim.finish(await createdId(sim, { callback_url }));
	const last = await sim.waitForCallback(({ attempt }) => attempt === 2);
	expect(last).toMatchObject({ delivered: false, reason: expect.any(String) });
	expect(last).not.toHaveProperty('status');
});

test('a callback that is not answered in time is sent again', async () => {
	const sim = await startEager({ callbackTimeoutMs: 500 });
	receiver.script({ on: 'any', fault: { kind: 'hang' } });
	sim.finish(await createdId(sim, { callback_url }));
	await sim.waitForCallback(({ delivered }) => delivered);
	const [first] = sim.callbacks;
	expect(first).toMatchObject({ attempt: 1, reason: 'No answer within 500 ms', delivered: false });
});

test('a callback can be lost', async () => {
	const sim = await startEager();
	sim.planTask({ callback: { lost: true } });
	sim.finish(await createdId(sim, { callback_url }));
	const lost = await sim.waitForCallback(() => true);
	expect(lost).toMatchObject({ attempt: 1, delivered: false });
	expect(received()).toEqual([]);
});

test('a callback can arrive twice', async () => {
	const sim = await startEager();
	sim.planTask({ callback: { doubled: true } });
	const id = await createdId(sim, { callback_url });
	sim.finish(id);
	await sim.waitForCallback(() => sim.callbacks.length === 2);
	expect(received()).toMatchObject([{ id }, { id }]);
});

test('a callback can come late, with the record as it was', async () => {
	const sim = await startEager({ callbackOn: 'change' });
	sim.planTask({ callback: { delayMs: 50 } });
	const id = await createdId(sim, { callback_url });
	sim.setStatus(id, 'processing');
	sim.finish(id);
	const finishedAtMs = performance.now();
	await sim.waitForCallback(() => sim.callbacks.length === 2);
	expect(performance.now() - finishedAtMs).toBeGreaterThan(45);
	const statuses = sim.callbacks.map(({ body }) => taskRecordSchema.parse(body).status);
	expect(statuses.sort()).toEqual(['completed', 'processing']);
});

test('anybody can forge a callback, of a task or for a URL', async () => {
	const sim = await startEager();
	receiver.serve('/hook', { status: 401 });
	const id = await createdId(sim, { callback_url });
	const body = { id, status: 'completed', results: [] };
	expect(await sim.forgeCallback(id, body)).toBe(401);
	expect(await sim.forgeCallback(receiver.serve('/other'), null)).toBe(200);
	expect(received()).toEqual([body, null]);
	expect(sim.callbacks).toMatchObject([
		{ taskId: id, url: callback_url, body, attempt: 1, status: 401, delivered: false },
		{ body: null, status: 200, delivered: true },
	]);
	expect(await readRecord(sim, id)).toMatchObject({ status: 'pending' });
	await expect(sim.forgeCallback('http://127.0.0.1:1', body)).rejects.toThrow('fetch failed');
});

test('callbacks can tell every status', async () => {
	const sim = await startEager({ callbackOn: 'change' });
	const id = await createdId(sim, { callback_url });
	sim.setStatus(id, 'processing');
	await sim.waitForCallback(() => true);
	sim.finish(id);
	await sim.waitForCallback(() => sim.callbacks.length === 2);
	expect(received()).toMatchObject([{ status: 'processing' }, { status: 'completed' }]);
});

test('callbacks end with the simulator', async () => {
	const sim = await startEager({ callbackRetryDelaysMs: [1_000] });
	receiver.serve('/hook', { status: 500 });
	sim.finish(await createdId(sim, { callback_url }));
	await sim.waitForCallback(({ attempt }) => attempt === 1);
	await sim.close();
	expect(received()).toHaveLength(1);
});
