import { quotable, quoted } from '../ground/text';
import {
	type DownloadError,
	MAX_BYTES,
	MAX_BYTES_IN_DATABASE,
	MAX_BYTES_IN_MEMORY,
	MAX_FILES,
	type PlainDownloadError,
} from './downloadError';
import { type DownloadResult, MIN_TIME_MS } from './download';
import { RESULT_LINK_LIFETIME, resultUrls, type Task } from '../service/task';
import {
	STORE_FILES,
	LABELS,
	fetchAdvice,
	fetchElsewhere,
	listed,
	type Message,
	TRY_LATER,
	type Words,
} from '../ground/words';
import { networkWords } from '../service/answerWords';

const ASK_PROVIDER = 'Look at the record of the task, and ask the provider.';
const FRESH_LINK = `Links usually stop working after ${RESULT_LINK_LIFETIME}; reading the task again may give a new one.`;
const OTHER_WAY = 'Fetch them by their links in another way.';
const HOST = 'the host of the file';
const CHECK_NETWORK = 'Check that the machine of n8n can reach that host.';

const PLAIN_WORDS: Record<PlainDownloadError['kind'], Words> = {
	empty: ['the file is empty', TRY_LATER],
	noMedia: [
		'what came is not a video, image or audio file, but for example a web page',
		FRESH_LINK,
	],
	redirect: ['its URL redirects too often, or not to an http(s) URL', ASK_PROVIDER],
	login: ['its URL has a user name in it', ASK_PROVIDER],
	local: [
		'its URL leads into a local network, where only a service in the same network may have files',
		`If your service is in your own network, give its local address as '${LABELS.baseUrl}' in the Videogen credential. Otherwise ask the provider.`,
	],
	compressed: ['its host sent a compressed file, which the node did not ask for', ASK_PROVIDER],
	tooMany: [`there are more than ${MAX_FILES} results`, OTHER_WAY],
	tooMuch: [`its files have more than ${MAX_BYTES / 1e9} GB in total`, OTHER_WAY],
	tooSlow: [
		'its files took too long',
		`Downloads may take as long as '${LABELS.timeoutMinutes}', at least ${MIN_TIME_MS / 60_000} minutes. ${OTHER_WAY}`,
	],
	noUrl: ['the result is not an http(s) URL', ASK_PROVIDER],
	noResults: ['there are no results in its record', ASK_PROVIDER],
	tooLarge: [
		'its files are larger than what n8n stores',
		`In a database or in S3, the limit is ${MAX_BYTES_IN_DATABASE / 1_000_000} MB, or what N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE says. Whoever runs this n8n can set N8N_DEFAULT_BINARY_DATA_MODE to filesystem, where this node stores more.`,
	],
	memory: [
		`n8n keeps files in its memory, where one run may store ${MAX_BYTES_IN_MEMORY / 1_000_000} MB in total`,
		STORE_FILES,
	],
	diskFull: [
		'the disk of n8n is full',
		'Free some space where n8n keeps its files (N8N_BINARY_DATA_STORAGE_PATH, if it is set).',
	],
	stopped: ['the node ended before the file was complete', 'It is still there.'],
};

/** The record of the task has all of them. */
const MAX_LISTED_URLS = 3;

/** The record of the task has a longer one whole. */
const MAX_URL_CHARACTERS = 4_000;

/**
 * The message of an item whose task is completed, but whose results could not be downloaded.
 * @param isCreated Whether the node created the task, and did not only get it.
 */
export function downloadMessage(
	task: Task,
	{ error, url }: Extract<DownloadResult, { kind: 'notDownloaded' }>,
	isCreated: boolean,
): Message {
	const [what, next] = wordsOf(error);
	// The one that could not be downloaded comes first.
	const urls = [...new Set([...(url ? [url] : []), ...resultUrls(task.record)])];
	const fetch = isCreated ? fetchElsewhere : fetchAdvice;
	const advice = fetch(task.id, ` and '${LABELS.downloadResults}' on`);
	const quotes = listed(urls.map(plainUrl), MAX_LISTED_URLS);
	const results = urls.length > 0 ? ` Results: ${quotes}.` : '';
	return {
		message: `Task ${quotable(task.id)} is completed, but not downloaded: ${what}`,
		description: `${next} ${advice}${results}`,
	};
}

/**
 * A URL on one line that is no HTML, in quotes, and long enough for a link with its signature. The quotes
 * are straight: beside one curly character, n8n would save all files in its memory with two bytes a
 * character.
 */
const plainUrl = (url: string): string =>
	`"${url
		.slice(0, MAX_URL_CHARACTERS)
		.replace(/[\s\p{Cc}]+/gu, '')
		.replace(/[<>]/g, encodeURIComponent)}"`;

function wordsOf(error: DownloadError): Words {
	if (error.kind === 'status') return statusWords(error.status);
	if (error.kind === 'network') {
		const [what, next] = networkWords(error.reason, HOST, CHECK_NETWORK);
		return [`${what.charAt(0).toLowerCase()}${what.slice(1)}`, next];
	}
	if (error.kind === 'cutOff') {
		const ofAll = `${megabytes(error.receivedBytes)} of ${megabytes(error.declaredBytes)}`;
		return [`only ${ofAll} arrived`, TRY_LATER];
	}
	if (error.kind === 'stalled') {
		return [`the download stopped after ${megabytes(error.receivedBytes)}`, TRY_LATER];
	}
	if (error.kind === 'storage') {
		const next = error.reason ? `n8n says: ${quoted(error.reason)}` : 'n8n gives no reason.';
		return ['n8n could not store the file', next];
	}
	return PLAIN_WORDS[error.kind];
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

function statusWords(status: number): Words {
	if (status === 404 || status === 410)
		return [`there is no file at its URL (${status})`, FRESH_LINK];
	if (status === 401 || status === 403)
		return [`its link was not accepted (${status})`, FRESH_LINK];
	return [`the host of the file answered with ${status}`, TRY_LATER];
}

/** The same as a fault of an item, and whether its files may be late. */
export function filesFaultOf(
	task: Task,
	result: Extract<DownloadResult, { kind: 'notDownloaded' }>,
	isCreated: boolean,
) {
	const { error } = result;
	return {
		kind: 'download' as const,
		...downloadMessage(task, result, isCreated),
		isCutShort: error.kind === 'stopped',
		mayCome:
			error.kind === 'status' && (LATE_STATUSES.includes(error.status) || error.status >= 500),
	};
}

/** What hosts of files answer while a file is not there yet. */
const LATE_STATUSES = [403, 404, 429];
