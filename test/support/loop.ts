import type { IConnections, IDataObject, INode, INodeType } from 'n8n-workflow';

/**
 * What becomes of the items that come back, by their JSON; none ends the loop.
 * @param turn Counted from 1.
 */
export type Again = (items: IDataObject[], turn: number) => IDataObject[];

/** Where the items of a loop come from, and what stands between the error output and the input. */
export const START_NAME = 'Start';
const AGAIN_NAME = 'Again';
export const LOOP_TYPE = 'test.loop';

/** Nodes of the engine's tests, by their names. */
export const nodesNamed = (...names: string[]): INode[] =>
	names.map((name) => ({
		id: name,
		name,
		type: LOOP_TYPE,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	}));

export const LOOP_NODES = nodesNamed(START_NAME, AGAIN_NAME);

/** From the error output of a node into the node again. */
export const loopAround = (name: string): IConnections => ({
	[START_NAME]: { main: [[{ node: name, type: 'main', index: 0 }]] },
	[name]: { main: [[], [{ node: AGAIN_NAME, type: 'main', index: 0 }]] },
	[AGAIN_NAME]: { main: [[{ node: name, type: 'main', index: 0 }]] },
});

export function againNode(again: Again = () => []): INodeType {
	let turn = 0;
	return {
		description: {
			displayName: AGAIN_NAME,
			name: LOOP_TYPE,
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		async execute() {
			turn += 1;
			const items = again(
				this.getInputData().map(({ json }) => json),
				turn,
			);
			return await Promise.resolve([items.map((json, item) => ({ json, pairedItem: { item } }))]);
		},
	};
}
