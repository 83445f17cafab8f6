import type { Rule } from '../../simulator';
import type { Suite } from '../beds/suite';
import { jsonOf, saidBy, waiting } from '../vocabulary';

/** The service makes the task, but the connection breaks before its ID has come through. */
const LOST: Rule = { on: 'create', createTask: true, fault: { kind: 'reset' } };
const parameters = { prompt: 'A fox', ...waiting() };

/** A task may exist that nobody can name: paying twice is for the user to decide. */
export function testUnansweredCreates(n8n: Suite): void {
	it('a create that got no answer is sent again by no retry, until the user allows it', async () => {
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
		expect(jsonOf(third)).toMatchObject([{ status: 'completed' }]);
	});
}
