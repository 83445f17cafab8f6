import type { Execution } from '../../programs/realN8n/api';
import { VIDEOGEN_NODE, type OnError } from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import {
	BROKEN,
	PROMPT_OF_ITEM,
	SHORT_WAIT,
	itemsOf,
	jsonOf,
	saidBy,
	status,
	waiting,
} from '../vocabulary';

const PROMPTS = ['first', 'second', 'third'];
const ITEMS = itemsOf(PROMPTS);

/** A node that runs again finds the tasks that it has already paid for. */
export function testRetries(n8n: Suite): void {
	const parameters = { ...PROMPT_OF_ITEM, ...waiting() };

	/** A run of all items that ends in an error, as its time is up. */
	const runStopped = async (prompt: Record<string, unknown>): Promise<Execution> =>
		await n8n.run({ parameters: { ...prompt, ...SHORT_WAIT }, items: ITEMS }, 'error');
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

	it('Retry On Fail orders nothing again for what was refused for its content; a person does', async () => {
		n8n.sim.planTask({ prompt: 'second', outcome: 'failed', error: BROKEN });
		const stopped = await n8n.run({ parameters, items: ITEMS, maxTries: 3 }, 'error');
		expectOneCreateEach();
		expect(saidBy(stopped)).toContain(BROKEN.message);

		const retried = await n8n.retry(stopped);
		const made = n8n.tasks().map(({ prompt }) => prompt);
		expect(made.sort()).toEqual(['first', 'second', 'second', 'third']);
		const states = jsonOf(retried).map(({ status: state }) => state);
		expect(states).toEqual(PROMPTS.map(() => 'completed'));
	});

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

		it('brings the other tasks to their end when one item is refused for good', async () => {
			const [refused, ...made] = ['third', 'first', 'second'];
			n8n.sim.script({ on: 'create', prompt: refused, times: Infinity, fault: status(400) });
			for (const prompt of made) n8n.sim.planTask({ prompt, finalAfterReads: 3 });
			const settings = { parameters, items: ITEMS };
			const saved = await n8n.api.createWorkflow(n8n.workflow(settings));
			const stopped = await n8n.ended(await n8n.api.runWorkflow(saved), 'error');
			const again = await n8n.retry(stopped, 'error');
			expect(n8n.tasks().map((task) => task.record().status)).toEqual(['completed', 'completed']);
			expect(saidBy(again)).toMatch(
				/set 'On Error' .* to Continue.*Retry with currently saved workflow/,
			);

			const { nodes } = n8n.workflow({ ...settings, onError: 'continueRegularOutput' });
			await n8n.api.updateNodes({ ...saved, nodes: nodes.map((node) => ({ ...node })) });
			const third = await n8n.retry(again, 'success', true);
			expect(n8n.sim.tasks.size).toBe(made.length);
			expect(jsonOf(third).slice(0, 2)).toEqual(n8n.recordsOf(made));
			expect(jsonOf(third)[2]?.error).toMatchObject({ kind: 'refused' });
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
		const parameters = { ...PROMPT_OF_ITEM, ...waiting({ reuseInEditor: false }) };
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
