import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../ground/clock';
import { cleanApiKey, cleanBaseUrl } from '../service/authenticate';
import { type RequestLimits, ServiceClient } from '../service/client';
import { DEFAULT_MODEL_FAMILY } from '../service/contract/limits';
import { PRACTICE_URL, practiceService } from '../service/practice';
import type { Service } from '../service/answer';
import { CREDENTIAL_NAME, executionTransport } from '../service/transport';
import {
	GIVE_BASE_URL,
	GIVE_SCHEME,
	PASTE_KEY,
	emptyField,
	InvalidParameter,
	isEmpty,
	LABELS,
	notAllowed,
	shown,
} from '../ground/words';

/** Anything else may have a secret in it: a password, a key after ?, or the key in its place. */
const PLAIN_URL = /^https?:\/\/[^?#@\s]*$/i;
const shownBaseUrl = (value: unknown): string =>
	PLAIN_URL.test(String(value)) ? shown(value) : 'what it holds';

/** What a header can carry; others come from a text editor or a half-copied key. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

const ENVIRONMENT = { displayName: LABELS.environment, name: 'environment' };
const API_KEY = { displayName: LABELS.apiKey, name: 'apiKey' };
const BASE_URL = { displayName: LABELS.baseUrl, name: 'baseUrl' };

/**
 * The values of a credential, fit for use.
 * @throws InvalidParameter naming the credential's field
 */
export function connectionFrom(credential: ICredentialDataDecryptedObject) {
	const { environment = 'live' } = credential;
	if (environment === 'practice') {
		const modelFamily = DEFAULT_MODEL_FAMILY;
		return { apiKey: '', baseUrl: PRACTICE_URL, modelFamily, isPractice: true };
	}
	if (environment !== 'live') throw notAllowed(ENVIRONMENT, environment, 'It is live or practice.');
	const apiKey = cleanApiKey(credential.apiKey);
	if (apiKey === '') throw emptyField(API_KEY, PASTE_KEY);
	if (!SENDABLE_KEY.test(apiKey)) {
		throw new InvalidParameter(API_KEY, ' has a character in it that no key has.', PASTE_KEY);
	}
	const { baseUrl: given } = credential;
	if (isEmpty(given)) throw emptyField(BASE_URL, GIVE_BASE_URL);
	if (!/^\s*https?:/i.test(String(given))) {
		throw new InvalidParameter(BASE_URL, ' does not begin with https://.', GIVE_SCHEME);
	}
	const baseUrl = cleanBaseUrl(given);
	if (baseUrl === undefined) {
		throw new InvalidParameter(
			BASE_URL,
			`: ${shownBaseUrl(given)} is not a usable URL.`,
			GIVE_BASE_URL,
		);
	}
	const family = typeof credential.modelFamily === 'string' ? credential.modelFamily.trim() : '';
	return { apiKey, baseUrl, modelFamily: family || DEFAULT_MODEL_FAMILY, isPractice: false };
}

/** The service that the credential names, and what it is called by. */
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
