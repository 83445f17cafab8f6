import { codesOf, findInErrors, isTooLargeForN8n } from '../ground/errors';
import type { NetworkError, StatusError } from '../service/answer';
import { isTransient } from '../service/answerMeaning';
import { networkReasonOf } from '../service/networkReason';
import { messageIn } from '../service/errorPayload';

/**
 * The most bytes that the files of one run may have together where n8n keeps files in its memory. It
 * needs a multiple of that, and cannot show executions that have much more.
 */
export const MAX_BYTES_IN_MEMORY = 50_000_000;

/**
 * The most bytes that the files of one task may have together where n8n holds each file whole in its
 * memory before it stores it: in its database, in S3 and the like.
 */
export const MAX_BYTES_IN_DATABASE = 512_000_000;

/** The same where n8n keeps files on the disk. */
export const MAX_BYTES = 2_000_000_000;

/** The most files of one task. */
export const MAX_FILES = 50;

/** Errors that are told in the same words each time. */
export type PlainDownloadError =
	| { kind: 'empty' | 'noMedia' | 'noUrl' | 'noResults' }
	/** Too many redirects, or one to another protocol. */
	| { kind: 'redirect' }
	/** A URL with a user name, or one in a local network. */
	| { kind: 'login' | 'local' }
	/** Although that was not asked for: a small answer may unpack to any size. */
	| { kind: 'compressed' }
	/** More than `MAX_FILES`, more than `MAX_BYTES`, or longer than a task's files may take. */
	| { kind: 'tooMany' | 'tooMuch' | 'tooSlow' }
	/** Larger than what n8n puts into its database, or into a bucket. */
	| { kind: 'tooLarge' }
	/** More than `MAX_BYTES_IN_MEMORY`. */
	| { kind: 'memory' }
	| { kind: 'diskFull' }
	/** The run ended before. */
	| { kind: 'stopped' };

/** Why a result is not there as a file. */
export type DownloadError =
	| PlainDownloadError
	| Pick<StatusError, 'kind' | 'status' | 'retryAfterMs'>
	| NetworkError
	/** The body ended before its declared length. */
	| { kind: 'cutOff'; receivedBytes: number; declaredBytes: number }
	/** The download stopped. */
	| { kind: 'stalled'; receivedBytes: number }
	/** n8n could not store it, in its own words if it has any. */
	| { kind: 'storage'; reason?: string };

/** Whether the next try may succeed. */
export const mayComeNextTime = (error: DownloadError): boolean =>
	error.kind === 'status' || error.kind === 'network'
		? isTransient(error)
		: ['empty', 'cutOff', 'stalled'].includes(error.kind);

/** A URL that is not asked for. */
export class NotFetched extends Error {
	constructor(readonly kind: 'redirect' | 'login' | 'local') {
		super(kind);
	}
}

/** Why a host gave no answer. */
export const fetchErrorOf = (thrown: unknown): DownloadError =>
	thrown instanceof NotFetched
		? { kind: thrown.kind }
		: { kind: 'network', reason: networkReasonOf(thrown) };

/** Codes for a full disk, or a full share of it. */
const DISK_FULL = /^(?:ENOSPC|EDQUOT)$/;
/** Codes of Node and of the system for a file that is too large for its place. */
const TOO_LARGE =
	/^(?:EFBIG|ERR_BUFFER_TOO_LARGE|ERR_FS_FILE_TOO_LARGE|ERR_OUT_OF_RANGE|ERR_STRING_TOO_LONG)$/;

/** Why n8n's storage did not accept a file. */
export const storageErrorOf = (thrown: unknown): DownloadError =>
	findInErrors(thrown, knownStorageError) ?? { kind: 'storage', reason: messageIn(thrown) };

function knownStorageError(error: object): DownloadError | undefined {
	const codes = codesOf(error);
	if (codes.some((code) => DISK_FULL.test(code))) return { kind: 'diskFull' };
	const isTooLarge = isTooLargeForN8n(error) || codes.some((code) => TOO_LARGE.test(code));
	return isTooLarge ? { kind: 'tooLarge' } : undefined;
}
