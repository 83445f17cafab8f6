import fc from 'fast-check';
import { z } from 'zod';
import {
	collectionField,
	menuField,
	numberField,
	switchField,
	textField,
} from '../../nodes/Videogen/fields/field';
import { shown } from '../../nodes/Videogen/ground/words';
import { binaryFieldsField, urlField, urlsField } from '../../nodes/Videogen/fields/lists';
import { taskId } from '../../nodes/Videogen/fields/getTask';
import { asTask } from '../../nodes/Videogen/service/task';
import { refusalOf } from '../programs/support/itemFilesScene';

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

	test('a text with several is told how to write a blank', () => {
		const { message, advice } = refusalOf(() => urlsFrom(PHOTO));
		expect(message).toBe(`${LABEL}: entry 2, "photo", is not a URL.`);
		expect(advice).toContain('Write a blank in a URL as %20. Choose File.');
	});

	test('what is too long for a list is not taken apart', () => {
		for (const tooLong of ['a '.repeat(500_000), Array<string>(1_001).fill('a')]) {
			expect(refusalOf(() => urlsFrom(tooLong)).message).not.toContain('entry');
			expect(binaryFieldNames(tooLong)).toHaveLength(1);
		}
		expect(urlsFrom(Array<string>(1_000).fill('https://e.com'))).toHaveLength(1_000);
	});

	test('whoever gives a file learns that it is no URL, and how to use one', () => {
		const adviceOn = (text: string) => refusalOf(() => urlsFrom(text)).advice;
		const paths = [
			'C:\\\\fox.png',
			'/home/me/fox.png',
			'~/fox.png',
			'./fox.png',
			'file:///fox.png',
		];
		const advice = 'This is a file on a computer, which the service cannot open. Choose File.';
		expect(paths.map(adviceOn)).toEqual(paths.map(() => advice));
		expect(adviceOn('fox.png')).toBe(
			'Use a full URL that begins with http:// or https:// and has at most 8192 characters. Choose File.',
		);
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
	])('%j is refused', (value) => {
		const { message, advice } = refusalOf(() => urlFrom(value));
		expect(message).toBe(`${LABEL}: ${shown(value)} is not a URL.`);
		expect(advice).toContain('http:// or https://');
	});
});

