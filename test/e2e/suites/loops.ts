import { AFTER_LOOP_NODE, loopWorkflow } from '../../n8n/workflows';
import type { Execution } from '../../n8n/api';
import { PROMPT_OF_ITEM, waiting, type Suite } from '../suite';

const ROUNDS = 3;
const items = Array.from({ length: ROUNDS }, (_, round) => ({ prompt: 'A fox', round }));
const parameters = { ...PROMPT_OF_ITEM, ...waiting() };

/** In a loop, the node runs many times within one execution, perhaps with the very same request. */
export function testLoops(n8n: Suite): void {
	describe('Loop Over Items', () => {
		const expectOneTaskARound = (execution: Execution) => {
			expect(execution.status).toBe('success');
			expect(n8n.sim.creates()).toHaveLength(ROUNDS);
			expect(execution.output(AFTER_LOOP_NODE).map(({ json }) => json)).toEqual(
				[...n8n.sim.tasks.values()].map((task) => task.record()),
			);
		};

		it('makes one task a round, although all rounds ask for the same', async () => {
			const workflow = n8n.workflow({ parameters, items }, loopWorkflow);
			expectOneTaskARound(await n8n.execute(workflow));
		});

		it('makes one task a round when a round needs several tries', async () => {
			// The first round reads once and is through; the next one is refused.
			const fault = { kind: 'status', status: 403 } as const;
			n8n.sim.script({ on: 'task', skip: 1, times: 2, fault });
			const workflow = n8n.workflow({ parameters, items, maxTries: 3 }, loopWorkflow);
			expectOneTaskARound(await n8n.execute(workflow));
		});

		it('goes on with the round that failed when the execution is retried', async () => {
			n8n.sim.script({ on: 'task', skip: 1, fault: { kind: 'status', status: 403 } });
			const workflow = n8n.workflow({ parameters, items }, loopWorkflow);
			const stopped = await n8n.execute(workflow);
			expect(stopped.status).toBe('error');
			expect(n8n.sim.creates()).toHaveLength(2);

			expectOneTaskARound(await n8n.retry(stopped));
		});
	});
}
