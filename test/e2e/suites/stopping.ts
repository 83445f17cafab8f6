import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '../../n8n/poll';
import { SILENCE_MS, STOP_BOUND_MS, createdLate, lastWordOn } from '../stops';
import { PROMPT_OF_ITEM, itemsOf, waiting, type Suite } from '../suite';

const PROMPTS = ['one', 'two', 'three', 'four', 'five', 'six'];
const IN_FLIGHT = 4;
/** On a busy machine, the first polls take their time. */
const STARTED_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 300_000;
/** How long the service takes for a create, and when the execution is stopped meanwhile. */
const ANSWER_MS = 2_000;
const STOP_AFTER_MS = 400;

/** A person stops an execution while tasks are in flight. */
export function testStopping(n8n: Suite): void {
	describe('stopping an execution', () => {
		it(
			'ends polls and creates, and leaves the tasks in the log',
			async () => {
				const { api, sim } = n8n;
				sim.planTask({ outcome: 'never', times: PROMPTS.length });
				// The last ones are still trying to get in when the execution is stopped.
				const busy = { kind: 'status', status: 429, retryAfter: 1 } as const;
				sim.script({ on: 'create', skip: IN_FLIGHT, times: Infinity, fault: busy });
				const parameters = { ...PROMPT_OF_ITEM, ...waiting() };
				const workflow = n8n.workflow({ parameters, items: itemsOf(PROMPTS) });
				const id = await api.runWorkflow(await api.createWorkflow(workflow));
				const isInFlight = () => sim.reads().length >= 2 * IN_FLIGHT;
				await sim.waitForRequest(isInFlight, STARTED_TIMEOUT_MS);

				const stoppedAt = Date.now();
				await api.stopExecution(id);
				expect((await n8n.ended(id)).status).toBe('canceled');
				// n8n keeps no error of a stopped node; the log is where the tasks can still be found.
				for (const taskId of sim.tasks.keys()) await n8n.bed.waitForLog(lastWordOn(taskId));
				const sent = sim.requests.length;
				expect(sim.requests.at(-1)?.at).toBeLessThan(stoppedAt + STOP_BOUND_MS);
				await delay(SILENCE_MS);
				expect(sim.requests).toHaveLength(sent);
				expect(sim.tasks.size).toBe(IN_FLIGHT);
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'lets creates under way finish, and leaves the ID of each in the log',
			async () => {
				const { api, sim } = n8n;
				sim.script({ on: 'create', times: Infinity, fault: { kind: 'slow', ms: ANSWER_MS } });
				const prompts = Array.from({ length: 20 }, (_, index) => `slow ${index}`);
				const parameters = { ...PROMPT_OF_ITEM, ...waiting() };
				const workflow = n8n.workflow({ parameters, items: itemsOf(prompts) });
				const id = await api.runWorkflow(await api.createWorkflow(workflow));
				await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
				await delay(STOP_AFTER_MS);
				await api.stopExecution(id);
				expect((await n8n.ended(id)).status).toBe('canceled');

				const sent = sim.creates();
				const answered = async () => (sent.every(({ ended }) => ended) ? true : undefined);
				await pollUntil(answered, { what: 'the answers', timeoutMs: 10 * ANSWER_MS });
				expect(sim.tasks.size).toBe(sent.length);
				for (const taskId of sim.tasks.keys()) await n8n.bed.waitForLog(createdLate(taskId));
				expect(sim.creates()).toHaveLength(sent.length);
				expect(sim.reads()).toEqual([]);
			},
			TEST_TIMEOUT_MS,
		);
	});
}
