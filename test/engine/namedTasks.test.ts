import { type Fault, type Simulator, startSimulator } from '../programs/simulator';
import { collectWarnings } from '../programs/support/warnings';
import { errorOf } from '../programs/support/engine';
import { CONTINUE, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/** A task record in an answer to a create that is no plain success: reading the task tells. */

const { simulator, start, run, taskOf, tasksOf, createsOf } = useEngine();

const invented = (id: string, code: number, more: object = {}): Fault => ({
	kind: 'json',
	status: code,
	body: { id, status: 'pending', ...more },
});
/** Well formed, as the service itself would give one, and malformed. */
const UNKNOWN_IDS = ['task_00000000000000000000none', 'req_9f1'];

const NO = [302, 307, 400, 402, 403, 404, 409, 410, 422, 501];
const IN_DOUBT = [303, 408, 425, 499, 500, 502, 504, 520];

const onlyTask = () => {
	const [task, ...others] = simulator.tasks.values();
	if (task === undefined || others.length > 0) throw new Error('There is not one task');
	return task;
};

describe('the record of a task that exists', () => {
	test.each([...NO, ...IN_DOUBT, 401, 429, 503])(
		'with status %s is read, and nothing is sent again',
		async (code) => {
			simulator.script({ on: 'create', fault: { kind: 'misplaced', status: code } });
			const result = await run(['one'], { settings: tries(3) });
			expect(result.status).toBe('success');
			expect(idsOf(result)).toEqual([onlyTask().id]);
			expect(statusesOf(result)).toEqual(['completed']);
			expect(simulator.creates()).toHaveLength(1);
		},
	);

	test.each(
		['data', 'task', 'result'].flatMap((wrapper) =>
			[200, 202, 409, 429, 500].map((code) => ({ wrapper, code })),
		),
	)('in “$wrapper” of an answer with status $code is read', async ({ wrapper, code }) => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: code, wrapper } });
		const result = await run(['one'], { settings: tries(3) });
		expect(idsOf(result)).toEqual([onlyTask().id]);
		expect(statusesOf(result)).toEqual(['completed']);
		expect(simulator.creates()).toHaveLength(1);
	});

	test('in “data” goes before an id of the request beside it', async () => {
		simulator.script({
			on: 'create',
			fault: { kind: 'misplaced', status: 200, wrapper: 'data', beside: { id: 'req_9f1' } },
		});
		const result = await run(['one'], { settings: tries(2) });
		expect(idsOf(result)).toEqual([onlyTask().id]);
	});

	test('may say that it failed: what the read says counts', async () => {
		simulator.script({
			on: 'create',
			fault: { kind: 'misplaced', status: 500, fields: { status: 'failed', error: 'timeout' } },
		});
		const result = await run(['one'], { settings: tries(3) });
		expect(statusesOf(result)).toEqual(['completed']);
		expect(simulator.creates()).toHaveLength(1);
	});

	test('is what comes out where the node does not wait', async () => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		const result = await run(['one'], { more: { waitForCompletion: false } });
		expect(result.output.map(({ json }) => json)).toEqual([taskOf('one').record()]);
	});

	test('of a task that the service denies at first is read for as long as every other', async () => {
		simulator.planTask({ prompt: 'one', notFoundForMs: 25_000 });
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		const result = await run(['one'], { settings: tries(2) });
		expect(idsOf(result)).toEqual([onlyTask().id]);
		expect(simulator.creates()).toHaveLength(1);
	});
});

