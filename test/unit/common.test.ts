import { quoted } from '../../nodes/Videogen/common/quotable';

test.each([
	['No', '“No”.'],
	['No.', '“No.”'],
	['v1.2 is gone', '“v1.2 is gone”.'],
	['Why?', '“Why?”'],
])('%s is quoted as a sentence', (words, sentence) => expect(quoted(words)).toBe(sentence));
