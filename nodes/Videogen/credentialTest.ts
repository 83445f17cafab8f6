import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { ServiceError, StatusError } from './service/answer';
import { credentialTestTransport } from './service/transport';
import { ServiceClient } from './service/client';
import { isTransient } from './service/retryPolicy';
import { platformClock } from './common/timer';
import { connectionFrom } from './parameters/connection';
import type { Message } from './messages/message';
import { invalidMessage } from './messages/outcomeMessage';
import { serviceErrorMessage, withQuote } from './messages/serviceErrorMessage';

/** No task has this id. Reading it creates nothing. */
const UNKNOWN_TASK_ID = 'n8n-credential-test';

const PRACTICE =
	'Practice: nothing is sent or charged. Each video is a short clip that shows the word PRACTICE.';

/** Tests whether the service accepts the key, by reading a task that does not exist. */
export async function testVideogenCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { apiKey, baseUrl, isPractice } = connectionFrom(data);
		if (isPractice) return { status: 'OK', message: PRACTICE };
		const send = credentialTestTransport(this, data, apiKey);
		const client = new ServiceClient(send, baseUrl, () => platformClock.date());
		const answer = await client.read(UNKNOWN_TASK_ID);
		const wrong = answer.kind === 'error' ? messageFor(answer.error) : undefined;
		return wrong ? testError(wrong) : { status: 'OK', message: 'The service accepted the API key' };
	} catch (thrown) {
		return testError(invalidMessage(thrown));
	}
}

/** What is wrong; `undefined` for an answer that only comes when the key was accepted. */
function messageFor(error: ServiceError): Message | undefined {
	if (error.kind === 'status') return statusMessage(error);
	if (error.kind !== 'unreadable') return serviceErrorMessage(error, 'read');
	if (error.reason === 'notTask' || error.reason === 'otherTask') return undefined;
	return otherServer(
		error.reason === 'html' ? 'a web page answers there' : 'what answers there is not JSON',
	);
}

function statusMessage(error: StatusError): Message | undefined {
	const { status, isJson } = error;
	if (isJson && (status === 405 || isTransient(error))) return notChecked(error);
	const saysWhy =
		[401, 403].includes(status) || (status >= 300 && status < 400) || isTransient(error);
	if (saysWhy) return serviceErrorMessage(error, 'read');
	// JSON about the unknown task comes from a service that has accepted the key.
	return isJson ? undefined : otherServer(`the web server there knows no tasks (${status})`);
}

/** For answers of a service that may not have checked the key. */
const notChecked = ({ status, serviceMessage }: StatusError): Message =>
	withQuote(serviceMessage, {
		message: `The service answered, but could not check the API key now (${status})`,
		description: 'Save the credential and test it again later. If this continues, check Base URL.',
	});

const otherServer = (what: string): Message => ({
	message: `This is not the URL of the service: ${what}`,
	description: 'Check Base URL: it must be the URL of the API, not of a website or console.',
});

const testError = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message.replace(/\.$/, '')}. ${description}`,
});
