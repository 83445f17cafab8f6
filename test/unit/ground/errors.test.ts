import { SsrfBlockedHostnameError, SsrfBlockedIpError } from '@n8n/backend-network';
import { FileNotFoundError } from 'n8n-core/dist/errors/file-not-found.error';
import { FileTooLargeError } from 'n8n-core/dist/errors/file-too-large.error';
import {
	codesOf,
	findInErrors,
	isBlockedByN8n,
	isFileMissing,
	isTooLargeForN8n,
} from '../../../nodes/Videogen/ground/errors';

/** n8n's own, as 2.41.1 throws them. */
const BLOCKED = [new SsrfBlockedIpError('127.0.0.1'), new SsrfBlockedHostnameError('localhost')];
const TOO_LARGE = new FileTooLargeError({ fileSizeMb: 2, maxFileSizeMb: 1, fileId: '7' });
const MISSING = new FileNotFoundError('7');

test('what n8n throws is known by its class, by itself or wrapped on its way', () => {
	const bare: object = Object.create(null);
	const all = [...BLOCKED, TOO_LARGE, MISSING, new Error('No'), bare];
	expect(all.map(isBlockedByN8n)).toEqual([true, true, ...Array<boolean>(4).fill(false)]);
	expect(all.filter(isTooLargeForN8n)).toEqual([TOO_LARGE]);
	expect(all.filter(isFileMissing)).toEqual([MISSING]);
	const wrapped = new Error('outer', { cause: TOO_LARGE });
	expect(findInErrors(wrapped, (error) => isTooLargeForN8n(error) || undefined)).toBe(true);
});

test('only texts count as codes of an error', () => {
	expect(codesOf({ code: 7, httpCode: 'ECONNRESET' })).toEqual(['ECONNRESET']);
	expect(codesOf({ code: 'E1', httpCode: 'E2' })).toEqual(['E1', 'E2']);
});
