import { startOpenAi } from '../../../tools/n8n/openAi';
import { OPEN_AI_TYPE, type ChainNode } from '../../../tools/n8n/workflows';
import type { Suite } from './suite';

export const MODEL: ChainNode = {
	name: 'OpenAI Chat Model',
	type: OPEN_AI_TYPE,
	// The last one that talks to /chat/completions, which every compatible service has.
	typeVersion: 1.2,
	parameters: { model: { __rl: true, mode: 'id', value: 'stand-in' }, options: { maxRetries: 0 } },
};

/** A stand-in, until the end of the tests, and n8n's credential for it, whose key nobody checks. */
export async function startModel(n8n: Suite) {
	const model = n8n.closeAtEnd(await startOpenAi());
	const data = { apiKey: 'stand-in-key', url: model.baseUrl };
	return { model, credential: await n8n.api.createCredential('Model', data, 'openAiApi') };
}
