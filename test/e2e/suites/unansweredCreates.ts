import type { Suite } from '../beds/suite';
import { LOST, jsonOf, saidBy, waiting } from '../vocabulary';

const parameters = { prompt: 'A fox', ...waiting() };

/** What a create ordered is found again by its order key. */
export function testOrderedCreates(n8n: Suite): void {
	it('a create that got no answer is sent again when the user allows it, and makes one task where order keys are honoured', async () => {
		n8n.sim.takeOrderKeys('honoured');
		n8n.sim.script(LOST);
		const workflow = n8n.workflow({ parameters, maxTries: 3 });
		const saved = await n8n.api.createWorkflow(workflow);
		const first = await n8n.ended(await n8n.api.runWorkflow(saved), 'error');
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(saidBy(first)).toMatch(/may have created a task/);

		const second = await n8n.retry(first, 'error');
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(saidBy(second)).toMatch(/may have created a task/);

		const options = { resendAfterNoReply: true };
		const { nodes } = n8n.workflow({ parameters: { ...parameters, options }, maxTries: 3 });
		await n8n.api.updateNodes({ ...saved, nodes: nodes.map((node) => ({ ...node })) });
		const third = await n8n.retry(second, 'success', true);
		expect(n8n.sim.creates()).toHaveLength(2);
		expect(n8n.sim.tasks.size).toBe(1);
		expect(jsonOf(third)).toMatchObject([{ id: n8n.onlyTask().id, status: 'completed' }]);
	});
}
