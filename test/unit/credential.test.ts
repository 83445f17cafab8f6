import type {
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INodeCredentialTestResult,
	INodeProperties,
} from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';
import { z } from 'zod';
import { VideogenApi } from '../../credentials/VideogenApi.credentials';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';
import { sendJson, startHost } from '../programs/realN8n/hosts';
import { refusingPort } from '../programs/realN8n/ports';
import type { Fault, Simulator } from '../programs/simulator';
import { DEFAULT_API_KEY, startSimulator } from '../programs/simulator';
import { credentialTestContext } from '../programs/support/credentialTestContext';

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
		[{ url: 'https://API.example.com/video' }, BASE],
		[byUriAlone(WHOLE), WHOLE],
		[{ url: WHOLE, baseURL: EVIL }, WHOLE],
		[{ url: WHOLE, uri: `${EVIL}/a` }, WHOLE],
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
	method: z.string(),
	uri: z.string(),
	headers: z.record(z.string()),
	timeout: z.number(),
	resolveWithFullResponse: z.literal(true),
	simple: z.literal(false),
	useStream: z.literal(true),
	followRedirect: z.literal(false),
});

/** What n8n's older helper does with the options that its credential tests use. */
async function sendAsN8n(given: string | object) {
	const { method, uri, headers } = requestOptions.parse(given);
	const answer = await fetch(uri, { method, headers, redirect: 'manual' });
	const body = await answer.text();
	return { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body };
}

const n8n = credentialTestContext(sendAsN8n);

