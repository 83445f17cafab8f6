import { quotable } from '../../nodes/Videogen/common/quotable';
import { messageIn, messageInAnswer } from '../../nodes/Videogen/service/serviceMessage';

/** As n8n signs its links: head, claims and signature, each in base64url. */
const TOKEN = [
	Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url'),
	Buffer.from('{"id":"filesystem-v2:x","exp":1767225600}').toString('base64url'),
	'Ab-_09'.repeat(7),
].join('.');
const LINK = `https://n8n.example.com/rest/binary-data/signed?token=${TOKEN}`;

const quotes: Array<[string, string]> = [
	['in a sentence', `Could not fetch ${LINK} in time`],
	['in quotes', `Could not fetch "${LINK}".`],
	['in a tag', `<a href='${LINK}'>no</a>`],
	['with more behind it', `${LINK}&a=b`],
	['behind something else', LINK.replace('?', '?a=b&')],
	['in capitals', LINK.replace('token', 'TOKEN')],
	['as part of an address', `https://e.com/fetch?url=${encodeURIComponent(LINK)}`],
	['as part of an address, behind something', encodeURIComponent(LINK.replace('?', '?a=b&'))],
	['as HTML', LINK.replace('?', '?a=b&amp;')],
	['twice', `${LINK} ${LINK}`],
	['by itself', `Bad token ${TOKEN}`],
];

test.each(quotes)('a link that the service quotes %s loses its token', (_name, text) => {
	for (const said of [
		quotable(text),
		messageIn({ error: { message: text } }),
		messageInAnswer({ statusCode: 400, headers: {}, body: `: ${text}` }),
	]) {
		expect(said).toContain('…');
		for (const part of TOKEN.split('.')) expect(said).not.toContain(part.slice(0, 8));
	}
});

test('the rest of what it says stays', () => {
	expect(quotable(`Could not fetch ${LINK}&a=b in time`)).toBe(
		'Could not fetch https://n8n.example.com/rest/binary-data/signed?token=…&a=b in time',
	);
	expect(quotable('https://e.com/a?sig=abc&x=1&Signature=def')).toBe(
		'https://e.com/a?sig=…&x=1&Signature=…',
	);
});

test('what comes after more than anybody reads is not looked at', () => {
	expect(quotable(`${' '.repeat(8_191)}ab`)).toBe('a');
});

test('a text that is nothing but beginnings of tokens is soon read', () => {
	// Without an end to speak of when each beginning is followed to the end of the text.
	const lengths = ['eyJ', 'eyJ.', '?token=', '.eyJa'].map(
		(part) => quotable(part.repeat(300_000)).length,
	);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(301);
});

test.each(['Invalid token', 'token=', 'max_token=7', 'eyJ.no', 'See https://e.com/?tokens=3'])(
	'%s is no secret',
	(text) => expect(quotable(text)).toBe(text),
);
