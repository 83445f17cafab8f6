import type { Execution } from '../../n8n/api';
import { VIDEOGEN_NODE, type OnError } from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, saidBy, status, waiting } from '../vocabulary';

const PROMPTS = ['first', 'second', 'third'];
const ITEMS = itemsOf(PROMPTS);

/** An answer to a poll after which a try ends at once. */
const FORBIDDEN = status(403);
const UNAVAILABLE = status(503);
/** Room for two polls, so that the tries of an outage are short. */
const SHORT = waiting({ timeoutMinutes: 0.02 });
const ONE_ITEM = { prompt: 'A fox', ...waiting() };

/** A node that runs again finds the tasks that it has already paid for. */
export function testRetries(n8n: Suite): void {
	const parameters = { ...PROMPT_OF_ITEM, ...waiting() };

	/** A run of all items that ends in an error. */
	const runStopped = async (given: Record<string, unknown> = parameters): Promise<Execution> => {
		return await n8n.run({ parameters: given, items: ITEMS }, 'error');
	};
	const expectOneCreateEach = () => {
		expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
	};

	describe('Retry On Fail', () => {
		it('gets the same tasks after polls that ended the first tries', async () => {
			n8n.sim.script({ on: 'task', prompt: 'second', times: 2, fault: FORBIDDEN });
			const execution = await n8n.run({ parameters, items: ITEMS, maxTries: 3 });
			expectOneCreateEach();
			expect(jsonOf(execution)).toEqual(n8n.recordsOf(PROMPTS));
		});

		it('gets the same task after an outage that lasted for the whole first try', async () => {
			n8n.sim.script({ on: 'task', times: 4, fault: UNAVAILABLE });
			const execution = await n8n.run({
				parameters: { prompt: 'A fox', ...SHORT },
				maxTries: 4,
			});
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
		});

		it.each<OnError>(['continueRegularOutput', 'continueErrorOutput'])(
			'gets the same tasks when the node is set to %s',
			async (onError) => {
				// n8n looks at the first item to decide whether the node runs again.
				n8n.sim.script({ on: 'task', prompt: 'first', fault: FORBIDDEN });
				const execution = await n8n.run({ parameters, items: ITEMS, maxTries: 2, onError });
				expectOneCreateEach();
				expect([...jsonOf(execution, 0), ...jsonOf(execution, 1)]).toEqual(n8n.recordsOf(PROMPTS));
			},
		);

		it('sends a create again that was answered with 5XX, which the node does not do', async () => {
			n8n.sim.script({ on: 'create', times: 2, fault: UNAVAILABLE });
			await n8n.run({ parameters: ONE_ITEM }, 'error');
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(n8n.sim.tasks.size).toBe(0);

			const retried = await n8n.run({ parameters: ONE_ITEM, maxTries: 2 });
			expect(n8n.sim.creates()).toHaveLength(3);
			expect(jsonOf(retried)).toEqual([n8n.onlyTask().record()]);
		});
	});

	describe('Retry execution', () => {
		it('picks up the tasks of a run whose time was up', async () => {
			n8n.sim.planTask({ prompt: 'second', outcome: 'never' });
			const stopped = await runStopped({ ...PROMPT_OF_ITEM, ...SHORT });
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
			const stopped = await runStopped({ prompt, ...SHORT });

			for (const id of n8n.sim.tasks.keys()) n8n.sim.finish(id);
			const retried = await n8n.retry(stopped);
			expectOneCreateEach();
			const idOf = (wanted: string) =>
				n8n.tasks().find((task) => task.prompt?.startsWith(wanted))?.id;
			expect(jsonOf(retried).map(({ id }) => id)).toEqual(PROMPTS.map(idOf));
		});

		it('sends a create again that was answered with 5XX, and no other', async () => {
			n8n.sim.script({ on: 'create', prompt: 'second', fault: UNAVAILABLE });
			const stopped = await runStopped();

			const retried = await n8n.retry(stopped);
			expect(n8n.sim.tasks.size).toBe(PROMPTS.length);
			expect(jsonOf(retried)).toEqual(n8n.recordsOf(PROMPTS));
		});

		it('makes a new task for one that failed, and for no other', async () => {
			n8n.sim.planTask({ prompt: 'second', outcome: 'failed' });
			const stopped = await runStopped();

			const retried = await n8n.retry(stopped);
			const created = n8n.sim.creates().map(({ prompt }) => prompt);
			expect(created.sort()).toEqual(['first', 'second', 'second', 'third']);
			expect(jsonOf(retried)).toMatchObject(PROMPTS.map(() => ({ status: 'completed' })));
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
