import type { CredentialRef } from './api';

export const VIDEOGEN_TYPE = 'n8n-nodes-videogen-tasks.videogen';
/** What n8n makes of the node for agents. */
export const VIDEOGEN_TOOL_TYPE = `${VIDEOGEN_TYPE}Tool`;
export const OPEN_AI_TYPE = '@n8n/n8n-nodes-langchain.lmChatOpenAi';
const MCP_TRIGGER_TYPE = '@n8n/n8n-nodes-langchain.mcpTrigger';

/** Names of the nodes in the workflows made here. */
export const TRIGGER_NODE = 'Start';
export const VIDEOGEN_NODE = 'Videogen Tasks';

/** Which credential a node of this type needs. */
export const CREDENTIAL_TYPES: Readonly<Record<string, string>> = {
	[VIDEOGEN_TYPE]: 'videogenApi',
	[VIDEOGEN_TOOL_TYPE]: 'videogenApi',
	[OPEN_AI_TYPE]: 'openAiApi',
	[MCP_TRIGGER_TYPE]: 'httpBearerAuth',
	'n8n-nodes-base.s3': 's3',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.googleDrive': 'googleDriveOAuth2Api',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.slack': 'slackApi',
	'n8n-nodes-base.telegram': 'telegramApi',
	'n8n-nodes-base.telegramTrigger': 'telegramApi',
	'n8n-nodes-base.youTube': 'youTubeOAuth2Api',
};

/** By type of credential. */
export type Credentials = Readonly<Record<string, CredentialRef>>;

/** What happens to an item that cannot be completed. */
export type OnError = 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';

export interface NewNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, CredentialRef>;
	onError?: OnError;
	/** Goes on with an empty item where it has found nothing. */
	alwaysOutputData?: boolean;
	retryOnFail?: boolean;
	maxTries?: number;
	waitBetweenTries?: number;
	executeOnce?: boolean;
	/** Part of the URLs of triggers and Wait nodes. */
	webhookId?: string;
}

/** What may run between two nodes; those of agents begin with `ai`. */
export const CONNECTION_TYPES = ['main', 'ai_languageModel', 'ai_memory', 'ai_tool'] as const;
type ConnectionType = (typeof CONNECTION_TYPES)[number];

type Target = { node: string; type: ConnectionType; index: number };

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

/** A node of a chain, which gives it its ID, its position and the credential of its type. */
export type ChainNode = Omit<NewNode, 'id' | 'position'>;

export interface Chain {
	name: string;
	credentials: Credentials;
	/** The trigger first, then what runs after it. */
	nodes: readonly ChainNode[];
	/** What the trigger puts out, as a person pins it in the editor; its own items unless given. */
	items?: ReadonlyArray<Record<string, unknown>>;
	/** Further settings of the workflow. */
	settings?: Record<string, unknown>;
}

/** A workflow of nodes that run one after the other. */
export function chainWorkflow({ name, credentials, nodes, items, settings }: Chain): NewWorkflow {
	const placed = nodes.map((node, index) =>
		withCredential({ id: node.name, position: [index * 220, 0], ...node }, credentials),
	);
	return {
		name,
		active: false,
		nodes: placed,
		connections: Object.fromEntries(
			nodes.slice(1).map(({ name: next }, index) => [nodes[index]?.name, to(next)]),
		),
		pinData: items ? { [TRIGGER_NODE]: items.map((json) => ({ json })) } : {},
		settings: { executionOrder: 'v1', ...settings },
	};
}

/** Connects the first output of a node with another node. */
export const to = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });

/** Connects a node with the agent that it is a part of. */
export const partOf = (node: string, type: Exclude<ConnectionType, 'main'>) => ({
	[type]: [[{ node, type, index: 0 }]],
});

/**
 * The node with the credential that its type needs, if it needs one.
 * @throws Error when there is no such credential.
 */
export function withCredential(node: NewNode, credentials: Credentials): NewNode {
	const type = CREDENTIAL_TYPES[node.type];
	if (type === undefined) return node;
	const credential = credentials[type];
	if (credential === undefined) throw new Error(`"${node.name}" needs a credential: ${type}`);
	const { id, name } = credential;
	return { ...node, credentials: { [type]: { id, name } } };
}

/** A node of n8n's own. */
export const ownNode = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: Record<string, unknown> = {},
): ChainNode => ({ name, type: `n8n-nodes-base.${type}`, typeVersion, parameters });

/** What *Execute workflow* starts. */
export const triggerNode = (): ChainNode => ownNode(TRIGGER_NODE, 'manualTrigger', 1);

/** Starts a published workflow when the URL that ends in this path is called, and answers at once. */
export const webhookNode = (path: string): ChainNode => ({
	...ownNode(TRIGGER_NODE, 'webhook', 2, { httpMethod: 'POST', path, responseMode: 'onReceived' }),
	webhookId: path,
});

/** Starts a workflow when another one calls it. */
export const calledNode = ownNode(TRIGGER_NODE, 'executeWorkflowTrigger', 1.1, {
	inputSource: 'passthrough',
});

/** The whole record and no files, unless a test says otherwise: it is what most of them judge. */
export const RAW_OUTPUT = { simplify: false, downloadResults: false };

export interface VideogenSettings {
	/** Parameters that differ from the defaults and from `RAW_OUTPUT`. */
	parameters: Record<string, unknown>;
	onError?: OnError;
	/** Tries of *Retry On Fail*; off unless given. */
	maxTries?: number;
}

export const videogenNode = (
	{ parameters, onError, maxTries }: VideogenSettings,
	name = VIDEOGEN_NODE,
): ChainNode => ({
	name,
	type: VIDEOGEN_TYPE,
	typeVersion: 1,
	parameters: { ...RAW_OUTPUT, ...parameters },
	...(onError && { onError }),
	...(maxTries && { retryOnFail: true, maxTries, waitBetweenTries: 100 }),
});

/** Calls a URL; with a field, the answer becomes a file in that binary field. */
export function requestNode(name: string, url: string, field?: string): ChainNode {
	const response = { response: { responseFormat: 'file', outputPropertyName: field } };
	return ownNode(name, 'httpRequest', 4.2, { url, options: field ? { response } : {} });
}

/** Rests until the execution's resume URL is called, or until the time is up. */
export const waitNode = (limitSeconds: number): ChainNode => ({
	...ownNode('Wait', 'wait', 1.1, {
		...{ resume: 'webhook', httpMethod: 'POST', limitWaitTime: true, options: {} },
		...{ limitType: 'afterTimeInterval', resumeAmount: limitSeconds, resumeUnit: 'seconds' },
	}),
	webhookId: 'wait-for-callback',
});

/**
 * Starts another workflow with all items.
 * @param waitForSubWorkflow Whether it waits for what that gives; else it goes on at once.
 */
export const callNode = (workflowId: string, waitForSubWorkflow = true): ChainNode =>
	ownNode('Call', 'executeWorkflow', 1.2, {
		source: 'database',
		workflowId: { __rl: true, mode: 'id', value: workflowId },
		options: { waitForSubWorkflow },
	});
