import { errorOf } from '../support/engine';
import { hintsOf, NO_WAIT, status, tries, useEngine } from '../support/useEngine';

/** What the node says of its tasks: in errors, in n8n's log and in hints. */
const { simulator, click, run, runNode, taskOf } = useEngine();

test('a hint says what a click has created, in whichever of its tries', async () => {
	simulator.script({ on: 'task', fault: status(405) });
	const result = await click(['one', 'two'], { settings: tries(2) });
	expect([result.status, simulator.tasks.size]).toEqual(['success', 2]);
	expect(hintsOf(result)).toContain('Created 2 tasks');
});

test('an error promises no reuse where each click asks for a call to its own execution', async () => {
	simulator.planTask({ loseCallback: true });
	simulator.script({ on: 'create', prompt: 'two', fault: status(402) });
	const options = { callbackUrl: '={{ $execution.resumeUrl }}' };
	const { description } = errorOf(await click(['one', 'two'], { more: { ...NO_WAIT, options } }));
	expect(description).not.toContain('the node again');
	expect(description).toContain('select Retry');
});

test('the log of n8n names each task once, however often the node tries, and none that it was given', async () => {
	simulator.script({ on: 'create', prompt: 'one', fault: status(503, { error: 'busy' }) });
	const { log } = await run(['one', 'two'], { settings: tries(2) });
	for (const prompt of ['one', 'two']) {
		expect(log.filter((line) => line.includes(taskOf(prompt).id))).toHaveLength(1);
	}
	const parameters = { operation: 'getTask', taskId: taskOf('one').id };
	expect((await runNode({ parameters })).log).toEqual([]);
});
