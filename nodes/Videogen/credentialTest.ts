import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import type { HttpAnswer, ServiceError, StatusError } from './service/answer';
import { credentialTestTransport } from './service/transport';
import { REQUEST_LIMITS, type Send, ServiceClient } from './service/client';
import { CREATE_PATH } from './service/contract/limits';
import { messageInAnswer } from './service/errorPayload';
import { isTransient, wordsOfRead } from './service/answerMeaning';
import { platformClock } from './ground/clock';
import { connectionFrom } from './fields/credential';
import { asSentence } from './ground/text';
import { LABELS, type Message } from './ground/words';
import { invalidMessage } from './work/orderWords';
import { withQuote } from './service/answerWords';

/** No task has this id, and no service this path. Reading them creates nothing. */
const UNKNOWN = 'n8n-credential-test';

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
		const answer = await client.read(UNKNOWN);
		const error = answer.kind === 'error' ? answer.error : undefined;
		const wrong = error && (messageFor(error) ?? (await wrongPath(send, baseUrl, error)));
		return wrong ? testError(wrong) : { status: 'OK', message: 'The service accepted the API key' };
	} catch (thrown) {
		return testError(invalidMessage(thrown));
	}
}

/** What is wrong; `undefined` for an answer that only comes when the key was accepted. */
function messageFor(error: ServiceError): Message | undefined {
	if (error.kind === 'status') return statusMessage(error);
	if (error.kind !== 'unreadable') return wordsOfRead(error);
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
	if (saysWhy) return wordsOfRead(error);
	// JSON about the unknown task comes from a service that has accepted the key.
	return isJson ? undefined : otherServer(`the web server there knows no tasks (${status})`);
}

/** The paths in an answer, and the number of a request, differ where its words are the same. */
const plainWords = (words = ''): string =>
	words.replace(/\/\S*|\(request id:[^)]*\)/gi, '').toLowerCase();

/**
 * What is wrong with a path under which nothing knows tasks: whatever is read there is answered 404 in
 * the same words. A service may do so, too, so that this is no certainty.
 */
async function wrongPath(send: Send, baseUrl: string, error: ServiceError) {
	if (error.kind !== 'status' || error.status !== 404) return undefined;
	const words = plainWords(error.serviceMessage);
	if (/task/.test(`${words} ${error.code ?? ''}`.toLowerCase())) return undefined;
	const get = async (path: string): Promise<HttpAnswer> =>
		await send({ method: 'GET', url: `${baseUrl}/${path}`, limitMs: REQUEST_LIMITS.readMs });
	const others = await Promise.all([get(`v1/${UNKNOWN}`), get(CREATE_PATH)]);
	const isSame = (other: HttpAnswer) =>
		other.statusCode === 404 && plainWords(messageInAnswer(other)) === words;
	return others.every(isSame) ? nothingThere(new URL(baseUrl).pathname) : undefined;
}

const nothingThere = (path: string): Message => ({
	message: 'This is probably not the URL of the service: nothing there knows tasks (404)',
	description: `${path === '/' ? `Compare ${LABELS.baseUrl}` : `Remove “${path}” from ${LABELS.baseUrl}, or compare it`} with the provider's documentation. If it is right, you can use this credential anyway.`,
});

/** For answers of a service that may not have checked the key. */
const notChecked = ({ status, serviceMessage }: StatusError): Message =>
	withQuote(serviceMessage, {
		message: `The service answered, but could not check the API key now (${status})`,
		description: `Save the credential and test it again later. If this continues, check ${LABELS.baseUrl}.`,
	});

const otherServer = (what: string): Message => ({
	message: `This is not the URL of the service: ${what}`,
	description: `Check ${LABELS.baseUrl}: it must be the URL of the API, not of a website or console.`,
});

const testError = ({ message, description }: Message): INodeCredentialTestResult => ({
	status: 'Error',
	message: `${asSentence(message)} ${description}`,
});
