import { storageErrorOf } from '../../../nodes/Videogen/files/downloadError';
import { codedError } from '../../programs/support/downloadScene';

const deep = (error: unknown, times = 4): unknown =>
	times === 0 ? error : new Error(`Layer ${times}`, { cause: deep(error, times - 1) });

const wrappers: Array<[string, (error: unknown) => unknown]> = [
	['by itself', (error) => error],
	['four errors deep', (error) => deep(error)],
	['as the error of an n8n error', (error) => ({ error: { errorResponse: error } })],
	['first of several', (error) => new AggregateError([error])],
];

test.each(wrappers)('a storage that has no room is understood, its reason %s', (_name, wrap) => {
	for (const code of ['ENOSPC', 'EDQUOT']) {
		expect(storageErrorOf(wrap(codedError(code)))).toEqual({ kind: 'diskFull' });
	}
	for (const code of ['EFBIG', 'ERR_STRING_TOO_LONG']) {
		expect(storageErrorOf(wrap(codedError(code)))).toEqual({ kind: 'tooLarge' });
	}
});

test.each<[unknown, string | undefined]>([
	[new Error('Access denied'), 'Access denied'],
	[deep(codedError('EACCES'), 1), 'Layer 1'],
	['no', 'no'],
	[new Error('a\nb\u0000c'), 'a b c'],
	[Object.assign(new Error(' '), { code: 'EIO' }), 'EIO'],
	[new Error(''), undefined],
	[Object.create(null), undefined],
	[undefined, undefined],
])('a storage that fails in a way of its own is quoted: %p', (thrown, reason) => {
	expect(storageErrorOf(thrown)).toEqual({ kind: 'storage', reason });
});
