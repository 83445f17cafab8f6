import { callNode, triggerNode, videogenNode } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, saidBy, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second', 'third', 'bad'];

/** A workflow that creates videos for another one: its executions have nothing in common. */
export function testSubWorkflows(n8n: Suite): void {
	describe('in a sub-workflow', () => {
		const callerOf = async (settings: object = {}) => {
			const node = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting() } });
			const child = await n8n.publishSubWorkflow([node]);
			const call = { ...callNode(child.id), ...settings };
			const items = itemsOf(PROMPTS);
			return { child, workflow: n8n.chain([triggerNode(), call], { items }) };
		};

		/** The parent and the child execution of a run in which the last of four tasks fails. */
		const runBoth = async () => {
			n8n.sim.planTask({ prompt: 'bad', outcome: 'failed' });
			const { child, workflow } = await callerOf();
			const parent = await n8n.execute(workflow, 'error');
			const failed = await child.firstExecution('error');
			expect(n8n.sim.tasks.size).toBe(4);
			return { parent, failed };
		};

		it('says which execution to retry, and its retry creates only what failed', async () => {
			const { failed } = await runBoth();
			expect(saidBy(failed)).toContain(`retry execution ${failed.id} of this sub-workflow`);
			const retried = await n8n.retry(failed);
			expect(jsonOf(retried).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
			expect(n8n.sim.tasks.size).toBe(5);
		});

		it('cannot know what an earlier one has made, when the one that called it is retried', async () => {
			const { parent } = await runBoth();
			await n8n.retry(parent);
			// What the message and the documentation warn of.
			expect(n8n.sim.tasks.size).toBe(8);
		});

		it('cannot know it either when Retry On Fail of the node that calls it begins it again', async () => {
			n8n.sim.planTask({ prompt: 'bad', outcome: 'failed' });
			const { workflow } = await callerOf({ retryOnFail: true, maxTries: 2, waitBetweenTries: 0 });
			await n8n.execute(workflow);
			expect(n8n.sim.tasks.size).toBe(8);
		});
	});
}
