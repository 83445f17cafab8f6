import type { CredentialRef } from '../programs/realN8n/api';
import { type OpenAiStandIn, startOpenAi } from '../programs/realN8n/openAi';
import type { Suite } from './beds/suite';

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
