import { quotable, quoted, wholeId } from '../../nodes/Videogen/ground/text';
import { downloadMessage } from '../../nodes/Videogen/files/downloadWords';
import { shown } from '../../nodes/Videogen/ground/words';
import { completedTask } from '../programs/support/downloadScene';

test.each([
	['No', '“No”.'],
	['No.', '“No.”'],
	['v1.2 is gone', '“v1.2 is gone”.'],
	['Why?', '“Why?”'],
])('%s is quoted as a sentence', (words, sentence) => expect(quoted(words)).toBe(sentence));

/** n8n shows descriptions and hints as HTML. */
test('no tag of another gets into what n8n shows', () => {
	const tag = '<a href="https://e.com">Sign in</a>';
	expect(quotable(tag)).toBe('‹a href="https://e.com"›Sign in‹/a›');
	expect(shown([tag])).not.toMatch(/[<>]/);
	expect(shown([tag])).toContain('‹a');
	expect(wholeId('<b>1')).toBe(String.raw`"\u003cb\u003e1"`);
	const url = 'https://e.com/<b>';
	const told = downloadMessage(
		completedTask([url], '<i>'),
		{ kind: 'notDownloaded', error: { kind: 'empty' }, url },
		true,
	);
	expect(Object.values(told).join()).not.toMatch(/[<>]/);
	expect(told.description).toContain('https://e.com/%3Cb%3E');
});

test('what comes after more than anybody reads is not looked at', () => {
	expect(quotable(`${' '.repeat(8_191)}ab`)).toBe('a');
});
