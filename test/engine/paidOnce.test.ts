import type { INodeProperties } from 'n8n-workflow';
import { CONTINUE, hintsOf, idsOf, status, statusesOf, tries, useEngine } from './useEngine';
import { errorOf } from '../programs/support/engine';

/** Ordinary events that must never make a person pay twice, nor lose what was paid. */

const { simulator, run, taskOf, tasksOf } = useEngine();

const ITEMS = ['one', 'two', 'three'];
/** Gives another prompt in every execution, and on every try. */
const CHANGING = { prompt: '={{ $json.prompt }} {{ $execution.id }} {{ Math.random() }}' };
const BRIEFLY = { options: { timeoutMinutes: 0.3 } };

describe('an expression that gives something else on every try', () => {
	const more = { ...CHANGING, ...BRIEFLY };

	test('does not make Retry execution send again what got no answer', async () => {
		simulator.script({ on: 'create', prompt: /^two /, createTask: true, fault: { kind: 'reset' } });
		const first = await run(ITEMS, { more: CHANGING });
		const second = await run(ITEMS, { more: CHANGING, retryOf: first });
		expect(errorOf(second).message).toContain('was not sent again');
		expect(simulator.tasks.size).toBe(3);
	});

	test('does not make an update of this package order again, of which n8n fills in new fields', async () => {
		simulator.script({ on: 'task', fault: status(403) });
		const first = await run(['one'], { more: CHANGING });
		const field: INodeProperties = {
			displayName: 'New',
			name: 'newField',
			type: 'number',
			default: 7,
		};
		const second = await run(['one'], { more: CHANGING, retryOf: first, newFields: [field] });
		expect(second.status).toBe('success');
		expect(simulator.tasks.size).toBe(1);
	});

	test('is a new request once the person has edited it', async () => {
		const first = await run(ITEMS, { more });
		const edited = { ...BRIEFLY, prompt: `${CHANGING.prompt} at night` };
		await run(ITEMS, { more: edited, retryOf: first });
		expect(simulator.tasks.size).toBe(6);
	});

	test('is a new request only where the edited field gives another one', async () => {
		simulator.script({ on: 'create', prompt: 'bad', fault: status(400) });
		const first = await run(['one', 'bad']);
		const prompt = '={{ $json.prompt === "bad" ? "good" : $json.prompt }}';
		const second = await run(['one', 'bad'], { more: { prompt }, retryOf: first });
		expect(second.status).toBe('success');
		expect(simulator.creates().map((create) => create.prompt)).toEqual(['one', 'bad', 'good']);
	});

	test('is a new request for an agent, whose calls all have the same fields', async () => {
		const settings = { type: 'n8n-nodes-videogen-tasks.videogenTool' };
		const first = await run(['a fox'], { more: BRIEFLY, settings });
		const second = await run(['a wolf'], { more: BRIEFLY, settings, retryOf: first });
		expect(tasksOf('a fox')).toHaveLength(1);
		expect(tasksOf('a wolf')).toHaveLength(1);
		expect(JSON.stringify(second.output)).not.toContain(taskOf('a fox').id);
	});
});

describe('a task that an earlier try has made', () => {
	test('is named when its item may not be sent any more, also while the node is run again', async () => {
		simulator.script({ on: 'create', prompt: 'one', times: Infinity, fault: status(400) });
		const settings = { ...CONTINUE, ...tries(2) };
		const first = await run(['one', 'two'], { settings });
		const more = { duration: '={{ $json.prompt === "two" ? 99 : 5 }}' };
		const second = await run(['one', 'two'], { more, settings, retryOf: first });
		expect(hintsOf(second)).toContain(taskOf('two').id);
		expect(tasksOf('two')).toHaveLength(1);
	});

	test('is read, although another create of its item got no answer', async () => {
		simulator.script({ on: 'task', fault: status(403) });
		const first = await run(['one']);
		const context = first.data.executionData?.contextData['node:Videogen'] ?? {};
		// As when one of two creates without an answer has named its task.
		const saved = JSON.stringify(context).replace('"task":', '"unanswered":1,"task":');
		expect(saved).toContain('"unanswered":1');
		Object.assign(context, JSON.parse(saved));
		const second = await run(['one'], { settings: CONTINUE, retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('one').id]);
		expect(tasksOf('one')).toHaveLength(1);
	});
});

test('a create that is answered with more than 1 MB is not sent again by a retry', async () => {
	const body = { id: 'task_large', status: 'pending', more: 'x'.repeat(1_000_000) };
	simulator.script({ on: 'create', createTask: true, fault: { kind: 'json', body } });
	const settings = tries(3);
	const first = await run(['one'], { settings });
	expect(errorOf(first).description).toContain('may have created a task');
	await run(['one'], { settings, retryOf: first });
	expect(tasksOf('one')).toHaveLength(1);
});

