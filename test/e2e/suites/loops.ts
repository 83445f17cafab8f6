import type { Execution } from '../../n8n/api';
import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	to,
	triggerNode,
	videogenNode,
	type ChainNode,
	type NewWorkflow,
} from '../../n8n/workflows';
import type { Suite } from '../beds/suite';
import { LOST, PROMPT_OF_ITEM, SHORT_WAIT, jsonFrom, saidBy, status, waiting } from '../vocabulary';

const ROUNDS = 3;
const ITEMS = Array.from({ length: ROUNDS }, (_, round) => ({ prompt: 'A fox', round }));

export const LOOP: ChainNode = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 1 },
};
/** Gets everything that has come through the loop. */
export const DONE: ChainNode = {
	name: 'Done',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};

/** Gives every item another prompt, and all else that it has. */
const CHANGE_PROMPT: ChainNode = {
	name: 'Change Prompt',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'manual',
		includeOtherFields: true,
		assignments: {
			assignments: [
				{ id: '1', name: 'prompt', type: 'string', value: '={{ $json.prompt }} at night' },
			],
		},
		options: {},
	},
};
/** Lets an item come back once, and ends the workflow after that. */
const ONCE: ChainNode = {
	name: 'Once',
	type: 'n8n-nodes-base.if',
	typeVersion: 2.2,
	parameters: {
		conditions: {
			options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
			conditions: [
				{
					id: '1',
					leftValue: '={{ $runIndex }}',
					rightValue: 1,
					operator: { type: 'number', operation: 'lt' },
				},
			],
			combinator: 'and',
		},
		options: {},
	},
};

/** In a loop, the node runs many times within one execution, perhaps with the very same request. */
export function testLoops(n8n: Suite): void {
	describe('Loop Over Items', () => {
		const loop = (maxTries?: number, more = {}): NewWorkflow => {
			const parameters = { ...PROMPT_OF_ITEM, ...waiting(), ...more };
			const nodes = [triggerNode(), LOOP, videogenNode({ parameters, maxTries }), DONE];
			return {
				...n8n.chain(nodes, { items: ITEMS }),
				connections: {
					[TRIGGER_NODE]: to(LOOP.name),
					[LOOP.name]: to(DONE.name, VIDEOGEN_NODE),
					[VIDEOGEN_NODE]: to(LOOP.name),
				},
			};
		};

		const expectOneTaskARound = (execution: Execution) => {
			expect(n8n.sim.creates()).toHaveLength(ROUNDS);
			expect(jsonFrom(execution, DONE.name)).toEqual(n8n.tasks().map((task) => task.record()));
		};

		it('makes one task a round, although all rounds ask for the same', async () => {
			expectOneTaskARound(await n8n.execute(loop()));
		});

		it('makes one task a round when a round needs several tries', async () => {
			// The first round reads once and is through; the next one is refused.
			n8n.sim.script({ on: 'task', skip: 1, times: 2, fault: status(403) });
			expectOneTaskARound(await n8n.execute(loop(3)));
		});

		it('counts the new videos of all rounds together, and creates no more than are allowed', async () => {
			const limited = loop(undefined, { options: { maxNewTasks: ROUNDS - 1 } });
			const stopped = await n8n.execute(limited, 'error');
			expect(saidBy(stopped)).toContain(
				'Max New Videos per Execution is 2, but this run would create 1 after 2 in this execution',
			);
			expect(n8n.sim.creates()).toHaveLength(ROUNDS - 1);
		});

		it('goes on with the round that failed when the execution is retried', async () => {
			n8n.sim.script({ on: 'task', skip: 1, fault: status(403) });
			const stopped = await n8n.execute(loop(), 'error');
			expect(n8n.sim.creates()).toHaveLength(2);

			expectOneTaskARound(await n8n.retry(stopped));
		});
	});

	describe('the error output wired back into the node', () => {
		/** One item, and what is on its way back from the error output to the node. */
		const tryAgain = (parameters: Record<string, unknown>, way: ChainNode[] = []): NewWorkflow => {
			const node = videogenNode({ parameters, onError: 'continueErrorOutput' });
			const names = [...way.map(({ name }) => name), VIDEOGEN_NODE];
			const back = way.map(({ name }, index) => [name, to(names[index + 1] ?? '')]);
			return {
				...n8n.chain([triggerNode(), node, DONE, ...way], { items: [{ prompt: 'A fox' }] }),
				connections: {
					[TRIGGER_NODE]: to(VIDEOGEN_NODE),
					[VIDEOGEN_NODE]: to(DONE.name, names[0] ?? ''),
					...Object.fromEntries(back),
				},
			};
		};

		it('waits for the one task of an item, however often its time is up', async () => {
			n8n.sim.planTask({ finalAfterReads: 6 });
			const execution = await n8n.execute(tryAgain({ ...PROMPT_OF_ITEM, ...SHORT_WAIT }));
			expect(n8n.sim.creates()).toHaveLength(1);
			expect(execution.runs(VIDEOGEN_NODE)).toBeGreaterThan(1);
			expect(jsonFrom(execution, DONE.name)).toEqual([n8n.onlyTask().record()]);
		});

		it('makes another task for another prompt', async () => {
			n8n.sim.planTask({ prompt: 'A fox', outcome: 'never' });
			const parameters = { ...PROMPT_OF_ITEM, ...SHORT_WAIT };
			const execution = await n8n.execute(tryAgain(parameters, [CHANGE_PROMPT]));
			expect(n8n.tasks().map(({ prompt }) => prompt)).toEqual(['A fox', 'A fox at night']);
			expect(jsonFrom(execution, DONE.name)).toEqual(n8n.recordsOf(['A fox at night']));
		});

		it('does not send again what got no answer, though its prompt is another each time', async () => {
			n8n.sim.script({ ...LOST, times: Infinity });
			const parameters = { prompt: '={{ $json.prompt }} at {{ $now }}', ...waiting() };
			const execution = await n8n.execute(tryAgain(parameters, [ONCE]));
			expect(execution.runs(VIDEOGEN_NODE)).toBe(2);
			expect({ tasks: n8n.sim.tasks.size, creates: n8n.sim.creates().length }).toEqual({
				tasks: 1,
				creates: 1,
			});
			expect(jsonFrom(execution, VIDEOGEN_NODE)).toEqual([]);
			expect(execution.output(VIDEOGEN_NODE, 1)[0]?.json.error).toMatchObject({ kind: 'noAnswer' });
		});
	});
}
