import { DEFAULT_API_KEY } from '../programs/simulator';
import { errorOf, type RunResult } from '../programs/support/engine';
import { CONTINUE, type Given, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/** Keys that every process derives in the same way, so that the service makes one task of an order. */
const OTHER_KEY = 'another-key-0987';
const { simulator, run, tasksOf, newProcess } = useEngine({
	apiKeys: [DEFAULT_API_KEY, OTHER_KEY],
});

const NO_WAIT = { waitForCompletion: false, downloadResults: false };
const keysSent = () => simulator.creates().map(({ headers }) => headers['idempotency-key']);

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

	test('equal rows in a loop have a video each', async () => {
		const rows = async (executionId: string) => {
			const process = newProcess();
			const ids: unknown[] = [];
			for (let row = 0; row < 3; row += 1) {
				const given: Given = { executionId, earlierRuns: row, process };
				ids.push(...idsOf(await click(['fox'], given)));
			}
			return ids;
		};
		const first = await rows('first');
		expect(await rows('second')).toEqual(first);
		expect(new Set(first).size).toBe(3);
	});

	test('one that has failed is followed by another, which each later process finds', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' } });
		await click(['fox'], { settings: CONTINUE });
		const second = await click(['fox']);
		expect(statusesOf(second)).toEqual(['completed']);
		expect(idsOf(await click(['fox']))).toEqual(idsOf(second));
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

	test.each<[string, Given]>([
		['the option off', { more: { options: { reuseInEditor: false } } }],
		['a Callback URL', { more: { options: { callbackUrl: 'https://example.com/hook' } } }],
		['production', { mode: 'trigger' }],
	])('with %s keys are random', async (_, given) => {
		await click(['fox'], given);
		await click(['fox'], given);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test.each<[string, Given]>([
		['node', { settings: { id: 'another' } }],
		['workflow', { workflowId: 'another' }],
		['key', { credential: { apiKey: OTHER_KEY } }],
		['request', { more: { duration: 9 } }],
	])('another %s has another key', async (_, given) => {
		await click(['fox'], { more: NO_WAIT });
		await click(['fox'], { ...given, more: { ...NO_WAIT, ...given.more } });
		expect(new Set(keysSent()).size).toBe(2);
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

	test('is a UUID from which the text cannot be read', async () => {
		await fire(['fox'], { more: keyed('secret-row') });
		expect(keysSent()[0]).toMatch(
			/^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
		);
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

	test.each<[string, Given]>([
		['an own Callback URL', { more: keyed('row-7', { callbackUrl: 'https://example.com/hook' }) }],
		[
			'Reuse Videos in Editor off',
			{ mode: 'manual', more: keyed('row-7', { reuseInEditor: false }) },
		],
		['in a sub-workflow', { mode: 'integrated' }],
		['as a tool', { settings: { type: 'n8n-nodes-videogen-tasks.videogenTool' } }],
	])('is derived all the same: %s', async (_, given) => {
		await fire(['fox'], given);
		await fire(['fox'], given);
		expect(new Set(keysSent()).size).toBe(1);
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('with a hole in it orders nothing', async () => {
		const more = { options: { orderKey: '=row-{{ $json.id }}' } };
		expect(errorOf(await fire(['fox'], { more })).context.kind).toBe('invalid');
		expect(simulator.creates()).toEqual([]);
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

	test('does nothing where the service ignores keys', async () => {
		simulator.takeOrderKeys('ignored');
		await fire(['fox']);
		await fire(['fox']);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('is sent again with the same bytes', async () => {
		simulator.script({ on: 'create', times: 2, fault: status(429) });
		await fire(['fox']);
		const bodies = simulator.creates().map(({ bodyText }) => bodyText);
		expect(bodies).toHaveLength(3);
		expect(new Set(bodies).size).toBe(1);
	});
});
