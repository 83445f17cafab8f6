import { fastClock } from '../programs/support/clocks';
import { collectWarnings } from '../programs/support/warnings';
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

const { simulator, run, start, runNode, taskOf, tasksOf } = useEngine();

const busyOnce = (prompt: string, times = 1) =>
	simulator.script({ on: 'create', prompt, times, fault: status(503) });
const outage = (prompt: string, times = 1) =>
	simulator.script({ on: 'task', prompt, times, fault: status(403) });

describe('a request that differs on every try', () => {
	const CALLBACK = '={{ "https://n8n.example.com/webhook-waiting/" + $execution.id }}';

	test('Retry execution finds the tasks although the callback URL has changed', async () => {
		busyOnce('three');
		const more = { options: { callbackUrl: CALLBACK } };
		const first = await run(['one', 'two', 'three'], { more });
		expect(first.status).toBe('error');
		const second = await run(['one', 'two', 'three'], { more, retryOf: first });
		expect(second.status).toBe('success');
		expect(simulator.tasks.size).toBe(3);
	});

	test('Retry execution with a changed prompt names the task that is no longer used', async () => {
		outage('one');
		const first = await run(['one', 'two']);
		const left = taskOf('one').id;
		const second = await run(['other', 'two'], { retryOf: first });
		expect(second.status).toBe('success');
		expect(idsOf(second)).toEqual([taskOf('other').id, taskOf('two').id]);
		expect(hintsOf(second)).toContain(left);
		expect(memoryOf(second)).not.toContain('task_');
	});

	test('a failed task that a retry replaced is named when the next one fails too', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', durationMs: 1_000, times: 2 });
		const error = errorOf(await run(['one'], { settings: tries(2) }));
		const [first, second] = [...simulator.tasks.keys()];
		expect(error.context.taskId).toBe(second);
		expect(error.description).toContain(`${first} (failed)`);
	});
});

describe('a create that is answered with an id and no usable status', () => {
	test('is followed like any other', async () => {
		const fields = { status: undefined, state: 'queued' };
		simulator.script({ on: 'create', createTask: true, fault: { kind: 'merge', fields } });
		const result = await run(['one']);
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(result.output[0]?.json.status).toBe('completed');
	});

	test('is returned as it came when the node does not wait', async () => {
		simulator.script({ on: 'create', fault: { kind: 'merge', fields: { status: undefined } } });
		const result = await run(['one'], { more: { waitForCompletion: false } });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(result.output[0]?.json).not.toHaveProperty('status');
	});
});

describe('what an error says about other tasks', () => {
	test('the error has the record of an earlier try when a later try gets none', async () => {
		outage('one', Infinity);
		const error = errorOf(await run(['one'], { settings: tries(2) }));
		const { id } = taskOf('one');
		expect(error.context).toMatchObject({ taskId: id, status: 'pending', task: { id } });
	});

	test('the error names the tasks of an earlier try with their status when nothing is read', async () => {
		outage('one');
		const first = await run(['one', 'two']);
		const error = errorOf(await run(['one', ''], { retryOf: first }));
		expect(error.description).toContain(`${taskOf('two').id} (pending)`);
	});

	test('a create without an answer is named though another item stopped the node', async () => {
		simulator.script({ on: 'create', prompt: 'one', fault: status(400) });
		simulator.script({ on: 'create', prompt: 'two', createTask: true, fault: { kind: 'reset' } });
		const error = errorOf(await run(['one', 'two']));
		expect(error.description).toContain('2nd item');
		expect(error.description).toContain('may exist');
		expect(error.context.unansweredItems).toEqual([1]);
	});

	test('the error says where they are when they are too many to be listed', async () => {
		const prompts = Array.from({ length: 60 }, (_, index) => `p ${index}`);
		simulator.script({ on: 'create', prompt: 'p 59', fault: status(400) });
		simulator.planTask({ outcome: 'never', times: prompts.length });
		const { onWarning, lines } = collectWarnings();
		const more = { options: { maxConcurrentTasks: 60 } };
		const error = errorOf(await run(prompts, { more, onWarning }));
		expect(error.description).toContain('All of them are in the details of this error');
		expect(error.context.otherTasks).toHaveLength(59);
		const log = lines.join('\n');
		expect([...simulator.tasks.keys()].filter((id) => !log.includes(id))).toEqual([]);
	});

	test('the error does not promise that a failed task is picked up again', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', durationMs: 1_000 });
		outage('two');
		const more = { options: { onFailure: 'returnTask', timeoutMinutes: 600 } };
		const { description } = errorOf(await run(['one', 'two'], { more }));
		expect(description).toContain(`${taskOf('one').id} (failed)`);
		expect(description).toContain('orders only failed ones again');
	});
});

