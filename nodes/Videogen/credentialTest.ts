import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { ServiceError } from './service/types';
import { failureOfRead, readRow } from './service/responseRules';
import { ServiceClient } from './service/client';
import { credentialTestTransport } from './service/transport';
import { platformClock } from './shared/clock';
import { connectionFrom } from './fields/credential';
import { asSentence, quoted } from './shared/text';
import { continued, InvalidParameter, LABELS, type Message } from './shared/messages';

/** An ID that no task has. Reading it creates nothing. */
const UNKNOWN_ID = 'n8n-credential-test';

const PRACTICE =
	'Practice: nothing is sent or charged. Each video is a short clip that shows the word PRACTICE.';

/** Checks that the service accepts the key, by reading a task that does not exist. */
export async function testVideogenCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { apiKey, baseUrl, isPractice } = connectionFrom(data);
		if (isPractice) return { status: 'OK', message: PRACTICE };
		const send = credentialTestTransport(this, data, apiKey);
		const client = new ServiceClient(send, baseUrl, () => platformClock.date());
		const answer = await client.read(UNKNOWN_ID);
		const wrong = answer.kind === 'error' ? messageFor(answer.error, baseUrl) : undefined;
		return wrong
			? testError(wrong)
			: { status: 'OK', message: 'The provider accepted the API key' };
	} catch (thrown) {
		const message = thrown instanceof Error ? thrown.message : String(thrown);
		return testError({
			message,
			description: thrown instanceof InvalidParameter ? thrown.advice : '',
		});
	}
}

/** What is wrong, or `undefined` if the answer shows that the key was accepted. */
function messageFor(error: ServiceError, baseUrl: string): Message | undefined {
	const failure = () => failureOfRead(error, { taskId: UNKNOWN_ID, isKnown: false, baseUrl });
	if (error.kind === 'network') return notChecked(failure());
	if (error.kind === 'unreadable') {
		const isJson = error.reason === 'notTask' || error.reason === 'otherTask';
		return isJson ? undefined : otherServer(error.reason === 'html' ? 'a web page' : NO_JSON);
	}
	const { again, kind } = readRow(error);
	if (again === 'passes' || again === 'limited') {
		const said = error.serviceMessage ? `The provider says: ${quoted(error.serviceMessage)} ` : '';
		return notChecked({ ...failure(), description: `${said}${TEST_LATER}` });
	}
	if (kind === 'key' || kind === 'address') return failure();
	// A service that answers with JSON about the unknown task has accepted the key.
	return error.isJson ? undefined : otherServer(`${NO_JSON} (${error.status})`);
}

const TEST_LATER = `Save the credential and test it again later. If this persists, check '${LABELS.baseUrl}'.`;

const notChecked = ({ message, description }: Message): Message => ({
	message: `The API key could not be checked: ${continued(message)}`,
	description,
});

const NO_JSON = 'something other than JSON';

const otherServer = (what: string): Message => ({
	message: `This is not the URL of the provider's API: ${what} came back`,
	description: `Check '${LABELS.baseUrl}': it must be the URL of the API, not of a website or console.`,
});

const testError = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${asSentence(message)} ${description}`.trim(),
});
