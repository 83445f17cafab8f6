import { errorOf } from '../support/engine';
import {
	CONTINUE,
	ERROR_OUTPUT,
	hintsOf,
	idsOf,
	memoryOf,
	NO_WAIT,
	numbered,
	status,
	TOOL,
	tries,
	useEngine,
} from '../support/useEngine';

/** What the node says of its tasks: in errors, in n8n's log, in hints and to an agent. */
const { simulator, run, runNode, taskOf, tasksOf, loseAnswer } = useEngine();

describe('what an error says about other tasks', () => {
	test('a create without an answer is named though another item stopped the node', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(400) });
		loseAnswer('two');
		const { context, description } = errorOf(await run(['one', 'two']));
		expect(context.item).toBe(1);
		expect(context.data).toMatchObject({ unansweredItems: [1] });
		expect(description).toMatch(/\b2\b/);
	});

	test('all of them are among the details of the error', async () => {
		const prompts = numbered(60);
		simulator.script({ on: 'create', prompt: 'number 59', fault: status(400) });
		simulator.planTask({ outcome: 'never', times: prompts.length });
		const more = { options: { maxConcurrentTasks: 60, timeoutMinutes: 1 } };
		const error = errorOf(await run(prompts, { more }));
		const details = JSON.stringify(error.context.data);
		expect([...simulator.tasks.keys()].filter((id) => !details.includes(id))).toEqual([]);
		expect(simulator.tasks.size).toBeGreaterThan(0);
	});
});

describe('the log of n8n', () => {
	test('names each task once, however often the node tries, and none that it was given', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(503, { error: 'busy' }) });
		const { log } = await run(['one', 'two'], { settings: tries(2) });
		for (const prompt of ['one', 'two']) {
			expect(log.filter((line) => line.includes(taskOf(prompt).id))).toHaveLength(1);
		}
		const parameters = { operation: 'getTask', taskId: taskOf('one').id };
		expect((await runNode({ parameters })).log).toEqual([]);
	});

	test.each([
		[200, { data: { id: 'task_in' } }],
		[200, { id: 'task_in' }],
		[502, { task: { id: 'task_in', status: 'pending' } }],
	])('names the task in an answer of status %i and %j', async (code, body) => {
		simulator.script({ on: 'create', fault: { kind: 'json', status: code, body } });
		expect((await run(['one'], { more: NO_WAIT })).log.join()).toContain('task_in');
	});
});

describe('a hint says', () => {
	test('in a manual execution, how many were created and how long they are together', async () => {
		const given = { mode: 'manual', more: { duration: 7 } } as const;
		expect(hintsOf(await run(['one', 'two', 'three'], given))).toMatch(/\b3\b.*\b21\b/);
		expect(hintsOf(await run(['one', 'two']))).toBe('[]');
		const { id } = simulator.addTask({ status: 'completed' });
		const read = { operation: 'getTask', taskId: id };
		expect(hintsOf(await runNode({ parameters: read, mode: 'manual' }))).toBe('[]');
	});

	test.each([CONTINUE, ERROR_OUTPUT])(
		'how many items ended in an error, and why the first did, and nothing stays in the memory of the execution, because n8n goes on: %j',
		async (settings) => {
			simulator.script({ on: 'create', prompt: 'two', fault: status(402) });
			const result = await run(['one', 'two', 'three'], { settings });
			const [failed] = [...result.errorOutput, ...result.output].filter(({ json }) => json.error);
			const { message }: { message?: string } = Object(failed?.json.error);
			expect(hintsOf(result)).toContain('1 of 3');
			expect(hintsOf(result)).toContain(message);
			expect(memoryOf(result)).not.toContain('task_');
		},
	);
});

describe('as a tool of an agent', () => {
	test.each([
		['completed', 1],
		['failed', 2],
	] as const)(
		'that asks again after its task has %s, in a Retry too, has %i',
		async (outcome, count) => {
			simulator.planTask({ outcome });
			const call = { settings: TOOL, executionId: 'agent' };
			const first = await run(['one'], call);
			const again = await run(['one'], { ...call, retryOf: first, earlierRuns: 1 });
			const third = await run(['one'], { settings: TOOL, retryOf: again });
			expect(tasksOf('one')).toHaveLength(count);
			const record = tasksOf('one').at(-1)?.record();
			expect([again, third].map(({ output }) => output)).toEqual(
				Array(2).fill([{ json: record, pairedItem: { item: 0 } }]),
			);
		},
	);

	test('whose task is not finished in time gets its record, and no file', async () => {
		simulator.planTask({ outcome: 'never' });
		const more = { downloadResults: true, options: { timeoutMinutes: 0.2 } };
		const { output } = await run(['one'], { settings: TOOL, more });
		expect(output).toMatchObject([{ json: { id: taskOf('one').id, status: 'processing' } }]);
		expect(output[0]?.json).not.toHaveProperty('error');
		expect(output[0]?.binary).toBeUndefined();
	});

	test('creates for an MCP client, in no execution, what it does not wait for', async () => {
		const call = { settings: TOOL, withoutExecution: true };
		const created = await run(['one'], { ...call, more: NO_WAIT });
		expect(idsOf(created)).toEqual([taskOf('one').id]);
		const refused = await run(['two'], call);
		expect(refused.output[0]?.json.error).toMatchObject({
			kind: 'invalid',
			message: expect.stringContaining('Wait for Completion'),
		});
		expect(simulator.tasks.size).toBe(1);
	});
});