describe('stopping', () => {
	const { onWarning, next, clear } = collectWarnings();
	beforeEach(clear);

	test('names every task in the log, however many there are', async () => {
		const prompts = Array.from({ length: 60 }, (_, index) => `p ${index}`);
		simulator.planTask({ outcome: 'never', times: prompts.length });
		const read = new Set<string>();
		const allRead = new Promise<void>((resolve) =>
			simulator.onRequest(({ route, taskId = '' }) => {
				if (route === 'task') read.add(taskId);
				if (read.size === prompts.length) resolve();
			}),
		);
		const started = start(prompts, { more: { options: { maxConcurrentTasks: 60 } }, onWarning });
		await allRead;
		started.cancel();
		await started.result;
		// n8n tells that it has stopped before the node is done with it.
		const text = await next();
		expect([...simulator.tasks.keys()].filter((id) => !text.includes(id))).toEqual([]);
	});

	test('names a create that is under way, and a retry does not send it again', async () => {
		simulator.script({ on: 'create', prompt: 'two', createTask: true, fault: { kind: 'hang' } });
		const started = start(['one', 'two'], { onWarning });
		await simulator.waitForRequest(({ prompt, fault }) => prompt === 'two' && fault === 'hang');
		await simulator.waitForRequest(({ route, prompt }) => route === 'task' && prompt === 'one');
		started.cancel();
		const first = await started.result;
		expect(await next()).toContain('2nd item: sent, no clear answer');
		await run(['one', 'two'], { retryOf: first });
		expect(simulator.creates().filter(({ prompt }) => prompt === 'two')).toHaveLength(1);
	});
});

describe('the log of n8n', () => {
	const created = (prompt: string, item: string) =>
		`Task ${taskOf(prompt).id} was created for the ${item}`;

	test('names a task as soon as its id is known', async () => {
		const lines: string[] = [];
		simulator.script({ on: 'task', prompt: 'one', fault: { kind: 'hang' } });
		const started = start(['one'], { onInfo: (text) => lines.push(text) });
		await simulator.waitForRequest(({ route }) => route === 'task');
		expect(lines).toEqual([created('one', 'item')]);
		started.cancel();
		await started.result;
	});

	test('names each task once, however often the node tries, and none that it was given', async () => {
		const lines: string[] = [];
		const onInfo = (text: string) => lines.push(text);
		busyOnce('one');
		const result = await run(['one', 'two'], { settings: tries(2), onInfo });
		expect(result.status).toBe('success');
		const both = [created('one', '1st of 2 items'), created('two', '2nd of 2 items')];
		expect([...lines].sort()).toEqual(both.sort());
		lines.length = 0;
		const parameters = { operation: 'getTask', taskId: taskOf('one').id };
		await runNode({ parameters, onInfo });
		expect(lines).toEqual([]);
	});
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
});

describe('what stays in the memory of the execution', () => {
	test('nothing when the node is not run again, though a record has an error that is null', async () => {
		simulator.script({
			on: 'task',
			times: Infinity,
			fault: { kind: 'merge', fields: { error: null } },
		});
		const result = await run(['one', 'two']);
		expect(result.status).toBe('success');
		expect(memoryOf(result)).not.toContain('task_');
	});

	test.each([CONTINUE, ERROR_OUTPUT])(
		'nothing after an item in error, because n8n goes on: %j',
		async (settings) => {
			simulator.script({ on: 'create', prompt: 'two', fault: status(400) });
			const result = await run(['one', 'two'], { settings });
			expect(result.status).toBe('success');
			expect(memoryOf(result)).not.toContain('task_');
		},
	);
});

describe('as a tool of an agent', () => {
	const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };

	test('another call with the same request, counted as another run, picks up the task', async () => {
		outage('one');
		const first = await run(['one'], { settings });
		expect(first.status).toBe('success');
		expect(first.output[0]?.json.error).toMatchObject({ taskId: taskOf('one').id });
		const second = await run(['one'], { settings, retryOf: first, earlierRuns: 1 });
		expect(idsOf(second)[0]).toBe(taskOf('one').id);
	});

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
