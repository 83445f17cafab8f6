import { DEFAULT_API_KEY } from '../programs/simulator';
import { errorOf, type RunResult } from '../programs/support/engine';
import { CONTINUE, type Given, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/** Keys that every process derives in the same way, so that the service makes one task of an order. */
const OTHER_KEY = 'another-key-0987';
const { simulator, run, tasksOf, newProcess } = useEngine({
	apiKeys: [DEFAULT_API_KEY, OTHER_KEY],
});

/** A click in the editor of an n8n that has started anew, or on another worker. */
const click = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
	await run(prompts, { mode: 'manual', process: newProcess(), ...given });

beforeEach(() => simulator.takeOrderKeys('honoured'));

describe('in the editor, after a restart', () => {
	test('nothing new is made, and equal items keep their two videos', async () => {
		const first = await click(['fox', 'fox', 'owl']);
		const second = await click(['fox', 'fox', 'owl']);
		expect(idsOf(second)).toEqual(idsOf(first));
		expect(new Set(idsOf(second)).size).toBe(3);
		expect(simulator.tasks.size).toBe(3);
	});

	test('one that has failed is followed by another, which each later process finds', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' } });
		await click(['fox'], { settings: CONTINUE });
		const second = await click(['fox']);
		expect(statusesOf(second)).toEqual(['completed']);
		expect(idsOf(await click(['fox']))).toEqual(idsOf(second));
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('one whose answer is played again without a mark is followed only when it is asked for again', async () => {
		simulator.takeOrderKeys('unmarked');
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' } });
		await click(['fox']);
		const process = newProcess();
		expect(errorOf(await click(['fox'], { process })).context.kind).toBe('failed');
		expect(tasksOf('fox')).toHaveLength(1);
		expect(statusesOf(await click(['fox'], { process }))).toEqual(['completed']);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('one that was refused for its content is not followed by itself', async () => {
		simulator.planTask({
			outcome: 'failed',
			error: { code: 'content_policy_violation' },
			times: 9,
		});
		await click(['fox']);
		expect(errorOf(await click(['fox'])).context.kind).toBe('moderation');
		expect(tasksOf('fox')).toHaveLength(1);
	});
});

describe('an Order Key', () => {
	const keyed = (orderKey: string, options = {}) => ({ options: { orderKey, ...options } });
	/** A trigger that fires, each time in a process of its own. */
	const fire = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
		await run(prompts, {
			process: newProcess(),
			...given,
			more: { ...keyed('row-7'), ...given.more },
		});

	test('makes one task of two executions at the same moment, and both get it', async () => {
		const [one, other] = (await Promise.all([fire(['fox']), fire(['fox'])])).map(idsOf);
		expect(one).toEqual(other);
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('of one of two rows is known already', async () => {
		const more = { options: { orderKey: '={{ $json.prompt }}' } };
		const first = await fire(['fox'], { more });
		const second = await fire(['fox', 'owl'], { more });
		expect(idsOf(second)[0]).toBe(idsOf(first)[0]);
		expect(simulator.tasks.size).toBe(2);
	});

	test('after a failed task: the second try orders, and another process gets that very task', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' } });
		const first = await fire(['fox'], { settings: tries(2) });
		expect(statusesOf(first)).toEqual(['completed']);
		expect(idsOf(await fire(['fox']))).toEqual(idsOf(first));
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('after a refusal for money, topped up: it is ordered', async () => {
		simulator.script({ on: 'create', fault: status(402) });
		await fire(['fox']);
		expect(statusesOf(await fire(['fox']))).toEqual(['completed']);
	});

	test('after a refusal for money that the service plays again and says so: it is ordered', async () => {
		simulator.takeOrderKeys('repeated');
		simulator.script({ on: 'create', fault: status(402) });
		await fire(['fox']);
		expect(statusesOf(await fire(['fox']))).toEqual(['completed']);
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('after a refusal for money that is played again without a mark: it is refused', async () => {
		simulator.takeOrderKeys('unmarked');
		simulator.script({ on: 'create', fault: status(402) });
		await fire(['fox']);
		expect(errorOf(await fire(['fox'])).context.kind).toBe('balance');
		expect(simulator.creates()).toHaveLength(2);
	});

	test('that the service is still busy with is sent again until it gives the task', async () => {
		const inUse = status(409, { error: { code: 'idempotency_key_in_use' } });
		simulator.script({ on: 'create', skip: 1, times: 2, fault: inUse });
		const first = await fire(['fox']);
		expect(idsOf(await fire(['fox']))).toEqual(idsOf(first));
		expect(simulator.creates().map((create) => create.status)).toEqual([200, 409, 409, 200]);
	});

	test('that two items of a run have with different requests orders nothing', async () => {
		const result = await fire(['fox', 'owl'], { settings: CONTINUE });
		expect(result.output.map(({ json }) => json.error)).toMatchObject([
			{ kind: 'invalid' },
			{ kind: 'invalid' },
		]);
		expect(simulator.creates()).toEqual([]);
	});

	test('that two equal items of a run have is one order', async () => {
		const [one, other] = idsOf(await fire(['fox', 'fox']));
		expect(one).toBe(other);
		expect(simulator.creates()).toHaveLength(1);
	});

	test('of an order whose body has changed may exist, and is not sent again', async () => {
		await fire(['fox']);
		const error = errorOf(await fire(['owl'], { settings: tries(2) }));
		expect(error.context.kind).toBe('noAnswer');
		expect(error.description).toContain('Order Key');
		expect(simulator.tasks.size).toBe(1);
	});

	test('is sent again with the same bytes', async () => {
		simulator.script({ on: 'create', times: 2, fault: status(429) });
		await fire(['fox']);
		const bodies = simulator.creates().map(({ bodyText }) => bodyText);
		expect(bodies).toHaveLength(3);
		expect(new Set(bodies).size).toBe(1);
	});
});
