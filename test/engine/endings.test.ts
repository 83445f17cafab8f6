import { errorOf } from '../support/engine';
import { CONTINUE, errorIn, kindOf, status, tries, useEngine } from '../support/useEngine';

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
		expect(error.message).toMatch(new RegExp(`\\(task ID: ${id}, status: ${outcome}\\)$`));
		expect(`${error.message} ${error.description}`).not.toMatch(/prompt/i);
		expect(simulator.reads(id).length).toBeLessThan(10);
		expect((await run(['one'], { retryOf: first })).status).toBe('success');
		expect(tasksOf('one')).toHaveLength(2);
	},
);

test('the error of a completed task that the service knows no more has the record last known', async () => {
	simulator.script({ on: 'result', times: Infinity, fault: status(403) });
	const more = { downloadResults: true, options: { timeoutMinutes: 1 } };
	const first = await run(['one'], { more });
	expect(kindOf(first)).toBe('download');
	simulator.script({ on: 'task', times: Infinity, fault: status(404) });
	const { context } = errorOf(await run(['one'], { retryOf: first }));
	expect(context).toMatchObject({ kind: 'notFound', task: { results: taskOf('one').results() } });
	expect(tasksOf('one')).toHaveLength(1);
});

test('an automatic retry creates no other task for one that expired with results', async () => {
	const fields = { status: 'expired', results: ['https://files.example.com/one.mp4'] };
	simulator.script({ on: 'task', times: Infinity, fault: { kind: 'merge', fields } });
	expect(kindOf(await run(['one'], { settings: tries(2) }))).toBe('expired');
	expect(tasksOf('one')).toHaveLength(1);
});

test('an error advises a retry only where the node stops, because n8n offers no other', async () => {
	simulator.planTask({ outcome: 'never', times: 2 });
	const more = { options: { timeoutMinutes: 1 } };
	const stopped = errorOf(await run(['one'], { more }));
	expect(stopped.description).toMatch(/, or retry this execution\./);
	const result = await run(['two'], { more, settings: CONTINUE });
	const description = expect.not.stringMatching(/\bretry\b/);
	expect(errorIn(result)).toMatchObject({ kind: 'timeout', description });
});
