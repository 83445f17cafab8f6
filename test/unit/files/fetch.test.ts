import type { IHttpRequestOptions } from 'n8n-workflow';
import { n8nFiles } from '../../../nodes/Videogen/files/fetch';
import { PRACTICE_URL } from '../../../nodes/Videogen/service/practice';
import { bodyOf, urls } from '../../support/downloadScene';

const FOX = 'https://e.com/fox.mp4';
const SERVICE = 'https://api.example.com/video';
const { signal } = new AbortController();

/** Asks for the first of these URLs. Each request is redirected to the next of them. */
async function ask([first = '', ...targets]: string[], serviceUrl = SERVICE, redirect = 302) {
	const requests: IHttpRequestOptions[] = [];
	const bodies = [...targets, 'x'].map((text) => bodyOf(text));
	const httpRequest = async (options: IHttpRequestOptions) => {
		const [location, body] = [targets[requests.length], bodies[requests.length]];
		requests.push(options);
		const statusCode = location === undefined ? 200 : redirect;
		return await Promise.resolve({ statusCode, headers: { location }, body });
	};
	const prepareBinaryData = async () => await Promise.reject(new Error('Nothing is stored here'));
	const files = n8nFiles({ helpers: { httpRequest, prepareBinaryData } }, serviceUrl);
	const result = await files.fetch(first, signal).catch((thrown: unknown) => thrown);
	return { result, bodies, requests, asked: requests.map(({ url }) => url) };
}

test('a request for a result carries no credential, and every status is an answer', async () => {
	const { result, requests, bodies } = await ask([FOX, 'x'], SERVICE, 404);
	expect(result).toEqual({ statusCode: 404, headers: { location: 'x' }, body: bodies[0] });
	expect(requests).toEqual([
		{
			method: 'GET',
			url: FOX,
			encoding: 'stream',
			returnFullResponse: true,
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
			abortSignal: signal,
		},
	]);
});

test.each([301, 302, 303, 307, 308])('it follows where %i points', async (statusCode) => {
	const targets = [FOX, '/b/fox.mp4?c', '//f.com/d'];
	const { result, asked, bodies } = await ask(targets, SERVICE, statusCode);
	expect(result).toMatchObject({ statusCode: 200, body: bodies[2] });
	expect(asked).toEqual([FOX, 'https://e.com/b/fox.mp4?c', 'https://f.com/d']);
	expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
});

test('it follows five times, and no more', async () => {
	expect(await ask(urls(6))).toMatchObject({ result: { statusCode: 200 } });
	expect(await ask(urls(7))).toMatchObject({ result: { why: 'url' }, asked: urls(6) });
});

test.each([
	...['ftp://e.com/a', 'file:///etc/passwd', 'data:video/mp4,x', 'http://', 'x'.repeat(9_000)],
	...['https://a:b@e.com/x', 'https://a@e.com/x', 'https://:b@e.com/x'],
])('%s is not asked for', async (url) => {
	expect(await ask([url])).toMatchObject({ result: { why: 'url' }, asked: [] });
	expect(await ask([FOX, url])).toMatchObject({ result: { why: 'url' }, asked: [FOX] });
});

/** Which others are local stands in `shared/url.test.ts`. */
test.each(['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'LOCALHOST.', '169.254.169.254'])(
	'a result at %s is only for a service that is local itself',
	async (host) => {
		const url = `http://${host}:5678/a.mp4`;
		const result = { why: 'local' };
		for (const serviceUrl of [SERVICE, '']) {
			expect(await ask([url], serviceUrl)).toMatchObject({ result, asked: [] });
			expect(await ask([FOX, url], serviceUrl)).toMatchObject({ result, asked: [FOX] });
		}
		for (const serviceUrl of ['http://127.0.0.1:4010', 'http://gateway/video']) {
			expect(await ask([FOX, url], serviceUrl)).toMatchObject({ result: { statusCode: 200 } });
		}
	},
);

test('what is asked for is the URL that was checked', async () => {
	expect((await ask(['HTTPS://E.com:443/a/../b\\c'])).asked).toEqual(['https://e.com/b/c']);
});

test('a result of practice is the practice clip for practice, and a URL for others', async () => {
	const url = `${PRACTICE_URL}/no-video-was-made/practice-1.mp4`;
	const result = { statusCode: 200 };
	expect(await ask([url], PRACTICE_URL)).toMatchObject({ result, asked: [] });
	expect(await ask([url])).toMatchObject({ result, asked: [url] });
});
