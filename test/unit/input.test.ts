import fc from 'fast-check';
import { InvalidParameter, shown } from '../../nodes/Videogen/input/invalidParameter';
import {
	booleanFrom,
	collection,
	numberFrom,
	textFrom,
} from '../../nodes/Videogen/input/parameters';
import { binaryFieldNames } from '../../nodes/Videogen/input/itemFile';
import { taskIdFrom } from '../../nodes/Videogen/input/taskId';
import { urlEntries, webAddress, webAddresses } from '../../nodes/Videogen/input/urls';
import { refusalOf } from '../support/itemFilesScene';

/** Addresses as people have them: with commas, brackets, ports, queries and fragments. */
const segment = fc.stringMatching(/^[\w~:@!$&'()*+,;=%.-]{0,12}$/);
const url = fc
	.record({
		scheme: fc.constantFrom('http', 'https', 'HTTPS'),
		host: fc.constantFrom('example.com', 'a.b-c.example', '127.0.0.1:8080', '[::1]'),
		path: fc.array(segment, { maxLength: 4 }),
		end: fc.constantFrom('.png', '/w_400,h_300/a.png', '?a=1,2&b=[3]', '#top', ''),
	})
	.map(({ scheme, host, path, end }) => `${scheme}://${host}/${path.join('/')}x${end}`)
	// Where another address begins after a comma, no one can tell one URL from two.
	.filter((text) => !/,[a-z][a-z\d+.-]*:\/\//i.test(text));
const urlList = fc.array(url, { maxLength: 12 });

const space = fc.stringMatching(/^[ \t]{0,3}$/);
const separators = {
	'one a line': fc.tuple(space, fc.constantFrom('\n', '\r\n', '\n\n'), space),
	'parted by commas': fc.tuple(space, fc.constantFrom(',', ',,'), space),
	'parted by spaces': fc.tuple(space, fc.constantFrom(' ', '\t', '\u00a0'), space),
};

describe('lists of URLs', () => {
	test.each(Object.entries(separators))('%s keep every URL and the order', (_form, separator) => {
		fc.assert(
			fc.property(urlList, separator, space, (urls, parts, edge) => {
				const text = `${edge}${urls.join(parts.join(''))}${edge}`;
				expect(webAddresses('Image URLs', text)).toEqual(urls);
			}),
		);
	});

	const asText = (value: unknown): string => JSON.stringify(value);
	const forms: Array<[string, (urls: string[]) => unknown]> = [
		['an array', (urls) => urls],
		['the JSON text of an array', asText],
		['JSON text over several lines', (urls) => ` ${JSON.stringify(urls, null, 2)}\n`],
		['an array of arrays', (urls) => urls.map((one) => [one])],
		['an array with JSON text in it', (urls) => [asText(urls)]],
		['JSON text of an array with JSON text in it', (urls) => asText([asText(urls)])],
		['an array with lines in it', (urls) => [urls.join('\n')]],
		['an array with empty entries', (urls) => ['', ...urls.flatMap((one) => [one, ' ', null])]],
		['an array of padded entries', (urls) => urls.map((one) => ` ${one}\n`)],
		['commas at both ends', (urls) => `,${urls.join(',')},`],
	];

	test.each(forms)('%s keeps every URL and the order', (_form, write) => {
		fc.assert(
			fc.property(urlList, (urls) => {
				expect(webAddresses('Image URLs', write(urls))).toEqual(urls);
			}),
		);
	});

	test('a comma inside a URL stays in it', () => {
		const [first, second] = ['https://e.com/w_400,h_300/a.png', 'https://e.com/?a=1,2,x'];
		for (const separator of [',', ', ', ' ,', ' ', '\n']) {
			expect(webAddresses('Image URLs', `${first}${separator}${second}`)).toEqual([first, second]);
		}
	});

	test.each([undefined, null, '', '  \n ', ',', ' , ,, ', [], [[]], '[]', [''], '["", null]'])(
		'%j is an empty list',
		(value) => expect(urlEntries(value)).toEqual([]),
	);

	test('a text that only looks like JSON is taken as it is', () => {
		expect(refusalOf(() => webAddresses('Image URLs', '[https://e.com/a.png]')).message).toBe(
			'Image URLs: entry 1, "[https://e.com/a.png]", is not a web address.',
		);
	});

	test('an entry that is none is named by its place among those that are not empty', () => {
		fc.assert(
			fc.property(urlList, urlList, fc.constantFrom('word', 7, true, {}), (before, after, bad) => {
				const { message, advice } = refusalOf(() =>
					webAddresses('Image URLs', ['', ...before, bad, ...after]),
				);
				expect(message).toBe(
					`Image URLs: entry ${before.length + 1}, ${shown(bad)}, is not a web address.`,
				);
				expect(advice).toContain('http:// or https://');
			}),
		);
	});

	test('lists in lists are taken as one, to a depth beyond which none is meant', () => {
		const nested = (depth: number): unknown =>
			depth === 0 ? 'https://e.com' : [nested(depth - 1)];
		expect(webAddresses('Image URLs', nested(9))).toEqual(['https://e.com']);
		expect(refusalOf(() => webAddresses('Image URLs', nested(10))).message).toContain('entry 1');
		const own: unknown[] = ['https://e.com'];
		own.push(own);
		expect(refusalOf(() => webAddresses('Image URLs', own)).message).toContain('entry 10');
	});

	test('whoever gives an object learns what to give instead', () => {
		const { advice } = refusalOf(() => webAddresses('Image URLs', [{ url: 'https://e.com' }]));
		expect(advice).toContain('Give the text of the address, not an object.');
		expect(refusalOf(() => webAddresses('Image URLs', 'word')).advice).not.toContain('object');
	});
});

const notAddresses = [
	'ftp://e.com/a',
	'//e.com/a',
	'/a',
	'a',
	'e.com',
	'https://',
	'https:e.com',
	'http//e.com',
	'javascript:alert(1)',
	'file:///etc/passwd',
	'data:image/png;base64,AAAA',
	'https://exa mple.com',
	'https://e.com:99999/',
	'xhttps://e.com',
];

describe('names of binary fields', () => {
	test('in lists in lists are taken as one list, to a depth beyond which none is meant', () => {
		const nested = (depth: number): unknown => (depth === 0 ? 'data, last' : [nested(depth - 1)]);
		expect(binaryFieldNames(nested(8))).toEqual(['data', 'last']);
		expect(binaryFieldNames(nested(9))).toEqual([['data, last']]);
		const own: unknown[] = ['data'];
		own.push(own);
		expect(binaryFieldNames(own)).toEqual([...Array<string>(8).fill('data'), own]);
	});
});

describe('one URL', () => {
	test.each([
		['http://e.com', 'http://e.com'],
		[' https://e.com/a?b=c#d\n', 'https://e.com/a?b=c#d'],
		['HTTPS://E.com', 'HTTPS://E.com'],
		['https://bücher.example/ü', 'https://bücher.example/ü'],
		['', undefined],
		['  ', undefined],
		[null, undefined],
		[undefined, undefined],
	])('%j is %j', (value, expected) => expect(webAddress('Callback URL', value)).toBe(expected));

	test.each([...notAddresses, 7, true, {}, ['https://e.com']])('%j is refused', (value) => {
		const { message, advice, field } = refusalOf(() => webAddress('Callback URL', value));
		expect(field).toBe('Callback URL');
		expect(message).toBe(`Callback URL: ${shown(value)} is not a web address.`);
		expect(advice).toContain('http:// or https://');
	});

	test.each(notAddresses.filter((text) => !/[\s,]/.test(text)))('%j is no entry', (text) => {
		expect(() => webAddresses('Image URLs', text)).toThrow(InvalidParameter);
	});
});

describe('task IDs', () => {
	/** Any word of letters that a path can hold, however strange. */
	const wellFormed = fc
		.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
		.filter((id) => !/[\s/\\?#%\p{Cc}]/u.test(id) && !/^\.+$/.test(id));

	test('any word is an ID, with the spaces around it taken away', () => {
		fc.assert(
			fc.property(wellFormed, space, (id, edge) => {
				expect(taskIdFrom('Task ID', `${edge}${id}${edge}`)).toBe(id);
			}),
		);
	});

	test('no ID that is accepted leaves its place in the address', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), (text) => {
				let id: string;
				try {
					id = taskIdFrom('Task ID', text);
				} catch (thrown) {
					return expect(thrown).toBeInstanceOf(InvalidParameter);
				}
				const { pathname, search, hash } = new URL(
					`https://e.com/v1/tasks/${encodeURIComponent(id)}`,
				);
				expect(decodeURIComponent(pathname)).toBe(`/v1/tasks/${id}`);
				expect(search + hash).toBe('');
			}),
		);
	});

	test('a number is an ID too', () => expect(taskIdFrom('Task ID', 12)).toBe('12'));

	test.each([undefined, null, '', '   ', '\n'])('%j is empty', (value) => {
		const { message, advice } = refusalOf(() => taskIdFrom('Task ID', value));
		expect(message).toBe('Task ID: is empty.');
		expect(advice).toContain('{{ $json.id }}');
	});

	test.each(['.', '..', '...', '../x', 'a/b', 'a\\b', 'a?b', 'a#b', 'a%2e', 'a b', 'a\u0000b'])(
		'%j is refused',
		(value) => {
			const { message } = refusalOf(() => taskIdFrom('Task ID', value));
			// Messages show no control characters.
			const shownId = value.replace('\u0000', ' ');
			expect(message).toBe(`Task ID: "${shownId}" is not a task ID.`);
		},
	);

	test.each([true, {}, { id: 'task_1' }, ['task_1']])('%j is refused', (value) => {
		const { message, advice } = refusalOf(() => taskIdFrom('Task ID', value));
		expect(message).toBe(`Task ID: ${JSON.stringify(value)} is not a task ID.`);
		expect(advice).toContain('one word, no address and no spaces');
	});
});

describe('values from expressions', () => {
	test.each([
		['7', 7],
		[' 4.5 ', 4.5],
		['-1', -1],
		['+12', 12],
		['12.75', 12.75],
		['', ''],
		[' ', ' '],
		['7s', '7s'],
		['s7', 's7'],
		['7.', '7.'],
		['0x7', '0x7'],
		[7, 7],
		[null, null],
		[true, true],
	])('as a number, %j is %j', (value, expected) => expect(numberFrom(value)).toBe(expected));

	test.each([
		['true', true],
		[' FALSE ', false],
		['yes', 'yes'],
		['', ''],
		[true, true],
		[0, 0],
		[undefined, undefined],
	])('as a switch, %j is %j', (value, expected) => expect(booleanFrom(value)).toBe(expected));

	test.each([
		['fox', 'fox'],
		[7, '7'],
		[false, 'false'],
		[null, ''],
		[undefined, ''],
	])('as text, %j is %j', (value, expected) => expect(textFrom(value)).toBe(expected));

	test.each([
		[{ a: 1 }, { a: 1 }],
		[undefined, {}],
		[null, {}],
		['', {}],
	])('as a collection, %j is %j', (value, expected) =>
		expect(collection({ get: () => value }, 'options')).toEqual(expected),
	);

	test.each([['a'], [['a']], [7], [true]])('%j is no collection', (value) => {
		const { message, advice } = refusalOf(() => collection({ get: () => value }, 'waitOptions'));
		expect(message).toBe(`Wait Options: ${shown(value)} is not allowed.`);
		expect(advice).toBe('Add its entries one by one.');
	});
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

	test('is whole up to its limit', () => {
		expect(shown('x'.repeat(78))).toBe(`"${'x'.repeat(78)}"`);
		expect(shown('x'.repeat(79))).toBe(`"${'x'.repeat(79)}…`);
		expect(shown('🦊'.repeat(78))).toBe(`"${'🦊'.repeat(78)}"`);
		expect(shown('🦊'.repeat(90))).toBe(`"${'🦊'.repeat(79)}…`);
	});

	test('that no JSON can say is not shown', () => {
		const loop: Record<string, unknown> = {};
		loop.itself = loop;
		expect(shown(loop)).toBe('what was given');
		expect(shown(Symbol('x'))).toBe('Symbol(x)');
	});

	test('is cut when it is long', () => {
		fc.assert(
			fc.property(fc.string({ minLength: 79 }), (text) => {
				expect(shown(text)).toHaveLength(81);
				expect(shown(text).endsWith('…')).toBe(true);
			}),
		);
	});
});
