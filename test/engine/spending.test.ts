import { errorOf } from '../programs/support/engine';
import { CONTINUE, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

const { simulator, run, runNode, taskOf } = useEngine();

const LIMIT = 'Max New Videos per Run';
const prompts = (count: number) => Array.from({ length: count }, (_, index) => `number ${index}`);
const limited = (maxNewTasks: number) => ({ options: { maxNewTasks, maxConcurrentTasks: 200 } });

describe('the limit of new videos per execution', () => {
	test('is 100 unless it is set, and refuses the run as a whole', async () => {
		const result = await run(prompts(101));
		const { message, description } = errorOf(result);
		expect(message).toBe(`'${LIMIT}' is 100, but this run would create 101`);
		expect(description).toContain(`Nothing new was created. Raise '${LIMIT}' in 'Options'`);
		expect(simulator.requests).toEqual([]);
	});

	test('lets as many through as it says, and is at least 1', async () => {
		expect((await run(prompts(3), { more: limited(3) })).status).toBe('success');
		const none = errorOf(await run(prompts(1), { more: limited(0) }));
		expect(none.message).toBe(`${LIMIT}: 0 is not allowed.`);
		expect(simulator.tasks.size).toBe(3);
	});

	test('is said by every item when the node goes on', async () => {
		const result = await run(prompts(3), { more: limited(2), settings: CONTINUE });
		expect(result.output).toHaveLength(3);
		for (const { json } of result.output) {
			expect(json.error).toMatchObject({ message: expect.stringContaining(`'${LIMIT}' is 2`) });
		}
		expect(simulator.requests).toEqual([]);
	});

	test('is that of the first item that can be sent', async () => {
		const more = { options: { maxNewTasks: '={{ $json.prompt ? 1 : 100 }}' } };
		const result = await run(['', 'one', 'two'], { more, settings: CONTINUE });
		const errors = result.output.map(({ json }) => json.error);
		expect(errors[0]).toMatchObject({ message: expect.stringMatching(/^Prompt: /) });
		expect(errors[1]).toMatchObject({ message: `'${LIMIT}' is 1, but this run would create 2` });
		expect(simulator.requests).toEqual([]);
	});

	test('counts the tries of an execution together', async () => {
		simulator.script({ on: 'task', times: Infinity, fault: status(403) });
		const result = await run(['one'], { more: limited(1), settings: tries(3) });
		expect(errorOf(result).message).toContain('could not be read');
		expect(simulator.tasks.size).toBe(1);
	});

	test('keeps the other tasks when it refuses to make a failed one again', async () => {
		simulator.planTask({ prompt: 'number 0', outcome: 'failed', durationMs: 1_000 });
		const settings = { ...tries(2), ...CONTINUE };
		const result = await run(prompts(3), { more: limited(3), settings });
		expect(result.output[0]?.json.error).toMatchObject({
			message: `'${LIMIT}' is 3, but this run would create 1 after 3 in this execution`,
			taskId: taskOf('number 0').id,
			status: 'failed',
			task: { status: 'failed' },
		});
		expect(statusesOf(result).slice(1)).toEqual(['completed', 'completed']);
		expect(simulator.tasks.size).toBe(3);
	});

	test('counts a task to be made again in the same execution before anything is created', async () => {
		simulator.planTask({ prompt: 'number 0', outcome: 'failed', durationMs: 1_000 });
		const more = { options: { maxConcurrentTasks: 1, maxNewTasks: 3 } };
		const result = await run(prompts(3), { more, settings: tries(2) });
		expect(errorOf(result).message).toBe(
			`'${LIMIT}' is 3, but this run would create 3 after 1 in this execution`,
		);
		expect(simulator.tasks.size).toBe(1);
	});

	test('counts tasks whose failure is only seen by a retry', async () => {
		simulator.planTask({ outcome: 'failed', durationMs: 1_000 });
		simulator.script({ on: 'task', fault: status(403) });
		const result = await run(['one'], { more: limited(1), settings: tries(2) });
		expect(errorOf(result).message).toBe(
			`'${LIMIT}' is 1, but this run would create 1 after 1 in this execution`,
		);
		expect(simulator.tasks.size).toBe(1);
	});

	test('waits for the tasks that exist when it refuses a retry', async () => {
		simulator.script({ on: 'create', prompt: 'number 1', fault: status(400) });
		const first = await run(prompts(3), { more: limited(3) });
		const settings = CONTINUE;
		const second = await run(prompts(5), { more: limited(1), settings, retryOf: first });
		expect(idsOf(second).slice(0, 1)).toEqual([taskOf('number 0').id]);
		expect(statusesOf(second).filter((one) => one === 'completed')).toHaveLength(2);
		const errors = second.output.flatMap(({ json }) => json.error ?? []);
		expect(errors).toEqual(
			Array(3).fill(
				expect.objectContaining({ message: `'${LIMIT}' is 1, but this run would create 3` }),
			),
		);
		expect(simulator.tasks.size).toBe(2);
	});

	test('does not count tasks that are read or resumed', async () => {
		simulator.script({ on: 'create', prompt: 'number 1', fault: status(400) });
		const first = await run(prompts(2), { more: limited(2) });
		expect(first.status).toBe('error');
		const second = await run(prompts(2), { more: limited(1), retryOf: first });
		expect(second.status).toBe('success');
		expect(simulator.tasks.size).toBe(2);

		const { id } = taskOf('number 0');
		const parameters = { operation: 'getTask', taskId: id, ...limited(1) };
		expect((await runNode({ parameters })).status).toBe('success');
	});
});
