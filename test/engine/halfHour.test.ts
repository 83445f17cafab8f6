import { liveBytes } from '../programs/bench/measure';
import { sendDirectly } from '../programs/support/sendDirectly';
import { statusesOf, useEngine } from './useEngine';

const MINUTE = 60_000;
const TASKS = 100;
const PROMPTS = Array.from({ length: TASKS }, (_, index) => `video ${index}`);

/** For all of them, the simulator's own tasks included; their records alone would be several times that. */
const MOST_BYTES = 4_000_000;

const { simulator, clock, run } = useEngine({ taskDurationMs: 25 * MINUTE });

/** Adds up how often each task was read; forgets the requests, which need memory themselves. */
function countReads(counts: Map<string, number>): void {
	for (const { taskId = '' } of simulator.reads()) {
		counts.set(taskId, (counts.get(taskId) ?? 0) + 1);
	}
	simulator.requests.splice(0);
}

/** In simulated time. A task of the simulator says nothing of its progress for its first tenth. */
describe('100 tasks of 25 minutes', () => {
	test.each([
		['progress', {}, 60],
		['no progress', { progress: undefined }, 95],
	])('with %s are read seldom, and need no more memory at the end', async (_, fields, most) => {
		simulator.script({ on: 'task', times: Infinity, fault: { kind: 'merge', fields } });
		const counts = new Map<string, number>();
		const bytesAt = async (minute: number): Promise<number> => {
			await clock.sleep(minute * MINUTE, new AbortController().signal);
			countReads(counts);
			return liveBytes();
		};
		const bytes = Promise.all([bytesAt(0), bytesAt(24)]);
		const result = await run(PROMPTS, {
			more: { options: { maxConcurrentTasks: TASKS } },
			send: sendDirectly(simulator),
		});
		countReads(counts);
		expect(statusesOf(result)).toEqual(Array(TASKS).fill('completed'));
		expect(counts.size).toBe(TASKS);
		expect(Math.max(...counts.values())).toBeLessThanOrEqual(most);
		const [before, after] = await bytes;
		expect(after - before).toBeLessThan(MOST_BYTES);
	});
});
