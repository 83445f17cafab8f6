import type { Fault } from '../programs/simulator';
import { errorOf } from '../programs/support/engine';
import { idsOf, status, statusesOf, tries, useEngine } from './useEngine';

/** `Idempotency-Key`: one for each order, until it is known that it made no task. */

const { simulator, run, taskOf, tasksOf, createsOf } = useEngine();

const keysOf = (prompt: string | RegExp): unknown[] =>
	simulator
		.creates()
		.filter(({ prompt: text = '' }) => text.search(prompt) >= 0)
		.map(({ headers }) => headers['idempotency-key']);
const differentKeys = (prompt: string | RegExp) => new Set(keysOf(prompt)).size;

const RESEND = { options: { resendAfterNoReply: true } };
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const lost = (prompt?: string | RegExp) =>
	simulator.script({ on: 'create', prompt, createTask: true, fault: { kind: 'reset' } });
const answer = (fault: Fault) => simulator.script({ on: 'create', fault });
const replayed = (code: number): Fault => ({
	kind: 'status',
	status: code,
	headers: { 'Idempotent-Replayed': 'true' },
});
const aboutKey = (code: number, word: string): Fault => status(code, { error: { code: word } });

test('every create has one of its own', async () => {
	await run(['one', 'two']);
	const keys = [...keysOf('one'), ...keysOf('two')];
	expect(new Set(keys).size).toBe(2);
	for (const key of keys) expect(key).toMatch(UUID);
});

describe('a create without an answer', () => {
	test.each([
		['honoured', 1],
		['repeated', 1],
		['ignored', 2],
	] as const)('that may be sent again where keys are %s makes %i', async (keys, count) => {
		simulator.takeOrderKeys(keys);
		lost();
		const result = await run(['one'], { settings: tries(2), more: RESEND });
		expect(statusesOf(result)).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(count);
		expect(differentKeys('one')).toBe(1);
	});

	test('keeps its key for a person who presses Retry, though the prompt changes by itself', async () => {
		lost();
		const more = { ...RESEND, prompt: '={{ $json.prompt }} {{ Math.random() }}' };
		const first = await run(['one'], { more });
		await run(['one'], { more, retryOf: first });
		expect(simulator.creates()).toHaveLength(2);
		expect(differentKeys('one')).toBe(1);
	});

	test.each([409, 422] as const)('and then %s for its key may exist', async (code) => {
		simulator.takeOrderKeys(code);
		lost();
		const first = await run(['one'], { more: RESEND });
		const { message, description, context } = errorOf(
			await run(['one'], { more: RESEND, retryOf: first }),
		);
		expect(message).toContain('it is not known whether a task was created');
		expect(description).toContain('To order a new video, change the prompt');
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
		expect(differentKeys('one')).toBe(1);
	});

	test('whose refusal is played again has made no task', async () => {
		answer({ kind: 'reset' });
		answer(replayed(400));
		const first = await run(['one'], { more: RESEND });
		const second = await run(['one'], { more: RESEND, retryOf: first });
		expect(errorOf(second).description).toContain('Nothing was created');
		expect(statusesOf(await run(['one'], { retryOf: second }))).toEqual(['completed']);
		expect(differentKeys('one')).toBe(2);
	});

	test('whose 5XX is played again may exist, and cannot be sent again', async () => {
		answer({ kind: 'reset' });
		answer(replayed(500));
		const first = await run(['one'], { more: RESEND });
		const second = await run(['one'], { more: RESEND, retryOf: first });
		expect(errorOf(second).description).toContain('To order a new video, change the prompt');
	});

	test('that is still under way is sent again, unchanged, until it is answered', async () => {
		simulator.takeOrderKeys('honoured');
		lost();
		answer(aboutKey(409, 'idempotency_key_in_use'));
		answer(aboutKey(409, 'idempotency_key_in_use'));
		const result = await run(['one'], { settings: tries(2), more: RESEND });
		expect(idsOf(result)).toEqual([taskOf('one').id]);
		expect(createsOf('one')).toHaveLength(4);
		expect(new Set(createsOf('one').map(({ bodyText }) => bodyText)).size).toBe(1);
	});
});

test('a key in use is waited for also by a node that resends nothing by itself', async () => {
	answer(aboutKey(409, 'idempotency_key_in_use'));
	expect(statusesOf(await run(['one']))).toEqual(['completed']);
	expect(differentKeys('one')).toBe(1);
});

test.each([400, 409, 422])('%s for a key that nobody sent before may exist', async (code) => {
	answer(aboutKey(code, 'idempotency_conflict'));
	const error = errorOf(await run(['one'], { settings: tries(3) }));
	expect(error.context.kind).toBe('noAnswer');
	expect(createsOf('one')).toHaveLength(1);
});

describe('an order that made no task', () => {
	test.each([
		['429', status(429), {}],
		['a refusal', status(400), tries(2)],
	])('by %s ends its key', async (_, fault, settings) => {
		simulator.takeOrderKeys('repeated');
		answer(fault);
		expect(statusesOf(await run(['one'], { settings }))).toEqual(['completed']);
		expect(differentKeys('one')).toBe(2);
	});

	test('because its task failed, ends its key', async () => {
		simulator.takeOrderKeys('honoured');
		simulator.planTask({ outcome: 'failed', error: { code: 'no_capacity' } });
		const result = await run(['one'], { settings: tries(2) });
		expect(statusesOf(result)).toEqual(['completed']);
		expect(tasksOf('one')).toHaveLength(2);
	});
});
