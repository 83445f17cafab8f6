import type { Simulator, SimulatorOptions } from '../../simulator';
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

test('callbacks can tell every status', async () => {
	const sim = await startEager({ callbackOn: 'change' });
	const id = await createdId(sim, { callback_url });
	sim.setStatus(id, 'processing');
	await sim.waitForCallback(({ body }) => body.status === 'processing');
	sim.finish(id);
	await sim.waitForCallback(({ body }) => body.status === 'completed');
	expect(sim.callbacks).toHaveLength(2);
});

test('callbacks end with the simulator', async () => {
	const sim = await startEager({ callbackRetryDelaysMs: [1_000] });
	receiver.serve('/hook', { status: 500 });
	sim.finish(await createdId(sim, { callback_url }));
	await sim.waitForCallback(({ attempt }) => attempt === 1);
	await sim.close();
	expect(received()).toHaveLength(1);
});
