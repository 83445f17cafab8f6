import { quotable, quoted, wholeId } from '../../../nodes/Videogen/shared/text';
import { shown } from '../../../nodes/Videogen/shared/messages';

test.each([
	['No', '"No".'],
	['v1.2 is gone', '"v1.2 is gone".'],
	['Why?', '"Why?"'],
])('%s is quoted as a sentence', (words, sentence) => expect(quoted(words)).toBe(sentence));

/** n8n shows descriptions and hints as HTML. */
test('no tag of another gets into what n8n shows', () => {
	const tag = '<a href="https://e.com">Sign in</a>';
	expect(quotable(tag)).toBe('‹a href="https://e.com"›Sign in‹/a›');
	expect(shown([tag])).not.toMatch(/[<>]/);
	expect(shown([tag])).toContain('‹a');
	expect(wholeId('<b>1')).toBe(String.raw`"\u003cb\u003e1"`);
});

test('what comes after more than anybody reads is not looked at', () => {
	expect(quotable(`${' '.repeat(8_191)}ab`)).toBe('a');
});

describe('a value in a message', () => {
	test.each([
		['a word', '"a word"'],
		[true, 'true'],
		[NaN, 'NaN'],
		[Infinity, 'Infinity'],
		[10n, '10'],
		[['a'], '["a"]'],
		[{ a: 1 }, '{"a":1}'],
		[null, 'nothing'],
		[undefined, 'nothing'],
	])('%p reads %s', (value, expected) => expect(shown(value)).toBe(expected));

	test('is whole up to its limit, and cut beyond', () => {
		for (const one of ['x', '🦊']) {
			expect(shown(one.repeat(80))).toBe(`"${one.repeat(80)}"`);
			expect(shown(one.repeat(90_000))).toMatch(new RegExp(`^"(?:${one}){79,80}…"$`, 'u'));
		}
	});
});
