import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import type { NetworkReason } from '../service/answer';

/** A body on its way, as n8n takes it into its storage. */
export type ByteStream = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer
>;

/** Head of an answer, header names in lower case, and its body, of which nothing is read yet. */
export interface FileAnswer {
	statusCode: number;
	headers: Record<string, unknown>;
	body: ByteStream;
	/** What the body will have; `undefined` when the answer does not say. */
	declaredBytes?: number;
}

/**
 * Asks for a file, following redirects, without any credential. Throws when there is no answer;
 * the abort ends the body too.
 */
export type FetchFile = (url: string, signal: AbortSignal) => Promise<FileAnswer>;

/** Puts a body into n8n's storage, piece by piece where the storage can. */
export type StoreFile = (
	body: ByteStream,
	fileName: string,
	mediaType: string,
) => Promise<IBinaryData>;

/** Why a result is not there as a file. */
export type DownloadError =
	/** The host answered with something other than success. */
	| { kind: 'status'; status: number; retryAfterMs?: number }
	| { kind: 'network'; reason: NetworkReason }
	/** The body ended before its declared length. */
	| { kind: 'cutOff'; receivedBytes: number; declaredBytes: number }
	/** A body without a single byte. */
	| { kind: 'empty' }
	/** The body stopped coming. */
	| { kind: 'stalled'; receivedBytes: number }
	/** A page or a notice came in place of the file. */
	| { kind: 'webPage' }
	/** The address leads on and on, or to what is no web address. */
	| { kind: 'redirect' }
	/** The result is not a web address. */
	| { kind: 'address' }
	/** The task is completed and has no results. */
	| { kind: 'noResults' }
	/** n8n's storage takes no file of this size. */
	| { kind: 'tooLarge' }
	| { kind: 'diskFull' }
	/** n8n could not store it for another reason, in its own words if it has any. */
	| { kind: 'storage'; reason?: string }
	/** The run ended before. */
	| { kind: 'stopped' };

/** All results of a task as files, in their order, or why not. */
export type DownloadResult =
	| { kind: 'files'; files: IBinaryData[] }
	| { kind: 'notDownloaded'; error: DownloadError; url?: string };
