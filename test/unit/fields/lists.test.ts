import fc from 'fast-check';
import { shown } from '../../../nodes/Videogen/shared/messages';
import {
	binaryFieldField,
	binaryFieldsField,
	urlField,
	urlsField,
} from '../../../nodes/Videogen/fields/lists';
import { refusalOf } from './planned';

const LABEL = 'Some Field';
const FIELD = { displayName: LABEL, name: 'some' };
const urlsFrom = urlsField(FIELD, 'Choose File.').read;
const urlFrom = urlField(FIELD).read;

/** URLs as people have them: with commas, brackets, ports, queries and fragments. */
const url = fc
	.webUrl({
		authoritySettings: { withIPv4: true, withIPv6: true, withPort: true },
		withQueryParameters: true,
		withFragments: true,
	})
	// Where another URL begins after a separator, no one can tell one URL from two.
	.filter((text) => !/[,;](?:[a-z][a-z\d+.-]*:\/\/|$)/i.test(text));
const urlList = fc.array(url, { maxLength: 12 });

const space = fc.stringMatching(/^[ \t]{0,3}$/);

/** With their Chinese and Arabic forms. */
const SEPARATORS = [
	'\n',
	'\r\n',
	' ',
	'\t',
	'\u00a0',
	',',
	';',
	'|',
	'，',
	'、',
	'；',
	'｜',
	'،',
	'؛',
];

describe('lists of URLs', () => {
	const TWO = ['https://e.com/a.png', 'https://e.com/b.png'];

	test.each(SEPARATORS)('%j separates two URLs, with blanks around it and at the end', (mark) => {
		for (const text of [TWO.join(mark), TWO.join(` ${mark} `), `${TWO.join(mark)}${mark}`]) {
			for (const value of [text, [text]]) {
				expect(urlsFrom(value)).toEqual(TWO);
				expect(urlsField(FIELD, '', true).read(value)).toEqual(TWO);
			}
		}
	});

	test('keep every URL and the order, whatever separates them', () => {
		const separator = fc.constantFrom(...SEPARATORS, '\n\n', ',,');
		fc.assert(
			fc.property(urlList, separator, space, (urls, between, edge) => {
				const text = `${edge}${urls.join(`${edge}${between}${edge}`)}${edge}`;
				expect(urlsFrom(text)).toEqual(urls);
			}),
		);
	});

	const forms: Array<[string, (urls: string[]) => unknown]> = [
		['an array', (urls) => urls],
		['JSON text over several lines', (urls) => ` ${JSON.stringify(urls, null, 2)}\n`],
		['an array of arrays', (urls) => urls.map((one) => [one])],
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
	});

	test.each([undefined, null, '', '  \n ', ',', ' , ,, ', [], [[]], '[]', [''], '["", null]'])(
		'%j is an empty list',
		(value) => expect(urlsFrom(value)).toEqual([]),
	);

	test.each(['https://e.com/{{ $json.id }}.png', ['https://e.com/{{ $json.id }}.png']])(
		'an expression is no part of a URL: %j',
		(value) => {
			const { advice } = refusalOf(() => urlsFrom(value));
			expect(advice).toContain('from Fixed to Expression');
		},
	);

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

	test('lists in lists are taken as one; one that holds itself is none', () => {
		expect(urlsFrom([[['https://e.com']], TWO])).toEqual(['https://e.com', ...TWO]);
		const own: unknown[] = ['https://e.com'];
		own.push(own);
		expect(refusalOf(() => urlsFrom(own)).message).toContain('is not a URL');
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
});

const longest = `https://e.com/${'a'.repeat(8_192 - 14)}`;

test('the longest URL is taken, and none that is longer', () => {
	expect(urlFrom(longest)).toBe(longest);
	expect(urlsFrom([longest])).toEqual([longest]);
	for (const read of [urlFrom, urlsFrom]) {
		const { message, advice } = refusalOf(() => read(`${longest}a`));
		expect(message).toContain(`${LABEL}: ${shown(longest)} is not `);
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
		'https://e.com/a https://e.com/b',
		7,
		true,
		{},
		['https://e.com'],
	])('%j is refused', (value) =>
		expect(() => urlFrom(value)).toThrow(`${LABEL}: ${shown(value)} is not allowed.`),
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
		'https://www.dropbox.com/scl/fi/1/fox.png?rlkey=2&dl=0',
		'https://dropbox.com/s/1/fox.png',
	])('%s is refused', (page) => {
		expect(refusalOf(() => urlsFrom(page)).about).toBe('file');
		const inList = refusalOf(() => urlsFrom(['https://e.com/a.png', page]));
		expect(inList.about).toBe('file');
		expect(inList.message).toContain(': entry 2, ');
	});

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

test.each([
	['https://drive.google.com/file/d/1/view', 'Google Drive'],
	['https://1drv.ms/i/s!AbC', 'Microsoft OneDrive'],
	['https://contoso.sharepoint.com/:i:/s/team/AbC', 'Microsoft SharePoint'],
	['https://www.dropbox.com/s/1/fox.png?dl=0', 'Dropbox'],
])('%s names the node that gets the file: %s', (page, node) => {
	expect(refusalOf(() => urlsFrom(page)).advice).toBe(
		`Put the ${node} node before this one to download the file. Choose File.`,
	);
});

describe('names of binary fields', () => {
	test.each([
		['data, voice', ['data', 'voice']],
		['data\nvoice,', ['data', 'voice']],
		[
			['data', ' voice '],
			['data', 'voice'],
		],
		['["data", "voice"]', ['data', 'voice']],
		['', []],
		[null, []],
	])('%j are %j', (value, names) => expect(binaryFieldsField(FIELD).read(value)).toEqual(names));

	test.each([{ id: '1', mimeType: 'image/png' }, [{ id: '1' }], 7, ['data', 7]])(
		'are not %j',
		(value) => expect(() => binaryFieldsField(FIELD).read(value)).toThrow('is not allowed.'),
	);

	test('a file is no name of one', () => {
		const { read } = binaryFieldField(FIELD);
		expect(read(' last ')).toBe('last');
		expect(read(null)).toBe('');
		expect(binaryFieldField({ ...FIELD, default: 'data' }).read(' ')).toBe('data');
		expect(refusalOf(() => read({ mimeType: 'image/png' })).message).toContain('is not allowed.');
	});
});
