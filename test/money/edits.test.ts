import { type Given, kindOf, useEngine } from '../support/useEngine';

const { simulator, newProcess, run, createsOf, tasksOf } = useEngine();

const SHORT: Given['more'] = { options: { timeoutMinutes: 1 } };
const EDITED: Given['more'] = { ...SHORT, prompt: 'two' };

/** An execution in which the task of "one" is not completed in time. */
async function timesOut(given: Given) {
	simulator.planTask({ prompt: 'one', outcome: 'never' });
	const result = await run(['one'], { more: SHORT, ...given });
	expect(kindOf(result)).toBe('timeout');
	return result;
}

describe.each(['manual', 'trigger'] as const)(
	'after a Retry with another prompt of an execution of mode %s',
	(mode) => {
		async function retriesWithEdit() {
			const process = newProcess();
			const first = await timesOut({ mode, process });
			await run(['one'], { process, retryOf: first, more: EDITED });
			expect(tasksOf('two')).toHaveLength(1);
			return { process, first };
		}

		test('a click in the editor reuses the first task', async () => {
			const { process } = await retriesWithEdit();
			await run(['one'], { mode: 'manual', process, more: SHORT });
			expect(createsOf('one')).toHaveLength(1);
		});

		test('a Retry with the first prompt reads the first task', async () => {
			const { process, first } = await retriesWithEdit();
			await run(['one'], { process, retryOf: first, more: SHORT });
			expect(createsOf('one')).toHaveLength(1);
		});

		test('so do a Retry of the Retry, and a second edit', async () => {
			const { process, first } = await retriesWithEdit();
			const back = await run(['one'], { process, retryOf: first, more: SHORT });
			await run(['one'], { process, retryOf: back, more: EDITED });
			await run(['one'], { process: newProcess(), retryOf: back, more: EDITED });
			expect([createsOf('one').length, createsOf('two').length]).toEqual([1, 1]);
		});
	},
);

test('without reuse in the editor, too, a Retry with the first prompt reads the first task', async () => {
	const off = { options: { ...Object(SHORT?.options), reuseInEditor: false } };
	const first = await timesOut({ more: off });
	const second = await run(['one'], { retryOf: first, more: { ...off, prompt: 'two' } });
	await run(['one'], { retryOf: second, more: off });
	expect([createsOf('one').length, createsOf('two').length]).toEqual([1, 1]);
});

test('after a Retry with another key, a click reuses the task of the first one', async () => {
	const process = newProcess();
	const first = await timesOut({ mode: 'manual', process });
	const credential = { apiKey: 'a-key-that-nobody-has' };
	await run(['one'], { process, retryOf: first, more: SHORT, credential });
	await run(['one'], { mode: 'manual', process, more: SHORT });
	expect(createsOf('one')).toHaveLength(1);
});

test('after a Retry for practice, a Retry reads the task of the first one', async () => {
	const process = newProcess();
	const first = await timesOut({ mode: 'manual', process });
	const credential = { environment: 'practice' };
	await run(['one'], { process, retryOf: first, more: SHORT, credential });
	await run(['one'], { process, retryOf: first, more: SHORT });
	expect(createsOf('one')).toHaveLength(1);
});
