import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';
import { VideogenApi } from '../../../credentials/VideogenApi.credentials';

const BASE = 'https://api.example.com/video';
const KEY = 'key-1234567890';
const WHOLE = `${BASE}/v1/tasks/1`;

test.each([
	[{}, ['environment', 'apiKey', 'baseUrl', 'modelFamily']],
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
			/practice/,
		);
	});

	test('carries the key, and stays as it was otherwise', async () => {
		const headers = { accept: 'application/json' };
		const request: IHttpRequestOptions = { url: WHOLE, method: 'GET', headers, qs: { a: 1 } };
		const before = structuredClone(request);
		expect(await authenticate(request)).toEqual({
			...before,
			// In the words of n8n's newer and older request options.
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			sendCredentialsOnCrossOriginRedirect: false,
			headers: { ...headers, Authorization: `Bearer ${KEY}` },
		});
		expect(request).toEqual(before);
	});

	const EVIL = 'https://evil.example';
	test.each<[IHttpRequestOptions & { uri?: string }, string]>([
		[{ url: 'https://api.example.com:443/video' }, BASE],
		[{ url: 'https://API.example.com/video', uri: `${EVIL}/a` }, BASE],
		[{ url: WHOLE, baseURL: EVIL }, WHOLE],
		[{ url: '', uri: WHOLE, baseURL: EVIL }, WHOLE],
		// Clients take these for the end of a URL.
		[{ url: ` ${WHOLE}\n`, baseURL: EVIL }, WHOLE],
		[{ url: `h\nttps:${WHOLE.slice(6)}`, baseURL: EVIL }, WHOLE],
		[{ url: `https:\\\\${WHOLE.slice(8)}`, baseURL: EVIL }, WHOLE],
		[{ url: '', uri: `\u0000${WHOLE}`, baseURL: EVIL }, WHOLE],
		// And join them so, whatever slashes there are.
		[{ url: '/v1/tasks/1', baseURL: BASE }, WHOLE],
		[{ url: '//v1/tasks/1', baseURL: `${BASE}/` }, WHOLE],
		[{ url: '', baseURL: WHOLE }, WHOLE],
	])('carries the key to the very URL that was checked: %j', async (request, url) => {
		const sent = { baseURL: undefined, uri: undefined, ...(await authenticate(request)) };
		expect(sent).toMatchObject({ url, baseURL: undefined, uri: undefined });
		expect(sent.headers?.Authorization).toBe(`Bearer ${KEY}`);
	});

	test.each<[string, IHttpRequestOptions & { uri?: string }, baseUrl?: string]>([
		['another host', { url: `${EVIL}/video` }],
		['the same behind all of Base URL', { url: 'https://e.com.evil.example/' }, 'https://e.com'],
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
		// A mistake of the workflow, which n8n does not report as one of its own.
		expect(thrown).toMatchObject({ level: 'warning' });
		expect(`${String(thrown)} ${thrown.stack} ${JSON.stringify(thrown)}`).not.toContain(KEY);
		expect(request.headers).toBeUndefined();
	});

	/** As n8n's nodes and helpers have them. */
	test.each<[isSafe: boolean, options: object]>([
		[false, { headers: { Host: 'evil.example' } }],
		[false, { headers: { ' hOST': 'api.example.com:8443' } }],
		[false, { proxy: 'http://127.0.0.1:3128' }],
		[false, { proxy: { host: '127.0.0.1', port: 3128 } }],
		[false, { skipSslCertificateValidation: true }],
		[false, { rejectUnauthorized: false }],
		[false, { allowUnauthorizedCerts: true }],
		[true, { headers: { host: 'API.example.com' } }],
		// A proxy that was added and left empty, and options that were not set.
		[true, { proxy: '' }],
		[true, { proxy: undefined }],
		[true, { rejectUnauthorized: true, skipSslCertificateValidation: false }],
	])('goes: %s, with %j', async (isSafe, options) => {
		const asked = authenticate({ url: WHOLE, ...options });
		if (isSafe) {
			expect((await asked).headers?.Authorization).toBe(`Bearer ${KEY}`);
			return;
		}
		await expect(asked).rejects.toMatchObject({ level: 'warning' });
		await expect(asked).rejects.not.toThrow(KEY);
	});
});
