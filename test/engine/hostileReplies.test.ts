import fc from 'fast-check';
import { pollution, unreadable } from '../programs/support/fuzz';
import { type RawReply, hostileReply } from '../programs/support/hostileReplies';
import { sendDirectly } from '../programs/support/sendDirectly';
import type { RunResult } from '../programs/support/engine';
import { useEngine } from './useEngine';

const RUNS = 250;
const MOST_MESSAGE_CHARACTERS = 700;
/** With the tasks of the other items; IDs are whole in it. */
const MOST_DESCRIPTION_CHARACTERS = 50_000;
/** Polling for half a minute; without an end to it there would be far more. */
const MOST_REQUESTS = 200;
const ITEMS = [{}, {}, {}];

const { simulator, runNode } = useEngine();

const scene = fc.record({
	replies: fc.array(hostileReply, { minLength: 1, maxLength: 6 }),
	operation: fc.constantFrom('createTextVideo', 'getTask'),
	continues: fc.boolean(),
	waits: fc.boolean(),
	onFailure: fc.constantFrom('error', 'returnTask'),
});

/** What is wrong with the texts that a person reads of a run. */
const objectionsTo = ({ output, error }: RunResult): string[] =>
	[...output.map(({ json }) => json.error).filter((entry) => isOwnError(entry)), error]
		.filter((told) => told !== undefined)
		.flatMap(({ message, description }) => [
			...unreadable(message, MOST_MESSAGE_CHARACTERS),
			...unreadable(description, MOST_DESCRIPTION_CHARACTERS),
		]);

/** The node's own; records may have an `error` of any shape. */
const isOwnError = (entry: unknown): entry is { message: unknown; description: unknown } =>
	typeof entry === 'object' && entry !== null && 'message' in entry && 'description' in entry;

/** One after the other, and then from the first again. */
function answerWith(replies: RawReply[]): void {
	simulator.reset();
	for (let count = 0; count < MOST_REQUESTS; count += replies.length) {
		for (const reply of replies) simulator.script({ on: 'any', fault: { kind: 'raw', ...reply } });
	}
}

test('whatever the service answers, a run ends in all its items or in words', async () => {
	await fc.assert(
		fc.asyncProperty(scene, async ({ replies, operation, continues, waits, onFailure }) => {
			answerWith(replies);
			const result = await runNode({
				parameters: {
					operation,
					prompt: 'a red fox',
					taskId: 'task_1',
					waitForCompletion: waits,
					options: { timeoutMinutes: 0.5, onFailure },
				},
				items: ITEMS,
				settings: continues ? { onError: 'continueRegularOutput' } : {},
				limits: { createMs: 20_000, readMs: 20_000 },
				// Without connections: broken framing would keep a socket waiting in real time.
				send: sendDirectly(simulator),
			});
			expect(objectionsTo(result)).toEqual([]);
			const isStopped = !continues && result.error !== undefined;
			expect(result.output).toHaveLength(isStopped ? 0 : ITEMS.length);
			expect(() => JSON.stringify(result.output)).not.toThrow();
			expect(simulator.requests.length).toBeLessThan(MOST_REQUESTS);
			expect(pollution()).toEqual([]);
		}),
		{ numRuns: RUNS },
	);
}, 120_000);
