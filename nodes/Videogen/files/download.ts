import type { IBinaryData } from 'n8n-workflow';
import { backoffMs, type Timer } from '../shared/clock';
import { type Fault, messageOf } from '../shared/messages';
import type { Storage } from '../shared/n8n';
import { Semaphore } from '../shared/semaphore';
import { wholeId } from '../shared/text';
import { retryAfterMs } from '../service/answer';
import { resultUrls, type Task } from '../service/task';
import { BodyWatch, unlessStopped } from './body';
import { DownloadError, MAX_FILES, networkErrorOf } from './downloadError';
import type { FileAccess, FileAnswer } from './fetch';
import { fileNameOf } from './names';
import { typeOfResult } from './types';

export { n8nFiles } from './fetch';

/** How often a result is asked for. */
export const MAX_DOWNLOAD_TRIES = 5;

/** The longest pause between two tries, also where `Retry-After` asks for a longer one. */
const MAX_PAUSE_MS = 60_000;

/** The files of a task have at least this time to come, all together. */
export const MIN_TIME_MS = 600_000;

/**
 * Where downloads take their turns, and the most bytes of a task. Anywhere but on the disk, n8n holds
 * each file whole in its memory before it stores it.
 */
const turnsAt = (storage: Storage) =>
	storage === 'disk'
		? { places: new Semaphore(4), maxBytes: 2_000_000_000 }
		: { places: new Semaphore(1), maxBytes: 512_000_000 };

/** All results of a task as files, in their order, or what is in the way. */
export type DownloadResult =
	| { files: IBinaryData[] }
	/** `mayCome`: whether the files may only be late. */
	| { fault: Fault; mayCome: boolean };

/** The name of a result by its place, from 0, and its media type. */
type Naming = (index: number, mediaType: string) => string;

/** A result that is on its way. */
interface Result {
	url: string;
	index: number;
	nameFor: Naming;
	/** What all results of its task may still bring. */
	left: { bytes: number };
	/** Aborts when the run ends, and when the task's time is over. */
	end: AbortSignal;
}

/** Brings the results of the tasks of a run into n8n's storage, a few at a time. */
export class Downloader {
	private turns: Promise<ReturnType<typeof turnsAt>> | undefined;

	constructor(
		private readonly files: FileAccess,
		/** When its signal aborts, requests end and no more are sent. */
		private readonly timer: Timer,
	) {}

	/**
	 * All results of a completed task, in their order.
	 * @param timeoutMs How long the task itself may take, and its files too if that is longer.
	 */
	async download(task: Task, timeoutMs = 0, prompt?: string): Promise<DownloadResult> {
		const urls = resultUrls(task.record);
		if (urls.length === 0) {
			const values = { id: wholeId(task.id) };
			return { fault: messageOf('noResults', { values }), mayCome: false };
		}
		const nameFor = (index: number, type: string) => fileNameOf(task.id, index, type, prompt);
		try {
			if (urls.length > MAX_FILES) throw new DownloadError('tooLarge');
			return { files: await this.inTurn(urls, nameFor, Math.max(timeoutMs, MIN_TIME_MS)) };
		} catch (thrown) {
			const isStopped = this.timer.signal.aborted;
			const error = isStopped ? new DownloadError('stopped') : networkErrorOf(thrown);
			return { fault: error.faultOf(task.id), mayCome: error.mayCome };
		}
	}

	/** Time counts from when the task has its turn. */
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
				// As long as the host asks, and at least as long as usual: some ask for no time at all.
				const usualMs = backoffMs(tries, MAX_PAUSE_MS, clock.random);
				const pauseMs = Math.min(Math.max(error.retryAfterMs, usualMs), MAX_PAUSE_MS);
				await clock.sleep(pauseMs, result.end);
				if (result.end.aborted) throw error;
			}
		}
	}

	/** The body ends with the try, because newer versions of n8n leave the rest of one open. */
	private async tryOnce({ url, index, nameFor, left, end }: Result): Promise<IBinaryData> {
		const answer = await this.files.fetch(url, end);
		const watch = new BodyWatch(answer, left.bytes);
		const done = new AbortController();
		try {
			end.throwIfAborted();
			this.refuseStatus(answer);
			const mediaType = typeOfResult(answer.headers['content-type'], url);
			if (watch.fault?.why === 'tooLarge') throw watch.fault;
			const stored = this.files.store(answer.body, nameFor(index, mediaType), mediaType);
			const file = await Promise.race([
				stored.catch((thrown: unknown) => {
					throw watch.errorOf(thrown);
				}),
				watch.stall(this.timer.clock, AbortSignal.any([end, done.signal])),
			]);
			if (watch.fault) throw watch.fault;
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
