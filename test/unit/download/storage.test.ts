import { storageErrorOf } from '../../../nodes/Videogen/downloads/storageError';
import { codedError } from '../../support/downloadScene';

class FileTooLargeError extends Error {}

/** An error within others, as n8n wraps them. */
function wrapped(error: unknown, times: number): unknown {
	let outer = error;
	for (let time = 0; time < times; time += 1) outer = new Error(`Layer ${time}`, { cause: outer });
	return outer;
}

const wrappers: Array<[string, (error: unknown) => unknown]> = [
	['by itself', (error) => error],
	['within another', (error) => wrapped(error, 1)],
	['four errors deep', (error) => wrapped(error, 4)],
	['as the error of an n8n error', (error) => ({ error: { errorResponse: error } })],
	['first of several', (error) => new AggregateError([error])],
];

describe.each(wrappers)('a storage that fails, its reason %s,', (_name, wrap) => {
	test.each(['ENOSPC', 'EDQUOT'])('has no room left: %s', (code) => {
		expect(storageErrorOf(wrap(codedError(code)))).toEqual({ kind: 'diskFull' });
	});

	test.each([
		'EFBIG',
		'ERR_BUFFER_TOO_LARGE',
		'ERR_FS_FILE_TOO_LARGE',
		'ERR_OUT_OF_RANGE',
		'ERR_STRING_TOO_LONG',
	])('takes no such file: %s', (code) => {
		expect(storageErrorOf(wrap(codedError(code)))).toEqual({ kind: 'tooLarge' });
	});

	test('takes no such file: n8n’s own limit', () => {
		expect(storageErrorOf(wrap(new FileTooLargeError('Too large')))).toEqual({
			kind: 'tooLarge',
		});
	});
});

describe('a storage that fails in a way of its own', () => {
	test.each<[unknown, string | undefined]>([
		[new Error('Access denied'), 'Access denied'],
		[wrapped(codedError('EACCES'), 1), 'Layer 0'],
		['no', 'no'],
		[new Error('a\nb\u0000c'), 'a b c'],
		[new Error('at https://n.com/x?token=abc.def&y=1'), 'at https://n.com/x?token=…&y=1'],
		[codedError('EIO'), 'EIO'],
		[Object.assign(new Error(' '), { code: 'EIO' }), 'EIO'],
		[new Error(''), undefined],
		['', undefined],
		[null, undefined],
	])('is quoted: %p', (thrown, reason) => {
		expect(storageErrorOf(thrown)).toEqual({ kind: 'storage', reason });
	});

	test.each([[undefined], [null], [{}], [Object.create(null)], [[]], [7]])(
		'is no error to tell, whatever it throws',
		(thrown) => expect(storageErrorOf(thrown)).toMatchObject({ kind: 'storage' }),
	);

	test('is not asked for its reasons without end', () => {
		const loop: { cause?: unknown } = {};
		loop.cause = loop;
		expect(storageErrorOf(loop)).toMatchObject({ kind: 'storage' });
	});
});
