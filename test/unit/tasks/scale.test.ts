import { seededRandom } from '../../programs/support/random';
import {
	createJobs,
	kindsOf,
	MINUTE,
	readJob,
	Scene,
	WAIT,
} from '../../programs/support/waitingRun';

/** Thousands of items must cost no more connections than a few, and no more requests each. */
const MANY = 2_000;

describe('thousands of items', () => {
	test('run together, each read as seldom as a few would be', async () => {
		const random = seededRandom(11);
		const scene = new Scene({ durationMs: () => 20_000 + Math.floor(random() * 100_000) });
		const outcomes = await scene.run(createJobs(MANY), { maxConcurrentTasks: 200 });
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.tasks).toHaveLength(MANY);
		expect(scene.clock.sleeping).toBe(0);
		const perTask = scene.service.calls.length / MANY;
		expect(perTask).toBeLessThanOrEqual(120_000 / WAIT.intervalMs + 2);
		const evenMs = (MANY / 200) * 70_000;
		expect(scene.clock.now()).toBeLessThan(1.3 * evenMs);
	});

	test('keep a limited number of reads open at once', async () => {
		const scene = new Scene({ durationMs: MINUTE, latencyMs: 100 });
		const ids = Array.from({ length: 300 }, (_, index) => scene.service.add(`a ${index}`).id);
		const outcomes = await scene.run(ids.map((id) => readJob(id, WAIT)));
		expect(new Set(kindsOf(outcomes))).toEqual(new Set(['done']));
		expect(scene.service.mostOpenReads).toBe(32);
	});
});
