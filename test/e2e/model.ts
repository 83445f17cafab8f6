import type { CredentialRef } from '../programs/realN8n/api';
import { type OpenAiStandIn, startOpenAi } from '../programs/realN8n/openAi';
import { OPEN_AI_TYPE, type ChainNode } from '../programs/realN8n/workflows';
import type { Suite } from './beds/suite';

export const AGENT_NODE = 'AI Agent';
export const agentNode = (typeVersion: number): ChainNode => ({
	name: AGENT_NODE,
	type: '@n8n/n8n-nodes-langchain.agent',
	typeVersion,
	parameters: { promptType: 'define', text: 'Make a video of a fox.', options: {} },
});
export const MODEL: ChainNode = {
	name: 'OpenAI Chat Model',
	type: OPEN_AI_TYPE,
	// The last one that talks to /chat/completions, which every compatible service has.
	typeVersion: 1.2,
	parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: { maxRetries: 0 } },
};

/** A stand-in, and n8n's credential for it, for the tests of a `describe`, in which this is called. */
export function modelOf(n8n: Suite) {
	let model: OpenAiStandIn;
	let credential: CredentialRef;
	beforeAll(async () => {
		model = n8n.closeAtEnd(await startOpenAi());
		// The key is checked by nobody.
		const data = { apiKey: 'stand-in-key', url: model.baseUrl };
		credential = await n8n.api.createCredential('Model', data, 'openAiApi');
	});
	return { model: () => model, credential: () => credential };
}
