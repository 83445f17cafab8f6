import type { INode } from 'n8n-workflow';

/** A node of this package, as n8n shows it to its code. */
export const NODE: INode = {
	id: 'node',
	name: 'Videogen',
	type: 'videogen',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
