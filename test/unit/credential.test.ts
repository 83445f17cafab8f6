import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeCredentialTestResult,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';
import { z } from 'zod';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';
import { credentialTestContext } from '../programs/support/credentialTestContext';
import { failedCall } from '../programs/support/networkErrors';

const BASE = 'https://api.example.com/video';
const KEY = 'key-1234567890';

const credential = new VideogenApi();

test('the fields of the credential are those of the interface', () => {
	expect(credential.name).toBe('videogenApi');
	const fields = credential.properties.map(
		({ name, type, default: value, required = false, typeOptions }) =>
			[name, type, value, required, typeOptions?.password ?? false] as const,
	);
	expect(fields).toEqual([
		['environment', 'options', 'live', false, false],
		['practiceNotice', 'notice', '', false, false],
		['apiKey', 'string', '', true, true],
		['baseUrl', 'string', '', true, false],
		['modelFamily', 'string', 'videogen-2.5', false, false],
	]);
});

test.each([
	[{}, ['environment', 'apiKey', 'baseUrl', 'modelFamily']],
	[{ environment: 'live' }, ['environment', 'apiKey', 'baseUrl', 'modelFamily']],
	[{ environment: 'practice' }, ['environment', 'practiceNotice']],
])('with %j these fields show: %j', (values, shown) => {
	const { properties } = new VideogenApi();
	const defaults = Object.fromEntries(properties.map((field) => [field.name, field.default]));
	const given = { ...defaults, ...values };
	const isShown = (field: INodeProperties) =>
		NodeHelpers.displayParameter(given, field, null, null);
	expect(properties.filter(isShown).map(({ name }) => name)).toEqual(shown);
});

