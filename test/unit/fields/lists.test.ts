import fc from 'fast-check';
import { shown } from '../../../nodes/Videogen/ground/words';
import { binaryFieldsField, urlField, urlsField } from '../../../nodes/Videogen/fields/lists';
import { refusalOf } from '../../programs/support/itemFilesScene';

const LABEL = 'Some Field';
const FIELD = { displayName: LABEL, name: 'some' };
const urlsFrom = urlsField(FIELD, 'Choose File.').read;
const urlFrom = urlField(FIELD).read;
const binaryFieldNames = binaryFieldsField(FIELD).read;

/** URLs as people have them: with commas, brackets, ports, queries and fragments. */
const url = fc
	.webUrl({
		authoritySettings: { withIPv4: true, withIPv6: true, withPort: true },
		withQueryParameters: true,
		withFragments: true,
	})
	// Where another URL begins after a comma, no one can tell one URL from two.
	.filter((text) => !/,(?:[a-z][a-z\d+.-]*:\/\/|$)/i.test(text));
const urlList = fc.array(url, { maxLength: 12 });

const space = fc.stringMatching(/^[ \t]{0,3}$/);

describe('lists of URLs', () => {
	test('keep every URL and the order, whatever separates them', () => {
		const separator = fc.constantFrom('\n', '\r\n', '\n\n', ',', ',,', ' ', '\t', '\u00a0');
		fc.assert(
			fc.property(urlList, separator, space, (urls, between, edge) => {
				const text = `${edge}${urls.join(`${edge}${between}${edge}`)}${edge}`;
				expect(urlsFrom(text)).toEqual(urls);
			}),
		);
	});

	const asText = (value: unknown): string => JSON.stringify(value);
	const forms: Array<[string, (urls: string[]) => unknown]> = [
		['an array', (urls) => urls],
		['JSON text over several lines', (urls) => ` ${JSON.stringify(urls, null, 2)}\n`],
		['an array of arrays', (urls) => urls.map((one) => [one])],
		['JSON text of an array with JSON text in it', (urls) => asText([asText(urls)])],
		['an array with lines in it', (urls) => [urls.join('\n')]],
		['an array with a list in it', (urls) => [urls.join(' , ')]],
		['an array with empty entries', (urls) => ['', ...urls.flatMap((one) => [one, ' ', null])]],
		['an array of padded entries', (urls) => urls.map((one) => ` ${one}\n`)],
		['commas at both ends', (urls) => `,${urls.join(',')},`],
	];

	test.each(forms)('%s keeps every URL and the order', (_form, write) => {
		fc.assert(
			fc.property(urlList, (urls) => {
				expect(urlsFrom(write(urls))).toEqual(urls);
			}),
		);
	});

	test('a comma inside a URL stays in it', () => {
		const [first, second] = ['https://e.com/w_400,h_300/a.png', 'HTTPS://e.com/?a=1,2,x'];
		for (const separator of [',', ', ', ' ,', ' ', '\n']) {
			expect(urlsFrom(`${first}${separator}${second}`)).toEqual([first, second]);
		}
		const withUrlInIt = 'https://e.com/fetch?urls=a,https://e.com/b,';
		expect(urlsFrom([withUrlInIt])).toEqual([withUrlInIt]);
	});

	test.each([undefined, null, '', '  \n ', ',', ' , ,, ', [], [[]], '[]', [''], '["", null]'])(
		'%j is an empty list',
		(value) => expect(urlsFrom(value)).toEqual([]),
	);

	test('an expression in a field that is left on Fixed is told so', () => {
		const { advice } = refusalOf(() => urlsFrom('{{ $json.url }}'));
		expect(advice).toContain('switch from Fixed to Expression');
	});

	test('an entry that is none is named by its place among those that are not empty', () => {
		const bad = fc.constantFrom('word', '[https://e.com]', 7, true, {});
		fc.assert(
			fc.property(urlList, urlList, bad, (before, after, entry) => {
				const refused = refusalOf(() => urlsFrom(['', ...before, entry, ...after]));
				const isAlone = before.length + after.length === 0;
				const place = `entry ${before.length + 1}, ${shown(entry)},`;
				expect(refused.message).toBe(`${LABEL}: ${isAlone ? shown(entry) : place} is not a URL.`);
				expect(refused.advice).toContain('http:// or https://');
			}),
		);
	});

	test('lists in lists are taken as one, to a depth beyond which none is meant', () => {
		const nested = (depth: number): unknown =>
			depth === 0 ? 'https://e.com' : [nested(depth - 1)];
		expect(urlsFrom(nested(9))).toEqual(['https://e.com']);
		expect(refusalOf(() => urlsFrom(nested(10))).message).toContain('is not a URL');
		const own: unknown[] = ['data'];
		own.push(own);
		expect(binaryFieldNames(own)).toEqual([...Array<string>(9).fill('data'), own]);
	});

	const PHOTO = 'https://e.com/My photo (1).png';
	const ENCODED = 'https://e.com/My%20photo%20(1).png';

	test.each<[unknown, string[]]>([
		[[PHOTO], [ENCODED]],
		[JSON.stringify([PHOTO, 'https://e.com/2.png']), [ENCODED, 'https://e.com/2.png']],
		[[[` ${PHOTO}\n`]], [ENCODED]],
		[
			['https://e.com/a\u00a0b.png\thttps://e.com/c d'],
			['https://e.com/a%20b.png', 'https://e.com/c%20d'],
		],
	])('an element of an array may have blanks, which are encoded: %j', (value, urls) => {
		expect(urlsFrom(value)).toEqual(urls);
	});

	test.each<[unknown, string[]]>([
		[PHOTO, [ENCODED]],
		[` ${PHOTO} `, [ENCODED]],
		[
			[PHOTO, PHOTO],
			[ENCODED, ENCODED],
		],
		[
			'https://e.com/1.png, https://e.com/a 2.png',
			['https://e.com/1.png', 'https://e.com/a%202.png'],
		],
		['https://e.com/w_400, h_300/a.png', ['https://e.com/w_400,%20h_300/a.png']],
	])('a field of one URL takes all of it: %j', (value, urls) => {
		expect(urlsField(FIELD, 'Choose File.', true).read(value)).toEqual(urls);
	});

	test('what is too long for a list is not taken apart', () => {
		for (const tooLong of ['a '.repeat(500_000), Array<string>(1_001).fill('a')]) {
			expect(refusalOf(() => urlsFrom(tooLong)).message).not.toContain('entry');
			expect(binaryFieldNames(tooLong)).toHaveLength(1);
		}
		expect(urlsFrom(Array<string>(1_000).fill('https://e.com'))).toHaveLength(1_000);
	});
});

