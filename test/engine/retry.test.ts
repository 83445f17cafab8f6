import { errorOf } from '../programs/support/engine';
import {
	CONTINUE,
	hintsOf,
	idsOf,
	memoryOf,
	status,
	statusesOf,
	tries,
	useEngine,
} from './useEngine';

/**
 * What a try leaves for the next one, so that nobody pays twice or loses what was paid. Which answers
 * order again is played in the fault matrix; which request is the same stands in `test/unit/run/identity.test.ts`.
 */
const { simulator, run, taskOf, tasksOf, createsOf } = useEngine();

const ITEMS = ['one', 'two', 'three'];
const outage = (prompt: string) => simulator.script({ on: 'task', prompt, fault: status(405) });
const lost = (prompt: string) =>
	simulator.script({ on: 'create', prompt, createTask: true, fault: { kind: 'reset' } });

describe('a retry', () => {
	test('creates the items that had not been sent yet, and what has failed', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', durationMs: 1_000 });
		const more = { options: { maxConcurrentTasks: 1 } };
		const first = await run(ITEMS, { more });
		expect((await run(ITEMS, { more, retryOf: first })).status).toBe('success');
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(['one', 'one', 'two', 'three']);
	});

	test('returns the task that was finished after its timeout', async () => {
		const more = { options: { pollIntervalSeconds: 1, timeoutMinutes: 0.4 } };
		simulator.planTask({ prompt: 'slow', outcome: 'never' });
		const first = await run(['slow'], { more });
		const { id } = taskOf('slow');
		expect(errorOf(first).context).toMatchObject({ taskId: id, status: 'processing' });
		simulator.finish(id);
		const readsBefore = simulator.reads().length;
		const second = await run(['slow'], { more, retryOf: first });
		expect(second.output[0]?.json).toMatchObject({ id, status: 'completed' });
		expect(simulator.reads().length - readsBefore).toBe(1);
		expect(simulator.tasks.size).toBe(1);
		expect(hintsOf(second)).toMatch(/Nothing was ordered for 1 of 1 video: .* execution \w+\. For/);
	});

	test('of items with equal requests keeps each to its own task', async () => {
		simulator.planTask({ outcome: 'failed', durationMs: 1_000 });
		const first = await run(['one', 'one', 'one']);
		expect(errorOf(first).context.status).toBe('failed');
		const kept = tasksOf('one').filter((task) => task.status() !== 'failed');
		const second = await run(['one', 'one', 'one'], { retryOf: first });
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(idsOf(second)).toEqual(expect.arrayContaining(kept.map(({ id }) => id)));
		expect(simulator.tasks.size).toBe(4);
	});

	test('with a changed prompt orders that alone, and leaves nothing behind', async () => {
		outage('one');
		const first = await run(['one', 'two']);
		const second = await run(['other', 'two'], { retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('other').id, taskOf('two').id]);
		expect(memoryOf(second)).not.toContain('task_');
	});

	test('gives the prompt that was sent, though its expression gives something else by now', async () => {
		const more = { prompt: '={{ $json.prompt }} {{ Math.random() }}', simplify: true };
		simulator.script({ on: 'task', fault: status(405) });
		const first = await run(['one'], { more });
		const second = await run(['one'], { more, retryOf: first });
		expect(second.output[0]?.json.prompt).toBe(taskOf(/^one/).prompt);
	});

	test('resends what got no answer for the item alone for which the person allows it', async () => {
		for (const prompt of ['one', 'two']) lost(prompt);
		const first = await run(['one', 'two']);
		const options = { resendAfterNoReply: '={{ $json.prompt === "two" }}' };
		await run(['one', 'two'], { settings: CONTINUE, more: { options }, retryOf: first });
		expect(tasksOf('one')).toHaveLength(1);
		expect(tasksOf('two')).toHaveLength(2);
	});
});

describe('a retry that can only stop, for a create without an answer,', () => {
	test('reads the tasks of the others, and says how to get them', async () => {
		lost('two');
		const first = await run(ITEMS);
		const readsBefore = simulator.reads().length;
		const second = await run(ITEMS, { retryOf: first });
		const { context, description, message } = errorOf(second);
		expect(message).toContain('was not sent again');
		expect(context.item).toBe(2);
		expect(description).toContain("set 'On Error' in the settings of the node to Continue");
		expect(context.data).toMatchObject({
			otherTasks: ['one', 'three'].map((prompt) => ({
				taskId: taskOf(prompt).id,
				status: 'completed',
			})),
		});
		expect(simulator.reads().length).toBeGreaterThan(readsBefore);
		expect(simulator.tasks.size).toBe(3);
	});

	test('creates no more', async () => {
		lost('one');
		const more = { options: { maxConcurrentTasks: 1 } };
		const first = await run(ITEMS, { more });
		expect(simulator.tasks.size).toBe(1);
		expect((await run(ITEMS, { more, retryOf: first })).status).toBe('error');
		expect(simulator.tasks.size).toBe(1);
	});

	test('does not create a task again that has failed meanwhile', async () => {
		simulator.planTask({ prompt: 'two', outcome: 'failed', finalAfterReads: 1 });
		lost('one');
		const first = await run(['one', 'two']);
		expect(createsOf('two')).toHaveLength(1);
		const error = errorOf(await run(['one', 'two'], { retryOf: first }));
		expect(error.message).toContain('was not sent again');
		expect(tasksOf('two')[0]?.status()).toBe('failed');
		expect(createsOf('two')).toHaveLength(1);
	});
});

const toContinue = "set 'On Error' in the settings of the node to Continue";

test.each([
	['refused', status(400), toContinue],
	['too expensive', status(402), 'In Executions, open this one and press Retry'],
])(
	'the way to the other videos is named on every retry when an item is %s',
	async (_, fault, advice) => {
		simulator.script({ on: 'create', prompt: 'three', times: Infinity, fault });
		const first = await run(ITEMS);
		for (const result of [first, await run(ITEMS, { retryOf: first })]) {
			expect(errorOf(result).description).toContain(advice);
		}
		expect(simulator.tasks.size).toBe(2);
	},
);

describe('Retry On Fail with items that n8n takes for errors', () => {
	test('a failed task returned for the first item does not repeat the others', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', error: 'no', times: 5 });
		const result = await run(ITEMS, {
			settings: tries(3),
			more: { options: { onFailure: 'returnTask' } },
		});
		expect(statusesOf(result)).toEqual(['failed', 'completed', 'completed']);
		expect(tasksOf('two')).toHaveLength(1);
		expect(tasksOf('three')).toHaveLength(1);
	});

	test.each([[''], [0], [[]], [{}], [null], [false]])(
		'a completed task whose record has the error %j is not created again',
		async (error) => {
			simulator.script({
				on: 'task',
				times: Infinity,
				fault: { kind: 'merge', fields: { error } },
			});
			const result = await run(['one', 'two'], { settings: tries(3) });
			expect(statusesOf(result)).toEqual(['completed', 'completed']);
			expect(simulator.tasks.size).toBe(2);
		},
	);
});
