import type { IBinaryData } from 'n8n-workflow';
import type { ByteStream, Storage } from '../ground/storage';
import { parseHttpUrl } from '../ground/url';
import { retryAfterMs } from '../service/answer';
import { type Task, resultUrls } from '../service/task';
import { Semaphore } from '../ground/semaphore';
import { backoffMs, type Timer } from '../ground/clock';
import { BodyWatch, STALL } from './bodyWatch';
import {
	type DownloadError,
	fetchErrorOf,
	MAX_BYTES,
	MAX_BYTES_IN_DATABASE,
	MAX_BYTES_IN_MEMORY,
	MAX_FILES,
	mayComeNextTime,
	type PlainDownloadError,
} from './downloadError';
import { fileFactsOf, type ResultSource } from './fileName';
import { isMedia, typeOfBody } from './mediaType';
import type { FileAccess, FileAnswer } from './fetchFile';

/** Limits sockets and, with some of n8n's storages, memory, for any number of items. */
export const MAX_DOWNLOADS_AT_ONCE = 4;

/** How often a result is asked for. */
export const MAX_DOWNLOAD_TRIES = 5;

/** The longest pause between two tries, also where `Retry-After` asks for a longer one. */
const MAX_PAUSE_MS = 60_000;

/** All results of a task as files, in their order, or what is in the way. */
export type DownloadResult =
	| { kind: 'files'; files: IBinaryData[] }
	| { kind: 'notDownloaded'; error: DownloadError; url?: string };

type Attempt = { file: IBinaryData } | { error: DownloadError };

const failed = (error: DownloadError): Attempt => ({ error });

/** The files of a task have at least this time to come, all together. */
export const MIN_TIME_MS = 600_000;

/** Stores that keep files in pieces say the second of plain ones. */
const NOT_COMPRESSED = ['', 'identity', 'aws-chunked'];

/** What the files of a task have left, all together. */
interface Budget {
	ms: number;
	/** In n8n's memory, what the files of the run have left. */
	bytes: { left: number };
}

/** Limits that depend on where n8n keeps files, and how more than they allow is called. */
const LIMITS: Record<
	Storage,
	{ atOnce: number; maxBytes: number; more: PlainDownloadError['kind'] }
> = {
	memory: { atOnce: 1, maxBytes: MAX_BYTES_IN_MEMORY, more: 'memory' },
	database: { atOnce: MAX_DOWNLOADS_AT_ONCE, maxBytes: MAX_BYTES_IN_DATABASE, more: 'tooLarge' },
	bucket: { atOnce: 1, maxBytes: MAX_BYTES_IN_DATABASE, more: 'tooLarge' },
	disk: { atOnce: MAX_DOWNLOADS_AT_ONCE, maxBytes: MAX_BYTES, more: 'tooMuch' },
};

/** What all downloads of a run share. */
interface Shared {
	storage: Storage;
	places: Semaphore;
	bytes: { left: number };
}

/** Brings the results of the tasks of a run into n8n's storage, a few at a time. */
export class Downloader {
	private shared: Promise<Shared> | undefined;

	constructor(
		private readonly files: FileAccess,
		/** When its signal aborts, requests end and no more are sent. */
		private readonly timer: Timer,
	) {}

	/**
	 * All results of a completed task, in their order.
	 * @param waitMs How long the task itself may take.
	 */
	async download({ id, record }: Task, waitMs = 0, prompt?: string): Promise<DownloadResult> {
		const urls = resultUrls(record);
		if (urls.length === 0) return { kind: 'notDownloaded', error: { kind: 'noResults' } };
		if (urls.length > MAX_FILES) return { kind: 'notDownloaded', error: { kind: 'tooMany' } };
		const { storage, bytes } = await (this.shared ??= this.prepare());
		const ofTask = storage === 'memory' ? bytes : { ...bytes };
		const budget: Budget = { ms: Math.max(waitMs, MIN_TIME_MS), bytes: ofTask };
		const files: IBinaryData[] = [];
		for (const [index, url] of urls.entries()) {
			const attempt = await this.untilDone({ url, taskId: id, index, prompt }, budget);
			if ('error' in attempt) return { kind: 'notDownloaded', error: attempt.error, url };
			files.push(attempt.file);
		}
		return { kind: 'files', files };
	}

	/** A place is given back during pauses, so that a host that asks to wait delays no other download. */
	private async untilDone(source: ResultSource, budget: Budget): Promise<Attempt> {
		if (!parseHttpUrl(source.url)) return failed({ kind: 'noUrl' });
		for (let tries = 1; ; tries += 1) {
			const attempt = await this.tryOnce(source, budget, tries > 1);
			if ('file' in attempt) return attempt;
			const isLast = !mayComeNextTime(attempt.error) || tries >= MAX_DOWNLOAD_TRIES;
			if (!isLast) await this.pause(attempt.error, tries);
			if (this.timer.signal.aborted) return failed({ kind: 'stopped' });
			if (isLast) return attempt;
		}
	}

