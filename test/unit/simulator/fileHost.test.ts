import { type FileHost, startFileHost } from '../../support/fileHost';
import { samplePng } from '../../support/sampleFiles';

const KEY = 'key-12345/67890';

let host: FileHost;

beforeEach(async () => {
	host = await startFileHost();
});

afterEach(async () => {
	await host.close();
});

test('serves files with their type and headers', async () => {
	const headers = { 'content-disposition': 'inline; filename="a.png"' };
	const url = host.serve('/a.png', { body: samplePng(), contentType: 'image/png', headers });
	const response = await fetch(url);
	expect([url, response.status]).toEqual([`${host.origin}/a.png`, 200]);
	expect(response.headers.get('content-type')).toBe('image/png');
	expect(response.headers.get('content-disposition')).toBe(headers['content-disposition']);
	expect(Buffer.from(await response.arrayBuffer()).equals(samplePng())).toBe(true);
});

test('answers with any status, and 404 where it has nothing', async () => {
	const statuses = [];
	for (const status of [200, 206, 403, 410, 503]) {
		statuses.push((await fetch(host.serve(`/${status}`, { status }))).status);
	}
	expect(statuses).toEqual([200, 206, 403, 410, 503]);
	expect((await fetch(`${host.origin}/other`)).status).toBe(404);
});

test('tells a path with a query from the path alone', async () => {
	const signed = host.serve('/a?token=good', { body: 'signed' });
	const plain = host.serve('/a', { status: 403 });
	expect(await (await fetch(signed)).text()).toBe('signed');
	expect((await fetch(`${plain}?token=bad`)).status).toBe(403);
});

test('records requests', async () => {
	const next = host.waitForRequest(({ method }) => method === 'POST');
	await fetch(`${host.origin}/a?b=c`, { method: 'POST', body: 'text', headers: { 'x-a': '1' } });
	expect(await next).toMatchObject({ path: '/a?b=c', bodyText: 'text', headers: { 'x-a': '1' } });
	expect(host.requests).toHaveLength(1);
});

test.each<[string, string, RequestInit, string[]]>([
	['nothing', '/a', { headers: { 'x-a': '1' } }, []],
	['the key as bearer', '/a', { headers: { authorization: `Bearer ${KEY}` } }, ['authorization']],
	[
		'any other authorization',
		'/a',
		{ headers: { authorization: 'Basic eA==' } },
		['authorization'],
	],
	['a proxy authorization', '/a', { headers: { 'proxy-authorization': 'x' } }, ['proxy-auth']],
	['the key in another header', '/a', { headers: { 'x-key': KEY } }, ['header x-key']],
	['the key in the query', `/a?key=${KEY}`, {}, ['GET /a: address']],
	['the key encoded in the query', `/a?key=${encodeURIComponent(KEY)}`, {}, ['GET /a: address']],
	['the key in the body', '/a', { method: 'POST', body: `{"k":"${KEY}"}` }, ['POST /a: body']],
])('finds %s that a request carried', async (_, path, init, expected) => {
	await fetch(`${host.origin}${path}`, init);
	expect(host.requests).toHaveLength(1);
	expect(host.leaks(KEY)).toEqual(expected.map((part) => expect.stringContaining(part)));
});
