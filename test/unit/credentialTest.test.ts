import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { testVideogenCredential } from '../../nodes/Videogen/credentialTest';
import { credentialTestContext } from '../support/credentialTestContext';

const BASE = 'https://api.example.com/video';
const KEY = 'key-1234567890';

interface TestAnswer {
	statusCode: number;
	headers?: Record<string, string>;
	body: string;
}

const jsonAnswer = (statusCode: number, body: unknown): TestAnswer => ({
	statusCode,
	body: JSON.stringify(body),
});

/** What the test of a credential says where requests are answered so, and what it has asked for. */
async function testing(answer: () => TestAnswer, data: ICredentialDataDecryptedObject = {}) {
	const asked: unknown[] = [];
	const n8n = credentialTestContext(async (request) => {
		asked.push(request);
		return await Promise.resolve({ headers: {}, ...answer() });
	});
	const result = await testVideogenCredential.call(n8n, {
		id: '1',
		name: 'Videogen',
		type: 'videogenApi',
		data: { apiKey: KEY, baseUrl: BASE, ...data },
	});
	return { ...result, asked };
}

const PAGE = '<!DOCTYPE html><html><body>Welcome</body></html>';

describe('the test of a credential', () => {
	const OK = { status: 'OK', message: 'The provider accepted the API key' };

	test.each([
		jsonAnswer(400, { error: { code: 'invalid_task_id', message: 'No' } }),
		jsonAnswer(404, { error: { code: 'task_not_exist', message: 'No' } }),
		jsonAnswer(402, { error: { message: 'No' } }),
		jsonAnswer(200, { code: 404, message: 'no such task' }),
		jsonAnswer(200, { id: 'n8n-credential-test', status: 'failed' }),
	])('takes a key that is answered %j, with one read that creates nothing', async (answer) => {
		const { asked, ...result } = await testing(() => answer);
		expect(result).toEqual(OK);
		expect(asked).toEqual([
			expect.objectContaining({
				method: 'GET',
				uri: `${BASE}/v1/tasks/n8n-credential-test`,
				headers: { accept: 'application/json', Authorization: `Bearer ${KEY}` },
				timeout: 30_000,
				resolveWithFullResponse: true,
				simple: false,
				useStream: true,
				followRedirect: false,
			}),
		]);
	});

	test('is well for practice, without a request or a key', async () => {
		const data = { environment: 'practice', apiKey: '', baseUrl: '' };
		const { status, message, asked } = await testing(() => jsonAnswer(401, {}), data);
		expect([status, asked]).toEqual(['OK', []]);
		expect(message).toContain('shows the word PRACTICE');
	});

	const NOT_CHECKED = /^The API key could not be checked: .*\((408|425|429|500|503)\)/;
	const WEB_PAGE = /^This is not the URL of the provider's API: a web page came back/;
	const NO_JSON = /^This is not the URL of the provider's API: something other than JSON/;
	const NOT_HERE = /^The provider's API cannot be used at 'Base URL': /;
	const saying = (what: string) => new RegExp(`${NOT_HERE.source}.*${what}`);

	test.each<[says: RegExp, codes: number[], body: string, headers?: Record<string, string>]>([
		[/^The provider rejected the API key/, [401], '{}'],
		[/^Your API key is not allowed to do this/, [403], '{}'],
		// A firewall's, which has not looked at the key.
		[/'?Base URL'?.*\(403\)/, [403], PAGE],
		[NOT_CHECKED, [408, 425, 429, 500, 503], '{}'],
		[NOT_CHECKED, [503], PAGE],
		[/The provider says: "Under ‹b›repair"/, [503], '{"error":{"message":"Under <b>repair"}}'],
		[WEB_PAGE, [200], PAGE],
		[saying('a web page came back'), [404], PAGE],
		[saying('redirects to https://e.com/login'), [302], '', { location: 'https://e.com/login' }],
		[saying('does not know this path'), [405], '{"error":"Method not allowed"}'],
		// A proxy's, which has not looked at the key either.
		[saying('a proxy asks for a login'), [407], '{"error":"Login"}'],
		[saying('does not know this path'), [404], '404 page not found'],
		[/something other than JSON \(400\) came back/, [400], 'Bad request'],
		[NO_JSON, [200], 'It works!'],
		[NO_JSON, [200], ''],
		[NOT_HERE, [300], '{"error":{"message":"Sorry"}}'],
	])('says %s of %j with %j, in one read', async (...row) => {
		const [says, codes, body, headers] = row;
		for (const statusCode of codes) {
			const { status, message, asked } = await testing(() => ({ statusCode, body, headers }));
			expect(status).toBe('Error');
			expect(message).toMatch(says);
			expect(message).not.toContain('<');
			expect(asked).toHaveLength(1);
		}
	});

	test.each([
		['ECONNREFUSED', BASE],
		['ECONNREFUSED', 'http://localhost:8080'],
		['ECONNRESET', 'http://localhost:8080'],
	])('defect 11: of %s at %s says that it was not checked, in one try', async (code, baseUrl) => {
		const { status, message, asked } = await testing(
			() => {
				throw Object.assign(new Error(`connect ${code}`), { code });
			},
			{ baseUrl },
		);
		expect([status, asked.length]).toEqual(['Error', 1]);
		expect(message).toMatch(/^The API key could not be checked: /);
		expect(message).not.toMatch(/Open the node/);
		const isContainer = code === 'ECONNREFUSED' && baseUrl !== BASE;
		expect(message.includes('host.docker.internal')).toBe(isContainer);
	});

	test.each<ICredentialDataDecryptedObject>([
		{ environment: 'Practice' },
		{ apiKey: ' ' },
		{ baseUrl: '' },
		{ baseUrl: 'https://me:secret@e.com' },
		{ baseUrl: 'sk-secret' },
	])('is refused without a request for %j', async (data) => {
		const { status, message, asked } = await testing(() => jsonAnswer(200, {}), data);
		expect([status, message.includes('secret'), asked]).toEqual(['Error', false, []]);
	});
});
