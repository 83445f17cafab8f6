import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	to,
	triggerNode,
	videogenNode,
	type ChainNode,
} from '../../programs/realN8n/workflows';
import type { Suite } from '../beds/suite';
import { PROMPT_OF_ITEM, SHORT_WAIT, jsonFrom } from '../vocabulary';

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
