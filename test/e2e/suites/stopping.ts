import { setTimeout as delay } from 'node:timers/promises';
import { POLL_INTERVAL_SECONDS, PROMPT_OF_ITEM, itemsOf, waiting, type Suite } from '../suite';

const PROMPTS = ['one', 'two', 'three', 'four', 'five', 'six'];
const IN_FLIGHT = 4;
/** Absence has no event: several poll intervals have to pass without a request. */
const SILENCE_MS = POLL_INTERVAL_SECONDS * 3_000;

/** A person stops an execution while tasks are in flight. */
export function testStopping(n8n: Suite): void {
	describe('stopping an execution', () => {
		it('ends polls and creates within a second', async () => {
			const { api, sim } = n8n;
			sim.planTask({ outcome: 'never', times: PROMPTS.length });
			// The last ones are still trying to get in when the execution is stopped.
			const busy = { kind: 'status', status: 429, retryAfter: 1 } as const;
			sim.script({ on: 'create', skip: IN_FLIGHT, times: Infinity, fault: busy });
			const parameters = { ...PROMPT_OF_ITEM, ...waiting() };
			const workflow = n8n.workflow({ parameters, items: itemsOf(PROMPTS) });
			const id = await api.runWorkflow(await api.createWorkflow(workflow));
			await sim.waitForRequest(() => sim.reads().length >= 2 * IN_FLIGHT, 15_000);

			const stoppedAt = Date.now();
			await api.stopExecution(id);
			expect((await n8n.ended(id)).status).toBe('canceled');
			await delay(stoppedAt + 1_000 + SILENCE_MS - Date.now());

			expect(sim.requests.filter(({ at }) => at > stoppedAt + 1_000)).toEqual([]);
			expect(sim.tasks.size).toBe(IN_FLIGHT);
			// n8n keeps no error of a stopped node; the log is where the tasks can still be found.
			const log = await n8n.bed.log();
			expect([...sim.tasks.keys()].filter((taskId) => !log.includes(taskId))).toEqual([]);
		});
	});
}
