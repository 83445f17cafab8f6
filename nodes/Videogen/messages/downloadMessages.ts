import { quotable } from '../common/quotable';
import type { Task } from '../service/task';
import type { DownloadResult, DownloadError } from '../downloads/download';
import { RESULT_LINK_LIFETIME, resultUrls } from '../downloads/resultUrls';
import type { NetworkReason } from '../service/answer';
import { LABELS } from '../parameters/labels';
import type { Message, Recovery } from './message';
import { quoted } from './message';

/** More addresses than this are not read; the task's record has them all. */
const MAX_LISTED_URLS = 3;

/** A longer address is no address that anybody opens by hand; the record has it whole. */
const MAX_URL_CHARACTERS = 4_000;

/** As the Operation menu names it. */
const GET_TASK = 'Get Task';

type NotDownloaded = Extract<DownloadResult, { kind: 'notDownloaded' }>;

/** What became of a result, and what to do next. */
interface Advice {
	what: string;
	next: string;
}

const LATER = 'Try again later.';
const ASK_PROVIDER = 'Look at the record of the task, and ask the provider.';
const FRESH_LINK = `Links usually stop working after ${RESULT_LINK_LIFETIME}; reading the task again may give a fresh one.`;

const NETWORK_WHAT: Record<NetworkReason, string> = {
	refused: 'nothing accepts connections at the address of the result',
	unknownHost: "the name of the result's host is not known",
	tls: 'no secure connection to the host of the result was possible',
	timeout: 'the host of the result did not answer in time',
	lost: 'the connection to the host of the result broke off',
	blocked: 'n8n does not allow connections to the host of the result',
};

/** The message of an item whose task is completed, but whose results could not be downloaded. */
export function downloadMessage(
	task: Task,
	{ error, url }: NotDownloaded,
	recovery: Recovery,
): Message {
	const { what, next } = adviceOn(error);
	const addresses = listed(task, url);
	const retry = recovery === 'retry' ? ', or Retry on the failed execution' : '';
	return {
		message: `Task ${quotable(task.id)} is completed, but not downloaded: ${what}`,
		description: `${next} To fetch it without paying again, use ${GET_TASK} with the ID ${task.id} and ${LABELS.downloadResults} on${retry}; running the workflow again creates and pays again.${addresses}`,
	};
}

/** On what is always told in the same words. */
const ADVICE = {
	empty: { what: 'the file came without any content', next: LATER },
	webPage: { what: 'a web page or a text came in place of the file', next: FRESH_LINK },
	redirect: {
		what: 'the address of the result leads on and on, or to what is no web address',
		next: ASK_PROVIDER,
	},
	address: {
		what: 'the result is not a web address that begins with http:// or https://',
		next: ASK_PROVIDER,
	},
	noResults: { what: 'there are no results in its record', next: ASK_PROVIDER },
	tooLarge: {
		what: 'the file is larger than n8n stores',
		next: 'Whoever runs this n8n can raise N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE (in MiB, 512 unless set, at most 1024), or set N8N_DEFAULT_BINARY_DATA_MODE to filesystem, which has no such limit.',
	},
	diskFull: {
		what: 'the disk of n8n is full',
		next: 'Free some space where n8n keeps its files (N8N_BINARY_DATA_STORAGE_PATH, if it is set), and try again.',
	},
	stopped: { what: 'the node was ended before the file had come', next: 'Try again.' },
} satisfies Partial<Record<DownloadError['kind'], Advice>>;

function adviceOn(error: DownloadError): Advice {
	switch (error.kind) {
		case 'status':
			return statusAdvice(error.status);
		case 'network':
			return networkAdvice(error.reason);
		case 'cutOff':
			return {
				what: `only ${inMegabytes(error.receivedBytes)} of ${inMegabytes(error.declaredBytes)} came`,
				next: LATER,
			};
		case 'stalled':
			return {
				what: `the file stopped coming after ${inMegabytes(error.receivedBytes)}`,
				next: LATER,
			};
		case 'storage':
			return {
				what: 'n8n could not store the file',
				next: error.reason ? `n8n says: ${quoted(error.reason)}` : 'n8n gives no reason.',
			};
		case 'empty':
		case 'webPage':
		case 'redirect':
		case 'address':
		case 'noResults':
		case 'tooLarge':
		case 'diskFull':
		case 'stopped':
			return ADVICE[error.kind];
	}
}

const networkAdvice = (reason: NetworkReason): Advice => ({
	what: NETWORK_WHAT[reason],
	next:
		reason === 'blocked'
			? 'Ask who runs this n8n to allow the address.'
			: 'Check that the machine of n8n can reach the address, and try again.',
});

function statusAdvice(status: number): Advice {
	if (status === 404 || status === 410) {
		return { what: `there is no file at its address (${status})`, next: FRESH_LINK };
	}
	if (status === 401 || status === 403) {
		return { what: `its link was not accepted (${status})`, next: FRESH_LINK };
	}
	return { what: `the host of the result answered with ${status}`, next: LATER };
}

/** Whole, because a shortened address opens nothing; links with signatures are long. */
const plainUrl = (url: string): string =>
	url.replace(/[\s\p{Cc}]+/gu, '').slice(0, MAX_URL_CHARACTERS);

const inMegabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The one that went wrong first: it is the one to open by hand. */
function listed(task: Task, failedUrl: string | undefined): string {
	const urls = [...new Set([...(failedUrl ? [failedUrl] : []), ...resultUrls(task.record)])];
	if (urls.length === 0) return '';
	const more = urls.length > MAX_LISTED_URLS ? ` and ${urls.length - MAX_LISTED_URLS} more` : '';
	const shown = urls.slice(0, MAX_LISTED_URLS).map(plainUrl);
	return ` Its results: ${shown.join(' , ')}${more}`;
}
