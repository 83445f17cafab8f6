import type { Fault } from '../../tools/simulator';
import { errorOf, type RunResult } from '../support/engine';
import {
	CONTINUE,
	errorIn,
	type Given,
	idsOf,
	kindOf,
	NOW,
	RESEND,
	status,
	statusesOf,
	TOOL,
	tries,
	useEngine,
} from '../support/useEngine';

/** `Idempotency-Key`, against services that honour it and others. */
const { simulator, run, taskOf, tasksOf, newProcess, keys, loseAnswer } = useEngine();

const differentKeys = () => new Set(keys()).size;
const differentBodies = () => new Set(simulator.creates().map(({ bodyText }) => bodyText)).size;

const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const answer = (fault: Fault) => simulator.script({ on: 'create', fault });

test('every create has one of its own', async () => {
	await run(['one', 'two']);
	expect(differentKeys()).toBe(2);
	for (const key of keys()) expect(key).toMatch(UUID);
});

describe('a create without an answer', () => {
	test.each([
		['honoured', 1],
		['repeated', 1],
		['ignored', 2],
	] as const)('that a person sends again where keys are %s makes %i', async (service, count) => {
		simulator.takeIdempotencyKeys(service);
		loseAnswer();
		const first = await run(['one'], { settings: tries(2), more: RESEND });
		expect(simulator.creates()).toHaveLength(1);
		const second = await run(['one'], { more: RESEND, retryOf: first });
		expect(statusesOf(second)).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(count);
		expect(differentKeys()).toBe(1);
	});

	test('keeps its key and its request for a person who presses Retry, though the prompt changes by itself', async () => {
		loseAnswer();
		const more = { ...RESEND, ...NOW };
		const first = await run(['one'], { more });
		await run(['one'], { more, retryOf: first });
		expect(simulator.creates()).toHaveLength(2);
		expect([differentKeys(), differentBodies()]).toEqual([1, 1]);
	});

	test('and then 409 for its key may exist, and the error names the key', async () => {
		simulator.takeIdempotencyKeys(409);
		loseAnswer();
		const first = await run(['one'], { more: RESEND });
		const error = errorOf(await run(['one'], { more: RESEND, retryOf: first }));
		expect(error.context.kind).toBe('noAnswer');
		expect(error.description).toContain('Idempotency Key');
		await run(['two'], { more: RESEND, retryOf: first });
		expect(tasksOf('one')).toHaveLength(1);
		expect(tasksOf('two')).toHaveLength(1);
	});
});

test('a clear no ends the key, 429 aside', async () => {
	for (const code of [429, 400]) answer(status(code));
	const first = await run(['one']);
	await run(['one'], { retryOf: first });
	const [limited, refused, accepted] = keys();
	expect(refused).toBe(limited);
	expect(accepted).not.toBe(limited);
});

test('a task that failed ends the key, or the failed task would come again', async () => {
	simulator.takeIdempotencyKeys('honoured');
	simulator.planTask({ outcome: 'failed', error: { code: 'no_capacity' } });
	const result = await run(['one'], { settings: tries(2) });
	expect(statusesOf(result)).toEqual(['completed']);
	expect(tasksOf('one')).toHaveLength(2);
});

