import { createGunzip } from 'node:zlib';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { n8nFiles } from '../../../nodes/Videogen/files/fetchFile';
import { NotFetched } from '../../../nodes/Videogen/files/downloadError';
import { bodyOf } from '../../programs/support/downloadScene';

const FOX = 'https://e.com/fox.mp4';
const SERVICE = 'https://api.example.com/video';
const { signal } = new AbortController();

/** n8n's helpers, and what they were asked for. */
function n8nAnswering(answer: unknown) {
	const requests: IHttpRequestOptions[] = [];
	return {
		requests,
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				requests.push(options);
				return await Promise.resolve(answer);
			},
			prepareBinaryData: async () => await Promise.reject(new Error('Nothing is stored here')),
		},
	};
}

test('asking for a result carries no credential, and every status is an answer', async () => {
	const answer = { statusCode: 404, headers: { 'content-length': '1' }, body: bodyOf('x') };
	const n8n = n8nAnswering(answer);
	expect(await n8nFiles(n8n, SERVICE).fetch(FOX, signal)).toEqual(answer);
	expect(n8n.requests).toEqual([
		{
			method: 'GET',
			url: FOX,
			headers: { accept: '*/*', 'accept-encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 60_000,
			abortSignal: signal,
		},
	]);
});

test.each([undefined, null, 'x', 7, {}, { pipe: true }, { destroy: true }])(
	'an answer whose body is %j is refused',
	async (body) => {
		const n8n = n8nAnswering({ statusCode: 200, headers: {}, body });
		await expect(n8nFiles(n8n, SERVICE).fetch(FOX, signal)).rejects.toThrow('No body');
	},
);

/** Every request is answered with a redirect to the next of these, the last with a file. */
function n8nRedirecting(targets: string[], redirect = 302) {
	const asked: string[] = [];
	const bodies = [...targets, 'x'].map((text) => bodyOf(text));
	return {
		asked,
		bodies,
		helpers: {
			...n8nAnswering(undefined).helpers,
			httpRequest: async ({ url }: IHttpRequestOptions) => {
				const location = targets[asked.length];
				const body = bodies[asked.length];
				asked.push(url);
				const statusCode = location === undefined ? 200 : redirect;
				return await Promise.resolve({ statusCode, headers: { location }, body });
			},
		},
	};
}

/** Why a URL is not asked for; what was asked until then. */
async function refusal(urls: string[], serviceUrl = SERVICE) {
	const [first = '', ...targets] = urls;
	const n8n = n8nRedirecting(targets);
	try {
		await n8nFiles(n8n, serviceUrl).fetch(first, signal);
	} catch (thrown) {
		return { why: thrown instanceof NotFetched ? thrown.kind : thrown, asked: n8n.asked };
	}
	return { why: undefined, asked: n8n.asked };
}

describe('a result', () => {
	test.each([301, 302, 303, 307, 308])('is followed to where %i points', async (statusCode) => {
		const n8n = n8nRedirecting(['/b/fox.mp4?c', '//f.com/d'], statusCode);
		const answer = await n8nFiles(n8n, SERVICE).fetch(FOX, signal);
		expect(answer).toMatchObject({ statusCode: 200, body: n8n.bodies[2] });
		expect(n8n.asked).toEqual([FOX, 'https://e.com/b/fox.mp4?c', 'https://f.com/d']);
		expect(n8n.bodies.map(({ destroyed }) => destroyed)).toEqual([true, true, false]);
	});

	test('that redirects without a target, or for another reason, is an answer', async () => {
		for (const [statusCode, location] of [[302], [304, '/x'], [201, '/x']] as const) {
			const n8n = n8nAnswering({ statusCode, headers: { location }, body: bodyOf('x') });
			expect(await n8nFiles(n8n, SERVICE).fetch(FOX, signal)).toMatchObject({ statusCode });
			expect(n8n.requests).toHaveLength(1);
		}
	});

	test('is followed five times, and no more', async () => {
		const urls = (count: number) => Array.from({ length: count }, (_, at) => `https://e.com/${at}`);
		expect((await refusal(urls(6))).why).toBeUndefined();
		expect(await refusal(urls(7))).toEqual({ why: 'redirect', asked: urls(6) });
	});

	test.each([
		'ftp://e.com/a',
		'file:///etc/passwd',
		'data:video/mp4,x',
		'http://',
		'x'.repeat(9_000),
	])('is not followed to %s', async (target) => {
		expect(await refusal([FOX, target])).toEqual({ why: 'redirect', asked: [FOX] });
	});

	/** Which others are local stands in `ground/url.test.ts`. */
	const LOCAL = ['127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', 'LOCALHOST.', '169.254.169.254'];
	test.each(LOCAL)('at %s is only for a service that is local itself', async (host) => {
		const url = `http://${host}:5678/a.mp4`;
		expect(await refusal([url])).toEqual({ why: 'local', asked: [] });
		expect(await refusal([FOX, url])).toEqual({ why: 'local', asked: [FOX] });
		for (const serviceUrl of ['http://127.0.0.1:4010', 'http://gateway/video']) {
			expect((await refusal([FOX, url], serviceUrl)).why).toBeUndefined();
		}
	});

	test.each(['https://a:b@e.com/x', 'https://a@e.com/x', 'https://:b@e.com/x'])(
		'is not asked for with a login: %s',
		async (url) => {
			expect(await refusal([url])).toEqual({ why: 'login', asked: [] });
			expect(await refusal([FOX, url])).toEqual({ why: 'login', asked: [FOX] });
		},
	);

	test('is asked for by the URL that was checked', async () => {
		const { asked } = await refusal(['HTTPS://E.com:443/a/../b\\c']);
		expect(asked).toEqual(['https://e.com/b/c']);
	});

	test('that n8n has unpacked says so', async () => {
		const unpacked = bodyOf('x').pipe(createGunzip());
		const n8n = n8nAnswering({ statusCode: 200, headers: {}, body: unpacked });
		const answer = await n8nFiles(n8n, SERVICE).fetch(FOX, signal);
		expect(answer.headers['content-encoding']).toBe('unpacked');
		unpacked.on('error', () => undefined).destroy();
	});
});