	/** Waits as long as the host asks, and at least as long as usual: some hosts ask for no time at all. */
	private async pause(error: DownloadError, tries: number): Promise<void> {
		const { clock } = this.timer;
		const askedMs = error.kind === 'status' ? error.retryAfterMs : undefined;
		const usualMs = backoffMs(tries, MAX_PAUSE_MS, clock.random);
		const ms = Math.min(Math.max(askedMs ?? 0, usualMs), MAX_PAUSE_MS);
		await this.timer.until(clock.now() + ms);
	}

	/**
	 * Time counts while there is a place. The request ends with the attempt, because newer versions of n8n
	 * leave the rest of a body open.
	 */
	private async tryOnce(source: ResultSource, budget: Budget, again: boolean): Promise<Attempt> {
		const { storage, places } = await (this.shared ??= this.prepare());
		const { clock, signal: stopped } = this.timer;
		if (!(await places.acquire(stopped, again))) return failed({ kind: 'stopped' });
		const done = new AbortController();
		const startedAt = clock.now();
		try {
			const signal = AbortSignal.any([stopped, done.signal]);
			const work = this.fetchAndStore(source, signal, budget, LIMITS[storage].more);
			const end = clock.sleep(budget.ms, done.signal);
			return await Promise.race([work, end.then(() => failed({ kind: 'tooSlow' }))]);
		} finally {
			budget.ms -= clock.now() - startedAt;
			done.abort();
			places.release();
		}
	}

	private async prepare(): Promise<Shared> {
		const done = new AbortController();
		const signal = AbortSignal.any([this.timer.signal, done.signal]);
		// A storage that hangs is not n8n's memory. The download will report that it hangs.
		const storage = await Promise.race([
			this.files.storage(),
			this.timer.clock.sleep(STALL.windowMs, signal).then(() => 'disk' as const),
		]).finally(() => done.abort());
		const { atOnce, maxBytes } = LIMITS[storage];
		return { storage, places: new Semaphore(atOnce), bytes: { left: maxBytes } };
	}

	private async fetchAndStore(
		source: ResultSource,
		signal: AbortSignal,
		{ bytes }: Budget,
		more: PlainDownloadError['kind'],
	): Promise<Attempt> {
		let body: ByteStream | undefined;
		try {
			const answer = await this.files.fetch(source.url, signal);
			({ body } = answer);
			// Without a listener, an error of the body would end the whole process of n8n.
			body.on('error', () => undefined);
			if (signal.aborted) return failed({ kind: 'stopped' });
			const headError = this.headErrorOf(answer);
			if (headError) return failed(headError);
			const said = answer.headers['content-type'];
			const type = isMedia(said) ? said : await typeOfBody(body);
			if (type === undefined) return failed({ kind: 'noMedia' });
			const watch = new BodyWatch(answer);
			if (watch.declaredBytes > bytes.left) return failed({ kind: more });
			const facts = fileFactsOf(source, { ...answer.headers, 'content-type': type });
			const limit = { left: bytes.left, more };
			const attempt = await this.store(answer, watch, facts, signal, limit);
			if ('file' in attempt) bytes.left -= watch.receivedBytes;
			return attempt;
		} catch (thrown) {
			return failed(fetchErrorOf(thrown));
		} finally {
			body?.destroy();
		}
	}

	private headErrorOf({ statusCode, headers }: FileAnswer): DownloadError | undefined {
		if (statusCode < 200 || statusCode >= 300) {
			const askedMs = retryAfterMs(headers['retry-after'], this.timer.clock.date());
			return { kind: 'status', status: statusCode, retryAfterMs: askedMs };
		}
		if (headers['content-length'] === '0') return { kind: 'empty' };
		const encodings = String(headers['content-encoding'] ?? '').split(',');
		const isPlain = encodings.every((one) => NOT_COMPRESSED.includes(one.trim().toLowerCase()));
		return isPlain ? undefined : { kind: 'compressed' };
	}

	/** Does not wait for the storage when the body has ended too early: some storages do not notice. */
	private async store(
		{ body }: FileAnswer,
		watch: BodyWatch,
		{ fileName, mediaType }: ReturnType<typeof fileFactsOf>,
		signal: AbortSignal,
		{ left, more }: { left: number; more: PlainDownloadError['kind'] },
	): Promise<Attempt> {
		const done = new AbortController();
		return await new Promise<Attempt>((resolve, reject) => {
			const fail = (error: DownloadError) => resolve(failed(error));
			this.files
				.store(body, fileName, mediaType)
				.then(
					(file) => (watch.fault ? fail(watch.fault) : resolve({ file })),
					(thrown: unknown) => fail(watch.errorOf(thrown)),
				)
				.catch(reject);
			void watch.stall(this.timer.clock, done.signal).then((error) => error && fail(error));
			void watch.moreThan(left).then(() => fail({ kind: more }));
			// Nothing is longer than it says, unless it was unpacked.
			const declared = watch.declaredBytes || Infinity;
			void watch.moreThan(declared).then(() => fail({ kind: 'compressed' }));
			signal.addEventListener('abort', () => fail({ kind: 'stopped' }), { signal: done.signal });
		}).finally(() => done.abort());
	}
}