describe('links to pages of files', () => {
	test.each([
		['https://drive.google.com/file/d/1AbC/view?usp=sharing', 'Google Drive'],
		['https://drive.google.com/open?id=1AbC', 'Google Drive'],
		['https://drive.google.com/uc?id=1AbC', 'Google Drive'],
		['https://drive.google.com/uc?export=view&id=1AbC', 'Google Drive'],
		['HTTPS://Drive.Google.com/drive/folders/1AbC', 'Google Drive'],
		['https://docs.google.com/file/d/1AbC/edit', 'Google Drive'],
		['https://1drv.ms/i/s!AbC', 'Microsoft OneDrive'],
		['https://onedrive.live.com/?id=1&cid=2', 'Microsoft OneDrive'],
		['https://contoso.sharepoint.com/:i:/s/team/AbC?e=1', 'Microsoft SharePoint'],
		['https://contoso-my.sharepoint.com/:v:/g/personal/ada/AbC', 'Microsoft SharePoint'],
		['https://www.dropbox.com/home/fox.png', 'Dropbox'],
		['https://www.dropbox.com/scl/fo/1abc/AbC?dl=0', 'Dropbox'],
	])('%s is refused, and sends to the node %s', (page, node) => {
		const { message, advice } = refusalOf(() => urlsFrom(page));
		expect(message).toBe(`${LABEL}: ${shown(page)} leads to a page, not to the file itself.`);
		expect(advice).toBe(
			`Put the ${node} node before this one, let it download the file, and use that. Choose File.`,
		);
		const inList = refusalOf(() => urlsFrom(['https://e.com/a.png', page]));
		expect(inList.message).toContain(': entry 2, ');
		expect(inList.about).toBe('file');
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

describe('task IDs', () => {
	test('are as long as a URL can be', () => {
		const longest = 'a'.repeat(8_192);
		expect(taskId.read(longest)).toBe(longest);
		expect(asTask({ id: longest, status: 'pending' })?.id).toBe(longest);
		expect(refusalOf(() => taskId.read(`${longest}a`)).message).toContain('is not a task ID.');
		expect(asTask({ id: `${longest}a`, status: 'pending' })).toBeUndefined();
	});

	test('a number is an ID too', () => expect(taskId.read(12)).toBe('12'));

	test.each([undefined, null, '', ' \n'])('%j is empty', (value) => {
		const { message, advice } = refusalOf(() => taskId.read(value));
		expect(message).toBe('Task ID is empty.');
		expect(advice).toContain('{{ $json.id }}');
	});

	test.each([
		...['a/b/1', '/a', 'Zm9v/YmFy+A==', '50%25-1', '%2e%2e', 't?x=1', 'a#b', 'a\\b', 'a b'],
		...['a..b', '..a/b..', 'a\u0000b', 'httpx', 'eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl'],
	])('%j, which a service may have given, is taken as it is', (value) => {
		expect(taskId.read(` ${value}\n`)).toBe(value);
		expect(asTask({ id: value, status: 'pending' })?.id).toBe(value);
	});

	// A proxy may decode the path before it resolves the dots in it.
	test.each(['.', '..', '...', '../x', 'x/..', 'a/../b', 'a\\..\\b', 'a/./b', 'a\ufffd', '\ud800'])(
		'%j, which a path cannot hold, is refused, in records too',
		(value) => {
			const { message } = refusalOf(() => taskId.read(value));
			expect(message).toMatch(/^Task ID: ".*" is not a task ID\.$/);
			expect(asTask({ id: value, status: 'pending' })).toBeUndefined();
		},
	);

	test.each([
		...['https://e.com/v1/tasks/1', ' HTTP://e.com/1'],
		...[true, 1.5, 2 ** 53, {}, { id: 'task_1' }, ['task_1']],
	])('%j is refused', (value) => {
		const { message, advice } = refusalOf(() => taskId.read(value));
		expect(message).toBe(`Task ID: ${JSON.stringify(value)} is not a task ID.`);
		expect(advice).toContain('exactly as a create operation returned it, not a URL');
	});
});

describe('values from expressions', () => {
	const texts = FIELD;
	const number = numberField({ ...texts, default: 0 }, z.number().max(20), 'It is a number.');
	const toggle = switchField({ ...texts, default: false });
	const text = textField({ ...texts, default: '' }, z.string().min(1), 'Write something.');
	const collection = collectionField(texts);
	const names = {
		adaptive: { name: 'Adaptive' },
		'720p': { name: '720p' },
		returnTask: { name: 'Task' },
	};
	const choices = ['adaptive', '720p', 'returnTask'] as const;
	const menu = menuField<(typeof choices)[number]>(
		{ ...texts, default: 'adaptive' },
		choices,
		names,
	);

	test.each([
		['number', number, ['7', ' 4.5 ', '-1', '+12', 7], [7, 4.5, -1, 12, 7]],
		['switch', toggle, ['true', ' FALSE ', true, false], [true, false, true, false]],
		['text', text, ['fox', 7, false], ['fox', '7', 'false']],
		[
			'choice',
			menu,
			['720P ', ' Adaptive', 'RETURNTASK', '720p'],
			['720p', 'adaptive', 'returnTask', '720p'],
		],
		['collection', collection, [{ a: 1 }, undefined, null, ''], [{ a: 1 }, {}, {}, {}]],
	])('are read as a %s', (_kind, field, values, expected) => {
		expect(values.map((value) => field.read(value))).toEqual(expected);
	});

	test.each([
		['number', number, ['', ' ', null, undefined], ['7s', 's7', '7.', '0x7', 21, true, NaN, [7]]],
		['switch', toggle, ['', null, undefined], ['yes', 0, 1, {}]],
		['text', text, ['', null, undefined], [{}, ['fox']]],
		['choice', menu, ['', ' ', null, undefined], ['720', '4K', 720, ['720p'], {}]],
		['collection', collection, [], ['a', ['a'], 7, true]],
	])('a %s is refused by the label of its field', (_kind, field, empty, wrong) => {
		const saidOf = (value: unknown) => refusalOf(() => field.read(value)).message;
		for (const value of empty) expect(saidOf(value)).toBe(`${LABEL} is empty.`);
		for (const value of wrong) {
			expect(saidOf(value)).toBe(`${LABEL}: ${shown(value)} is not allowed.`);
		}
	});
});

test.each(['4,5', '5s', '5 seconds', '1,000', '7.', '0x7'])(
	'the number %s is told to be written in digits',
	(given) => {
		const duration = numberField({ ...FIELD, default: 5 }, z.number().int(), 'a whole number');
		const { message, advice } = refusalOf(() => duration.read(given));
		expect(message).toBe(`${LABEL}: "${given}" is not allowed.`);
		expect(advice).toBe(
			'It is a whole number. Write it in digits alone, with a point and no comma, such as 5.',
		);
	},
);

test('a number beyond its limits is not told how to write digits', () => {
	const duration = numberField({ ...FIELD, default: 5 }, z.number().max(30), 'at most 30');
	expect(refusalOf(() => duration.read(' 31 ')).advice).toBe('It is at most 30.');
	expect(refusalOf(() => duration.read('five')).advice).toBe('It is at most 30.');
});

describe('a value in a message', () => {
	test.each([
		['a word', '"a word"'],
		[7, '7'],
		[true, 'true'],
		[['a'], '["a"]'],
		[{ a: 1 }, '{"a":1}'],
		['', 'nothing'],
		[null, 'nothing'],
		[undefined, 'nothing'],
	])('%j reads %s', (value, expected) => expect(shown(value)).toBe(expected));

	test('is whole up to its limit, and cut beyond', () => {
		expect(shown('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
		expect(shown('x'.repeat(79))).toBe(`"${'x'.repeat(79)}…`);
		expect(shown('🦊'.repeat(78))).toBe(`"${'🦊'.repeat(78)}"`);
		expect(shown('🦊'.repeat(90_000))).toBe(`"${'🦊'.repeat(79)}…`);
	});

	test('that no JSON can say is not shown', () => {
		const loop: Record<string, unknown> = {};
		loop.itself = loop;
		expect(shown(loop)).toBe('what was given');
		expect(shown(Symbol('x'))).toBe('Symbol(x)');
	});
});
