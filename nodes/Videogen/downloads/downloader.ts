import type { IBinaryData } from 'n8n-workflow';
import { parseHttpUrl } from '../common/url';
import { retryAfterMs } from '../service/retryAfter';
import type { Task } from '../service/task';
import { Semaphore } from '../common/semaphore';
import { backoffMs, type Timer } from '../common/timer';
import { BodyWatch, STALL } from './bodyWatch';
import {
	type DownloadError,
	fetchErrorOf,
	MAX_BYTES_IN_MEMORY,
	mayComeNextTime,
} from './downloadError';
import { fileFactsOf, type ResultSource } from './fileName';
import { isWebPage } from './mediaType';
import type { FileAccess, FileAnswer } from './n8nFiles';
import { resultUrls } from './resultUrls';

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

/** Limits that depend on where n8n keeps files. */
interface Limits {
	places: Semaphore;
	/** For all files of the run together. */
	maxBytes: number;
}

/** Brings the results of the tasks of a run into n8n's storage, a few at a time. */
export class Downloader {
	private limits: Promise<Limits> | undefined;

	private storedBytes = 0;

	constructor(
		private readonly files: FileAccess,
		/** When its signal aborts, requests end and no more are sent. */
		private readonly timer: Timer,
	) {}

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

	/** A place is given back during pauses, so that a host that asks to wait delays no other download. */
	private async untilDone(source: ResultSource): Promise<Attempt> {
		if (!parseHttpUrl(source.url)) return failed({ kind: 'noUrl' });
		for (let tries = 1; ; tries += 1) {
			const attempt = await this.tryOnce(source, tries > 1);
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

	/** The request ends with the attempt, because newer versions of n8n leave the rest of a body open. */
	private async tryOnce(source: ResultSource, again: boolean): Promise<Attempt> {
		this.limits ??= this.findLimits();
		const { places, maxBytes } = await this.limits;
		if (!(await places.acquire(this.timer.signal, again))) return failed({ kind: 'stopped' });
		const done = new AbortController();
		try {
			const signal = AbortSignal.any([this.timer.signal, done.signal]);
			return await this.fetchAndStore(source, signal, maxBytes - this.storedBytes);
		} finally {
			done.abort();
			places.release();
		}
	}

	private async findLimits(): Promise<Limits> {
		const done = new AbortController();
		const signal = AbortSignal.any([this.timer.signal, done.signal]);
		// A storage that hangs is not n8n's memory. The download will report that it hangs.
		const isMemory = await Promise.race([
			this.files.keepsInMemory(),
			this.timer.clock.sleep(STALL.windowMs, signal).then(() => false),
		]).finally(() => done.abort());
		const maxAtOnce = isMemory ? 1 : MAX_DOWNLOADS_AT_ONCE;
		return {
			places: new Semaphore(maxAtOnce),
			maxBytes: isMemory ? MAX_BYTES_IN_MEMORY : Infinity,
		};
	}

	private async fetchAndStore(
		source: ResultSource,
		signal: AbortSignal,
		leftBytes: number,
	): Promise<Attempt> {
		let answer: FileAnswer;
		try {
			answer = await this.files.fetch(source.url, signal);
		} catch (thrown) {
			return failed(fetchErrorOf(thrown));
		}
		const watch = new BodyWatch(answer);
		try {
			if (this.timer.signal.aborted) return failed({ kind: 'stopped' });
			const headError = this.headErrorOf(answer);
			if (headError) return failed(headError);
			if (watch.declaredBytes > leftBytes) return failed({ kind: 'memory' });
			const attempt = await this.store(answer, watch, source, leftBytes);
			if ('file' in attempt) this.storedBytes += watch.receivedBytes;
			return attempt;
		} finally {
			answer.body.destroy();
		}
	}

	private headErrorOf({ statusCode, headers }: FileAnswer): DownloadError | undefined {
		if (statusCode < 200 || statusCode >= 300) {
			const askedMs = retryAfterMs(headers['retry-after'], this.timer.clock.date());
			return { kind: 'status', status: statusCode, retryAfterMs: askedMs };
		}
		if (headers['content-length'] === '0') return { kind: 'empty' };
		return isWebPage(headers['content-type']) ? { kind: 'webPage' } : undefined;
	}

	/** Does not wait for the storage when the body has ended too early: some storages do not notice. */
	private async store(
		{ body, headers }: FileAnswer,
		watch: BodyWatch,
		source: ResultSource,
		leftBytes: number,
	): Promise<Attempt> {
		const { clock, signal } = this.timer;
		const { fileName, mediaType } = fileFactsOf(source, headers);
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
			void watch.stall(clock, done.signal).then((error) => error && fail(error));
			void watch.moreThan(leftBytes).then(() => fail({ kind: 'memory' }));
			signal.addEventListener('abort', () => fail({ kind: 'stopped' }), { signal: done.signal });
		}).finally(() => done.abort());
	}
}
