import type { IBinaryData } from 'n8n-workflow';
import { backoffMs, type Timer } from '../shared/clock';
import { type Failure, messageOf } from '../shared/messages';
import type { Storage } from '../shared/n8n';
import { Semaphore } from '../shared/semaphore';
import { wholeId } from '../shared/text';
import { retryAfterMs } from '../service/types';
import { resultUrls, type Task } from '../service/task';
import { BodyWatch, unlessStopped } from './body';
import { DownloadError, MAX_FILES, networkErrorOf } from './downloadError';
import type { FileAccess, FileAnswer } from './fetch';
import { fileNameOf } from './names';
import { typeOfResult } from './types';

/** Requests per result, the first one included. */
export const MAX_DOWNLOAD_TRIES = 5;

/** The longest pause between two tries, even if `Retry-After` asks for more. */
const MAX_PAUSE_MS = 60_000;

/** The minimum time for all files of a task together. */
export const MIN_TIME_MS = 600_000;

/**
 * Download slots, and the most bytes per task. Unless it stores files on disk, n8n holds each file
 * in memory first.
 */
const turnsAt = (storage: Storage) =>
	storage === 'disk'
		? { places: new Semaphore(4), maxBytes: 2_000_000_000 }
		: { places: new Semaphore(1), maxBytes: 512_000_000 };

/** All results of a task as files, in order, or why they are missing. */
export type DownloadResult =
	| { files: IBinaryData[] }
	/** `mayCome`: whether the files may just be late. */
	| { failure: Failure; mayCome: boolean };

/** Names a result by its index, from 0, and its media type. */
type Naming = (index: number, mediaType: string) => string;

/** A result that is being downloaded. */
interface Result {
	url: string;
	index: number;
	nameFor: Naming;
	/** How much all results of the task together may still download. */
	left: { bytes: number };
	/** Aborts when the run ends or the task's time is up. */
	end: AbortSignal;
}

/** Downloads the results of a run's tasks into n8n's storage, a few at a time. */
export class Downloader {
	private turns: Promise<ReturnType<typeof turnsAt>> | undefined;

	constructor(
		private readonly files: FileAccess,
		/** When its signal aborts, open requests end and no more are sent. */
		private readonly timer: Timer,
	) {}

	/**
	 * Downloads all results of a completed task, in order.
	 * @param timeoutMs The task's own timeout. It also limits the files if it is longer than
	 *   `MIN_TIME_MS`.
	 */
	async download(task: Task, timeoutMs = 0, prompt?: string): Promise<DownloadResult> {
		const urls = resultUrls(task.record);
		if (urls.length === 0) {
			const values = { id: wholeId(task.id) };
			return { failure: messageOf('noResults', { values }), mayCome: false };
		}
		const nameFor = (index: number, type: string) => fileNameOf(task.id, index, type, prompt);
		try {
			if (urls.length > MAX_FILES) throw new DownloadError('tooLarge');
			return { files: await this.inTurn(urls, nameFor, Math.max(timeoutMs, MIN_TIME_MS)) };
		} catch (thrown) {
			const isStopped = this.timer.signal.aborted;
			const error = isStopped ? new DownloadError('stopped') : networkErrorOf(thrown);
			return { failure: error.failureOf(task.id), mayCome: error.mayCome };
		}
	}

	/** The time limit starts when the task gets its slot. */
	private async inTurn(urls: string[], nameFor: Naming, limitMs: number): Promise<IBinaryData[]> {
		const { clock, signal: stopped } = this.timer;
		const turns = (this.turns ??= this.files.storage().then(turnsAt));
		const { places, maxBytes } = await unlessStopped(stopped, async () => await turns);
		if (!(await places.acquire(stopped))) throw new DownloadError('stopped');
		const done = new AbortController();
		const end = AbortSignal.any([stopped, done.signal]);
		const limit = clock.sleep(limitMs, end).then(() => {
			throw new DownloadError('slow');
		});
		const all = async () => {
			const files: IBinaryData[] = [];
			const left = { bytes: maxBytes };
			for (const [index, url] of urls.entries()) {
				files.push(await this.untilStored({ url, index, nameFor, left, end }));
			}
			return files;
		};
		try {
			return await Promise.race([all(), limit]);
		} finally {
			done.abort();
			places.release();
		}
	}

	private async untilStored(result: Result): Promise<IBinaryData> {
		const { clock } = this.timer;
		for (let tries = 1; ; tries += 1) {
			try {
				return await this.tryOnce(result);
			} catch (thrown) {
				const error = networkErrorOf(thrown);
				if (!error.mayPass || tries >= MAX_DOWNLOAD_TRIES) throw error;
				// Wait as long as the host asks, but no less than usual: some ask for no wait at all.
				const usualMs = backoffMs(tries, MAX_PAUSE_MS, clock.random);
				const pauseMs = Math.min(Math.max(error.retryAfterMs, usualMs), MAX_PAUSE_MS);
				await clock.sleep(pauseMs, result.end);
				if (result.end.aborted) throw error;
			}
		}
	}

	/** Destroys the body after each try: newer versions of n8n leave an unread rest open. */
	private async tryOnce({ url, index, nameFor, left, end }: Result): Promise<IBinaryData> {
		const answer = await this.files.fetch(url, end);
		const watch = new BodyWatch(answer, left.bytes);
		const done = new AbortController();
		try {
			end.throwIfAborted();
			this.refuseStatus(answer);
			const mediaType = typeOfResult(answer.headers['content-type'], url);
			if (watch.failure?.why === 'tooLarge') throw watch.failure;
			const stored = this.files.store(answer.body, nameFor(index, mediaType), mediaType);
			const file = await Promise.race([
				stored.catch((thrown: unknown) => {
					throw watch.errorOf(thrown);
				}),
				watch.stall(this.timer.clock, AbortSignal.any([end, done.signal])),
			]);
			if (watch.failure) throw watch.failure;
			left.bytes -= watch.receivedBytes;
			return file;
		} finally {
			done.abort();
			answer.body.destroy();
		}
	}

	private refuseStatus({ statusCode: status, headers }: FileAnswer): void {
		if (status >= 200 && status < 300) return;
		const isBusy = status === 408 || status === 429 || status >= 500;
		const askedMs = retryAfterMs(headers['retry-after'], this.timer.clock.date());
		throw new DownloadError(isBusy ? 'busy' : 'link', { status }, askedMs);
	}
}
