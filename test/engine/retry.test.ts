import type { IDataObject } from 'n8n-workflow';
import type { Rule } from '../programs/simulator';
import type { RunResult } from '../programs/support/engine';
import { errorOf } from '../programs/support/engine';
import type { Given } from './useEngine';
import { idsOf, status, statusesOf, tries, useEngine } from './useEngine';

const { simulator, run, tasksOf, createsOf } = useEngine();

/** Runs once and then again, as a person does who presses Retry execution. */
async function runAndRetry(prompts: string[], given: Given = {}): Promise<RunResult> {
	const first = await run(prompts, given);
	expect(first.status).toBe('error');
	return await run(prompts, { ...given, retryOf: first });
}

/** Ways in which a node is run again on the same items. */
const AGAIN: Array<[string, (prompts: string[], given?: Given) => Promise<RunResult>]> = [
	['Retry On Fail', async (prompts, given) => await run(prompts, { ...given, settings: tries(2) })],
	['Retry execution', runAndRetry],
];

/** Ends the try, as only what cannot pass does while somebody waits. */
const outage = (prompt: string): Rule => ({
	on: 'task',
	prompt,
	fault: status(403),
});

describe.each(AGAIN)('%s', (_, runAgain) => {
	test.each(['one', 'two', 'three'])('after %s could not be read, creates nothing', async (bad) => {
		simulator.script(outage(bad));
		const result = await runAgain(['one', 'two', 'three']);
		expect(result.status).toBe('success');
		expect(idsOf(result)).toEqual(['one', 'two', 'three'].map((prompt) => tasksOf(prompt)[0]?.id));
		expect(simulator.tasks.size).toBe(3);
	});

	test('after a task failed, creates that one again and keeps the others', async () => {
		simulator.planTask({ prompt: 'two', outcome: 'failed', durationMs: 1_000 });
		const result = await runAgain(['one', 'two', 'three']);
		expect(result.status).toBe('success');
		expect(
			[createsOf('one'), createsOf('two'), createsOf('three')].map(({ length }) => length),
		).toEqual([1, 2, 1]);
		expect(idsOf(result)[1]).toBe(tasksOf('two')[1]?.id);
	});

	test('creates the items that had not been sent yet', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', durationMs: 1_000 });
		const result = await runAgain(['one', 'two', 'three'], {
			more: { options: { maxConcurrentTasks: 1 } },
		});
		expect(result.status).toBe('success');
		expect(simulator.creates().map(({ prompt }) => prompt)).toEqual(['one', 'one', 'two', 'three']);
	});

	/** Every other answer that is no clear one is played in the fault matrix. */
	test.each([true, false])(
		'does not send an unanswered create again unless the user allows it, task made: %p',
		async (createTask) => {
			simulator.script({ on: 'create', prompt: 'two', createTask, fault: { kind: 'reset' } });
			const error = errorOf(await runAgain(['one', 'two', 'three']));
			expect(createsOf('two')).toHaveLength(1);
			expect(error.message).toContain('was not sent again');
			expect(error.description).toContain('may charge for it');
			expect(error.description).toContain('Retries do not send these again');
			expect(error.context.itemIndex).toBe(1);

			simulator.script({ on: 'create', prompt: 'resent', createTask, fault: { kind: 'reset' } });
			const result = await runAgain(['one', 'resent', 'three'], {
				more: { options: { resendAfterNoReply: true } },
			});
			expect(result.status).toBe('success');
			expect(createsOf('resent')).toHaveLength(2);
			expect(idsOf(result)[1]).toBe(tasksOf('resent').at(-1)?.id);
		},
	);
});

describe('after a timeout', () => {
	const brief = { options: { pollIntervalSeconds: 1, timeoutMinutes: 0.4 } };

	test('Retry On Fail waits on for the same task', async () => {
		simulator.planTask({ prompt: 'slow', durationMs: 60_000 });
		const result = await run(['slow', 'two'], { settings: tries(5), more: brief });
		expect(result.status).toBe('success');
		expect(simulator.tasks.size).toBe(2);
	});

	test('Retry execution returns the task that was finished in the meantime', async () => {
		simulator.planTask({ prompt: 'slow', outcome: 'never' });
		const first = await run(['slow'], { more: brief });
		const [task] = tasksOf('slow');
		expect(errorOf(first).context).toMatchObject({ taskId: task?.id, status: 'processing' });
		simulator.finish(task?.id ?? '');
		const readsBefore = simulator.reads().length;
		const second = await run(['slow'], { more: brief, retryOf: first });
		expect(second.output[0]?.json).toMatchObject({ id: task?.id, status: 'completed' });
		expect(simulator.reads().length - readsBefore).toBe(1);
		expect(simulator.tasks.size).toBe(1);
	});
});

