import type { ICredentialTestFunctions } from 'n8n-workflow';

/** n8n as it is there when a credential is tested, with this helper for requests. */
export function credentialTestContext(
	request: ICredentialTestFunctions['helpers']['request'],
): ICredentialTestFunctions {
	const unused = () => undefined;
	return {
		logger: { error: unused, warn: unused, info: unused, debug: unused },
		helpers: {
			request,
			getSSHClient: async () => await Promise.reject(new Error('Not part of these tests')),
			updateLastUsed: unused,
		},
	};
}
