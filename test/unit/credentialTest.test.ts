import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';
import { z } from 'zod';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';
import { credentialTestContext } from '../programs/support/credentialTestContext';
import { failedCall } from '../programs/support/networkErrors';

const BASE = 'https://api.example.com/video';
const KEY = 'key-1234567890';

const requestOptions = z.object({
	// Nothing else may go to the path that creates.
	method: z.literal('GET'),
	uri: z.string(),
	headers: z.record(z.string()),
	timeout: z.number(),
	resolveWithFullResponse: z.literal(true),
	simple: z.literal(false),
	useStream: z.literal(true),
	followRedirect: z.literal(false),
});

interface Answer {
	statusCode: number;
	headers?: Record<string, string>;
	body: string;
}

const json = (statusCode: number, body: unknown): Answer => ({
	statusCode,
	body: JSON.stringify(body),
});

/** What the test of a credential says where paths are answered so, and what it has asked for. */
async function testing(
	answer: (path: string) => Answer,
	data: ICredentialDataDecryptedObject = {},
): Promise<INodeCredentialTestResult & { asked: Array<z.infer<typeof requestOptions>> }> {
	const asked: Array<z.infer<typeof requestOptions>> = [];
	const n8n = credentialTestContext(async (given) => {
		const request = requestOptions.parse(given);
		asked.push(request);
		return await Promise.resolve({ headers: {}, ...answer(new URL(request.uri).pathname) });
	});
	const credential = { id: '1', name: 'Videogen', type: 'videogenApi' };
	const result = await testVideogenCredential.call(n8n, {
		...credential,
		data: { apiKey: KEY, baseUrl: BASE, modelFamily: 'videogen-2.5', ...data },
	});
	return { ...result, asked };
}

