import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { BASE, jsonAnswer, KEY, testing, UNUSABLE } from '../support/credentialTestContext';

const PAGE = '<!DOCTYPE html><html><body>Welcome</body></html>';

describe('the test of a credential', () => {
	const OK = { status: 'OK', message: 'The provider accepted the API key' };
	const READ = '/v1/tasks/n8n-credential-test';

	test.each([
		jsonAnswer(400, {}),
		jsonAnswer(400, { error: { code: 'invalid_task_id', message: 'No' } }),
		jsonAnswer(404, { error: { code: 'task_not_exist', message: 'No' } }),
		jsonAnswer(404, { detail: 'Not Found' }),
		jsonAnswer(402, { error: { message: 'No' } }),
		jsonAnswer(200, { code: 404, message: 'no such task' }),
		jsonAnswer(200, { id: 'n8n-credential-test', status: 'failed' }),
	])('takes a key that is answered %j, with one read that creates nothing', async (answer) => {
		const { asked, ...result } = await testing(() => answer);
		expect(result).toEqual(OK);
		const headers = { accept: 'application/json', Authorization: `Bearer ${KEY}` };
		expect(asked).toMatchObject([{ uri: `${BASE}${READ}`, headers }]);
	});

	test.each<ICredentialDataDecryptedObject>([{}, { apiKey: '', baseUrl: '' }])(
		'is well for practice, without a request, whatever the other fields hold: %j',
		async (more) => {
			const data = { environment: 'practice', ...more };
			const { status, message, asked } = await testing(() => jsonAnswer(401, {}), data);
			expect([status, asked]).toEqual(['OK', []]);
			expect(message).toContain('shows the word PRACTICE');
		},
	);

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
		[WEB_PAGE, [200], PAGE],
		[saying('a web page came back'), [404], PAGE],
		[saying('redirects to https://e.com/login'), [302], '', { location: 'https://e.com/login' }],
		[saying('redirects to another URL'), [301], '{}'],
		[saying('does not know this path'), [405], ''],
		[saying('does not know this path'), [405], '{"error":"Method not allowed"}'],
		// A proxy's, which has not looked at the key either.
		[saying('a proxy asks for a login'), [407], '{"error":"Login"}'],
		[saying('a proxy asks for a login'), [407], ''],
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

	test('quotes why the provider could not check it', async () => {
		const { message } = await testing(() =>
			jsonAnswer(503, { error: { message: 'Under <b>repair' } }),
		);
		expect(message).toContain('Under ‹b›repair');
	});

	test.each([
		['ECONNREFUSED', BASE],
		['ECONNREFUSED', 'http://localhost:8080'],
		['ECONNREFUSED', 'http://127.0.0.1:8080'],
		['ECONNRESET', BASE],
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

	test.each(UNUSABLE)('is refused without a request for %j', async (data) => {
		const { status, message, asked } = await testing(() => jsonAnswer(200, {}), data);
		expect([status, message.includes('secret'), asked]).toEqual(['Error', false, []]);
	});
});
