import type { OnError } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, saidBy, replyWith, waiting } from '../support/workflows';

const PROMPTS = ['first', 'second', 'third'];
const ITEMS = itemsOf(PROMPTS);

/** A node that runs again finds the tasks that it has already paid for. */
export function testRetries(n8n: Suite): void {
	const parameters = { ...PROMPT_OF_ITEM, ...waiting() };

	const expectOneCreateEach = () => {
		expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
	};

	it.each<OnError | undefined>([undefined, 'continueRegularOutput', 'continueErrorOutput'])(
		'Retry On Fail gets the same tasks when On Error is %s',
		async (onError) => {
			// n8n looks at the first item to decide whether a node that continues runs again.
			n8n.sim.script({ on: 'task', prompt: 'first', times: 2, fault: replyWith(405) });
			const execution = await n8n.run({ parameters, items: ITEMS, maxTries: 3, onError });
			expectOneCreateEach();
			expect([...jsonOf(execution, 0), ...jsonOf(execution, 1)]).toEqual(n8n.recordsOf(PROMPTS));
		},
	);

	describe('Retry execution', () => {
		it('brings the other tasks to their end when one item is refused for good', async () => {
			const [refused, ...made] = ['third', 'first', 'second'];
			n8n.sim.script({ on: 'create', prompt: refused, times: Infinity, fault: replyWith(400) });
			n8n.sim.planTask({ durationMs: 3_000, times: made.length });
			const settings = { parameters, items: ITEMS };
			const saved = await n8n.api.createWorkflow(n8n.workflow(settings));
			const stopped = await n8n.ended(await n8n.api.runWorkflow(saved), 'error');
			const again = await n8n.retry(stopped, 'error');
			expect(n8n.tasks().map((task) => task.record().status)).toEqual(['completed', 'completed']);
			expect(saidBy(again)).toContain('3 of 3');

			const { nodes } = n8n.workflow({ ...settings, onError: 'continueRegularOutput' });
			await n8n.api.updateNodes({ ...saved, nodes });
			const third = await n8n.retry(again, 'success', true);
			expect(n8n.sim.tasks.size).toBe(made.length);
			expect(jsonOf(third).slice(0, 2)).toEqual(n8n.recordsOf(made));
			expect(jsonOf(third)[2]?.error).toMatchObject({ kind: 'refused' });
		});
	});
}
