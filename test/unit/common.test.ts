import { codesOf } from '../../nodes/Videogen/common/errorChain';
import { continuesOnError, isTool } from '../../nodes/Videogen/common/onError';
import { quoted } from '../../nodes/Videogen/common/quotable';

describe('how a node ends in an error', () => {
	const nodeWith = (type: string, goesOn: boolean) => ({
		getNode: () => ({ type }),
		continueOnFail: () => goesOn,
	});

	test.each([
		['videogen', false, false],
		['videogen', true, true],
		['videogenTool', false, true],
		['videogenTool', true, true],
		['videogenToolbox', false, false],
	])('%s, set to continue %s: it goes on %s', (type, goesOn, expected) => {
		const node = nodeWith(type, goesOn);
		expect(isTool(node)).toBe(type === 'videogenTool');
		expect(continuesOnError(node)).toBe(expected);
	});
});

test('only texts count as codes of an error', () => {
	expect(codesOf({ code: 7, httpCode: 'ECONNRESET' })).toEqual(['ECONNRESET']);
	expect(codesOf({ code: 'E1', httpCode: 'E2' })).toEqual(['E1', 'E2']);
});

test.each([
	['No', '“No”.'],
	['No.', '“No.”'],
	['v1.2 is gone', '“v1.2 is gone”.'],
	['Why?', '“Why?”'],
])('%s is quoted as a sentence', (words, sentence) => expect(quoted(words)).toBe(sentence));
