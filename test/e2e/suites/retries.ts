import type { Execution } from '../../n8n/api';
import { VIDEOGEN_NODE, type OnError } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, saidBy, status, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second', 'third'];
const ITEMS = itemsOf(PROMPTS);

/** Room for two polls. */
const SHORT = waiting({ timeoutMinutes: 0.02 });

/** A node that runs again finds the tasks that it has already paid for. */
export function testRetries(n8n: Suite): void {
	const parameters = { ...PROMPT_OF_ITEM, ...waiting() };

	/** A run of all items that ends in an error, as its time is up. */
	const runStopped = async (prompt: Record<string, unknown>): Promise<Execution> =>
		await n8n.run({ parameters: { ...prompt, ...SHORT }, items: ITEMS }, 'error');
	const expectOneCreateEach = () => {
		expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
	};

	it.each<OnError | undefined>([undefined, 'continueRegularOutput', 'continueErrorOutput'])(
		'Retry On Fail gets the same tasks when On Error is %s',
		async (onError) => {
			// n8n looks at the first item to decide whether a node that continues runs again.
			n8n.sim.script({ on: 'task', prompt: 'first', times: 2, fault: status(403) });
			const execution = await n8n.run({ parameters, items: ITEMS, maxTries: 3, onError });
			expectOneCreateEach();
			expect([...jsonOf(execution, 0), ...jsonOf(execution, 1)]).toEqual(n8n.recordsOf(PROMPTS));
		},
	);

	describe('Retry execution', () => {
		it('picks up the tasks of a run whose time was up', async () => {
			n8n.sim.planTask({ prompt: 'second', outcome: 'never' });
			const stopped = await runStopped(PROMPT_OF_ITEM);
			const { id } = n8n.taskOf('second');
			expect(saidBy(stopped)).toContain(id);

			n8n.sim.finish(id);
			const retried = await n8n.retry(stopped);
			expectOneCreateEach();
			expect(jsonOf(retried)).toEqual(n8n.recordsOf(PROMPTS));
		});

		it('picks up the tasks though an expression gives something else by itself', async () => {
			n8n.sim.planTask({ outcome: 'never', times: PROMPTS.length });
			const prompt = '={{ $json.prompt + " " + $now }}';
			const stopped = await runStopped({ prompt });

			for (const id of n8n.sim.tasks.keys()) n8n.sim.finish(id);
			const retried = await n8n.retry(stopped);
			expectOneCreateEach();
			const idOf = (wanted: string) =>
				n8n.tasks().find((task) => task.prompt?.startsWith(wanted))?.id;
			expect(jsonOf(retried).map(({ id }) => id)).toEqual(PROMPTS.map(idOf));
		});
	});

	it('remembers nothing once it has succeeded: the next run makes its own tasks', async () => {
		const workflow = await n8n.api.createWorkflow(n8n.workflow({ parameters, items: ITEMS }));
		const runOnce = async () => {
			const execution = await n8n.ended(await n8n.api.runWorkflow(workflow));
			for (const { id } of n8n.sim.tasks.values()) {
				expect(JSON.stringify(execution.context(VIDEOGEN_NODE))).not.toContain(id);
			}
			return jsonOf(execution).map(({ id }) => id);
		};
		const ids = [...(await runOnce()), ...(await runOnce())];
		expect(new Set(ids).size).toBe(2 * PROMPTS.length);
		expect(n8n.sim.creates()).toHaveLength(2 * PROMPTS.length);
	});
}
