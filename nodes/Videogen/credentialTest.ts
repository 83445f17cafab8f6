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

/** No task has this id, so that asking for it creates nothing and shows nothing. */
const UNKNOWN_TASK_ID = 'n8n-credential-test';

/** Tells whether the service takes the key, by reading a task that does not exist. */
export async function testVideogenCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { apiKey, baseUrl } = connectionFrom(data);
		const send = credentialTestTransport(this, data, apiKey);
		const client = new ServiceClient(send, baseUrl, () => platformClock.date());
		const answer = await client.read(UNKNOWN_TASK_ID);
		const refused = answer.kind === 'error' ? messageFor(answer.error) : undefined;
		return refused
			? refusal(refused)
			: { status: 'OK', message: 'The service accepted the API key' };
	} catch (thrown) {
		return refusal(invalidMessage(thrown));
	}
}

/** `undefined` after an answer that only comes when the key was accepted. */
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
	// JSON about the unknown task: the service looked past the key at the id.
	return isJson ? undefined : otherServer(`the web server there knows no tasks (${status})`);
}

/** After answers of the service that come before it looks at the key. */
const notChecked = ({ status, serviceMessage }: StatusError): Message =>
	withQuote(serviceMessage, {
		message: `The service answered, but could not check the API key now (${status})`,
		description: 'Save the credential and test it again later. If this continues, check Base URL.',
	});

const otherServer = (what: string): Message => ({
	message: `This is not the URL of the service: ${what}`,
	description: 'Check Base URL: it must be the URL of the API, not of a website or console.',
});

const refusal = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message.replace(/\.$/, '')}. ${description}`,
});
