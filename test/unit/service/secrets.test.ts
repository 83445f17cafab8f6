import { hashOf, parseJson } from '../../../nodes/Videogen/shared/json';
import { Secrets } from '../../../nodes/Videogen/service/secrets';

const KEY = 'sk-k?ey/12>345+6~';
const HEX = Buffer.from(KEY).toString('hex');

/** As n8n signs its links: head, claims and signature, each in base64url. */
const tokenOf = (claims: object): string =>
	[{ alg: 'HS256', typ: 'JWT' }, claims]
		.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
		.concat(hashOf(claims))
		.join('.');
const FILE = { id: 'filesystem-v2:workflows/1/executions/2/binary_data/3', iat: 1767225600 };
const TOKEN = tokenOf({ ...FILE, exp: FILE.iat + 6 * 3_600 });
const linkOf = (token: string): string =>
	`https://n8n.example.com/rest/binary-data/signed?token=${token}`;
/** What is left of what a service says. */
function said(text: string): string {
	const secrets = new Secrets(KEY);
	const { body, json } = secrets.maskBody(JSON.stringify({ said: text }), { said: text });
	expect(JSON.parse(body)).toEqual(json);
	return String(Object(json).said);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

test.each([
	['as it is', KEY],
	['percent-encoded', encodeURIComponent(KEY)],
	['in base64', base64(KEY)],
	['in base64 for URLs', base64(KEY).replace(/=+$/, '').replace(/\//g, '_').replace(/\+/g, '-')],
	['with Bearer, in base64', base64(`Bearer ${KEY}`)],
	['percent-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
	['percent-encoded twice', encodeURIComponent(encodeURIComponent(KEY))],
	['percent-encoded in part', KEY.replace('?', '%3f')],
	['percent-encoded in whole', HEX.replace(/../g, '%$&')],
	['in hex', HEX],
	['in hex of capitals', HEX.toUpperCase()],
])('the API key is masked %s', (_how, key) => {
	expect(said(`no ${key}!`)).toMatch(/^no (?:QmVhcmVyIH)?\[API key\]=*!$/);
});

test.each(['', 'a', 'ab', 'user:', 'Basic ', '{"key":"'])(
	'the API key is masked in the base64 of a text that has %j before it and more behind it',
	(before) => {
		for (const behind of ['', 'x', '"}', ' and more']) {
			for (const form of ['base64', 'base64url'] as const) {
				const shown = said(`no ${Buffer.from(`${before}${KEY}${behind}`).toString(form)}!`);
				expect(shown).toContain('[API key]');
				const left = shown.split(/[^\w+/-]+/).map((part) => Buffer.from(part, form).toString());
				expect(left.join()).not.toContain(KEY.slice(3, 9));
			}
		}
	},
);

test.each([
	['in a sentence', `Could not fetch ${linkOf(TOKEN)}.`, `Could not fetch ${linkOf('[token]')}.`],
	['by itself', `Bad token ${TOKEN}`, 'Bad token [token]'],
	...[...'aZ7._-='].map((one) => [`behind ${one}`, `${one}${TOKEN}`, `${one}[token]`]),
	['behind a word', `Link.of-eyJ_${TOKEN}`, 'Link.of-eyJ_[token]'],
	['percent-encoded twice', `%253D${TOKEN}%2526`, '%253D[token]%2526'],
	['in a URL', encodeURIComponent(linkOf(TOKEN)), encodeURIComponent(linkOf('')) + '[token]'],
	['twice, with more behind it', `${TOKEN}&a=b ${TOKEN}`, '[token]&a=b [token]'],
])('what opens a file of n8n is masked %s', (_how, text, shown) => {
	expect(said(text)).toBe(shown);
});

test('what only looks like a token stays: it may be the id of a paid task', () => {
	const ids = [
		tokenOf({ id: 'task_1', iat: 1, exp: 2 }),
		tokenOf({ iat: 0, exp: 6 * 3_600 }),
		'eyJhIjoxfQ.e30.x',
		`token=${'a'.repeat(64)}`,
		'https://e.com/a.mp4?token=abcdefgh&signature=12345678',
	];
	for (const id of ids) expect(said(id)).toBe(id);
});

test.each([
	['in a sentence', (image: string) => `Bad image "${image}", sorry`],
	['as JSON in a text', (image: string) => JSON.stringify({ image_urls: [image] })],
	['with JSON escapes', (image: string) => `{"said":"${image.replaceAll('/', '\\/')}"}`],
])('an image that was sent inside the request is masked %s', (_how, wrap) => {
	const image = `data:image/png;base64,${'A/'.repeat(60)}`;
	expect(said(wrap(image))).toBe(wrap('[image]'));
});

test.each([
	['key"12\\34', '{"said":"key\\"12\\\\34 is bad"}', '{"said":"[API key] is bad"}'],
	// What nothing is masked in stays as it is: a number may have more digits than JavaScript keeps.
	[KEY, '{"id":12345678901234567890,"at":"\\/"}', '{"id":12345678901234567890,"at":"\\/"}'],
	[KEY, '{"a":"\\', '{"a":"\\'],
	// Too short to be a secret.
	['a', 'data', 'data'],
])('with the key %s, the body %s becomes %s', (key, body, expected) =>
	expect(new Secrets(key).maskBody(body, parseJson(body)).body).toBe(expected),
);

test('a mask that fails hides the text, but never the id', () => {
	const json = { id: 'task_1', status: 'pending', data: { task_id: KEY }, big: 1n, list: ['x'] };
	expect(new Secrets(KEY).maskBody('\\', json)).toEqual({
		body: '[hidden]',
		json: { id: 'task_1', status: 'pending', data: { task_id: '[API key]' } },
	});
});
