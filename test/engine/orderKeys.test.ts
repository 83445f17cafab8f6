import type { Fault } from '../programs/simulator';
import { errorOf } from '../programs/support/engine';
import { ERROR_OUTPUT, idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/**
 * `Idempotency-Key`, against services that honour it and others. When a key ends and when it stays
 * stands in `test/unit/work/orderKey.test.ts`, what an answer about it means in `test/unit/service/answerMeaning.test.ts`.
 */

const { simulator, run, taskOf, tasksOf, newProcess } = useEngine();

const keys = (): unknown[] => simulator.creates().map(({ headers }) => headers['idempotency-key']);
const differentKeys = () => new Set(keys()).size;

const RESEND = { options: { resendAfterNoReply: true } };
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const answer = (fault: Fault) => simulator.script({ on: 'create', fault });
const lost = () => simulator.script({ on: 'create', createTask: true, fault: { kind: 'reset' } });

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
	] as const)('that may be sent again where keys are %s makes %i', async (service, count) => {
		simulator.takeOrderKeys(service);
		lost();
		const result = await run(['one'], { settings: tries(2), more: RESEND });
		expect(statusesOf(result)).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(count);
		expect(differentKeys()).toBe(1);
	});

	test('keeps its key for a person who presses Retry, though the prompt changes by itself', async () => {
		lost();
		const more = { ...RESEND, prompt: '={{ $json.prompt }} {{ Math.random() }}' };
		const first = await run(['one'], { more });
		await run(['one'], { more, retryOf: first });
		expect(simulator.creates()).toHaveLength(2);
		expect(differentKeys()).toBe(1);
	});

	test('and then 409 for its key may exist: another prompt is the way to another video', async () => {
		simulator.takeOrderKeys(409);
		lost();
		const first = await run(['one'], { more: RESEND });
		const { message, description, context } = errorOf(
			await run(['one'], { more: RESEND, retryOf: first }),
		);
		expect(message).toContain('a task may exist');
		expect(description).toContain("To order another video, change 'Order Key' or 'Prompt'");
		expect(context.kind).toBe('noAnswer');
		await run(['two'], { more: RESEND, retryOf: first });
		expect(tasksOf('one')).toHaveLength(1);
		expect(tasksOf('two')).toHaveLength(1);
	});

	test.each([429, 400])('then %s, then accepted, makes one task', async (code) => {
		simulator.takeOrderKeys('honoured');
		lost();
		answer(status(code));
		const result = await run(['one'], { settings: tries(3), more: RESEND });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(differentKeys()).toBe(1);
	});
});

describe('an Order Key that another request has had is a 409, and once it is changed, as advised,', () => {
	const keyed = (orderKey: string) => ({ more: { options: { orderKey } } });
	const expectOneTask = () => expect(tasksOf('one')).toHaveLength(1);
	beforeEach(async () => {
		simulator.takeOrderKeys('honoured');
		await run(['another'], keyed('key'));
	});

	test('a Retry orders, and without that it does not', async () => {
		const refused = await run(['one'], keyed('key'));
		expect(errorOf(refused).description).toContain("change 'Order Key'");
		const again = await run(['one'], { ...keyed('key'), retryOf: refused });
		expect(errorOf(again).context.kind).toBe('noAnswer');
		expect(tasksOf('one')).toEqual([]);
		expect(statusesOf(await run(['one'], { ...keyed('other'), retryOf: again }))).toEqual([
			'completed',
		]);
		expectOneTask();
	});

	test('a click in the editor orders, and the next takes that video', async () => {
		const given = { mode: 'manual' as const, process: newProcess() };
		errorOf(await run(['one'], { ...given, ...keyed('key') }));
		const ordered = await run(['one'], { ...given, ...keyed('other') });
		expect(statusesOf(ordered)).toEqual(['completed']);
		expect(idsOf(await run(['one'], { ...given, ...keyed('other') }))).toEqual(idsOf(ordered));
		expectOneTask();
	});

	test.each([
		['409', [lost, () => answer(status(409))]],
		['no answer', [() => answer(status(409)), lost]],
	] as const)(
		'but nothing where another create of the order got no answer: then %s',
		async (_last, [firstAnswer, secondAnswer]) => {
			firstAnswer();
			const first = await run(['one'], keyed('first'));
			secondAnswer();
			const resent = { options: { orderKey: 'first', resendAfterNoReply: true } };
			const second = await run(['one'], { more: resent, retryOf: first });
			const third = await run(['one'], { ...keyed('other'), retryOf: second });
			expect(errorOf(third).context.kind).toBe('noAnswer');
			expect(simulator.creates()).toHaveLength(3);
			expectOneTask();
		},
	);

	test('an item that a loop brings back is ordered', async () => {
		const result = await run(['one'], {
			...keyed('={{ $json.key ?? "key" }}'),
			settings: ERROR_OUTPUT,
			again: (items, turn) => (turn > 2 ? [] : items.map((item) => ({ ...item, key: `${turn}` }))),
		});
		expect(statusesOf(result)).toEqual(['completed']);
		expectOneTask();
	});
});

test('an order whose task failed ends its key, or the failed task would come again', async () => {
	simulator.takeOrderKeys('honoured');
	simulator.planTask({ outcome: 'failed', error: { code: 'no_capacity' } });
	const result = await run(['one'], { settings: tries(2) });
	expect(statusesOf(result)).toEqual(['completed']);
	expect(tasksOf('one')).toHaveLength(2);
});
