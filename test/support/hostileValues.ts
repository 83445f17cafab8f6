import fc from 'fast-check';

/** Values of every type that an expression can give, wherever a field expects another. */
export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
	fc.constantFrom<unknown>(
		...['', ' \n ', true, false, 5, 1.5, '5', '5.0', '1e1', '0x10', 'true', 'TRUE ', 'yes', '[]'],
		...['["https://e.com/a.png"]', '[[["https://e.com/a.png"]]]', '{}', '{"web_search":"yes"}'],
		...['{"__proto__":{"polluted":true}}', '{"a":', 'https://e.com/a.png'],
		...['https://e.com/w_400,h_300/a.png, https://e.com/b.png', 'http://', 'https://'],
		...['https:///a', 'HTTPS://E.COM', 'http://[::1', 'http://a b', 'https://e.com/\u{1f98a}'],
		...['https://e.com/%zz', 'https://e.com:99999/', 'https://user:pass@e.com/'],
		...['javascript:alert(1)', 'file:///etc/passwd', 'data:image/png;base64,AA', '\ud800'],
		...['\u0000\u0007', 'adaptive', '16:9', '720p', '480P', 'processing', 'binary'],
		...['data', 'data, voice', '__proto__', 'constructor', 'toString', 'a'.repeat(10_000)],
		...[{ web_search: true, seed: 7 }, { web_search: null }, { toString: null, valueOf: null }],
		...[[null, undefined, '', {}, 7], Symbol('s'), () => 5, ...unsayable()],
	),
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
function unsayable(): unknown[] {
	const object: Record<string, unknown> = { web_search: true };
	object.self = object;
	const list: unknown[] = [];
	list.push(list);
	const throwing = {
		get bad() {
			throw new Error('No');
		},
	};
	return [object, list, { deep: { count: 5n } }, throwing];
}
