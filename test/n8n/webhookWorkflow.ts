import type { CredentialRef } from './api';
import {
	VIDEOGEN_TYPE,
	TRIGGER_NODE,
	to,
	webhookNode,
	type NewNode,
	type NewWorkflow,
	type OnError,
} from './workflows';

/** A node of a chain. */
export interface ChainNode {
	name: string;
	/** Videogen unless given. */
	type?: string;
	typeVersion?: number;
	parameters: Record<string, unknown>;
	webhookId?: string;
	onError?: OnError;
}

/** A workflow without branches. */
export interface ChainWorkflow {
	name: string;
	credential: CredentialRef;
	/** What runs after the trigger, one after the other. */
	chain: readonly ChainNode[];
	/** Further settings of the workflow. */
	settings?: Record<string, unknown>;
}

/**
 * Webhook → the chain: once published, it runs as it does for users, in production and with nobody
 * watching. The webhook answers at once.
 * @param path The last part of the webhook's address.
 */
export const webhookWorkflow = (path: string, wanted: ChainWorkflow): NewWorkflow =>
	chainWorkflow(wanted, webhookNode(path));

/** When called by another workflow → the chain. */
export const subWorkflow = (wanted: ChainWorkflow): NewWorkflow =>
	chainWorkflow(wanted, calledNode());

const calledNode = (): NewNode => ({
	id: 'called',
	name: TRIGGER_NODE,
	type: 'n8n-nodes-base.executeWorkflowTrigger',
	typeVersion: 1.1,
	position: [0, 0],
	parameters: { inputSource: 'passthrough' },
});

function chainWorkflow(
	{ name, credential, chain, settings }: ChainWorkflow,
	trigger: NewNode,
): NewWorkflow {
	const nodes = [trigger, ...chain.map((node, index) => newNode(node, index + 1, credential))];
	return {
		name,
		active: false,
		nodes,
		connections: inARow(nodes.map((node) => node.name)),
		pinData: {},
		settings: { executionOrder: 'v1', ...settings },
	};
}

function newNode(node: ChainNode, index: number, { id, name }: CredentialRef): NewNode {
	const type = node.type ?? VIDEOGEN_TYPE;
	return {
		typeVersion: 1,
		...node,
		type,
		id: node.name,
		position: [index * 220, 0],
		...(type === VIDEOGEN_TYPE && { credentials: { videogenApi: { id, name } } }),
	};
}

const inARow = (names: string[]): NewWorkflow['connections'] =>
	Object.fromEntries(names.slice(1).map((next, index) => [names[index], { main: [to(next)] }]));