const longest = `https://e.com/${'a'.repeat(8_192 - 14)}`;

test('the longest URL is taken, and none that is longer', () => {
	expect(urlFrom(longest)).toBe(longest);
	expect(urlsFrom([longest])).toEqual([longest]);
	for (const read of [urlFrom, urlsFrom]) {
		const { message, advice } = refusalOf(() => read(`${longest}a`));
		expect(message).toBe(`${LABEL}: ${shown(longest)} is not a URL.`);
		expect(advice).toContain('at most 8192 characters');
	}
});

describe('one URL', () => {
	test.each([
		['http://e.com', 'http://e.com'],
		[' https://e.com/a?b=c#d\n', 'https://e.com/a?b=c#d'],
		['HTTPS://E.com', 'HTTPS://E.com'],
		['https://e.com/a b.png ', 'https://e.com/a%20b.png'],
		['https://bücher.example/ü', 'https://bücher.example/ü'],
		['  ', undefined],
		[null, undefined],
	])('%j is %j', (value, expected) => expect(urlFrom(value)).toBe(expected));

	const notUrls = [
		...['ftp://e.com/a', '//e.com/a', '/a', 'e.com', 'https://', 'https:e.com', 'http//e.com'],
		...['javascript:alert(1)', 'file:///etc/passwd', 'data:image/png;base64,AAAA'],
		...['https://e.com:99999/', 'xhttps://e.com'],
	];

	test.each([
		...notUrls,
		'https://exa mple.com',
		'https://e.com/a\nb',
		7,
		true,
		{},
		['https://e.com'],
	])('%j is refused', (value) =>
		expect(() => urlFrom(value)).toThrow(`${LABEL}: ${shown(value)} is not a URL.`),
	);
});

describe('links to pages of files', () => {
	test.each([
		'https://drive.google.com/file/d/1AbC/view?usp=sharing',
		'https://drive.google.com/open?id=1AbC',
		'https://drive.google.com/uc?id=1AbC',
		'https://drive.google.com/uc?export=view&id=1AbC',
		'HTTPS://Drive.Google.com/drive/folders/1AbC',
		'https://docs.google.com/file/d/1AbC/edit',
		'https://1drv.ms/i/s!AbC',
		'https://onedrive.live.com/?id=1&cid=2',
		'https://contoso.sharepoint.com/:i:/s/team/AbC?e=1',
		'https://contoso-my.sharepoint.com/:v:/g/personal/ada/AbC',
		'https://www.dropbox.com/home/fox.png',
		'https://www.dropbox.com/scl/fo/1abc/AbC?dl=0',
	])('%s is refused', (page) => {
		expect(refusalOf(() => urlsFrom(page)).about).toBe('file');
		const inList = refusalOf(() => urlsFrom(['https://e.com/a.png', page]));
		expect(inList.about).toBe('file');
		expect(inList.message).toContain(': entry 2, ');
	});

	test.each([
		[
			'https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&dl=0',
			'https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&raw=1',
		],
		['https://dropbox.com/s/1/a b.png', 'https://dropbox.com/s/1/a%20b.png?raw=1'],
	])('%s becomes the link of its file', (page, file) => expect(urlsFrom([page])).toEqual([file]));

	test.each([
		'https://drive.google.com/uc?export=download&id=1',
		'https://drive.google.com/thumbnail?id=1&sz=w1000',
		'https://drive.usercontent.google.com/download?id=1',
		'https://docs.google.com/drawings/d/1/export/png',
		'https://onedrive.live.com/download?cid=1',
		'https://contoso.sharepoint.com/:i:/s/team/AbC?e=1&download=1',
		'https://contoso.sharepoint.com/sites/a/photo.png',
		'https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&dl=1',
		'https://www.dropbox.com/s/1/fox.png?raw=1',
		'https://dl.dropboxusercontent.com/s/1/fox.png',
		'https://e.com/?of=https://drive.google.com/file/d/1/view',
		'https://notdrive.google.com.example/file/d/1',
	])('%s is one of a file', (file) => expect(urlsFrom(file)).toEqual([file]));
});
