import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from './client/baseUrl';
import { DEFAULT_MODEL_FAMILY } from './contract/limits';
import { InvalidParameter, isEmpty, shown } from './input/invalidParameter';

export const CREDENTIAL_NAME = 'videogenApi';

/** A credential's values, fit for use. */
export interface Connection {
	apiKey: string;
	baseUrl: string;
	modelFamily: string;
}

/**
 * Reads a credential.
 * @throws InvalidParameter naming the credential's field
 */
export function connectionFrom(credential: ICredentialDataDecryptedObject): Connection {
	const apiKey = cleanApiKey(credential.apiKey);
	if (apiKey === '') {
		throw new InvalidParameter(
			'API Key',
			'is empty.',
			"Open the Videogen credential and paste the key from the provider's console.",
		);
	}
	const baseUrl = cleanBaseUrl(credential.baseUrl);
	if (baseUrl === undefined) {
		throw new InvalidParameter(
			'Base URL',
			isEmpty(credential.baseUrl)
				? 'is empty.'
				: `${shown(credential.baseUrl)} is not a web address.`,
			'Open the Videogen credential and give the address of the service; it begins with https:// or http://.',
		);
	}
	const family = typeof credential.modelFamily === 'string' ? credential.modelFamily.trim() : '';
	return { apiKey, baseUrl, modelFamily: family || DEFAULT_MODEL_FAMILY };
}
