import type { ICredentialTestFunctions } from 'n8n-workflow';

/** What the node uses of n8n when a credential is tested: this helper for requests. */
export const credentialTestContext = (
	request: ICredentialTestFunctions['helpers']['request'],
): ICredentialTestFunctions => Object.assign(Object.create(null), { helpers: { request } });
