import { idsOf, status, useEngine } from './useEngine';

/** Answers to creates that name a task of another item. */
const { simulator, run, taskOf } = useEngine();

test('an answer that names the task of another item is not taken for this one', async () => {
	simulator.planTask({ prompt: 'one', id: 'task_of_one' });
	const busy = { id: 'task_of_one', status: 'processing' };
	simulator.script({ on: 'create', prompt: 'two', fault: status(429, busy) });
	const result = await run(['one', 'two'], { more: { options: { maxConcurrentTasks: 1 } } });
	expect(result.status).toBe('success');
	expect(idsOf(result)).toEqual(['task_of_one', taskOf('two').id]);
});
