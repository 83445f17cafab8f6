import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from '../../programs/realN8n/poll';
import type { Suite } from '../beds/suite';
import { createdLate, expectSilenceAfterStop } from '../stops';
import {
	CREATE_PAUSE_GET,
	PROMPT_OF_ITEM,
	RESTING,
	STARTED_TIMEOUT_MS,
	itemsOf,
	waiting,
} from '../vocabulary';

const IN_FLIGHT = 4;
/** How long the service takes for a create, and when the execution is stopped meanwhile. */
const ANSWER_MS = 2_000;
const STOP_AFTER_MS = 400;

/** A person stops an execution while tasks are in flight. */
export function testStopping(n8n: Suite): void {
	describe('stopping an execution', () => {
		const startWith = async (itemCount: number): Promise<string> => {
			const prompts = Array.from({ length: itemCount }, (_, index) => `number ${index}`);
			const parameters = { ...PROMPT_OF_ITEM, ...waiting({ maxNewTasks: itemCount }) };
			return await n8n.start(n8n.workflow({ parameters, items: itemsOf(prompts) }));
		};

		it('ends polls and creates, and leaves the tasks in the log', async () => {
			const { sim } = n8n;
			sim.planTask({ outcome: 'never', times: IN_FLIGHT });
			// The last ones are still trying to get in when the execution is stopped.
			const busy = { kind: 'status', status: 429, retryAfter: 1 } as const;
			sim.script({ on: 'create', skip: IN_FLIGHT, times: Infinity, fault: busy });
			const id = await startWith(IN_FLIGHT + 2);
			const isInFlight = () => sim.reads().length >= 2 * IN_FLIGHT;
			await sim.waitForRequest(isInFlight, STARTED_TIMEOUT_MS);

			await expectSilenceAfterStop(n8n, id, n8n.bed);
			expect(sim.tasks.size).toBe(IN_FLIGHT);
		});

		it.each([
			['that is in the Wait between Create and Get Task', CREATE_PAUSE_GET],
			['that rests until the service calls back', [RESTING]],
		])('%s leaves the task, whose ID is in it, and creates no other', async (_what, nodes) => {
			n8n.sim.planTask({ outcome: 'never' });
			const workflow = await n8n.publish(nodes);
			await workflow.call('A fox');
			await workflow.untilFirstIs('waiting');
			const id = await workflow.firstExecutionId();
			await n8n.api.stopExecution(id);
			const stopped = await n8n.ended(id, 'canceled');
			expect(stopped.raw).toContain(n8n.onlyTask().id);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('lets creates under way finish, and leaves the ID of each in the log', async () => {
			const { api, sim } = n8n;
			sim.script({ on: 'create', times: Infinity, fault: { kind: 'slow', ms: ANSWER_MS } });
			const id = await startWith(20);
			await sim.waitForRequest(({ route }) => route === 'create', STARTED_TIMEOUT_MS);
			await delay(STOP_AFTER_MS);
			await api.stopExecution(id);
			await n8n.ended(id, 'canceled');

			const sent = sim.creates();
			const answered = async () => sent.every(({ ended }) => ended) || undefined;
			await pollUntil(answered, { what: 'the answers', timeoutMs: 10 * ANSWER_MS });
			expect(sim.tasks.size).toBe(sent.length);
			for (const taskId of sim.tasks.keys()) await n8n.bed.waitForLog(createdLate(taskId));
			expect(sim.creates()).toHaveLength(sent.length);
			expect(sim.reads()).toEqual([]);
		});
	});
}
