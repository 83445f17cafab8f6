import { callNode, triggerNode, videogenNode } from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import {
	PROMPT_OF_ITEM,
	STARTED_TIMEOUT_MS,
	itemsOf,
	jsonOf,
	saidBy,
	waiting,
} from '../vocabulary';

const PROMPTS = ['first', 'second', 'third', 'bad'];
const RETRY_ON_FAIL = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
const IN_FLIGHT = 3;
const MANY = Array.from({ length: 8 }, (_, index) => `number ${index}`);

/** A workflow that creates videos for another one: its executions have nothing in common. */
export function testSubWorkflows(n8n: Suite): void {
	describe('in a sub-workflow', () => {
		const callerOf = async () => {
			const node = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting() } });
			const child = await n8n.publishSubWorkflow([node]);
			const items = itemsOf(PROMPTS);
			const nodes = [triggerNode(), callNode(child.id)];
			return { child, workflow: n8n.chain(nodes, { items }) };
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
			expect(saidBy(failed)).toContain(`Retry execution ${failed.id} of this sub-workflow`);
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

		it.each([
			['off, each once', {}, 4],
			['on, all of them twice, as n8n takes the first error item for an error', RETRY_ON_FAIL, 8],
		])(
			'creates with On Error set to Continue, and Retry On Fail of the node that calls it %s',
			async (_what, settings, tasks) => {
				n8n.sim.planTask({ prompt: 'bad', outcome: 'failed' });
				const onError = 'continueRegularOutput';
				const node = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting() }, onError });
				const child = await n8n.publishSubWorkflow([node]);
				const call = { ...callNode(child.id), ...settings };
				const items = itemsOf([...PROMPTS].reverse());
				await n8n.execute(n8n.chain([triggerNode(), call], { items }));
				expect(n8n.sim.tasks.size).toBe(tasks);
			},
		);

		it.each([
			['is stopped', {}],
			['has used up its time', { executionTimeout: 5 }],
		])('goes on creating when the one that called it %s', async (how, settings) => {
			const { api, sim } = n8n;
			sim.planTask({ outcome: 'never', times: IN_FLIGHT });
			const options = { maxConcurrentTasks: IN_FLIGHT };
			const node = videogenNode({ parameters: { ...PROMPT_OF_ITEM, ...waiting(), options } });
			const child = await n8n.publishSubWorkflow([node]);
			const nodes = [triggerNode(), callNode(child.id)];
			const id = await n8n.start(n8n.chain(nodes, { items: itemsOf(MANY), settings }));
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
