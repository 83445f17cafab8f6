import { codeOf, findInErrors } from '../common/errorChain';
import { messageIn } from '../service/serviceMessage';
import type { DownloadError } from './download';

/** The disk, or the share of it that n8n may use, is full. */
const DISK_FULL_CODES = ['ENOSPC', 'EDQUOT'];
/** Node's and the system's words for a file that does not fit into what has to hold it. */
const TOO_LARGE_CODES = [
	'EFBIG',
	'ERR_BUFFER_TOO_LARGE',
	'ERR_FS_FILE_TOO_LARGE',
	'ERR_OUT_OF_RANGE',
	'ERR_STRING_TOO_LONG',
];
/** What n8n throws over its limit for files in the database. */
const TOO_LARGE_ERROR = 'FileTooLargeError';

/** Why n8n's storage did not take a file. */
export const storageErrorOf = (thrown: unknown): DownloadError =>
	findInErrors(thrown, knownError) ?? {
		kind: 'storage',
		reason: messageIn(thrown),
	};

function knownError(error: object): DownloadError | undefined {
	const code = codeOf(error) ?? '';
	if (DISK_FULL_CODES.includes(code)) return { kind: 'diskFull' };
	const isTooLarge = TOO_LARGE_CODES.includes(code) || error.constructor?.name === TOO_LARGE_ERROR;
	return isTooLarge ? { kind: 'tooLarge' } : undefined;
}
