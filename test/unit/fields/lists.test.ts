import fc from 'fast-check';
import { shown } from '../../../nodes/Videogen/shared/messages';
import {
	binaryFieldField,
	binaryFieldsField,
	urlField,
	urlsField,
} from '../../../nodes/Videogen/fields/lists';
import { labelOf, invalidOf } from './planned';

const LABEL = 'Some Field';
const FIELD = { displayName: LABEL, name: 'some' };
const urlsFrom = urlsField(FIELD, 'Choose File.').read;
const urlFrom = urlField(FIELD).read;
const oneFrom = urlsField(FIELD, '', true).read;

/** URLs as people have them: with commas, brackets, ports, queries and fragments. */
const url = fc
	.webUrl({
		authoritySettings: { withIPv4: true, withIPv6: true, withPort: true },
		...{ withQueryParameters: true, withFragments: true },
	})
	// Where another URL begins after a separator, no one can tell one URL from two.
	.filter((text) => !/[,;](?:[a-z][a-z\d+.-]*:\/\/|$)/i.test(text));
const urlList = fc.array(url, { maxLength: 12 });

/** With their Chinese and Arabic forms. */
const SEPARATORS = ['\r\n', '\u00a0', ...'\n \t,;|，、；｜،؛'];
const TWO = ['https://e.com/a.png', 'https://e.com/b.png'];
const PHOTO = 'https://e.com/My photo (1).png';
const ENCODED = 'https://e.com/My%20photo%20(1).png';
const A_B = 'https://e.com/a%20b';

describe('lists of URLs', () => {
	const forms: Array<[string, (urls: string[]) => unknown]> = [
		...[...SEPARATORS, '\n\n', ',,'].flatMap(
			(mark): Array<[string, (urls: string[]) => string]> => [
				[`with ${JSON.stringify(mark)} between`, (urls) => urls.join(mark)],
				[`with it and blanks`, (urls) => ` \t${urls.join(`  ${mark} `)} ${mark}`],
			],
		),
		['with marks that no one sees', (urls) => urls.map((one) => `\u200b${one}\u2060`).join('\n')],
		['an array', (urls) => urls],
		['JSON text over several lines', (urls) => ` ${JSON.stringify(urls, null, 2)}\n`],
		['an array of arrays', (urls) => urls.map((one) => [[one]])],
		['an array with a list in it', (urls) => [urls.join(' , ')]],
		['an array with empty entries', (urls) => ['', ...urls.flatMap((one) => [one, ' ', null])]],
		['commas at both ends', (urls) => `,${urls.join(',')},`],
	];

	test.each(forms)('%s keep every URL and the order', (_form, write) => {
		fc.assert(
			fc.property(urlList, (urls) => expect(urlsFrom(write(urls))).toEqual(urls)),
			{ numRuns: 30 },
		);
		expect(oneFrom(write(TWO))).toEqual(TWO);
	});

	test.each([undefined, null, '', '  \n ', ' , ,, ', [], [[]], '[]', [''], '["", null]'])(
		'%j is an empty list',
		(value) => expect(urlsFrom(value)).toEqual([]),
	);

	test('an entry that is none is named by its place among those that are not empty', () => {
		for (const bad of ['word', '[https://e.com]', 7, true, {}]) {
			expect(invalidOf(() => urlsFrom(['', ...TWO, bad, ...TWO])).message).toContain(
				`entry 3, ${shown(bad)},`,
			);
			expect(invalidOf(() => urlsFrom(['', bad])).message).not.toContain('entry');
		}
	});
});

test.each<[field: string, read: (value: unknown) => unknown, value: unknown, expected: unknown]>([
	['an array', urlsFrom, [PHOTO], [ENCODED]],
	['JSON text', urlsFrom, JSON.stringify([PHOTO, TWO[1]]), [ENCODED, TWO[1]]],
	['an array', urlsFrom, ['https://e.com/a\u00a0b\thttps://e.com/c'], [A_B, 'https://e.com/c']],
	['a list of one', oneFrom, ` ${PHOTO} `, [ENCODED]],
	['a list of one', oneFrom, Array(2).fill(PHOTO), [ENCODED, ENCODED]],
	['a list of one', oneFrom, 'https://e.com/1, https://e.com/a b', ['https://e.com/1', A_B]],
	['a list of one', oneFrom, 'https://e.com/w_4, h_3/a', ['https://e.com/w_4,%20h_3/a']],
	['a URL', urlFrom, ' https://e.com/a?b=c#d\n', 'https://e.com/a?b=c#d'],
	['a URL', urlFrom, 'https://e.com/a b ', A_B],
	['a URL', urlFrom, '\u200bhttps://e.com/a\u200b', 'https://e.com/a'],
	['a URL', urlFrom, 'https://bücher.example/ü', 'https://bücher.example/ü'],
])(
	'blanks inside a URL are encoded, and those around it go: %s, %#',
	(_field, read, value, expected) => expect(read(value)).toEqual(expected),
);

