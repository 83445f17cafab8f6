import type { GenerationRequest } from '../service/contract/request';

/** A request that was checked and not sent yet. */
export interface PlannedRequest {
	/** The same on every try of an item; files stand in it by their names in n8n's storage. */
	body: GenerationRequest;
	/** What is sent: the same with links to the files, which are made anew because they expire. */
	toSend(): GenerationRequest;
}
