import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { Answer, StatusError, ServiceError } from './service/answer';
import { credentialTestTransport } from './service/transport';
import { ServiceClient } from './service/client';
import { connectionFrom } from './parameters/connection';
import type { Message } from './messages/message';
import { quoted } from './messages/message';
import { invalidMessage } from './messages/outcomeMessage';
import { serviceErrorMessage } from './messages/serviceErrorMessage';

/** No task has this id, so that asking for it creates nothing, costs nothing and shows nothing. */
const UNKNOWN_TASK_ID = 'n8n-credential-test';

/** Tells whether the service takes the key, by reading a task that does not exist. */
export async function testVideogenCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const { apiKey, baseUrl } = connectionFrom(data);
		const send = credentialTestTransport(this, data, apiKey);
		const client = new ServiceClient(send, baseUrl, () => Date.now());
		return verdictOn(await client.read(UNKNOWN_TASK_ID));
	} catch (thrown) {
		return refusal(invalidMessage(thrown));
	}
}

function verdictOn(answer: Answer): INodeCredentialTestResult {
	if (answer.kind === 'task' || isOwnAnswer(answer.error)) {
		return { status: 'OK', message: 'The service accepted the API key' };
	}
	const { error } = answer;
	if (saysNothingOfKey(error)) return refusal(uncheckedMessage(error));
	const strange = strangerMessage(error);
	return refusal(strange ?? serviceErrorMessage(error, 'read'));
}

/** Any JSON but a refusal of the key: the service looked past the key at the task id. */
const isOwnAnswer = (error: ServiceError): boolean =>
	error.kind === 'status'
		? error.isJson && !saysMoreThanUnknown(error) && !saysNothingOfKey(error)
		: error.kind === 'unreadable' && ['notTask', 'otherTask'].includes(error.reason);

/** Answers of the service that come before it looks at the key. */
const saysNothingOfKey = (error: ServiceError): error is StatusError =>
	error.kind === 'status' &&
	error.isJson &&
	(UNCHECKED_STATUSES.includes(error.status) || error.status >= 500);

const UNCHECKED_STATUSES = [405, 408, 425, 429];

const uncheckedMessage = ({ status, serviceMessage }: StatusError): Message => ({
	message: `The service answered, but the API key could not be checked now (${status})`,
	description: `${serviceMessage ? `The service says: ${quoted(serviceMessage)} ` : ''}Save the credential and test it again later; if this stays, check Base URL.`,
});

const saysMoreThanUnknown = ({ status }: StatusError): boolean =>
	[401, 403].includes(status) || status >= 500 || (status >= 300 && status < 400);

/** Something answers, but no service of this kind. */
function strangerMessage(error: ServiceError): Message | undefined {
	const description =
		"Check Base URL: it is the address of the service's API, not of its website or console.";
	if (error.kind === 'unreadable') {
		const message =
			error.reason === 'html'
				? 'This is not the address of the service: a web page answers there'
				: 'This is not the address of the service: what answers there is not JSON';
		return { message, description };
	}
	if (error.kind !== 'status' || saysMoreThanUnknown(error)) return undefined;
	if (error.status === 429) return undefined;
	return {
		message: `This is not the address of the service: the web server there knows no tasks (${error.status})`,
		description,
	};
}

const refusal = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message.replace(/\.$/, '')}. ${description}`,
});
