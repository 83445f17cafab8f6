import { callNode, triggerNode, videogenNode, type ChainNode } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { PROMPT_OF_ITEM, itemsOf, waiting } from '../support/workflows';

const IN_FLIGHT = 3;
const MANY = Array.from({ length: 8 }, (_, index) => `number ${index}`);

/** A workflow that creates videos for another one: its executions have nothing in common. */
export function testSubWorkflows(n8n: Suite): void {
	describe('in a sub-workflow', () => {
		/** A sub-workflow of this node, and a workflow that calls it with these prompts. */
		const calling = async (create: ChainNode, prompts: string[]) => {
			const child = await n8n.publishSubWorkflow([create]);
			const nodes = [triggerNode(), callNode(child.id)];
			return { child, workflow: n8n.chain(nodes, { items: itemsOf(prompts) }) };
		};

		it('goes on creating when the one that called it is stopped', async () => {
			const { api, sim } = n8n;
			sim.planTask({ outcome: 'never', times: IN_FLIGHT });
			const parameters = { ...PROMPT_OF_ITEM, ...waiting({ maxConcurrentTasks: IN_FLIGHT }) };
			const { child, workflow } = await calling(videogenNode({ parameters }), MANY);
			const id = await n8n.start(workflow);
			await sim.waitForRequest(() => sim.tasks.size === IN_FLIGHT);
			await api.stopExecution(id);
			await n8n.ended(id, 'canceled');

			for (const taskId of sim.tasks.keys()) sim.finish(taskId);
			await child.firstExecution();
			expect(sim.tasks.size).toBe(MANY.length);
		});
	});
}
