import { codesOf, findInErrors } from '../n8n/errorChain';
import { isTooLargeForN8n } from '../n8n/errorNames';
import { quoted } from '../common/quotable';
import type { NetworkError, NetworkReason, StatusError } from '../service/answer';
import { networkReasonOf } from '../service/networkReason';
import { isTransient } from '../service/retryPolicy';
import { messageIn } from '../service/serviceMessage';
import { RESULT_LINK_LIFETIME } from './resultUrls';

/** What a kind of error means. */
interface ErrorFacts {
	/** Whether the next try may succeed; trying orders nothing. */
	isTransient?: boolean;
	/** What happened, as the end of a sentence. */
	what: string;
	/** What to do next, as a whole sentence. */
	next: string;
}

const LATER = 'Try again later.';
const ASK_PROVIDER = 'Look at the record of the task, and ask the provider.';
const FRESH_LINK = `Links usually stop working after ${RESULT_LINK_LIFETIME}; reading the task again may give a new one.`;

/**
 * What the files of one run may have together where n8n keeps them in its memory, which rises by a
 * multiple of it; of much more than this, n8n cannot show the execution any more.
 */
export const MAX_BYTES_IN_MEMORY = 50_000_000;

/** What keeps files out of n8n's memory. */
export const STORE_FILES =
	'Whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or database, in queue mode) and restart it.';

/** Errors of which nothing else is to be told. */
const PLAIN_ERRORS = {
	empty: { isTransient: true, what: 'the file is empty', next: LATER },
	webPage: { what: 'a web page or a text came instead of the file', next: FRESH_LINK },
	redirect: { what: 'its URL redirects without end, or to no http(s) URL', next: ASK_PROVIDER },
	noUrl: { what: 'the result is no http(s) URL', next: ASK_PROVIDER },
	noResults: { what: 'there are no results in its record', next: ASK_PROVIDER },
	tooLarge: {
		what: 'the file is larger than n8n stores',
		next: 'Whoever runs this n8n can raise N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE (in MiB, 512 unless set, at most 1024), or set N8N_DEFAULT_BINARY_DATA_MODE to filesystem, which has no such limit.',
	},
	memory: {
		what: `n8n keeps files in its memory, where the files of a run may have ${MAX_BYTES_IN_MEMORY / 1_000_000} MB together`,
		next: STORE_FILES,
	},
	diskFull: {
		what: 'the disk of n8n is full',
		next: 'Free some space where n8n keeps its files (N8N_BINARY_DATA_STORAGE_PATH, if it is set).',
	},
	/** The run ended before. */
	stopped: { what: 'the node ended before the whole file had come', next: 'It is still there.' },
} satisfies Record<string, ErrorFacts>;

/** Why a result is not there as a file. */
export type DownloadError =
	| { kind: keyof typeof PLAIN_ERRORS }
	| Pick<StatusError, 'kind' | 'status' | 'retryAfterMs'>
	| NetworkError
	/** The body ended before its declared length. */
	| { kind: 'cutOff'; receivedBytes: number; declaredBytes: number }
	/** The body stopped coming. */
	| { kind: 'stalled'; receivedBytes: number }
	/** n8n could not store it, in its own words if it has any. */
	| { kind: 'storage'; reason?: string };

/** All that is known about an error of a download: whether it is tried again, what the user reads. */
export function factsOf(error: DownloadError): ErrorFacts {
	if (error.kind === 'status')
		return { isTransient: isTransient(error), ...statusWords(error.status) };
	if (error.kind === 'network')
		return { isTransient: isTransient(error), ...NETWORK_WORDS[error.reason] };
	if (error.kind === 'cutOff') {
		const ofAll = `${megabytes(error.receivedBytes)} of ${megabytes(error.declaredBytes)}`;
		return { isTransient: true, what: `only ${ofAll} came`, next: LATER };
	}
	if (error.kind === 'stalled') {
		const what = `the file stopped coming after ${megabytes(error.receivedBytes)}`;
		return { isTransient: true, what, next: LATER };
	}
	if (error.kind === 'storage') {
		const next = error.reason ? `n8n says: ${quoted(error.reason)}` : 'n8n gives no reason.';
		return { what: 'n8n could not store the file', next };
	}
	return PLAIN_ERRORS[error.kind];
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function statusWords(status: number): ErrorFacts {
	const isGone = status === 404 || status === 410;
	if (isGone) return { what: `there is no file at its URL (${status})`, next: FRESH_LINK };
	const isForbidden = status === 401 || status === 403;
	if (isForbidden) return { what: `its link was not accepted (${status})`, next: FRESH_LINK };
	return { what: `its host answered with ${status}`, next: LATER };
}

const CHECK_NETWORK = 'Check that the machine of n8n can reach the host.';
const NETWORK_WORDS: Record<NetworkReason, ErrorFacts> = {
	refused: { what: 'its host does not accept connections', next: CHECK_NETWORK },
	noRoute: { what: 'its host cannot be reached', next: CHECK_NETWORK },
	unknownHost: { what: 'its host name was not found', next: CHECK_NETWORK },
	tls: { what: 'no secure connection to its host was possible', next: CHECK_NETWORK },
	timeout: { what: 'its host did not answer in time', next: CHECK_NETWORK },
	lost: { what: 'the connection to its host was lost', next: CHECK_NETWORK },
	blocked: { what: 'n8n blocks its host', next: 'Ask who runs this n8n to allow it.' },
};

/** How n8n's HTTP library says that redirects lead nowhere. */
const TOO_MANY_REDIRECTS = 'ERR_FR_TOO_MANY_REDIRECTS';
const OTHER_PROTOCOL = /^(?:Unsupported protocol|Protocol "[^"]*" not supported)/;

/** Why a host did not answer at all. */
export function fetchErrorOf(thrown: unknown): DownloadError {
	const isRedirect = (error: object) =>
		codesOf(error).includes(TOO_MANY_REDIRECTS) ||
		('message' in error && OTHER_PROTOCOL.test(String(error.message))) ||
		undefined;
	return findInErrors(thrown, isRedirect)
		? { kind: 'redirect' }
		: { kind: 'network', reason: networkReasonOf(thrown) };
}

/** The disk, or the share of it that n8n may use, is full. */
const DISK_FULL = /^(?:ENOSPC|EDQUOT)$/;
/** Node's and the system's words for a file that does not fit into what has to hold it. */
const TOO_LARGE =
	/^(?:EFBIG|ERR_BUFFER_TOO_LARGE|ERR_FS_FILE_TOO_LARGE|ERR_OUT_OF_RANGE|ERR_STRING_TOO_LONG)$/;

/** Why n8n's storage did not take a file. */
export const storageErrorOf = (thrown: unknown): DownloadError =>
	findInErrors(thrown, knownStorageError) ?? { kind: 'storage', reason: messageIn(thrown) };

function knownStorageError(error: object): DownloadError | undefined {
	const codes = codesOf(error);
	if (codes.some((code) => DISK_FULL.test(code))) return { kind: 'diskFull' };
	const isTooLarge = isTooLargeForN8n(error) || codes.some((code) => TOO_LARGE.test(code));
	return isTooLarge ? { kind: 'tooLarge' } : undefined;
}
