import type { CredentialRef } from './api';

export const VIDEOGEN_TYPE = 'n8n-nodes-videogen.videogen';
/** Names of the nodes in the workflows made here. */
export const TRIGGER_NODE = 'Start';
export const VIDEOGEN_NODE = 'Videogen';
export const LOOP_NODE = 'Loop Over Items';
/** Gets everything that has come through a loop. */
export const AFTER_LOOP_NODE = 'Done';

/** What happens to an item that cannot be completed. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

export interface VideogenWorkflow {
	name: string;
	credential: CredentialRef;
	/** Parameters of the Videogen node that differ from the defaults. */
	parameters: Record<string, unknown>;
	/** Input items of the Videogen node; one empty item unless given. */
	items?: ReadonlyArray<Record<string, unknown>>;
	onError?: OnError;
	/** Tries of *Retry On Fail*; off unless given. */
	maxTries?: number;
}

export interface NewNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, CredentialRef>;
	onError?: OnError;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	/** Part of the addresses of triggers and Wait nodes. */
	webhookId?: string;
}

/** What may run between two nodes; those of agents begin with `ai`. */
type ConnectionType = 'main' | 'ai_languageModel' | 'ai_memory' | 'ai_tool';

interface Target {
	node: string;
	type: ConnectionType;
	index: number;
}

export interface NewWorkflow {
	name: string;
	/** n8n insists on it. */
	active: false;
	nodes: NewNode[];
	connections: Record<string, Partial<Record<ConnectionType, Target[][]>>>;
	/** Items that a node puts out instead of running. */
	pinData: Record<string, Array<{ json: Record<string, unknown> }>>;
	settings: Record<string, unknown>;
}

/**
 * Manual trigger → Videogen. Input items are pinned to the trigger, as a person does in the editor
 * to try a workflow on known data.
 */
export function videogenWorkflow(wanted: VideogenWorkflow): NewWorkflow {
	return {
		...startOf(wanted),
		nodes: [triggerNode(), videogenNode(wanted)],
		connections: { [TRIGGER_NODE]: { main: [to(VIDEOGEN_NODE)] } },
	};
}

/** A manual trigger alone. */
export const triggerWorkflow = (name: string): NewWorkflow => ({
	name,
	active: false,
	nodes: [triggerNode()],
	connections: {},
	pinData: {},
	settings: { executionOrder: 'v1' },
});

/** Manual trigger and Videogen with n8n's *Loop Over Items* around the latter: one item a round. */
export function loopWorkflow(wanted: VideogenWorkflow): NewWorkflow {
	return {
		...startOf(wanted),
		nodes: [triggerNode(), loopNode(), videogenNode(wanted), afterLoopNode()],
		connections: {
			[TRIGGER_NODE]: { main: [to(LOOP_NODE)] },
			[LOOP_NODE]: { main: [to(AFTER_LOOP_NODE), to(VIDEOGEN_NODE)] },
			[VIDEOGEN_NODE]: { main: [to(LOOP_NODE)] },
		},
	};
}

/** A connection from one node's main output to another's main input. */
export const to = (node: string): Target[] => [{ node, type: 'main', index: 0 }];

function startOf({
	name,
	items,
}: VideogenWorkflow): Pick<NewWorkflow, 'name' | 'active' | 'pinData' | 'settings'> {
	const pinned = items?.map((json) => ({ json }));
	return {
		name,
		active: false,
		pinData: pinned ? { [TRIGGER_NODE]: pinned } : {},
		settings: { executionOrder: 'v1' },
	};
}

/** What *Execute workflow* starts. */
export const triggerNode = (): NewNode => ({
	id: 'start',
	name: TRIGGER_NODE,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
});

/** What starts a published workflow when the address that ends in this path is called. */
export const webhookNode = (path: string): NewNode => ({
	id: 'webhook',
	name: TRIGGER_NODE,
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	position: [0, 0],
	parameters: { httpMethod: 'POST', path, responseMode: 'onReceived' },
	webhookId: path,
});

const loopNode = (): NewNode => ({
	id: 'loop',
	name: LOOP_NODE,
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	position: [130, 0],
	parameters: { batchSize: 1 },
});

const afterLoopNode = (): NewNode => ({
	id: 'done',
	name: AFTER_LOOP_NODE,
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	position: [390, -130],
	parameters: {},
});

/** The Videogen node with these parameters and settings. */
export function videogenNode({
	credential,
	parameters,
	onError,
	maxTries,
}: VideogenWorkflow): NewNode {
	const { id, name } = credential;
	return {
		id: 'videogen',
		name: VIDEOGEN_NODE,
		type: VIDEOGEN_TYPE,
		typeVersion: 1,
		position: [260, 0],
		parameters,
		credentials: { videogenApi: { id, name } },
		...(onError && { onError }),
		...(maxTries && { retryOnFail: true, maxTries, waitBetweenTries: 100 }),
	};
}
