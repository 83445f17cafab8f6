import type { IDataObject } from 'n8n-workflow';
import type { Again } from '../support/otherNodes';
import { ERROR_OUTPUT, NOW, status, useEngine } from '../support/useEngine';

/** The error output is wired back into the node, to try again. */

const { simulator, clock, run, taskOf, tasksOf, loseAnswer } = useEngine();

/** Ends a loop that would never end. */
const turns =
	(most: number, change: (item: IDataObject) => IDataObject = (item) => item): Again =>
	(items, turn) =>
		turn > most ? [] : items.map(change);
const loop = async (again: Again, more: IDataObject = {}) =>
	await run(['one'], { settings: ERROR_OUTPUT, more, again });

const BRIEFLY = { options: { timeoutMinutes: 0.1 } };
/** In the second run of the node alone. */
const once = (value: unknown, otherwise: unknown) =>
	`={{ $runIndex === 1 ? ${JSON.stringify(value)} : ${JSON.stringify(otherwise)} }}`;
const counted = ({ count = 0, ...item }: IDataObject): IDataObject => ({
	...item,
	count: Number(count) + 1,
});

describe('while its task is unfinished, an item that comes back', () => {
	test.each([
		['as it went out', (item: IDataObject) => item, {}],
		['with an expression that gives something else', (item: IDataObject) => item, NOW],
		['with a count of its turns', counted, NOW],
	])('%s creates nothing', async (_, change, more) => {
		simulator.planTask({ outcome: 'never' });
		await loop(turns(8, change), { ...BRIEFLY, ...more });
		expect(simulator.tasks.size).toBe(1);
	});
});

test.each<[string, string, IDataObject]>([
	['a field that is sent', 'timeout', { ...BRIEFLY, duration: once(99, 5) }],
	['an option of waiting', 'invalid', { options: { timeoutMinutes: once(-1, 0.1) } }],
])(
	'an item that comes back and is invalid for one turn, because of %s, continues its task in the next',
	async (_what, kind, more) => {
		simulator.planTask({ outcome: 'never' });
		const errors: unknown[] = [];
		const keep = (item: IDataObject) => {
			errors.push(item.error);
			return item;
		};
		await loop(turns(3, keep), more);
		const late = { kind: 'timeout', taskId: taskOf('one').id };
		const ofInvalid = kind === late.kind ? late : { kind };
		expect(errors).toMatchObject([late, ofInvalid, late]);
	},
);

test('an item that comes back twice has two videos', async () => {
	simulator.planTask({ outcome: 'never' });
	simulator.planTask({ durationMs: 1_000 });
	const twice: Again = (items, turn) => {
		for (const id of simulator.tasks.keys()) simulator.finish(id);
		return turn > 1 ? [] : [...items, ...items];
	};
	const { output } = await loop(twice, BRIEFLY);
	expect(new Set(output.map(({ json }) => json.id))).toEqual(new Set(simulator.tasks.keys()));
	expect(simulator.tasks.size).toBe(2);
});

test('a create without an answer is not sent again in a loop', async () => {
	loseAnswer();
	await loop(turns(8), NOW);
	expect(simulator.creates()).toHaveLength(1);
});

describe('once its task has failed', () => {
	const fails = (error: object, times: number) =>
		simulator.planTask({ prompt: /^one/, outcome: 'failed', error, times });
	const POLICY = { code: 'content_policy_violation' };

	test('for another reason, the same request is created anew', async () => {
		fails({ code: 'no_capacity' }, 2);
		await loop(turns(5));
		expect(tasksOf('one')).toHaveLength(3);
	});

	test.each([
		['the same request is', {}],
		['an item whose expression gives something else is', NOW],
	])('for its content, %s answered from what is known', async (_what, more) => {
		fails(POLICY, 9);
		await loop(turns(6), more);
		expect(tasksOf(/^one/)).toHaveLength(1);
	});
});

/** None of these costs anything. */
test.each<[string, IDataObject, object]>([
	['a refusal', {}, {}],
	['an invalid field', { duration: 99 }, {}],
	['an unknown task', { operation: 'getTask', taskId: 'task_none' }, {}],
	['a bad credential', {}, { apiKey: '' }],
])(
	'a loop without an end, because of %s, waits some seconds each time',
	async (_what, more, credential) => {
		simulator.script({ on: 'create', times: Infinity, fault: status(400) });
		const beganAt = clock.now();
		const [settings, again] = [ERROR_OUTPUT, turns(10)];
		await run(['one'], { settings, more, again, credential: { ...credential } });
		expect(clock.now() - beganAt).toBeGreaterThanOrEqual(10 * 5_000);
		expect(simulator.tasks.size).toBe(0);
	},
);