describe('an Idempotency Key of the person', () => {
	const keyed = (idempotencyKey: string) => ({ options: { idempotencyKey } });
	/** A trigger that fires, each time in a process of its own. */
	const fire = async (prompts: string[], given: Given = {}): Promise<RunResult> =>
		await run(prompts, { ...given, more: { ...keyed('row-7'), ...given.more } });

	beforeEach(() => simulator.takeIdempotencyKeys('honoured'));

	test('makes one task of two executions at the same moment, and both get it', async () => {
		const [one, other] = (await Promise.all([fire(['fox']), fire(['fox'])])).map(idsOf);
		expect(one).toEqual(other);
		expect(tasksOf('fox')).toHaveLength(1);
		expect(keys()).toEqual([expect.stringMatching(UUID), keys()[0]]);
	});

	test.each<[string, Given]>([
		['text', { more: keyed('row-8') }],
		['node', { settings: { id: 'another' } }],
		['workflow', { workflowId: 'another' }],
	])('is another one for another %s', async (_what, given) => {
		await fire(['fox']);
		await fire(['fox'], given);
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('after a failed task: the second try creates, and another execution walks the same way', async () => {
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' } });
		const first = await fire(['fox'], { settings: tries(2) });
		expect(statusesOf(first)).toEqual(['completed']);
		expect(kindOf(await fire(['fox']))).toBe('failed');
		expect(idsOf(await fire(['fox'], { settings: tries(2) }))).toEqual(idsOf(first));
		expect(tasksOf('fox')).toHaveLength(2);
	});

	test('after a failed task, in the editor: each click in one process creates one more', async () => {
		const given: Given = { mode: 'manual', process: newProcess() };
		simulator.planTask({ outcome: 'failed', error: { code: 'unknown_error' }, times: 2 });
		await fire(['fox'], given);
		await fire(['fox'], given);
		expect(statusesOf(await fire(['fox'], given))).toEqual(['completed']);
		expect([tasksOf('fox').length, differentKeys()]).toEqual([3, 3]);
	});

	test('after a refusal for money that the service plays again: it is refused', async () => {
		simulator.takeIdempotencyKeys('repeated');
		answer(status(402));
		await fire(['fox']);
		expect(kindOf(await fire(['fox']))).toBe('balance');
		expect(simulator.creates()).toHaveLength(2);
	});

	test('that an earlier run of the node in the same execution has used is refused', async () => {
		const given = { executionId: 'loop', process: newProcess() };
		const first = await fire(['fox'], { ...given, settings: CONTINUE });
		const second = await fire(['owl'], { ...given, retryOf: first, earlierRuns: 1 });
		expect(kindOf(second)).toBe('invalid');
		expect(simulator.creates()).toHaveLength(1);
	});

	test('that a Retry continues is the same item', async () => {
		simulator.script({ on: 'task', fault: status(405) });
		const first = await fire(['fox']);
		expect(statusesOf(await fire(['fox'], { retryOf: first }))).toEqual(['completed']);
		expect(tasksOf('fox')).toHaveLength(1);
	});

	test('that a Retry gives to all items is refused for the second, whose task is named', async () => {
		loseAnswer('fox');
		const first = await fire(['fox', 'owl'], { more: keyed('={{ $json.prompt }}') });
		const more = keyed('changed after the first answer was lost');
		const second = await fire(['fox', 'owl'], { more, settings: CONTINUE, retryOf: first });
		expect(errorIn(second, 1)).toMatchObject({
			kind: 'invalid',
			taskId: taskOf('owl').id,
			description: expect.stringMatching(/^Nothing new was created/),
		});
		expect(simulator.tasks.size).toBe(2);
	});

	test('of an agent is one for each request', async () => {
		const call = { settings: TOOL, executionId: 'agent', process: newProcess() };
		const first = await fire(['fox'], call);
		const second = await fire(['owl'], { ...call, retryOf: first, earlierRuns: 1 });
		expect(statusesOf(second)).toEqual(['completed']);
		const third = await fire(['fox'], { ...call, retryOf: second, earlierRuns: 2 });
		expect(idsOf(third)).toEqual(idsOf(first));
		expect(differentKeys()).toBe(2);
	});

	test('with another request may have a task, and is not sent again; with another key it is', async () => {
		await fire(['fox']);
		const refused = await fire(['owl']);
		expect(kindOf(refused)).toBe('noAnswer');
		expect(errorOf(refused).description).toContain('Idempotency Key');
		const again = await fire(['owl'], { settings: tries(2), retryOf: refused });
		expect(kindOf(again)).toBe('noAnswer');
		expect(simulator.creates()).toHaveLength(2);
		expect(statusesOf(await fire(['owl'], { more: keyed('other') }))).toEqual(['completed']);
		expect(tasksOf('owl')).toHaveLength(1);
	});

	test('is sent again with the same bytes', async () => {
		for (let time = 0; time < 2; time += 1) answer(status(429));
		await fire(['fox']);
		expect(simulator.creates()).toHaveLength(3);
		expect(differentBodies()).toBe(1);
	});
});
