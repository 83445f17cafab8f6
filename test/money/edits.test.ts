import { type Given, kindOf, useEngine } from '../support/useEngine';

const { simulator, run, click, produce, createsOf, tasksOf } = useEngine();

const SHORT = { options: { timeoutMinutes: 1 } };
const EDITED = { ...SHORT, prompt: 'two' };

/** An execution in which the task of "one" is not completed in time. */
async function timesOut(given: Given = {}) {
	simulator.planTask({ prompt: 'one', outcome: 'never' });
	const result = await click(['one'], { more: SHORT, ...given });
	expect(kindOf(result)).toBe('timeout');
	return result;
}

describe.each(['manual', 'trigger'] as const)(
	'after a Retry with another prompt of an execution of mode %s',
	(mode) => {
		async function retriesWithEdit() {
			const first = await timesOut({ mode });
			await produce(['one'], { retryOf: first, more: EDITED });
			expect(tasksOf('two')).toHaveLength(1);
			return first;
		}

		test('a click in the editor reuses the first task', async () => {
			await retriesWithEdit();
			await click(['one'], { more: SHORT });
			expect(createsOf('one')).toHaveLength(1);
		});

		test('a Retry with the first prompt, a Retry of that, and a second edit create nothing', async () => {
			const back = await produce(['one'], { retryOf: await retriesWithEdit(), more: SHORT });
			await produce(['one'], { retryOf: back, more: EDITED });
			// In another process.
			await run(['one'], { retryOf: back, more: EDITED });
			expect([createsOf('one').length, createsOf('two').length]).toEqual([1, 1]);
		});
	},
);

test('without reuse in the editor, too, a Retry with the first prompt reads the first task', async () => {
	const off = { options: { ...SHORT.options, reuseInEditor: false } };
	const first = await timesOut({ mode: 'trigger', more: off });
	const second = await run(['one'], { retryOf: first, more: { ...off, prompt: 'two' } });
	await run(['one'], { retryOf: second, more: off });
	expect([createsOf('one').length, createsOf('two').length]).toEqual([1, 1]);
});

test.each([
	['with another key', { apiKey: 'a-key-that-nobody-has' }],
	['for practice', { environment: 'practice' }],
])('after a Retry %s, a click and a Retry read the first task', async (_what, credential) => {
	const first = await timesOut();
	await produce(['one'], { retryOf: first, more: SHORT, credential });
	await click(['one'], { more: SHORT });
	await produce(['one'], { retryOf: first, more: SHORT });
	expect(createsOf('one')).toHaveLength(1);
});