describe('an id in an answer that is no plain success', () => {
	test('is followed when it comes with a record and a server error', async () => {
		const record = { id: simulator.addTask().id, status: 'pending' };
		simulator.script({ on: 'create', fault: { kind: 'json', status: 500, body: record } });
		const result = await run(['one'], { settings: { retryOnFail: true, maxTries: 2 } });
		expect(idsOf(result)).toEqual([record.id]);
		expect(simulator.tasks.size).toBe(1);
	});

	test.each([
		{ id: 'req_1', status: 'error', message: 'Sorry' },
		{ id: 'req_1', error: 'Sorry' },
	])('is not taken for a task when it names a request: %j', async (body) => {
		simulator.script({ on: 'create', fault: { kind: 'json', status: 500, body } });
		expect(errorOf(await run(['one'])).message).toBe(
			'The service returned a server error (500), so it is not known whether a task was created',
		);
	});

	test('is written into the log when it stands in an unexpected place', async () => {
		const lines: string[] = [];
		simulator.script({ on: 'create', fault: { kind: 'json', body: { data: { id: 'task_in' } } } });
		await run(['one'], { onWarning: (text) => lines.push(text) });
		expect(lines.join()).toContain('task_in');
	});
});

describe('one create without an answer among many items', () => {
	const lost = (prompt: string) =>
		simulator.script({ on: 'create', prompt, createTask: true, fault: { kind: 'reset' } });

	test('does not keep a retry from reading the tasks of the others', async () => {
		lost('two');
		const first = await run(ITEMS);
		const readsBefore = simulator.reads().length;
		const second = await run(ITEMS, { retryOf: first });
		const { context, description, message } = errorOf(second);
		expect(message).toContain('was not sent again');
		expect(context.itemIndex).toBe(1);
		expect(description).toContain("set 'On Error' in the settings of the node to Continue");
		expect(description).toContain(`${taskOf('one').id} (completed)`);
		expect(description).toContain(`${taskOf('three').id} (completed)`);
		expect(simulator.reads().length).toBeGreaterThan(readsBefore);
		expect(simulator.tasks.size).toBe(3);
	});

	test('does so also when many items have not had their turn', async () => {
		const prompts = Array.from({ length: 40 }, (_, index) => `item ${index}`);
		lost('item 5');
		const first = await run(prompts);
		const ids = [...simulator.tasks.values()].flatMap(({ id, prompt }) =>
			prompt === 'item 5' ? [] : [id],
		);
		const createsBefore = simulator.creates().length;
		const { message, description } = errorOf(await run(prompts, { retryOf: first }));
		expect(message).toContain('was not sent again');
		expect(ids.filter((id) => !description?.includes(`${id} (completed)`))).toEqual([]);
		expect(simulator.creates()).toHaveLength(createsBefore);
	});

	test('does so also when one of the others has failed', async () => {
		lost('two');
		simulator.planTask({ prompt: 'three', outcome: 'failed', durationMs: 1_000 });
		const first = await run(ITEMS);
		const { description } = errorOf(await run(ITEMS, { retryOf: first }));
		expect(description).toContain(`${taskOf('one').id} (completed)`);
		expect(simulator.tasks.size).toBe(3);
	});

	test('lets all others through once the node is set to continue', async () => {
		lost('two');
		const first = await run(ITEMS);
		const second = await run(ITEMS, { retryOf: first });
		const third = await run(ITEMS, { settings: CONTINUE, retryOf: second });
		expect(statusesOf(third)).toEqual(['completed', undefined, 'completed']);
		expect(simulator.tasks.size).toBe(3);
	});

	test('keeps a retry that can only end in an error from creating more', async () => {
		lost('one');
		const more = { options: { maxConcurrentTasks: 1 } };
		const first = await run(ITEMS, { more });
		expect(simulator.tasks.size).toBe(1);
		expect((await run(ITEMS, { more, retryOf: first })).status).toBe('error');
		expect(simulator.tasks.size).toBe(1);
	});
});

test('a resend that the person allows for one item is made for this one alone', async () => {
	const lost = { kind: 'reset' } as const;
	simulator.script({ on: 'create', times: 2, createTask: true, fault: lost });
	const first = await run(['one', 'two']);
	const options = { resendAfterNoReply: '={{ $json.prompt === "two" }}' };
	await run(['one', 'two'], { settings: CONTINUE, more: { options }, retryOf: first });
	expect(tasksOf('one')).toHaveLength(1);
	expect(tasksOf('two')).toHaveLength(2);
});

describe('a second try that is refused', () => {
	const more = { options: { resendAfterNoReply: true, ...BRIEFLY.options } };

	test.each([
		{ answer: 'a refusal', code: 400 },
		{ answer: '429 to the end', code: 429 },
	])('with $answer leaves it unknown whether the first made a task', async ({ code }) => {
		simulator.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });
		const first = await run(['one'], { more });
		simulator.script({ on: 'create', times: Infinity, fault: status(code) });
		const second = await run(['one'], { more, retryOf: first });
		expect(errorOf(second).message).toContain('it is not known whether a task was created');
		expect(errorOf(second).description).toContain('may charge for it');

		const createsBefore = simulator.creates().length;
		const third = await run(['one'], { more: BRIEFLY, retryOf: second });
		expect(errorOf(third).message).toContain('was not sent again');
		expect(simulator.creates()).toHaveLength(createsBefore);
	});
});
