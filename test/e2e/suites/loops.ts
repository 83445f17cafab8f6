import type { Execution } from '../../programs/realN8n/api';
import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	to,
	triggerNode,
	videogenNode,
	type ChainNode,
	type NewWorkflow,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, SHORT_WAIT, jsonFrom, saidBy, status, waiting } from '../vocabulary';

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

/** In a loop, the node runs many times within one execution, perhaps with the very same request. */
export function testLoops(n8n: Suite): void {
	describe('Loop Over Items', () => {
		const loop = (more = {}): NewWorkflow => {
			const parameters = { ...PROMPT_OF_ITEM, ...waiting(), ...more };
			const nodes = [triggerNode(), LOOP, videogenNode({ parameters }), DONE];
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

		it('counts the new videos of all rounds together, and creates no more than are allowed', async () => {
			const limited = loop({ options: { maxNewTasks: ROUNDS - 1 } });
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
}

/** What comes back with an error is the item that it was. */
export function testWiredBack(n8n: Suite): void {
	it('an error output wired back into the node waits for the one task of an item, however often its time is up', async () => {
		n8n.sim.planTask({ finalAfterReads: 6 });
		const parameters = { ...PROMPT_OF_ITEM, ...SHORT_WAIT };
		const node = videogenNode({ parameters, onError: 'continueErrorOutput' });
		const execution = await n8n.execute({
			...n8n.chain([triggerNode(), node, DONE], { items: [{ prompt: 'A fox' }] }),
			connections: {
				[TRIGGER_NODE]: to(VIDEOGEN_NODE),
				[VIDEOGEN_NODE]: to(DONE.name, VIDEOGEN_NODE),
			},
		});
		expect(n8n.sim.creates()).toHaveLength(1);
		expect(execution.runs(VIDEOGEN_NODE)).toBeGreaterThan(1);
		expect(jsonFrom(execution, DONE.name)).toEqual([n8n.onlyTask().record()]);
	});
}