describe('a request with the credential', () => {
	const authenticate = async (
		request: IHttpRequestOptions,
		credential: ICredentialDataDecryptedObject = { apiKey: KEY, baseUrl: BASE },
	) => await new VideogenApi().authenticate(credential, request);

	test.each(['practice', 'test'])('is refused where Environment is %s', async (environment) => {
		const credential = { apiKey: KEY, baseUrl: BASE, environment };
		await expect(authenticate({ url: `${BASE}/v1/tasks/1` }, credential)).rejects.toThrow(
			'This Videogen credential is for practice',
		);
	});

	test('carries the key, and stays as it was otherwise', async () => {
		const request: IHttpRequestOptions = {
			url: `${BASE}/v1/tasks/1`,
			method: 'GET',
			headers: { accept: 'application/json' },
			qs: { a: 1 },
		};
		const before = structuredClone(request);
		expect(await authenticate(request)).toEqual({
			...before,
			// In the words of n8n's newer and older request options.
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			sendCredentialsOnCrossOriginRedirect: false,
			headers: { accept: 'application/json', Authorization: `Bearer ${KEY}` },
		});
		expect(request).toEqual(before);
	});

	test.each(['Bearer ', 'bearer  ', ' Bearer\t'])(
		'carries the key without the "%s" that was pasted with it',
		async (pasted) => {
			const credential = { apiKey: `${pasted}${KEY}`, baseUrl: BASE };
			const { headers } = await authenticate({ url: BASE }, credential);
			expect(headers?.Authorization).toBe(`Bearer ${KEY}`);
		},
	);

	/** As n8n's older helper has its options: it knows no `url`. */
	const byUriAlone = (uri: string): IHttpRequestOptions =>
		Object.assign(Object.create(null), { uri });

	const WHOLE = `${BASE}/v1/tasks/1`;
	const EVIL = 'https://evil.example';
	test.each<[IHttpRequestOptions & { uri?: string }, string]>([
		[{ url: BASE }, BASE],
		[{ url: WHOLE }, WHOLE],
		[{ url: 'https://api.example.com:443/video' }, BASE],
		[{ url: 'https://API.example.com/video', uri: `${EVIL}/a` }, BASE],
		[byUriAlone(WHOLE), WHOLE],
		[{ url: WHOLE, baseURL: EVIL }, WHOLE],
		[{ url: '', uri: WHOLE, baseURL: EVIL }, WHOLE],
		// Clients take these for the end of a URL.
		[{ url: `\t${WHOLE}`, baseURL: EVIL }, WHOLE],
		[{ url: ` ${WHOLE}\n`, baseURL: EVIL }, WHOLE],
		[{ url: `h\nttps:${WHOLE.slice(6)}`, baseURL: EVIL }, WHOLE],
		[{ url: `https:\\\\${WHOLE.slice(8)}`, baseURL: EVIL }, WHOLE],
		[{ url: '', uri: `\u0000${WHOLE}`, baseURL: EVIL }, WHOLE],
		// And join them so, whatever slashes there are.
		[{ url: '/v1/tasks/1', baseURL: BASE }, WHOLE],
		[{ url: 'v1/tasks/1', baseURL: `${BASE}/` }, WHOLE],
		[{ url: '//v1/tasks/1', baseURL: `${BASE}/` }, WHOLE],
		[{ url: '', baseURL: WHOLE }, WHOLE],
	])('carries the key to the very URL that was checked: %j', async (request, url) => {
		const sent = { baseURL: undefined, uri: undefined, ...(await authenticate(request)) };
		expect(sent).toMatchObject({ url, baseURL: undefined, uri: undefined });
		expect(sent.headers?.Authorization).toBe(`Bearer ${KEY}`);
	});

	test.each<[string, IHttpRequestOptions & { uri?: string }, baseUrl?: string]>([
		['another host', { url: `${EVIL}/video` }],
		['a host that begins the same', { url: 'https://api.example.com.evil.example/video' }],
		[
			'a host that begins with all of a base address',
			{ url: 'https://api.example.com.evil.example/' },
			'https://api.example.com',
		],
		['another host, with a URL that ends the same', { url: `${EVIL}/?${BASE}/` }],
		['another port', { url: 'https://api.example.com:8443/video' }],
		['another scheme', { url: 'http://api.example.com/video' }],
		['a login that looks like the host', { url: 'https://api.example.com@evil.example/' }],
		['another host in uri', { url: '', uri: `${EVIL}/video` }],
		['another host in two parts', { baseURL: EVIL, url: '/video' }],
		['another host despite its base', { baseURL: BASE, url: `${EVIL}/` }],
		['nothing', { url: '' }],
		['a Base URL that is empty', { url: BASE }, ''],
		['a Base URL that is no URL', { url: BASE }, 'api.example.com'],
	])('does not go to %s, and the key stays a secret', async (_what, request, baseUrl = BASE) => {
		const asked = authenticate(request, { apiKey: KEY, baseUrl });
		const thrown: unknown = await asked.catch((reason: unknown) => reason);
		if (!(thrown instanceof Error)) throw new Error('It was let through');
		expect(thrown.message).toBe(
			'This Videogen credential is only for requests to its own Base URL',
		);
		// A mistake of the workflow, which n8n does not report as one of its own.
		expect(thrown).toMatchObject({ level: 'warning' });
		expect(`${String(thrown)} ${thrown.stack} ${JSON.stringify(thrown)}`).not.toContain(KEY);
		expect(request.headers).toBeUndefined();
	});

	/** Options that n8n's nodes and helpers know by these names, and what HTTP clients call the same. */
	const ownWays: Array<[string, object]> = [
		['a proxy, as the HTTP Request node has it', { proxy: 'http://127.0.0.1:3128' }],
		['a proxy in parts', { proxy: { host: '127.0.0.1', port: 3128 } }],
		['an agent', { agent: {} }],
		['agents', { agents: {} }],
		['an agent for http', { httpAgent: {} }],
		['an agent for https', { httpsAgent: {} }],
		['a socket', { socketPath: '/tmp/listener' }],
		['no check of certificates', { skipSslCertificateValidation: true }],
		['the same in older options', { rejectUnauthorized: false }],
		['the same as n8n shows it', { allowUnauthorizedCerts: true }],
		['the same for its agent', { agentOptions: { rejectUnauthorized: false } }],
		['another authority for certificates', { agentOptions: { ca: '-----BEGIN' } }],
		['an agent that connects elsewhere', { agentOptions: { host: '127.0.0.1' } }],
	];
	test.each(ownWays)('does not go with %s', async (_what, options) => {
		const asked = authenticate({ url: WHOLE, ...options });
		await expect(asked).rejects.toMatchObject({ level: 'warning' });
		await expect(asked).rejects.toThrow(/^This Videogen credential is not for requests .* proxy/);
		await expect(asked).rejects.not.toThrow(KEY);
	});

	test.each<[string, object]>([
		['a proxy that was added and left empty', { proxy: '' }],
		['options that were not set', { proxy: undefined, agentOptions: undefined }],
		[
			'the check of certificates',
			{ rejectUnauthorized: true, skipSslCertificateValidation: false },
		],
		['a certificate of the client', { agentOptions: { cert: 'a', key: 'b', passphrase: 'c' } }],
	])('goes with %s', async (_what, options) => {
		const { headers } = await authenticate({ url: WHOLE, ...options });
		expect(headers?.Authorization).toBe(`Bearer ${KEY}`);
	});
});

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
	const ALL_THE_SAME = 'If it is right, you can use this credential all the same.';
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
