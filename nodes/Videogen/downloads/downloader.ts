import type { IBinaryData } from 'n8n-workflow';
import { parseUrl } from '../common/url';
import { codeOf, findInErrors } from '../common/errorChain';
import { networkReasonOf } from '../service/networkReason';
import { retryAfterMs } from '../service/retryAfter';
import type { Task } from '../service/task';
import { RateLimiter } from '../tasks/rateLimiter';
import type { Clock } from '../tasks/timer';
import { backoffMs, Timer } from '../tasks/timer';
import { BodyWatch } from './bodyWatch';
import type { DownloadResult, DownloadError, FetchFile, FileAnswer, StoreFile } from './download';
import { fileFactsOf } from './fileName';
import { isWebPage } from './mediaType';
import { resultUrls } from './resultUrls';
import { storageErrorOf } from './storageError';
import { mayPass } from './retryPolicy';

/** Keeps sockets, and in some of n8n's storage modes memory, flat for any number of items. */
export const MAX_DOWNLOADS_AT_ONCE = 4;

/** How often one result is asked for before it is given up. */
export const MAX_DOWNLOAD_TRIES = 5;

/** Also the most that a host may ask to wait by `Retry-After`. */
const MAX_PAUSE_MS = 60_000;

/** One result to be fetched. */
interface Wanted {
	url: string;
	taskId: string;
	index: number;
	/** Names of the task's results before this one. */
	takenNames: Array<string | undefined>;
}

type Attempt = { file: IBinaryData } | { error: DownloadError };

const failed = (error: DownloadError): Attempt => ({ error });

/** What a downloader works with. */
export interface DownloaderParts {
	fetch: FetchFile;
	store: StoreFile;
	clock: Clock;
	/** Milliseconds since 1970, for dates in headers. */
	now: () => number;
	/** Ends what is under way; nothing is asked for any more. */
	signal: AbortSignal;
}

/** Brings the results of a run's tasks into n8n's storage, a few at a time. */
export class Downloader {
	private readonly turns: RateLimiter;

	private readonly timer: Timer;

	constructor(private readonly parts: DownloaderParts) {
		const { clock, signal } = parts;
		this.turns = new RateLimiter(clock, { maxAtOnce: MAX_DOWNLOADS_AT_ONCE });
		this.timer = new Timer(clock, signal);
		if (signal.aborted) this.turns.close();
		signal.addEventListener('abort', () => this.turns.close(), { once: true });
	}

	/** All results of a completed task, in their order. */
	async download({ id, record }: Task): Promise<DownloadResult> {
		const urls = resultUrls(record);
		if (urls.length === 0) return { kind: 'notDownloaded', error: { kind: 'noResults' } };
		const files: IBinaryData[] = [];
		for (const [index, url] of urls.entries()) {
			const takenNames = files.map(({ fileName }) => fileName);
			const attempt = await this.untilDone({ url, taskId: id, index, takenNames });
			if ('error' in attempt) return { kind: 'notDownloaded', error: attempt.error, url };
			files.push(attempt.file);
		}
		return { kind: 'files', files };
	}

	/** Pauses take no turn: one host that asks for patience holds up nothing else. */
	private async untilDone(wanted: Wanted): Promise<Attempt> {
		if (!isWebUrl(wanted.url)) return failed({ kind: 'address' });
		for (let tries = 1; ; tries += 1) {
			const attempt = await this.inTurn(wanted, tries > 1);
			if ('file' in attempt) return attempt;
			const isLast = !mayPass(attempt.error) || tries >= MAX_DOWNLOAD_TRIES;
			if (!isLast) await this.pause(attempt.error, tries);
			if (this.parts.signal.aborted) return failed({ kind: 'stopped' });
			if (isLast) return attempt;
		}
	}

	/** As long as the host asks for, and never less than usual: some ask for nothing at all. */
	private async pause(error: DownloadError, tries: number): Promise<void> {
		const { clock } = this.parts;
		const askedMs = error.kind === 'status' ? error.retryAfterMs : undefined;
		const usualMs = backoffMs(tries, { maxMs: MAX_PAUSE_MS }, clock.random);
		const ms = Math.min(Math.max(askedMs ?? 0, usualMs), MAX_PAUSE_MS);
		await this.timer.until(clock.now() + ms);
	}

	private async inTurn(wanted: Wanted, again: boolean): Promise<Attempt> {
		if (!(await this.turns.acquire({ again }))) return failed({ kind: 'stopped' });
		try {
			return await this.tryOnce(wanted);
		} finally {
			this.turns.release();
		}
	}

	/** What is left of a body goes with its request: n8n's newer streams do not end theirs. */
	private async tryOnce(wanted: Wanted): Promise<Attempt> {
		const over = new AbortController();
		try {
			return await this.fetchAndKeep(wanted, AbortSignal.any([this.parts.signal, over.signal]));
		} finally {
			over.abort();
		}
	}