describe('Retry execution', () => {
	const failFirst = async (prompts: string[], more?: IDataObject): Promise<RunResult> => {
		simulator.script(outage(prompts[0] ?? ''));
		const first = await run(prompts, { more });
		expect(first.status).toBe('error');
		return first;
	};

	test.each<[string, IDataObject]>([
		['duration', { duration: 10 }],
		['quality', { quality: '480p' }],
		['an option', { options: { generateAudio: false } }],
	])('with %s changed creates what is asked for now', async (_, more) => {
		const first = await failFirst(['one']);
		const second = await run(['one'], { more, retryOf: first });
		expect(second.output[0]?.json.id).toBe(tasksOf('one')[1]?.id);
		expect(tasksOf('one')).toHaveLength(2);
	});

	test.each<[string, IDataObject]>([
		['other waiting', { options: { pollIntervalSeconds: 2 } }],
		['another limit of tasks at once', { options: { maxConcurrentTasks: 3 } }],
		['no waiting', { waitForCompletion: false }],
	])('with %s still means the same task', async (_, more) => {
		const first = await failFirst(['one']);
		const second = await run(['one'], { more, retryOf: first });
		expect(idsOf(second)).toEqual([tasksOf('one')[0]?.id]);
		expect(tasksOf('one')).toHaveLength(1);
	});

	test('with reordered items never gives an item the task of another', async () => {
		const first = await failFirst(['one', 'two', 'three']);
		const prompts = ['two', 'three', 'one'];
		const second = await run(prompts, { retryOf: first });
		expect(second.status).toBe('success');
		expect(idsOf(second).map((id) => simulator.tasks.get(String(id))?.prompt)).toEqual(prompts);
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

	test('can be repeated until it succeeds, with the same tasks', async () => {
		simulator.script({ ...outage('one'), times: 3 });
		let result = await run(['one', 'two']);
		for (let failures = 0; failures < 3; failures += 1) {
			expect(result.status).toBe('error');
			result = await run(['one', 'two'], { retryOf: result });
		}
		expect(result.status).toBe('success');
		expect(simulator.tasks.size).toBe(2);
	});
});

test('a retry that can only stop does not create a task again that has failed meanwhile', async () => {
	const prompts = ['unanswered', 'two'];
	const [prompt] = prompts;
	simulator.planTask({ prompt: 'two', outcome: 'failed', finalAfterReads: 1 });
	simulator.script({ on: 'create', prompt, createTask: true, fault: { kind: 'reset' } });
	const first = await run(prompts);
	expect(createsOf('two')).toHaveLength(1);
	const error = errorOf(await run(prompts, { retryOf: first }));
	expect(error.message).toContain('was not sent again');
	expect(tasksOf('two')[0]?.status()).toBe('failed');
	expect(createsOf('two')).toHaveLength(1);
});

describe('the way to the other videos', () => {
	const body = { error: { code: 'content_policy_violation' } };
	const policy = { kind: 'json', status: 400, body } as const;
	const toContinue = "set 'On Error' in the settings of the node to Continue";

	test.each([
		['refused', status(400), toContinue],
		['refused for its content', policy, toContinue],
		['too expensive', status(402), 'In Executions, open this one and press Retry'],
	])('is named on every retry when an item is %s', async (_, fault, advice) => {
		simulator.script({ on: 'create', prompt: 'three', times: Infinity, fault });
		const prompts = ['one', 'two', 'three'];
		const first = await run(prompts);
		for (const result of [first, await run(prompts, { retryOf: first })]) {
			expect(errorOf(result).description).toContain(advice);
		}
		expect(simulator.tasks.size).toBe(2);
	});
});

describe('Retry On Fail with items that n8n takes for errors', () => {
	test('a failed task returned for the first item does not repeat the others', async () => {
		simulator.planTask({ prompt: 'one', outcome: 'failed', error: 'no', times: 5 });
		const result = await run(['one', 'two', 'three'], {
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
