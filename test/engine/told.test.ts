import { fastClock } from '../programs/support/clocks';
import { errorOf } from '../programs/support/engine';
import {
	CONTINUE,
	ERROR_OUTPUT,
	hintsOf,
	idsOf,
	memoryOf,
	status,
	tries,
	useEngine,
} from './useEngine';

/** What the node tells of its tasks, in errors, in n8n's log, beside the output and to an agent. */
const { simulator, run, runNode, taskOf, tasksOf } = useEngine();

describe('what an error says about other tasks', () => {
	test('the error names the tasks of an earlier try with their status when nothing is read', async () => {
		simulator.script({ on: 'task', prompt: 'one', fault: status(405) });
		const first = await run(['one', 'two']);
		const error = errorOf(await run(['one', ''], { retryOf: first }));
		const { id: taskId } = taskOf('two');
		expect(error.context.data).toMatchObject({
			otherTasks: expect.arrayContaining([{ itemIndex: 1, taskId, status: 'pending' }]),
		});
	});

	test('a create without an answer is named though another item stopped the node', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(400) });
		simulator.script({ on: 'create', prompt: 'two', createTask: true, fault: { kind: 'reset' } });
		const error = errorOf(await run(['one', 'two']));
		expect(error.description).toContain('2nd item');
		expect(error.description).toContain('may exist');
		expect(error.context.unansweredItems).toEqual([1]);
	});

	test('all of them are among the details of the error', async () => {
		const prompts = Array.from({ length: 60 }, (_, index) => `p ${index}`);
		simulator.script({ on: 'create', prompt: 'p 59', fault: status(400) });
		simulator.planTask({ outcome: 'never', times: prompts.length });
		const error = errorOf(await run(prompts, { more: { options: { maxConcurrentTasks: 60 } } }));
		const details = JSON.stringify(error.context.data);
		expect([...simulator.tasks.keys()].filter((id) => !details.includes(id))).toEqual([]);
	});
});

const created = (prompt: string, item: string) =>
	`Task ${taskOf(prompt).id} was created for the ${item}`;

test('the log of n8n names each task once, however often the node tries, and none that it was given', async () => {
	const lines: string[] = [];
	const onInfo = (text: string) => lines.push(text);
	simulator.script({ on: 'create', prompt: 'one', fault: status(503) });
	const result = await run(['one', 'two'], { settings: tries(2), onInfo });
	expect(result.status).toBe('success');
	const both = [created('one', '1st of 2 items'), created('two', '2nd of 2 items')];
	expect([...lines].sort()).toEqual(both.sort());
	lines.length = 0;
	const parameters = { operation: 'getTask', taskId: taskOf('one').id };
	await runNode({ parameters, onInfo });
	expect(lines).toEqual([]);
});

test('the hint that links do not last is shown where one came, and nowhere else', async () => {
	expect(hintsOf(await run(['one']))).toContain('usually stops working after');
	expect(hintsOf(await run(['one'], { more: { waitForCompletion: false } }))).toBe('[]');
	// Virtual time does not stand still while a file comes.
	simulator.planTask({ durationMs: 0 });
	const downloaded = await run(['one'], { more: { downloadResults: true }, clock: fastClock() });
	expect(downloaded.output[0]?.binary).toHaveProperty('data');
	expect(hintsOf(downloaded)).toBe('[]');
	expect(hintsOf(await run(['one'], { more: { duration: 99 } }))).toBe('[]');
	const { id } = simulator.addTask({ status: 'completed', results: [] });
	const read = { operation: 'getTask', taskId: id };
	expect(hintsOf(await runNode({ parameters: read }))).toBe('[]');
});

test.each([CONTINUE, ERROR_OUTPUT])(
	'nothing stays in the memory of the execution after an item in error, because n8n goes on: %j',
	async (settings) => {
		simulator.script({ on: 'create', prompt: 'two', fault: status(400) });
		const result = await run(['one', 'two'], { settings });
		expect(result.status).toBe('success');
		expect(memoryOf(result)).not.toContain('task_');
	},
);

test('an id in an answer that is no plain success is written into the log', async () => {
	const lines: string[] = [];
	simulator.script({ on: 'create', fault: { kind: 'json', body: { data: { id: 'task_in' } } } });
	await run(['one'], { onWarning: (text) => lines.push(text) });
	expect(lines.join()).toContain('task_in');
});

describe('as a tool of an agent', () => {
	const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };

	test.each(['completed', 'failed'] as const)(
		'that asks again after its video is there, in a retry too, gets it and reads so: %s',
		async (outcome) => {
			simulator.planTask({ outcome });
			const first = await run(['one'], { settings });
			const again = await run(['one'], { settings, retryOf: first, earlierRuns: 1 });
			const third = await run(['one'], { settings, retryOf: again });
			const note = { note: expect.stringContaining('use another prompt') };
			if (outcome === 'failed') {
				expect(tasksOf('one')).toHaveLength(2);
				expect(again.output.map(({ json }) => json.status)).toEqual(['completed']);
			} else {
				expect(tasksOf('one')).toHaveLength(1);
				expect(again.output.map(({ json }) => json)).toEqual([taskOf('one').record(), note]);
			}
			expect(third.output.map(({ json }) => json)).toEqual([again.output[0]?.json, note]);
		},
	);

	test('creates for an MCP client, in no execution, what it does not wait for', async () => {
		const more = { waitForCompletion: false };
		const call = { settings, withoutExecution: true };
		const created = await run(['one'], { ...call, more });
		expect(idsOf(created)).toEqual([taskOf('one').id]);
		const refused = await run(['two'], call);
		expect(refused.output[0]?.json.error).toMatchObject({
			message: expect.stringMatching(/^Wait for Completion is on, but an MCP client/),
			description: expect.stringContaining('a second tool with Get Task'),
		});
		expect(simulator.tasks.size).toBe(1);
	});
});