describe.each([
	['a URL', urlFrom],
	['a list of one', (url: string) => urlsFrom([url])[0]],
])('%s', (_what, readUrl) => {
	test('is taken up to its longest, and not beyond', () => {
		const longest = `https://e.com/${'a'.repeat(8_192 - 14)}`;
		expect(readUrl(longest)).toBe(longest);
		expect(invalidOf(() => readUrl(`${longest}a`)).advice).toContain('8192 characters');
	});

	test('that has no http:// is told so, and nothing about its length', () => {
		const { advice } = invalidOf(() => readUrl('example.com/image.png'));
		expect(advice).toContain('begins with http://');
		expect(advice).not.toContain('8192');
	});
});

test.each([
	['as a text', 'https://e.com/a\n'.repeat(20_000)],
	['as an array', Array<string>(20_000).fill('https://e.com/a')],
	['in an array', ['https://e.com/a\n'.repeat(20_000)]],
])('a list that is far too long is not looked at: %s', (_how, value) =>
	expect(invalidOf(() => urlsFrom(value)).message).toContain('more than 10000 entries'),
);

test.each([
	...['ftp://e.com/a', '/a', 'e.com', 'https://', 'https:e.com', 'javascript:alert(1)'],
	...['data:image/png;base64,AAAA', 'https://e.com:99999/', 'xhttps://e.com', 7, true, {}],
	...['https://exa mple.com', 'https://e.com/a\nb', 'https://e.com/a https://e.com/b'],
])('%j is not one URL', (value) => {
	expect(labelOf(() => urlFrom(value))).toBe(LABEL);
	expect(invalidOf(() => urlFrom(value)).message).toContain(shown(value));
});

describe('links to pages of files', () => {
	test.each([
		['https://drive.google.com/file/d/1AbC/view?usp=sharing', 'Google Drive'],
		['https://drive.google.com/uc?export=view&id=1AbC', 'Google Drive'],
		['https://docs.google.com/file/d/1AbC/edit', 'Google Drive'],
		['https://1drv.ms/i/s!AbC', 'Microsoft OneDrive'],
		['https://contoso.sharepoint.com/:i:/s/team/AbC?e=1', 'Microsoft SharePoint'],
		['https://www.dropbox.com/scl/fo/1abc/AbC?dl=0', 'Dropbox'],
		['https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&dl=0', 'Dropbox'],
	])('%s is refused, and the node %s is named', (page, node) => {
		const { about, advice } = invalidOf(() => urlsFrom(page));
		expect([about, advice]).toEqual(['file', expect.stringMatching(`${node}.*Choose File\\.$`)]);
		const inList = invalidOf(() => urlsFrom(['https://e.com/a.png', page]));
		expect([inList.about, inList.message]).toEqual(['file', expect.stringContaining('entry 2')]);
	});

	test.each([
		'https://drive.google.com/uc?export=download&id=1',
		'https://drive.google.com/thumbnail?id=1&sz=w1000',
		'https://drive.usercontent.google.com/download?id=1',
		'https://onedrive.live.com/download?cid=1',
		'https://contoso.sharepoint.com/:i:/s/team/AbC?e=1&download=1',
		'https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&dl=1',
		'https://www.dropbox.com/s/1/fox.png?raw=1',
		'https://e.com/?of=https://drive.google.com/file/d/1/view',
		'https://notdrive.google.com.example/file/d/1',
	])('%s is one of a file', (file) => expect(urlsFrom(file)).toEqual([file]));
});

describe('names of binary fields', () => {
	const { read } = binaryFieldsField(FIELD);

	test.each([
		'data, voice',
		'data\nvoice,',
		'\u200bdata,\u200bvoice',
		['data', ' voice '],
		'["data", "voice"]',
	])('%j are two', (value) => expect(read(value)).toEqual(['data', 'voice']));

	test('are none, or names and no files', () => {
		expect(['', null].map(read)).toEqual([[], []]);
		for (const value of [{ id: '1', mimeType: 'image/png' }, [{ id: '1' }], 7, ['data', 7]])
			expect(labelOf(() => read(value))).toBe(LABEL);
	});

	test('of one field is a name, the default, or none', () => {
		const one = binaryFieldField(FIELD);
		expect([one.read(' last '), one.read(null)]).toEqual(['last', '']);
		expect(binaryFieldField({ ...FIELD, default: 'data' }).read(' ')).toBe('data');
		expect(labelOf(() => one.read({ mimeType: 'image/png' }))).toBe(LABEL);
	});
});
