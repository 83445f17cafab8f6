import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { Answer, StatusTrouble, Trouble } from './service/answer';
import { credentialTestTransport } from './service/transport';
import { ServiceClient } from './service/client';
import { connectionFrom } from './parameters/connection';
import type { Message } from './messages/messages';
import { invalidMessage, quoted, troubleMessage } from './messages/messages';

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
	if (answer.kind === 'task' || isOwnAnswer(answer.trouble)) {
		return { status: 'OK', message: 'The service accepted the API key' };
	}
	const { trouble } = answer;
	if (saysNothingOfKey(trouble)) return refusal(uncheckedMessage(trouble));
	const strange = strangerMessage(trouble);
	return refusal(strange ?? troubleMessage(trouble, 'read'));
}

/** Any JSON but a refusal of the key: the service looked past the key at the task id. */
const isOwnAnswer = (trouble: Trouble): boolean =>
	trouble.kind === 'status'
		? trouble.isJson && !saysMoreThanUnknown(trouble) && !saysNothingOfKey(trouble)
		: trouble.kind === 'unreadable' && ['notTask', 'otherTask'].includes(trouble.reason);

/** Answers of the service that come before it looks at the key. */
const saysNothingOfKey = (trouble: Trouble): trouble is StatusTrouble =>
	trouble.kind === 'status' &&
	trouble.isJson &&
	(UNCHECKED_STATUSES.includes(trouble.status) || trouble.status >= 500);

const UNCHECKED_STATUSES = [405, 408, 425, 429];

const uncheckedMessage = ({ status, serviceMessage }: StatusTrouble): Message => ({
	message: `The service answered, but the API key could not be checked now (${status})`,
	description: `${serviceMessage ? `The service says: ${quoted(serviceMessage)} ` : ''}Save the credential and test it again later; if this stays, check Base URL.`,
});

const saysMoreThanUnknown = ({ status }: StatusTrouble): boolean =>
	[401, 403].includes(status) || status >= 500 || (status >= 300 && status < 400);

/** Something answers, but no service of this kind. */
function strangerMessage(trouble: Trouble): Message | undefined {
	const description =
		"Check Base URL: it is the address of the service's API, not of its website or console.";
	if (trouble.kind === 'unreadable') {
		const message =
			trouble.reason === 'html'
				? 'This is not the address of the service: a web page answers there'
				: 'This is not the address of the service: what answers there is not JSON';
		return { message, description };
	}
	if (trouble.kind !== 'status' || saysMoreThanUnknown(trouble)) return undefined;
	if (trouble.status === 429) return undefined;
	return {
		message: `This is not the address of the service: the web server there knows no tasks (${trouble.status})`,
		description,
	};
}

const refusal = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${message.replace(/\.$/, '')}. ${description}`,
});
