import { codesOf, findInErrors } from '../n8n/errorChain';
import { isTooLargeForN8n } from '../n8n/errorNames';
import type { NetworkError, StatusError } from '../service/answer';
import { networkReasonOf } from '../service/networkReason';
import { isTransient } from '../service/retryPolicy';
import { messageIn } from '../service/serviceMessage';

/**
 * The most bytes that the files of one run may have together where n8n keeps files in its memory. It
 * needs a multiple of that, and cannot show executions that have much more.
 */
export const MAX_BYTES_IN_MEMORY = 50_000_000;

/** Errors that are told in the same words each time. */
export type PlainDownloadError =
	| { kind: 'empty' | 'webPage' | 'noUrl' | 'noResults' }
	/** Redirects without end, or to another protocol. */
	| { kind: 'redirect' }
	/** Larger than what n8n puts into its database. */
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
	/** The body stopped coming. */
	| { kind: 'stalled'; receivedBytes: number }
	/** n8n could not store it, in its own words if it has any. */
	| { kind: 'storage'; reason?: string };

/** Whether the next try may succeed. */
export const mayComeNextTime = (error: DownloadError): boolean =>
	error.kind === 'status' || error.kind === 'network'
		? isTransient(error)
		: ['empty', 'cutOff', 'stalled'].includes(error.kind);

/** The words of n8n's HTTP library for redirects that it does not follow. */
const TOO_MANY_REDIRECTS = 'ERR_FR_TOO_MANY_REDIRECTS';
const OTHER_PROTOCOL = /^(?:Unsupported protocol|Protocol "[^"]*" not supported)/;

/** Why a host gave no answer. */
export function fetchErrorOf(thrown: unknown): DownloadError {
	const isRedirect = (error: object) =>
		codesOf(error).includes(TOO_MANY_REDIRECTS) ||
		('message' in error && OTHER_PROTOCOL.test(String(error.message))) ||
		undefined;
	return findInErrors(thrown, isRedirect)
		? { kind: 'redirect' }
		: { kind: 'network', reason: networkReasonOf(thrown) };
}

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
