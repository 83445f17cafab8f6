import { callNode, triggerNode, videogenNode, type ChainNode } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { PROMPT_OF_ITEM, STARTED_TIMEOUT_MS, itemsOf, jsonOf, waiting } from '../support/workflows';

const PROMPTS = ['first', 'second', 'third', 'bad'];
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const IN_FLIGHT = 3;
const MANY = Array.from({ length: 8 }, (_, index) => `number ${index}`);
const PARAMETERS = { ...PROMPT_OF_ITEM, ...waiting() };
const CREATE = videogenNode({ parameters: PARAMETERS });

/** A workflow that creates videos for another one: its executions have nothing in common. */
export function testSubWorkflows(n8n: Suite): void {
	describe('in a sub-workflow', () => {
		/** A sub-workflow of this node, and a workflow that calls it with these prompts. */
		const calling = async (create: ChainNode, prompts: string[], settings = {}) => {
			const child = await n8n.publishSubWorkflow([create]);
			const nodes = [triggerNode(), { ...callNode(child.id), ...settings }];
			return { child, workflow: n8n.chain(nodes, { items: itemsOf(prompts) }) };
		};

		it('its retry creates only what failed, and that of the one that called it all again', async () => {
			n8n.sim.planTask({ prompt: 'bad', outcome: 'failed' });
			const { child, workflow } = await calling(CREATE, PROMPTS);
			const parent = await n8n.execute(workflow, 'error');
			const failed = await child.firstExecution('error');
			expect(n8n.sim.tasks.size).toBe(4);
			const retried = await n8n.retry(failed);
			expect(jsonOf(retried).map(({ status }) => status)).toEqual(Array(4).fill('completed'));
			expect(n8n.sim.tasks.size).toBe(5);
			// What the documentation warns of.
			await n8n.retry(parent);
			expect(n8n.sim.tasks.size).toBe(9);
		});

		it.each([
			['off, each once', {}, 4],
			['on, all of them twice, as n8n takes the first error item for an error', RETRY_ON_FAIL, 8],
		])(
			'creates with On Error set to Continue, and Retry On Fail of the node that calls it %s',
			async (_what, settings, tasks) => {
				n8n.sim.planTask({ prompt: 'bad', outcome: 'failed' });
				const onError = 'continueRegularOutput';
				const create = videogenNode({ parameters: PARAMETERS, onError });
				const { workflow } = await calling(create, [...PROMPTS].reverse(), settings);
				await n8n.execute(workflow);
				expect(n8n.sim.tasks.size).toBe(tasks);
			},
		);

		it.each([
			['is stopped', {}],
			['has used up its time', { executionTimeout: 5 }],
		])('goes on creating when the one that called it %s', async (how, settings) => {
			const { api, sim } = n8n;
			sim.planTask({ outcome: 'never', times: IN_FLIGHT });
			const parameters = { ...PROMPT_OF_ITEM, ...waiting({ maxConcurrentTasks: IN_FLIGHT }) };
			const { child, workflow } = await calling(videogenNode({ parameters }), MANY);
			const id = await n8n.start({ ...workflow, settings: { ...workflow.settings, ...settings } });
			await sim.waitForRequest(() => sim.tasks.size === IN_FLIGHT, STARTED_TIMEOUT_MS);
			if (how === 'is stopped') await api.stopExecution(id);
			await n8n.ended(id, 'canceled');
			expect(sim.tasks.size).toBe(IN_FLIGHT);

			for (const taskId of sim.tasks.keys()) sim.finish(taskId);
			await child.firstExecution();
			expect(sim.tasks.size).toBe(MANY.length);
		});
	});
}