const testCredential = async (
	data: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> =>
	await testVideogenCredential.call(n8n, { id: '1', name: 'Videogen', type: 'videogenApi', data });

describe('the test of a credential', () => {
	let simulator: Simulator;
	beforeAll(async () => {
		simulator = await startSimulator({ pathPrefix: '/video' });
	});
	beforeEach(() => simulator.reset());
	afterAll(async () => await simulator.close());

	const good = (): ICredentialDataDecryptedObject => ({
		apiKey: DEFAULT_API_KEY,
		baseUrl: simulator.baseUrl,
		modelFamily: 'videogen-2.5',
	});

	const OK = { status: 'OK', message: 'The service accepted the API key' };

	const expectOneRead = (): void => {
		expect(simulator.requests.map(({ method, route }) => [method, route])).toEqual([
			['GET', 'task'],
		]);
		expect(simulator.tasks.size).toBe(0);
	};

	test('takes a good key, with one request that creates nothing', async () => {
		expect(await testCredential(good())).toEqual(OK);
		expectOneRead();
		expect(simulator.requests[0]?.headers.authorization).toBe(`Bearer ${DEFAULT_API_KEY}`);
	});

	test('is well for practice, without a request, whatever the other fields hold', async () => {
		const { status, message } = await testCredential({ ...good(), environment: 'practice' });
		expect([status, message]).toEqual(['OK', expect.stringContaining('shows the word PRACTICE')]);
		expect(await testCredential({ environment: 'practice' })).toMatchObject({ status: 'OK' });
		expect(simulator.requests).toEqual([]);
	});

	const accepting: Fault[] = [
		{ kind: 'status', status: 400 },
		{ kind: 'status', status: 400, body: { error: { code: 'invalid_task_id', message: 'No' } } },
		{ kind: 'status', status: 404, body: { error: { code: 'task_not_exist', message: 'No' } } },
		{ kind: 'json', body: { code: 404, message: 'no such task' } },
		{ kind: 'json', body: { id: 'n8n-credential-test', status: 'failed' } },
	];
	test.each(accepting)('takes a key that is answered %j', async (fault) => {
		simulator.script({ on: 'task', fault });
		expect(await testCredential(good())).toEqual(OK);
		expectOneRead();
	});

	/** The answers to an unknown task, to an unknown path beside it, and to a GET of the create path. */
	type Answers = [task: object, unknown: object, create: object, createStatus?: number];
	const cannotGet = (path: string) => ({ message: `Cannot GET /wrong/v1/${path}` });
	const notFound = { detail: 'Not Found' };
	const numbered = (id: number) => ({ error: { message: `Nothing here (request id: ${id})` } });
	const atPath = (path: string) => ({ error: 'Not Found', path, timestamp: path.length });

	const answering = async ([task, unknown, create, createStatus = 404]: Answers) =>
		await startHost(({ url = '' }, response) => {
			if (url.endsWith('/v1/tasks/n8n-credential-test')) return sendJson(response, 404, task);
			if (url.endsWith('/v1/n8n-credential-test')) return sendJson(response, 404, unknown);
			return sendJson(response, createStatus, create);
		});

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
		const host = await answering(answers);
		const baseUrl = `${host.baseUrl}/wrong/v1`;
		const inPath = await testCredential({ ...good(), baseUrl });
		const atHost = await testCredential({ ...good(), baseUrl: host.baseUrl });
		await host.close();
		expect(inPath).toEqual({
			status: 'Error',
			message: `${WRONG}Remove “/wrong” from Base URL, or compare it with the provider's documentation. ${ALL_THE_SAME}`,
		});
		expect(atHost.message).toBe(
			`${WRONG}Compare Base URL with the provider's documentation. ${ALL_THE_SAME}`,
		);
	});

	test.each<[what: string, answers: Answers]>([
		['the create path knows other methods', [notFound, notFound, notFound, 405]],
		['its words for an unknown path differ', [notFound, { detail: 'No route' }, notFound]],
		['its words name a task', [{ detail: 'Task not found' }, notFound, notFound]],
		['its code names a task', [{ code: 'task_gone', message: 'No' }, notFound, notFound]],
	])('takes a path for that of the service when %s', async (_what, answers) => {
		const host = await answering(answers);
		const result = await testCredential({ ...good(), baseUrl: `${host.baseUrl}/video` });
		await host.close();
		expect(result).toEqual(OK);
	});

	type Refused = [status: number, body: string, says: string, next: string, headers?: Headers];
	type Headers = Record<string, string>;
	const page = '<!DOCTYPE html><html><body>Welcome</body></html>';
	const json = JSON.stringify({ error: { message: 'Sorry' } });
	const NOT_NOW = 'The service answered, but could not check the API key now';
	const LATER = 'The service says: “Sorry”. Save the credential and test it again later';
	const OTHER_SERVER = 'This is not the URL of the service: ';
	const otherServer = (status: number, body: string, what: string): Refused => {
		return [status, body, `${OTHER_SERVER}${what}`, 'not of a website or console'];
	};
	const REDIRECTS = 'The URL of the service redirects';
	const toLogin = { location: 'https://e.com/login' };
	const refused: Refused[] = [
		[401, json, 'API key not accepted (401)', 'Paste the key again'],
		[403, json, 'API key without access (403)', 'what this key may use'],
		...[405, 429, 500, 503].map((code): Refused => [code, json, `${NOT_NOW} (${code})`, LATER]),
		...[300, 399].map((code): Refused => [code, json, `${REDIRECTS} (${code})`, 'the final URL']),
		[302, '', `${REDIRECTS} to ${toLogin.location} (302)`, 'up to where /v1 begins', toLogin],
		[429, page, 'Rate limit reached (429)', 'Try again later'],
		otherServer(200, page, 'a web page answers there'),
		otherServer(404, page, 'the web server there knows no tasks (404)'),
		otherServer(405, '', 'the web server there knows no tasks (405)'),
		otherServer(200, 'It works!', 'what answers there is not JSON'),
		otherServer(200, '', 'what answers there is not JSON'),
	];

	test.each(refused)(
		'says what it means to be answered with %i %s',
		async (code, body, says, next, headers = {}) => {
			simulator.script({ on: 'task', fault: { kind: 'status', status: code, body, headers } });
			const { status, message } = await testCredential(good());
			expect(status).toBe('Error');
			expect(message.startsWith(`${says}. `)).toBe(true);
			expect(message).toContain(next);
			expect(message).not.toContain('<');
			expectOneRead();
		},
	);

	test('the key is not in the message even when the service repeats it', async () => {
		const body = { error: { message: `Unknown key ${DEFAULT_API_KEY}` } };
		simulator.script({ on: 'task', fault: { kind: 'status', status: 403, body } });
		const { message } = await testCredential(good());
		expect(message).toContain('Unknown key [API key]');
		expect(message).not.toContain(DEFAULT_API_KEY);
	});

	/** Other reasons, and URLs that are none, stand in `networkReason.test.ts` and `messages.test.ts`. */
	test('a service that cannot be reached has its own message', async () => {
		const refusing = await refusingPort();
		const baseUrl = `http://127.0.0.1:${refusing.port}`;
		const { status, message } = await testCredential({ ...good(), baseUrl });
		await refusing.close();
		expect(status).toBe('Error');
		expect(message).toMatch(/^No connection to the service\. Check/);
	});

	test.each<[ICredentialDataDecryptedObject, string]>([
		[
			{ environment: 'Practice' },
			'Environment: "Practice" is not allowed. It is live or practice.',
		],
		[{ apiKey: ' ' }, 'API Key is empty'],
		[{ baseUrl: '' }, 'Base URL is empty'],
		[{ baseUrl: 'https://' }, 'Base URL: "https://" is not a usable URL'],
		[{ baseUrl: 'https://me:secret@e.com' }, 'Base URL: what it holds is not a usable URL'],
		...['sk-secret', 'api.example.com'].map((baseUrl): [ICredentialDataDecryptedObject, string] => [
			{ baseUrl },
			'Base URL does not begin with https://. Begin it with https://',
		]),
	])('%j is refused without a request', async (more, says) => {
		const { status, message } = await testCredential({ ...good(), ...more });
		expect(status).toBe('Error');
		expect(message.startsWith(says)).toBe(true);
		expect(message).not.toContain('secret');
		expect(simulator.requests).toEqual([]);
	});
});