describe('the test of a credential', () => {
	const OK = { status: 'OK', message: 'The service accepted the API key' };
	const READ = '/v1/tasks/n8n-credential-test';

	test.each([
		json(400, {}),
		json(400, { error: { code: 'invalid_task_id', message: 'No' } }),
		json(404, { error: { code: 'task_not_exist', message: 'No' } }),
		json(200, { code: 404, message: 'no such task' }),
		json(200, { id: 'n8n-credential-test', status: 'failed' }),
	])('takes a key that is answered %j, with one read that creates nothing', async (answer) => {
		const { asked, ...result } = await testing(() => answer);
		expect(result).toEqual(OK);
		const headers = { Authorization: `Bearer ${KEY}` };
		expect(asked).toMatchObject([{ uri: `${BASE}${READ}`, headers }]);
	});

	test.each<ICredentialDataDecryptedObject>([{}, { apiKey: '', baseUrl: '' }])(
		'is well for practice, without a request, whatever the other fields hold: %j',
		async (more) => {
			expect(await testing(() => json(401, {}), { environment: 'practice', ...more })).toEqual({
				status: 'OK',
				message: expect.stringContaining('shows the word PRACTICE'),
				asked: [],
			});
		},
	);

	/** The answers to an unknown task, to an unknown path beside it, and to a GET of the create path. */
	type Answers = [task: object, unknown: object, create: object, createStatus?: number];
	const cannotGet = (path: string) => ({ message: `Cannot GET /wrong/v1/${path}` });
	const notFound = { detail: 'Not Found' };
	const numbered = (id: number) => ({ error: { message: `Nothing here (request id: ${id})` } });
	const atPath = (path: string) => ({ error: 'Not Found', path, timestamp: path.length });

	const saidBy = async ([task, unknown, create, createStatus = 404]: Answers, baseUrl: string) => {
		const answer = (path: string) => {
			if (path.endsWith(READ)) return json(404, task);
			return path.endsWith('/v1/n8n-credential-test')
				? json(404, unknown)
				: json(createStatus, create);
		};
		return (await testing(answer, { baseUrl })).message;
	};

	const WRONG = 'This is probably not the URL of the service: nothing there knows tasks (404). ';
	const ALL_THE_SAME = 'If it is right, you can use this credential anyway.';
	test.each<[what: string, answers: Answers]>([
		['in the same words', [notFound, notFound, notFound]],
		[
			'with their paths',
			[cannotGet('tasks/n8n-credential-test'), cannotGet('n'), cannotGet('videos/generations')],
		],
		['with a number each', [numbered(1), numbered(2), numbered(3)]],
		['with facts beside the words', [atPath('/a'), atPath('/b'), atPath('/ccc')]],
	])('tells a path under which all is answered %s', async (_what, answers) => {
		expect(await saidBy(answers, 'https://e.com/wrong/v1')).toBe(
			`${WRONG}Remove “/wrong” from Base URL, or compare it with the provider's documentation. ${ALL_THE_SAME}`,
		);
		expect(await saidBy(answers, 'https://e.com')).toBe(
			`${WRONG}Compare Base URL with the provider's documentation. ${ALL_THE_SAME}`,
		);
	});

	test.each<[what: string, answers: Answers]>([
		['the create path knows other methods', [notFound, notFound, notFound, 405]],
		['its words for an unknown path differ', [notFound, { detail: 'No route' }, notFound]],
		['its words name a task', [{ detail: 'Task not found' }, notFound, notFound]],
		['its code names a task', [{ code: 'task_gone', message: 'No' }, notFound, notFound]],
	])('takes a path for that of the service when %s', async (_what, answers) => {
		expect(await saidBy(answers, BASE)).toBe(OK.message);
	});

	const page = '<!DOCTYPE html><html><body>Welcome</body></html>';
	const sorry = (statusCode: number) => json(statusCode, { error: { message: 'Sorry' } });
	const LATER = 'The service says: “Sorry”. Save the credential and test it again later';
	const OTHER_SERVER = 'not of a website or console';
	test.each<[Answer, says: string, next: string]>([
		[sorry(401), 'API key not accepted (401)', 'Paste the key again'],
		[sorry(403), 'API key without access (403)', 'what this key may use'],
		...[405, 429, 500, 503].map((code): [Answer, string, string] => [
			sorry(code),
			`The service answered, but could not check the API key now (${code})`,
			LATER,
		]),
		[sorry(300), 'The URL of the service redirects (300)', 'the final URL'],
		[sorry(399), 'The URL of the service redirects (399)', 'the final URL'],
		[
			{ statusCode: 302, body: '', headers: { location: 'https://e.com/login' } },
			'The URL of the service redirects to https://e.com/login (302)',
			'up to where /v1 begins',
		],
		[{ statusCode: 429, body: page }, 'Rate limit reached (429)', 'Try again later'],
		[
			{ statusCode: 200, body: page },
			'This is not the URL of the service: a web page answers there',
			OTHER_SERVER,
		],
		...[404, 405].map((statusCode): [Answer, string, string] => [
			{ statusCode, body: statusCode === 404 ? page : '' },
			`This is not the URL of the service: the web server there knows no tasks (${statusCode})`,
			OTHER_SERVER,
		]),
		...['It works!', ''].map((body): [Answer, string, string] => [
			{ statusCode: 200, body },
			'This is not the URL of the service: what answers there is not JSON',
			OTHER_SERVER,
		]),
	])('says what it means to be answered with %j', async (answer, says, next) => {
		const { status, message, asked } = await testing(() => answer);
		expect(status).toBe('Error');
		expect(message.startsWith(`${says}. `)).toBe(true);
		expect(message).toContain(next);
		expect(message).not.toContain('<');
		expect(asked).toHaveLength(1);
	});

	test('the key is not in the message even when the service repeats it', async () => {
		const answer = json(403, { error: { message: `Unknown key ${KEY}` } });
		const { message } = await testing(() => answer);
		expect(message).toContain('Unknown key [API key]');
		expect(message).not.toContain(KEY);
	});

	/** Other reasons, and URLs that are none, stand in `networkReason.test.ts` and `messages.test.ts`. */
	test('a service that cannot be reached has its own message', async () => {
		const { status, message } = await testing(() => {
			throw failedCall({ syscall: 'connect', code: 'ECONNREFUSED' });
		});
		expect(status).toBe('Error');
		expect(message).toMatch(/^No connection to the service\. Check/);
	});

	const NO_SCHEME = 'Base URL does not begin with https://. Begin it with https://';
	test.each<[ICredentialDataDecryptedObject, string]>([
		[{ environment: 'Practice' }, 'Environment: "Practice" is not allowed. It is live or'],
		[{ apiKey: ' ' }, 'API Key is empty'],
		[{ baseUrl: '' }, 'Base URL is empty'],
		[{ baseUrl: 'https://' }, 'Base URL: "https://" is not a usable URL'],
		[{ baseUrl: 'https://me:secret@e.com' }, 'Base URL: what it holds is not a usable URL'],
		[{ baseUrl: 'sk-secret' }, NO_SCHEME],
		[{ baseUrl: 'api.example.com' }, NO_SCHEME],
	])('%j is refused without a request', async (data, says) => {
		const { status, message, asked } = await testing(() => json(200, {}), data);
		expect(status).toBe('Error');
		expect(message.startsWith(says)).toBe(true);
		expect(message).not.toContain('secret');
		expect(asked).toEqual([]);
	});
});
