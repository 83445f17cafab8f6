import { quotable } from '../common/quotable';
import { factsOf } from '../downloads/downloadError';
import type { DownloadResult } from '../downloads/downloader';
import { resultUrls } from '../downloads/resultUrls';
import { LABELS } from '../parameters/labels';
import type { Task } from '../service/task';
import { fetchAdvice, listed, type Message } from './message';

/** More URLs than this are not read; the task's record has them all. */
const MAX_LISTED_URLS = 3;

/** A longer URL is none that anybody opens by hand; the record has it whole. */
const MAX_URL_CHARACTERS = 4_000;

/** The message of an item whose task is completed, but whose results could not be downloaded. */
export function downloadMessage(
	task: Task,
	{ error, url }: Extract<DownloadResult, { kind: 'notDownloaded' }>,
): Message {
	const { what, next } = factsOf(error);
	// The one that went wrong comes first: it is the one to open by hand.
	const urls = [...new Set([...(url ? [url] : []), ...resultUrls(task.record)])].map(plainUrl);
	const advice = fetchAdvice(task.id, ` and ${LABELS.downloadResults} on`);
	const results = urls.length > 0 ? ` Results: ${listed(urls, MAX_LISTED_URLS, ' , ')}` : '';
	return {
		message: `Task ${quotable(task.id)} is completed, but not downloaded: ${what}`,
		description: `${next} ${advice}${results}`,
	};
}

/** Whole, because a shortened URL opens nothing; links with signatures are long. */
const plainUrl = (url: string): string =>
	url.replace(/[\s\p{Cc}]+/gu, '').slice(0, MAX_URL_CHARACTERS);
