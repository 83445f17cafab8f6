import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { type ByteStream, isByteStream, type Storage, storageOf } from '../ground/storage';
import { isLocalHost, parseUrl } from '../ground/url';
import { rawAnswerOf } from '../service/answer';
import { isPracticeResult } from '../service/practice';
import { NotFetched } from './downloadError';
import { PRACTICE_VIDEO } from './practiceVideo';

/** What this needs of n8n. */
type Helpers = Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;

/** The head of an answer, header names in lower case, and its body, not read yet. */
export type FileAnswer = ReturnType<typeof rawAnswerOf> & { body: ByteStream };

/** How long a host may take until its answer begins. */
const HEAD_LIMIT_MS = 60_000;

const MAX_REDIRECTS = 5;

export interface FileAccess {
	/**
	 * Asks for a file and follows redirects, without a credential: results lie on hosts of others.
	 * @param signal Ends the request, and the body of its answer.
	 * @throws NotFetched where a URL must not be asked for, and others when there is no answer
	 */
	fetch(url: string, signal: AbortSignal): Promise<FileAnswer>;
	/** Writes a body into n8n's storage of binary data, piece by piece where the storage can. */
	store(body: ByteStream, fileName: string, mediaType: string): Promise<IBinaryData>;
	storage(): Promise<Storage>;
}

/**
 * The video of a practice task. n8n allows nodes no module that makes streams, so it is led through a
 * cipher's, which undoes what the same cipher has done.
 */
function practiceAnswer(): FileAnswer {
	const cipher = ['aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)] as const;
	const video = Buffer.from(PRACTICE_VIDEO, 'base64');
	const body = createDecipheriv(...cipher);
	body.end(createCipheriv(...cipher).update(video));
	const headers = { 'content-type': 'video/mp4', 'content-length': String(video.length) };
	return { statusCode: 200, headers, body };
}

/** @param serviceUrl Only a service in a local network may have its results there. */
export const n8nFiles = ({ helpers }: { helpers: Helpers }, serviceUrl: string): FileAccess => {
	const mayBeLocal = isLocalHost(parseUrl(serviceUrl)?.hostname ?? '');
	return {
		// n8n itself would check no address on the way, or only in its newest versions.
		fetch: async (given, signal) => {
			if (isPracticeResult(given)) return practiceAnswer();
			let url = parseUrl(given);
			for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
				const answer = await ask(helpers, checked(url, mayBeLocal), signal);
				const { location } = answer.headers;
				if (!REDIRECTS.includes(answer.statusCode) || typeof location !== 'string') return answer;
				answer.body.on('error', () => undefined).destroy();
				url = parseUrl(location, url);
			}
			throw new NotFetched('redirect');
		},
		store: async (...file) => await helpers.prepareBinaryData(...file),
		storage: async () => await storageOf(helpers),
	};
};

const REDIRECTS = [301, 302, 303, 307, 308];

/** The URL as it is sent: clients read what is written oddly in ways of their own. */
function checked(url: URL | undefined, mayBeLocal: boolean): string {
	if (!url || !['http:', 'https:'].includes(url.protocol)) throw new NotFetched('redirect');
	if (url.username !== '' || url.password !== '') throw new NotFetched('login');
	if (!mayBeLocal && isLocalHost(url.hostname)) throw new NotFetched('local');
	return url.href;
}

async function ask(helpers: Helpers, url: string, signal: AbortSignal): Promise<FileAnswer> {
	const whole: unknown = await helpers.httpRequest({
		method: 'GET',
		url,
		// Compression makes videos no smaller, and hides how much of one has come.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: HEAD_LIMIT_MS,
		abortSignal: signal,
	});
	const { body, headers, statusCode } = rawAnswerOf(whole);
	if (!isByteStream(body)) throw new Error('No body');
	// n8n unpacks what comes compressed and drops the header, but what unpacks counts what it was given.
	const encoding = 'bytesWritten' in body && { 'content-encoding': 'unpacked' };
	return { statusCode, headers: { ...headers, ...encoding }, body };
}
