import type { Fault, TaskPlan } from '../../tools/simulator';
import {
	CONTINUE,
	kindOf,
	NO_WAIT,
	NOW,
	status,
	statusesOf,
	TOOL,
	tries,
	useEngine,
} from '../support/useEngine';

/**
 * Rule: what is refused for its content is not created again by an automatic try. What counts as that
 * stands in the unit tests of `service/`.
 */

const { simulator, run, tasksOf } = useEngine();

const CODE = { code: 'content_policy_violation', message: 'No.' };
const REFUSED: Fault = status(400, { error: CODE });
const moderated = (more: TaskPlan = {}) =>
	simulator.planTask({ prompt: 'one', outcome: 'failed', error: CODE, times: 9, ...more });

test('a failed task is not created again by Retry On Fail, nor are the others', async () => {
	moderated();
	expect(kindOf(await run(['two', 'one'], { settings: tries(3) }))).toBe('moderation');
	expect(tasksOf('one')).toHaveLength(1);
	expect(tasksOf('two')).toHaveLength(1);
});

test('a create that is answered “failed” at once is not created again where nothing waits', async () => {
	moderated({ immediate: true });
	simulator.script({ on: 'create', prompt: 'two', fault: status(400) });
	const settings = { ...tries(3), ...CONTINUE };
	const result = await run(['two', 'one'], { settings, more: NO_WAIT });
	expect(result.output.map(({ json }) => json)).toMatchObject([
		{ status: 'pending' },
		{ error: { kind: 'moderation', status: 'failed' } },
	]);
	expect(tasksOf('one')).toHaveLength(1);
});

describe('a create that is refused', () => {
	const always = (fault: Fault) =>
		simulator.script({ on: 'create', prompt: /^one/, times: Infinity, fault });

	test.each([
		['', {}, {}],
		[', where the node continues', CONTINUE, {}],
		[', though an expression gives something else each time', {}, NOW],
	])('for its content is sent once by Retry On Fail%s', async (_what, settings, more) => {
		always(REFUSED);
		await run(['one', 'two'], { settings: { ...tries(3), ...settings }, more });
		expect(simulator.creates().map(({ prompt = '' }) => prompt.slice(0, 3))).toEqual([
			'one',
			'two',
		]);
	});

	test('for its content is sent again for a person', async () => {
		simulator.script({ on: 'create', fault: REFUSED });
		const first = await run(['one']);
		expect(statusesOf(await run(['one'], { retryOf: first }))).toEqual(['completed']);
		expect([simulator.creates().length, simulator.tasks.size]).toEqual([2, 1]);
	});
});

test('a person who presses Retry gets another task, and an automatic try after that none', async () => {
	moderated();
	const first = await run(['one'], { settings: tries(2) });
	await run(['one'], { settings: tries(2), retryOf: first });
	expect(tasksOf('one')).toHaveLength(2);
});

test('an agent that asks again gets no other task, and one after a change', async () => {
	moderated();
	const call = { settings: TOOL, executionId: 'agent' };
	const first = await run(['one'], call);
	await run(['one'], { ...call, retryOf: first, earlierRuns: 1 });
	await run(['two'], { ...call, retryOf: first, earlierRuns: 2 });
	expect(tasksOf('one')).toHaveLength(1);
	expect(tasksOf('two')).toHaveLength(1);
});
