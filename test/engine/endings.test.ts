import { errorOf } from '../programs/support/engine';
import { CONTINUE, idsOf, statusesOf, tries, useEngine } from './useEngine';

/** How services beyond the contract end a task. */
const { simulator, run, tasksOf, taskOf } = useEngine();

const ends = (outcome: 'cancelled' | 'canceled' | 'expired', times = 1) =>
	simulator.planTask({ prompt: 'one', outcome, times });

describe.each(['cancelled', 'canceled', 'expired'] as const)('a task that is %s', (outcome) => {
	const kind = outcome === 'expired' ? 'expired' : 'cancelled';

	test('ends the wait with an error that names it and does not blame the prompt', async () => {
		ends(outcome);
		const error = errorOf(await run(['one']));
		const { id } = taskOf('one');
		expect(error.context).toMatchObject({ kind, taskId: id, status: outcome });
		expect(error.message).toMatch(kind === 'expired' ? /expired/ : /cancelled/);
		expect(error.description).toContain(id);
		expect(`${error.message} ${error.description}`).not.toMatch(/prompt/i);
		expect(simulator.reads(id).length).toBeLessThan(10);
	});

	test('is ordered again by a person’s retry', async () => {
		ends(outcome);
		const first = await run(['one']);
		const second = await run(['one'], { retryOf: first });
		expect(second.status).toBe('success');
		expect(tasksOf('one')).toHaveLength(2);
	});

	test('is told by Get Task as it is', async () => {
		const { id } = simulator.addTask({ status: outcome });
		const more = { operation: 'getTask', taskId: id, waitForCompletion: true };
		const result = await run(['one'], { more, settings: CONTINUE });
		expect(result.output[0]?.json.error).toMatchObject({ kind, taskId: id });
	});
});

describe('an automatic retry', () => {
	test('orders nothing for a task that was cancelled', async () => {
		ends('cancelled', 3);
		const error = errorOf(await run(['one'], { settings: tries(3) }));
		expect(error.context.kind).toBe('cancelled');
		expect(tasksOf('one')).toHaveLength(1);
	});

	test('orders again what expired', async () => {
		ends('expired');
		const result = await run(['one'], { settings: tries(2) });
		expect(result.status).toBe('success');
		expect(tasksOf('one')).toHaveLength(2);
		expect(idsOf(result)).toEqual([tasksOf('one')[1]?.id]);
	});

	test('orders nothing for what expired with results in its record', async () => {
		const results = ['https://files.example.com/one.mp4'];
		simulator.script({
			on: 'task',
			times: Infinity,
			prompt: 'one',
			fault: { kind: 'merge', fields: { status: 'expired', results } },
		});
		const error = errorOf(await run(['one'], { settings: tries(3) }));
		expect(error.context.kind).toBe('expired');
		expect(tasksOf('one')).toHaveLength(1);
	});
});

test('a status that nobody knows is waited for', async () => {
	simulator.script({
		on: 'task',
		times: 3,
		fault: { kind: 'merge', fields: { status: 'queued_for_review' } },
	});
	expect(statusesOf(await run(['one']))).toEqual(['completed']);
});

describe('a completed task without results', () => {
	const empty = (times: number) =>
		simulator.script({
			on: 'task',
			times,
			fault: { kind: 'merge', fields: { results: undefined } },
		});

	test('is read again for a moment, as some services fill them in later', async () => {
		simulator.planTask({ finalAfterReads: 1 });
		empty(3);
		const result = await run(['one']);
		expect(result.output[0]?.json.results).toEqual(taskOf('one').results());
	});

	test('is read again by Get Task too when that does not wait', async () => {
		const { id } = simulator.addTask({ status: 'completed' });
		empty(3);
		const more = { operation: 'getTask', taskId: id, waitForCompletion: false };
		const result = await run(['one'], { more });
		expect(result.output[0]?.json.results).toEqual(simulator.tasks.get(id)?.results());
		expect(simulator.reads(id)).toHaveLength(4);
	});

	test('ends soon when none come', async () => {
		simulator.planTask({ finalAfterReads: 1 });
		empty(Infinity);
		expect(statusesOf(await run(['one']))).toEqual(['completed']);
		expect(simulator.reads().length).toBeLessThan(10);
	});
});

test('the results of a completed task that the service knows no more are those last known', async () => {
	simulator.script({ on: 'result', times: Infinity, fault: { kind: 'status', status: 403 } });
	const more = { downloadResults: true, options: { timeoutMinutes: 1 } };
	const first = await run(['one'], { more });
	expect(errorOf(first).context.kind).toBe('download');
	simulator.script({ on: 'task', times: Infinity, fault: { kind: 'status', status: 404 } });
	const second = await run(['one'], { retryOf: first });
	expect(second.output[0]?.json.results).toEqual(taskOf('one').results());
	expect(tasksOf('one')).toHaveLength(1);
});
