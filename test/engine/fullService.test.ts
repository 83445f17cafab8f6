import { sendDirectly } from '../programs/support/sendDirectly';
import { CONTINUE, useEngine } from './useEngine';

const PLACES = 5;
const TASK_MS = 60_000;
const PROMPTS = Array.from({ length: 40 }, (_, index) => `video ${index}`);
/** As many as the node sends before it can know; so many are accepted in vain. */
const AT_FIRST = 20;

const { simulator, clock, run } = useEngine({
	...{ taskDurationMs: TASK_MS, maxRunning: PLACES, whenFull: 'fails' },
	parameters: { waitForCompletion: true, downloadResults: false },
});

/** In simulated time. Before the node knew how much room there is, 35 of 40 failed, all in a few seconds. */
test('a service that accepts all and fails what is too many gets as many as it has room for', async () => {
	const beganAt = clock.now();
	await run(PROMPTS, { settings: CONTINUE, send: sendDirectly(simulator) });
	const minutes = Math.ceil((clock.now() - beganAt) / TASK_MS);
	const createsOf = (minute: number) =>
		simulator.creates().filter(({ at }) => Math.floor((at - beganAt) / TASK_MS) === minute).length;
	const later = Array.from({ length: minutes - 1 }, (_, index) => createsOf(index + 1));
	const failed = [...simulator.tasks.values()].filter((task) => task.status() === 'failed');

	expect(createsOf(0)).toBe(AT_FIRST);
	expect(simulator.creates()).toHaveLength(PROMPTS.length);
	expect(failed.length).toBeLessThanOrEqual(AT_FIRST - PLACES + later.length / 2);
	// It tries one more now and then: there may be room again.
	expect(Math.max(...later)).toBe(PLACES + 1);
});
