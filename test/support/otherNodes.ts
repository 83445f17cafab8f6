import type { IConnections, IDataObject, INode, INodeType } from 'n8n-workflow';

/**
 * What becomes of the items that come back, by their JSON; none ends the loop.
 * @param turn Counted from 1.
 */
export type Again = (items: IDataObject[], turn: number) => IDataObject[];

/** Items come out of `Start`; what leaves by the error output comes back. */
export const START_NAME = 'Start';
const AGAIN_NAME = 'Again';
const TYPE = 'test.other';

export const OTHER_NODES = [START_NAME, AGAIN_NAME].map((name): INode => ({
	...{ id: name, name, type: TYPE, typeVersion: 1, position: [0, 0], parameters: {} },
}));

const into = (node: string) => [{ node, type: 'main' as const, index: 0 }];

export const connectionsOf = (name: string): IConnections => ({
	[START_NAME]: { main: [into(name)] },
	[name]: { main: [[], into(AGAIN_NAME)] },
	[AGAIN_NAME]: { main: [into(name)] },
});

export function againNode(again: Again = () => []): INodeType {
	let turn = 0;
	return {
		description: {
			...{ displayName: 'Other', name: TYPE, group: [], version: 1, description: '', defaults: {} },
			...{ inputs: ['main'], outputs: ['main'], properties: [] },
		},
		async execute() {
			turn += 1;
			const given = this.getInputData().map(({ json }) => json);
			const items = again(given, turn).map((json, item) => ({ json, pairedItem: { item } }));
			return await Promise.resolve([items]);
		},
	};
}
