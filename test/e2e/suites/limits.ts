import { startSimulator } from '../../simulator';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, waiting } from '../vocabulary';

const PROMPTS = Array.from({ length: 40 }, (_, index) => `number ${index}`);
const LIMITS = { maxUnfinishedTasks: 5, createsPerSecond: 2, taskDurationMs: 1_000 };

/** A service that takes far less at once than there is to do. */
export function testLimits(n8n: Suite): void {
	it('gets 40 items through a service that takes 5 tasks at once and 2 creates a second', async () => {
		const busy = n8n.closeAtEnd(await startSimulator(LIMITS));
		const execution = await n8n.run({
			credential: await n8n.credential({ baseUrl: busy.baseUrl }),
			parameters: { ...PROMPT_OF_ITEM, ...waiting() },
			items: itemsOf(PROMPTS),
		});

		expect(busy.creates().some(({ status }) => status === 429)).toBe(true);
		const tasks = [...busy.tasks.values()];
		expect(tasks.map(({ prompt }) => prompt).sort()).toEqual([...PROMPTS].sort());
		const taskOf = new Map(tasks.map((task) => [task.prompt, task]));
		expect(jsonOf(execution)).toEqual(PROMPTS.map((prompt) => taskOf.get(prompt)?.record()));
	});
}
