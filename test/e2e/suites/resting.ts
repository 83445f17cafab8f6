import { VIDEOGEN_NODE } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonFrom, output } from '../vocabulary';

const PROMPTS = Array.from({ length: 10 }, (_, index) => `Rest ${index}`);

export function testResting(n8n: Suite): void {
	describe('resting until the service calls back', () => {
		it('explore', async () => {
			n8n.sim.planTask({ durationMs: 6_000, times: 9 });
			n8n.sim.planTask({ durationMs: 6_000, outcome: 'failed' });
			const wf = n8n.workflow({
				items: itemsOf(PROMPTS),
				onError: 'continueErrorOutput',
				parameters: {
					...PROMPT_OF_ITEM,
					waitForCompletion: true,
					waitOptions: { waitMethod: 'callback', timeoutMinutes: 5 },
					downloadResults: true,
				},
			});
			const id = await n8n.start(wf);
			await n8n.api.waitForStatus(id, 'waiting');
			console.log('waiting', n8n.sim.creates().length, n8n.sim.creates()[0]?.json);
			const execution = await n8n.ended(id);
			console.log(n8n.sim.callbacks.map((c) => [c.at, c.attempt, c.status, c.reason]));
			console.log(n8n.sim.reads().length);
			console.log(JSON.stringify(output(execution, 0)).slice(0, 1500));
			console.log(JSON.stringify(output(execution, 1)).slice(0, 600));
			console.log(JSON.stringify(jsonFrom(execution, 'Start')).slice(0, 600));
			console.log(VIDEOGEN_NODE, JSON.stringify(execution.context(VIDEOGEN_NODE)).slice(0, 1500));
		});
	});
}
