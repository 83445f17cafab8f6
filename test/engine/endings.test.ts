import { errorOf } from '../support/engine';
import { tries, useEngine } from '../support/useEngine';

/** How services beyond the contract end a task. */
const { simulator, run, tasksOf, taskOf } = useEngine();

const ENDINGS = ['cancelled', 'canceled', 'expired'] as const;

test.each(ENDINGS)(
	'a task that is %s ends the wait with an error that does not blame the prompt, and only a person’s retry creates again',
	async (outcome) => {
		const kind = outcome === 'expired' ? 'expired' : 'cancelled';
		simulator.planTask({ prompt: 'one', outcome });
		const first = await run(['one'], { settings: tries(2) });
		const error = errorOf(first);
		const { id } = taskOf('one');
		expect(error.context).toMatchObject({ kind, taskId: id, status: outcome });
		expect(error.message).toContain(kind);
		expect(error.description).toContain(id);
		expect(`${error.message} ${error.description}`).not.toMatch(/prompt/i);
		expect(simulator.reads(id).length).toBeLessThan(10);
		expect((await run(['one'], { retryOf: first })).status).toBe('success');
		expect(tasksOf('one')).toHaveLength(2);
	},
);
