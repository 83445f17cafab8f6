import type { CredentialRef } from './api';
import { TRIGGER_NODE, VIDEOGEN_TYPE, to, triggerNode, type NewWorkflow } from './workflows';

/** What n8n makes of the node for agents. */
const VIDEOGEN_TOOL_TYPE = `${VIDEOGEN_TYPE}Tool`;
export const AGENT_NODE = 'AI Agent';
export const TOOL_NODE = 'Generate Video';
const MODEL_NODE = 'OpenAI Chat Model';

/** Both run in either n8n: 2.2 calls tools itself, 3 leaves it to n8n's engine. */
export const AGENT_VERSIONS = [2.2, 3] as const;

export interface AgentWorkflow {
	name: string;
	agentVersion: (typeof AGENT_VERSIONS)[number];
	/** Of type `videogenApi`. */
	videogen: CredentialRef;
	/** Of type `openAiApi`. */
	openAi: CredentialRef;
	/** What the agent is asked to do. */
	task: string;
	/** Parameters of the tool that differ from the defaults, `$fromAI(...)` included. */
	parameters: Record<string, unknown>;
}

/** Manual trigger → AI Agent, which has a chat model and the Videogen node as its only tool. */
export function agentWorkflow(wanted: AgentWorkflow): NewWorkflow {
	const { id: modelId, name: modelCredential } = wanted.openAi;
	const { id: videogenId, name: videogenCredential } = wanted.videogen;
	return {
		name: wanted.name,
		active: false,
		nodes: [
			triggerNode(),
			{
				id: 'agent',
				name: AGENT_NODE,
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: wanted.agentVersion,
				position: [260, 0],
				parameters: { promptType: 'define', text: wanted.task, options: {} },
			},
			{
				id: 'model',
				name: MODEL_NODE,
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				// The last one that talks to /chat/completions, which every compatible service has.
				typeVersion: 1.2,
				position: [180, 220],
				parameters: {
					model: { __rl: true, mode: 'id', value: 'stand-in' },
					options: { maxRetries: 0 },
				},
				credentials: { openAiApi: { id: modelId, name: modelCredential } },
			},
			{
				id: 'tool',
				name: TOOL_NODE,
				type: VIDEOGEN_TOOL_TYPE,
				typeVersion: 1,
				position: [400, 220],
				parameters: wanted.parameters,
				credentials: { videogenApi: { id: videogenId, name: videogenCredential } },
			},
		],
		connections: {
			[TRIGGER_NODE]: { main: [to(AGENT_NODE)] },
			[MODEL_NODE]: {
				ai_languageModel: [[{ node: AGENT_NODE, type: 'ai_languageModel', index: 0 }]],
			},
			[TOOL_NODE]: { ai_tool: [[{ node: AGENT_NODE, type: 'ai_tool', index: 0 }]] },
		},
		pinData: {},
		settings: { executionOrder: 'v1' },
	};
}
