import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { cleanApiKey, cleanBaseUrl } from '../service/baseUrl';
import { DEFAULT_MODEL_FAMILY } from '../service/contract/limits';
import { InvalidParameter, isEmpty, shown } from './invalidParameter';

/** Under which n8n keeps the credential (interface.md). */
export const CREDENTIAL_NAME = 'videogenApi';

/** An address may have a password in it, before an @. */
const shownAddress = (value: unknown): string =>
	String(value).includes('@') ? 'what it holds' : shown(value);

/** What a header can carry; others come from a text editor or a half-copied key. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

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
	if (!SENDABLE_KEY.test(apiKey)) {
		throw new InvalidParameter(
			'API Key',
			apiKey === '' ? 'is empty.' : 'has a character in it that no key has.',
			"Open the Videogen credential and paste the key from the provider's console.",
		);
	}
	const baseUrl = cleanBaseUrl(credential.baseUrl);
	if (baseUrl === undefined) {
		throw new InvalidParameter(
			'Base URL',
			isEmpty(credential.baseUrl)
				? 'is empty.'
				: `${shownAddress(credential.baseUrl)} is not a usable URL.`,
			'Open the Videogen credential and give the URL of the service, such as https://api.example.com, without a login, ? or #.',
		);
	}
	const family = typeof credential.modelFamily === 'string' ? credential.modelFamily.trim() : '';
	return { apiKey, baseUrl, modelFamily: family || DEFAULT_MODEL_FAMILY };
}
