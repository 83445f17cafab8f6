import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../shared/clock';
import { bare } from '../shared/text';
import { cleanApiKey, cleanBaseUrl } from '../service/authenticate';
import { type RequestLimits, ServiceClient } from '../service/client';
import { CREDENTIAL_NAME, executionTransport } from '../service/transport';
import { DEFAULT_MODEL_FAMILY } from '../service/contract/limits';
import { PRACTICE_URL, practiceService } from '../service/practice';
import type { Service } from '../service/types';
import {
	emptyField,
	GIVE_BASE_URL,
	InvalidParameter,
	isEmpty,
	LABELS,
	notAllowed,
	PASTE_KEY,
} from '../shared/messages';

/** Characters that a header can carry. Any others come from a text editor or a half-copied key. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

const ENVIRONMENT = { displayName: LABELS.environment, name: 'environment' };
const API_KEY = { displayName: LABELS.apiKey, name: 'apiKey' };
const BASE_URL = { displayName: LABELS.baseUrl, name: 'baseUrl' };

/**
 * Validates and cleans a credential's values. Errors never quote the key or the URL, because they
 * may contain secrets.
 * @throws InvalidParameter naming the credential's field
 */
export function connectionFrom(credential: ICredentialDataDecryptedObject) {
	const { environment = 'live', modelFamily: family } = credential;
	if (environment === 'practice') {
		const modelFamily = DEFAULT_MODEL_FAMILY;
		return { apiKey: '', baseUrl: PRACTICE_URL, modelFamily, isPractice: true };
	}
	if (environment !== 'live') throw notAllowed(ENVIRONMENT, environment, 'Use live or practice.');
	const apiKey = cleanApiKey(credential.apiKey);
	if (apiKey === '') throw emptyField(API_KEY, PASTE_KEY);
	if (!SENDABLE_KEY.test(apiKey)) {
		throw new InvalidParameter(API_KEY, ' has a character in it that no key has.', PASTE_KEY);
	}
	if (isEmpty(credential.baseUrl)) throw emptyField(BASE_URL, GIVE_BASE_URL);
	const baseUrl = cleanBaseUrl(credential.baseUrl);
	if (baseUrl === undefined) {
		throw new InvalidParameter(BASE_URL, ' is not the URL of an API.', GIVE_BASE_URL);
	}
	const modelFamily = (typeof family === 'string' && bare(family)) || DEFAULT_MODEL_FAMILY;
	return { apiKey, baseUrl, modelFamily, isPractice: false };
}

/** A credential's validated values, and the service they lead to. */
export type Connection = ReturnType<typeof connectionFrom> & { service: Service };

/** @throws InvalidParameter naming the credential's field */
export async function connect(
	context: IExecuteFunctions,
	clock: Clock,
	limits?: RequestLimits,
): Promise<Connection> {
	const connection = connectionFrom(await context.getCredentials(CREDENTIAL_NAME));
	const { apiKey, baseUrl, isPractice } = connection;
	const epochMs = () => clock.date();
	const service = isPractice
		? practiceService(epochMs)
		: new ServiceClient(executionTransport(context, apiKey), baseUrl, epochMs, limits);
	return { ...connection, service };
}