	private async fetchAndKeep(wanted: Wanted, signal: AbortSignal): Promise<Attempt> {
		let answer: FileAnswer;
		try {
			answer = await this.parts.fetch(wanted.url, signal);
		} catch (thrown) {
			return failed(fetchErrorOf(thrown));
		}
		const watch = new BodyWatch(answer.body);
		try {
			if (this.parts.signal.aborted) return failed({ kind: 'stopped' });
			const refusal = this.refusalOf(answer);
			return refusal ? failed(refusal) : await this.keep(answer, watch, wanted);
		} finally {
			answer.body.destroy();
		}
	}

	private refusalOf({ statusCode, headers, declaredBytes }: FileAnswer): DownloadError | undefined {
		if (statusCode < 200 || statusCode >= 300) {
			const askedMs = retryAfterMs(headers['retry-after'], this.parts.now());
			return { kind: 'status', status: statusCode, retryAfterMs: askedMs };
		}
		if (declaredBytes === 0) return { kind: 'empty' };
		return isWebPage(headers['content-type']) ? { kind: 'webPage' } : undefined;
	}

	private async keep(answer: FileAnswer, watch: BodyWatch, wanted: Wanted): Promise<Attempt> {
		const { fileName, mediaType } = fileFactsOf({ ...wanted, headers: answer.headers });
		const attempt = await this.unlessCutShort(
			watch,
			this.parts.store(answer.body, fileName, mediaType).then(
				(file) => ({ file }),
				(thrown: unknown) => failed(errorWith(watch, thrown)),
			),
		);
		return missingPart(answer, watch, attempt) ?? attempt;
	}

	/** Not every storage notices that a body was ended, so its own end is not waited for. */
	private async unlessCutShort(watch: BodyWatch, storing: Promise<Attempt>): Promise<Attempt> {
		const over = new AbortController();
		return await new Promise<Attempt>((resolve, reject) => {
			storing.then(resolve, reject);
			void watch.stalls(this.parts.clock, over.signal).then((stalled) => {
				if (stalled) resolve(failed(standstillOf(watch)));
			});
			const stop = () => resolve(failed({ kind: 'stopped' }));
			this.parts.signal.addEventListener('abort', stop, { signal: over.signal });
		}).finally(() => over.abort());
	}
}

/** How n8n's HTTP library says that redirects lead nowhere. */
const REDIRECT_CODE = 'ERR_FR_TOO_MANY_REDIRECTS';
const OTHER_PROTOCOL = /^(?:Unsupported protocol|Protocol "[^"]*" not supported)/;

function fetchErrorOf(thrown: unknown): DownloadError {
	const isRedirect = (error: object) =>
		codeOf(error) === REDIRECT_CODE ||
		('message' in error && OTHER_PROTOCOL.test(String(error.message))) ||
		undefined;
	return findInErrors(thrown, isRedirect)
		? { kind: 'redirect' }
		: { kind: 'network', reason: networkReasonOf(thrown) };
}

const isWebUrl = (text: string): boolean =>
	['http:', 'https:'].includes(parseUrl(text)?.protocol ?? '');

/** A body that broke brings nothing more either, which not every storage notices. */
const standstillOf = ({ brokeWith, receivedBytes }: BodyWatch): DownloadError =>
	brokeWith === undefined ? { kind: 'stalled', receivedBytes } : brokenOff(brokeWith);

const brokenOff = (error: unknown): DownloadError => ({
	kind: 'network',
	reason: networkReasonOf(error),
});

/** A storage that fails ends the body, which then breaks off too: the storage's error counts. */
function errorWith(watch: BodyWatch, thrown: unknown): DownloadError {
	const error = storageErrorOf(thrown);
	return error.kind === 'storage' && watch.isCauseOf(thrown) ? brokenOff(thrown) : error;
}

/**
 * A host may pack a body though it was asked not to, and a video shrinks by unpacking, a little.
 * n8n does not tell; a body that ends by itself has all its bytes anyway, by Node's own count.
 */
const UNPACKED_SHARE = 0.99;

/** A file that was stored, or a connection that broke, before all of it had come. */
function missingPart(
	{ declaredBytes = 0 }: FileAnswer,
	{ receivedBytes, brokeWith }: BodyWatch,
	attempt: Attempt,
): Attempt | undefined {
	const mayBeShort = 'file' in attempt || attempt.error.kind === 'network';
	if (!mayBeShort) return undefined;
	const isBroken = brokeWith !== undefined || !('file' in attempt);
	const wholeBytes = isBroken ? declaredBytes : declaredBytes * UNPACKED_SHARE;
	if (receivedBytes < wholeBytes) {
		return failed({ kind: 'cutOff', receivedBytes, declaredBytes });
	}
	if (!('file' in attempt)) return undefined;
	if (brokeWith !== undefined) return failed(brokenOff(brokeWith));
	return receivedBytes === 0 ? failed({ kind: 'empty' }) : undefined;
}
