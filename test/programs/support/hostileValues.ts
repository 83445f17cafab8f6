import fc from 'fast-check';

const EMOJI = '\u{1f98a}';

/** Values of every type that an expression can give, wherever a field expects another. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(
		...[undefined, null, '', ' \n ', true, false, 0, -0, -1, 1.5, 5, 1e21, Number.NaN],
		...[Number.POSITIVE_INFINITY, '5', '5.0', '1e1', '0x10', 'true', 'TRUE ', 'yes', '[]'],
		...['["https://e.com/a.png"]', '[[["https://e.com/a.png"]]]', '{}', '{"web_search":"yes"}'],
		...['{"__proto__":{"polluted":true}}', '{"a":', 'https://e.com/a.png'],
		...['https://e.com/w_400,h_300/a.png, https://e.com/b.png', 'http://', 'https://'],
		...['https:///a', 'HTTPS://E.COM', 'http://[::1', 'http://a b'],
		`https://e.com/${EMOJI}`,
		...['https://e.com/%zz', 'https://e.com:99999/', 'https://user:pass@e.com/'],
		...['javascript:alert(1)', 'file:///etc/passwd', 'data:image/png;base64,AA', '\ud800'],
		...['\u0000\u0007', 'adaptive', '16:9', '720p', '480P', 'error', 'returnTask', 'binary'],
		...['data', 'data, voice', '__proto__', 'constructor', 'toString'],
		'a'.repeat(10_000),
		[],
		{},
		[null, undefined, '', {}, 7],
		{ web_search: true, seed: 7 },
		{ web_search: null },
		{ toString: null, valueOf: null },
		5n,
		Symbol('s'),
		() => 5,
		new Date(0),
		new Date(Number.NaN),
		new Map([['a', 1]]),
		Buffer.from('a'),
	),
	fc.constantFrom(...cyclic()),
	fc.string({ unit: 'binary', maxLength: 30 }),
	fc.webUrl({ withQueryParameters: true, withFragments: true }),
	fc.array(fc.webUrl(), { maxLength: 35 }),
	fc.double(),
	fc.anything({
		maxDepth: 3,
		withBigInt: true,
		withDate: true,
		withMap: true,
		withTypedArray: true,
	}),
);

/** Objects that no JSON can say. */
function cyclic(): unknown[] {
	const object: Record<string, unknown> = { web_search: true };
	object.self = object;
	const list: unknown[] = [];
	list.push(list);
	return [
		object,
		list,
		{ deep: { count: 5n } },
		{
			get bad() {
				throw new Error('No');
			},
		},
	];
}
