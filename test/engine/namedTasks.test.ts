import { type Fault, type Simulator, startSimulator } from '../programs/simulator';
import { errorOf } from '../programs/support/engine';
import { CONTINUE, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/**
 * A task record in an answer to a create that is no plain success: reading the task tells. What
 * the read means stands in `test/unit/tasks/namedTasks.test.ts`.
 */

const { simulator, run, taskOf, createsOf } = useEngine();

const named = (fault: Partial<Extract<Fault, { kind: 'misplaced' }>> = {}) =>
	simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500, ...fault } });

describe('the record of a task that exists', () => {
	test.each([
		...[302, 400, 401, 409, 429, 500, 503].map((code) => ({ status: code })),
		{ status: 200, wrapper: 'data' },
		{ status: 409, wrapper: 'task' },
		{ status: 500, wrapper: 'result' },
	])('in an answer like %j is read, and nothing is sent again', async (answer) => {
		named(answer);
		const result = await run(['one'], { settings: tries(3) });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(statusesOf(result)).toEqual(['completed']);
		expect(simulator.creates()).toHaveLength(1);
	});

	test('in “data” goes before an id of the request beside it', async () => {
		named({ status: 200, wrapper: 'data', beside: { id: 'req_9f1' } });
		const result = await run(['one'], { settings: tries(2) });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
	});

	test('is what comes out where the node does not wait', async () => {
		named();
		const result = await run(['one'], { more: { waitForCompletion: false } });
		expect(result.output.map(({ json }) => json)).toEqual([taskOf('one').record()]);
	});

	test('of a task that the service denies at first is read for as long as every other', async () => {
		simulator.planTask({ prompt: 'one', notFoundForMs: 25_000 });
		named();
		const result = await run(['one'], { settings: tries(2) });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(simulator.creates()).toHaveLength(1);
	});
});

describe('a Location', () => {
	let elsewhere: Simulator;
	beforeAll(async () => void (elsewhere = await startSimulator()));
	afterAll(async () => await elsewhere.close());

	test.each([200, 201, 303])(
		'with status %s and no record gives the id of the task, which is read at the Base URL',
		async (code) => {
			const fault: Fault = { kind: 'location', status: code, origin: elsewhere.origin };
			simulator.script({ on: 'create', fault });
			const result = await run(['one'], { settings: tries(3) });
			expect(idsOf(result)).toEqual([taskOf('one').id]);
			expect(statusesOf(result)).toEqual(['completed']);
			expect(simulator.creates()).toHaveLength(1);
			expect(elsewhere.requests).toEqual([]);
		},
	);

	test.each([302, 409, 500])('with status %s names no task', async (code) => {
		simulator.script({ on: 'create', fault: { kind: 'location', status: code } });
		await run(['one'], { settings: CONTINUE });
		expect(simulator.reads()).toEqual([]);
	});
});

describe('a task that cannot be read', () => {
	const outage = (times: number) => simulator.script({ on: 'task', times, fault: status(503) });

	test('may exist, and is named', async () => {
		named({ status: 409 });
		outage(Infinity);
		const error = errorOf(await run(['one'], { settings: tries(2) }));
		const { id } = taskOf('one');
		expect(error.description).toContain('may have created a task');
		expect(error.description).toContain(id);
		expect(error.context).toMatchObject({ taskId: id, kind: 'noAnswer' });
		expect(simulator.creates()).toHaveLength(1);
	});

	test('is read first by a retry, and gives its video', async () => {
		named({ status: 409 });
		outage(3);
		const first = await run(['one']);
		const requestsBefore = simulator.requests.length;
		const second = await run(['one'], { retryOf: first });
		expect(idsOf(second)).toEqual([taskOf('one').id]);
		expect(simulator.requests[requestsBefore]).toMatchObject({ route: 'task' });
		expect(simulator.creates()).toHaveLength(1);
	});

	test('is read by Retry On Fail though no more tasks may be made', async () => {
		named();
		outage(3);
		const more = { options: { maxNewTasks: 1 } };
		const result = await run(['one'], { more, settings: tries(2) });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
	});

	test('and is denied at last is not sent again, unless the person allows it', async () => {
		const { id } = simulator.addTask({ prompt: 'one', notFoundForMs: 10 * 60 * 60_000 });
		const body = { id, status: 'pending' };
		simulator.script({ on: 'create', fault: { kind: 'json', status: 500, body } });
		outage(3);
		const first = await run(['one']);
		expect(errorOf(first).context.taskId).toBe(id);
		const second = await run(['one'], { settings: tries(2), retryOf: first });
		expect(errorOf(second).description).toContain('may have created a task');
		expect(createsOf('one')).toHaveLength(1);
		const more = { options: { resendAfterNoReply: true } };
		const third = await run(['one'], { more, retryOf: second });
		expect(statusesOf(third)).toEqual(['completed']);
		expect(createsOf('one')).toHaveLength(2);
	});
});