describe('a Location', () => {
	let elsewhere: Simulator;
	beforeAll(async () => void (elsewhere = await startSimulator()));
	afterAll(async () => await elsewhere.close());

	test.each([200, 201, 202, 303])(
		'with status %s and no record gives the id of the task, which is read at the Base URL',
		async (code) => {
			const fault: Fault = { kind: 'location', status: code, origin: elsewhere.origin };
			simulator.script({ on: 'create', fault });
			const result = await run(['one'], { settings: tries(3) });
			expect(idsOf(result)).toEqual([onlyTask().id]);
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

describe.each(UNKNOWN_IDS)('an id that the service does not know, %s', (id) => {
	test.each(NO)('leaves status %s what it is: a no', async (code) => {
		simulator.script({ on: 'create', times: 2, fault: invented(id, code) });
		const first = await run(['one']);
		expect(errorOf(first).description).toContain('Nothing was created for this item');
		expect(JSON.stringify(errorOf(first))).not.toContain(id);
		const second = await run(['one'], { settings: tries(3), retryOf: first });
		expect(statusesOf(second)).toEqual(['completed']);
		expect(simulator.tasks.size).toBe(1);
	});

	test.each([...IN_DOUBT, 200])('leaves status %s in doubt', async (code) => {
		const fields = { error: { message: 'upstream timeout' } };
		const fault: Fault =
			code === 200
				? { kind: 'json', body: { data: { id, status: 'failed' } } }
				: invented(id, code, { status: 'failed', ...fields });
		simulator.script({ on: 'create', createTask: true, fault });
		const error = errorOf(await run(['one'], { settings: tries(3) }));
		expect(error.description).toContain('may have created a task');
		expect(error.message).not.toContain('did not make this video');
		expect(error.context.kind).toBe('noAnswer');
		expect(error.context.taskId).toBeUndefined();
		expect(simulator.tasks.size).toBe(1);
	});

	test('leaves 429 what it is: sent again by itself', async () => {
		simulator.script({ on: 'create', times: 2, fault: invented(id, 429) });
		expect(statusesOf(await run(['one']))).toEqual(['completed']);
		expect(simulator.tasks.size).toBe(1);
	});
});

describe('429', () => {
	const more = { options: { maxNewTasks: 3 } };

	test('with records of tasks makes no second one in the same try', async () => {
		simulator.script({ on: 'create', times: 3, fault: { kind: 'misplaced', status: 429 } });
		const result = await run(['one', 'two', 'three'], { more });
		expect(statusesOf(result)).toEqual(['completed', 'completed', 'completed']);
		expect(simulator.tasks.size).toBe(3);
	});

	test('with invented records makes no more than one for each item', async () => {
		const fault = invented(UNKNOWN_IDS[0] ?? '', 429);
		simulator.script({ on: 'create', times: 3, fault });
		const result = await run(['one', 'two', 'three'], { more });
		expect(statusesOf(result)).toEqual(['completed', 'completed', 'completed']);
		expect(simulator.tasks.size).toBe(3);
	});

	test('with an id that is unknown is not asked for any more in this run', async () => {
		for (const prompt of ['one', 'two', 'three']) {
			const fault = invented(`task_000000000000000000none${prompt.length}`, 429);
			simulator.script({ on: 'create', prompt, fault });
		}
		const result = await run(['one', 'two', 'three'], {
			more: { options: { maxConcurrentTasks: 1 } },
		});
		expect(statusesOf(result)).toEqual(['completed', 'completed', 'completed']);
		const asked = simulator.reads().map(({ path }) => path.split('/').at(-1) ?? '');
		const unknown = asked.filter((id) => !simulator.tasks.has(id));
		expect(new Set(unknown)).toEqual(new Set(['task_000000000000000000none3']));
	});
});

describe('a gateway that refuses everybody', () => {
	test.each([401, 402, 403])('%s to create and read says no', async (code) => {
		simulator.script({
			on: 'create',
			times: Infinity,
			fault: invented(UNKNOWN_IDS[0] ?? '', code),
		});
		simulator.script({ on: 'task', times: Infinity, fault: status(code) });
		const result = await run(['one', 'two'], { settings: CONTINUE });
		for (const { json } of result.output) {
			expect(json.error).toMatchObject({
				description: expect.stringContaining('Nothing was created'),
				kind: code === 402 ? 'balance' : 'key',
			});
		}
	});

	test('401 to the read of what a 500 named leaves it in doubt', async () => {
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		simulator.script({ on: 'task', times: Infinity, fault: status(401) });
		const error = errorOf(await run(['one'], { settings: tries(2) }));
		expect(error.description).toContain('may have created a task');
		expect(error.context).toMatchObject({ kind: 'noAnswer', taskId: onlyTask().id });
		expect(simulator.creates()).toHaveLength(1);
	});
});

const UNSETTLED: Fault[] = [
	...[408, 425, 429, 500, 502, 503].map((code) => status(code)),
	{ kind: 'reset' },
	{ kind: 'hang' },
	{ kind: 'html' },
];

describe('a task that cannot be read', () => {
	const named = (prompt: string, code = 500) =>
		simulator.script({ on: 'create', prompt, fault: { kind: 'misplaced', status: code } });
	const outage = (prompt: string, times = Infinity) =>
		simulator.script({ on: 'task', prompt, times, fault: status(503) });

	test.each(UNSETTLED)('is read again when it is answered so once: %j', async (fault) => {
		named('one');
		simulator.script({ on: 'task', fault });
		expect(idsOf(await run(['one']))).toEqual([onlyTask().id]);
		expect(simulator.creates()).toHaveLength(1);
	});

	test.each(UNSETTLED)('may exist when it is answered so to the end: %j', async (fault) => {
		named('one', 409);
		simulator.script({ on: 'task', times: Infinity, fault });
		const error = errorOf(await run(['one'], { settings: tries(2) }));
		const { id } = onlyTask();
		expect(error.description).toContain('may have created a task');
		expect(error.description).toContain(id);
		expect(error.context).toMatchObject({ taskId: id, kind: 'noAnswer' });
		expect(simulator.creates()).toHaveLength(1);
	});

	test.each([409, 429, 500])(
		'after status %s is read first by a retry, and gives its video',
		async (code) => {
			named('one', code);
			outage('one', 3);
			const first = await run(['one']);
			const requestsBefore = simulator.requests.length;
			const second = await run(['one'], { retryOf: first });
			expect(idsOf(second)).toEqual([onlyTask().id]);
			expect(simulator.requests[requestsBefore]).toMatchObject({ route: 'task' });
			expect(simulator.creates()).toHaveLength(1);
		},
	);

	test('is read by Retry On Fail though no more tasks may be made', async () => {
		named('one');
		outage('one', 3);
		const more = { options: { maxNewTasks: 1 } };
		const result = await run(['one'], { more, settings: tries(2) });
		expect(idsOf(result)).toEqual([onlyTask().id]);
	});

	test('is read though another item can only stop the node', async () => {
		named('one');
		outage('one', 3);
		simulator.script({ on: 'create', prompt: 'two', createTask: true, fault: { kind: 'reset' } });
		const first = await run(['one', 'two'], { settings: CONTINUE });
		const error = errorOf(await run(['one', 'two'], { retryOf: first }));
		expect(error.context.itemIndex).toBe(1);
		expect(error.description).toContain(`${taskOf('one').id} (completed)`);
		expect(simulator.tasks.size).toBe(2);
	});

	test('gives the prompt that was sent, though the expression gives something else by now', async () => {
		const more = { prompt: '={{ $json.prompt }} {{ Math.random() }}', simplify: true };
		simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
		simulator.script({ on: 'task', times: 3, fault: status(503) });
		const first = await run(['one'], { more });
		const second = await run(['one'], { more, retryOf: first });
		expect(second.output[0]?.json.prompt).toBe(onlyTask().prompt);
	});

	test('is named when another item stops the node', async () => {
		named('two');
		outage('two');
		simulator.script({ on: 'create', prompt: 'one', fault: status(400) });
		const error = errorOf(await run(['one', 'two']));
		expect(error.context.itemIndex).toBe(0);
		expect(error.description).toContain(`2nd item: ${taskOf('two').id}`);
	});

	test('is named in the log when the execution is stopped meanwhile', async () => {
		const { onWarning, lines } = collectWarnings();
		named('one');
		simulator.script({ on: 'task', fault: { kind: 'hang' } });
		const work: Array<Promise<unknown>> = [];
		const started = start(['one'], { onWarning, onNode: (one) => void work.push(one) });
		await simulator.waitForRequest(({ fault }) => fault === 'hang');
		started.cancel();
		await started.result;
		await Promise.allSettled(work);
		expect(lines.join('\n')).toContain(onlyTask().id);
	});

	test('and is denied at last is not sent again, unless the person allows it', async () => {
		const { id } = simulator.addTask({ prompt: 'one', notFoundForMs: 10 * 60 * 60_000 });
		simulator.script({ on: 'create', fault: invented(id, 500) });
		simulator.script({ on: 'task', times: 3, fault: status(503) });
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

test('a task that is named and has failed is ordered again by Retry On Fail, like every other', async () => {
	simulator.planTask({ prompt: 'one', outcome: 'failed', error: { code: 'no_capacity' } });
	simulator.script({ on: 'create', fault: { kind: 'misplaced', status: 500 } });
	const result = await run(['one'], { settings: tries(2) });
	expect(statusesOf(result)).toEqual(['completed']);
	expect(tasksOf('one')).toHaveLength(2);
});

test('the record of another item is not taken for this one', async () => {
	simulator.planTask({ prompt: 'one', id: 'task_of_one' });
	const busy = { id: 'task_of_one', status: 'processing' };
	simulator.script({ on: 'create', prompt: 'two', fault: status(429, busy) });
	const result = await run(['one', 'two'], { more: { options: { maxConcurrentTasks: 1 } } });
	expect(result.status).toBe('success');
	expect(idsOf(result)).toEqual(['task_of_one', taskOf('two').id]);
});
