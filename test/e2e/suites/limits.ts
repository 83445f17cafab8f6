import { DEFAULT_API_KEY, startSimulator } from '../../simulator';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, waiting, type Suite } from '../suite';

const PROMPTS = Array.from({ length: 40 }, (_, index) => `number ${index}`);
const LIMITS = { maxUnfinishedTasks: 5, createsPerSecond: 2, taskDurationMs: 1_000 };
const TEST_TIMEOUT_MS = 120_000;

/** A service that takes far less at once than there is to do. */
export function testLimits(n8n: Suite): void {
	it(
		'gets 40 items through a service that takes 5 tasks at once and 2 creates a second',
		async () => {
			const busy = await startSimulator(LIMITS);
			try {
				const data = { apiKey: DEFAULT_API_KEY, baseUrl: busy.baseUrl };
				const credential = await n8n.api.createCredential({ name: 'Busy', data });
				const execution = await n8n.run({
					credential,
					parameters: { ...PROMPT_OF_ITEM, ...waiting() },
					items: itemsOf(PROMPTS),
				});

				expect(execution.status).toBe('success');
				expect(busy.creates().some(({ status }) => status === 429)).toBe(true);
				expect([...busy.tasks.values()].map(({ prompt }) => prompt).sort()).toEqual(
					[...PROMPTS].sort(),
				);
				const taskOf = new Map([...busy.tasks.values()].map((task) => [task.prompt, task]));
				expect(jsonOf(execution)).toEqual(PROMPTS.map((prompt) => taskOf.get(prompt)?.record()));
			} finally {
				await busy.close();
			}
		},
		TEST_TIMEOUT_MS,
	);
}
