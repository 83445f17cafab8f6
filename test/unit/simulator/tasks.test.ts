import type { Simulator } from '../../simulator';
import { SimulatorScene, create, createdId, read, readRecord, recordOf } from './scene';

const scene = new SimulatorScene();
let sim: Simulator;

beforeEach(async () => {
	sim = await scene.start();
});
afterEach(async () => await scene.end());

/** What reads show after each of the steps of the clock. */
async function seenAfter(id: string, stepsMs: number[]): Promise<unknown[]> {
	const seen = [];
	for (const step of stepsMs) {
		scene.nowMs += step;
		const { status, progress } = await readRecord(sim, id);
		seen.push([status, progress]);
	}
	return seen;
}

test('a task goes from pending to processing to completed with the clock', async () => {
	const id = await createdId(sim);
	expect(await seenAfter(id, [0, 299, 1, 1_200, 1_499, 1, 100_000])).toEqual([
		['pending', 0],
		['pending', 0],
		['processing', 10],
		['processing', 50],
		['processing', 99],
		['completed', 100],
		['completed', 100],
	]);
});

test('the reply to a create is not final, however short the task, unless planned', async () => {
	sim.planTask({ durationMs: 0 });
	sim.planTask({ immediate: true });
	expect(await recordOf(await create(sim))).toMatchObject({ status: 'pending' });
	expect(await recordOf(await create(sim))).toMatchObject({ status: 'completed', progress: 100 });
});

test('a task can be unknown just after its create', async () => {
	sim.planTask({ notFoundForMs: 500 });
	const id = await createdId(sim);
	expect((await read(sim, id)).status).toBe(404);
	scene.nowMs += 500;
	expect((await read(sim, id)).status).toBe(200);
});

test('a create takes the plan of its prompt, otherwise the next in line', async () => {
	sim.planTask({ durationMs: 1_000 });
	sim.planTask({ prompt: 'night', durationMs: 2_000 });
	sim.planTask({ prompt: /^star/, times: 2, durationMs: 3_000 });
	const estimates = [];
	for (const prompt of ['night', 'stars', 'night', 'start', 'starve']) {
		const { task_info: info } = await readRecord(sim, await createdId(sim, { prompt }));
		estimates.push(info?.estimated_time);
	}
	expect(estimates).toEqual([2, 3, 1, 3, 3]);
});
