import type { IBinaryData } from 'n8n-workflow';
import { ENDED, onAbort, type Timer, unlessStopped } from '../shared/clock';
import { closedBy } from '../shared/n8n';
import { Semaphore } from '../shared/semaphore';
import { retryAfterMs } from '../service/types';
import { resultUrls, type Task } from '../service/task';
import { BodyWatch, firstBytesOf } from './body';
import { DownloadError, MAX_FILES, networkErrorOf } from './downloadError';
import type { FileAccess, FileAnswer } from './fetch';
import { fileNameOf } from './names';
import { typeOfResult } from './types';

/** The least time for all files of a task together, if the task's own timeout is shorter. */
const MIN_TIME_MS = 600_000;

/**
 * Download slots, and the most bytes per task. Unless it stores files on disk, n8n holds each file
 * in memory first.
 */
const turnsAt = (isOnDisk: boolean) =>
	isOnDisk
		? { places: new Semaphore(4), maxBytes: 2_000_000_000 }
		: { places: new Semaphore(1), maxBytes: 512_000_000 };

/** How far the files of a task have come. */
export interface FileProgress {
	/** By the index of the result. Stored files are not fetched again. */
	readonly files: ReadonlyArray<IBinaryData | undefined>;
	readonly receivedBytes: number;
	/** When the time for all files is up, on the run's clock. Set when the first one has its slot. */
	readonly limitAt?: number;
	/** Why a file is missing. */
	readonly error?: DownloadError;
}

export const NO_FILES: FileProgress = { files: [], receivedBytes: 0 };

/** What the files of a task are named after, and how long the item waits for its task. */
interface Wanted {
	readonly prompt?: string;
	readonly timeoutMs?: number;
}

/** Downloads the results of a run's tasks into n8n's storage, a few at a time. */
export class Downloads {
	private turns: Promise<ReturnType<typeof turnsAt>> | undefined;

	constructor(
		private readonly access: FileAccess,
		/** When its signal aborts, open requests end and no more are sent. */
		private readonly timer: Timer,
	) {}

	/** Asks once for each result of a completed task that is not stored yet. */
	async next(task: Task, wanted: Wanted, progress: FileProgress): Promise<FileProgress> {
		const { signal: stopped } = this.timer;
		try {
			if (resultUrls(task.record).length > MAX_FILES) throw new DownloadError('tooLarge');
			const turns = (this.turns ??= this.access.isOnDisk().then(turnsAt));
			const { places, maxBytes } = await unlessStopped(stopped, async () => await turns);
			if (!(await places.acquire(stopped))) throw new DownloadError('stopped');
			try {
				return await this.inTime(task, wanted, progress, maxBytes);
			} finally {
				places.release();
			}
		} catch (thrown) {
			return { ...progress, error: this.errorOf(thrown, stopped) };
		}
	}

	/** @param end Aborts when the run ends or the task's time is up. */
	private errorOf(thrown: unknown, end: AbortSignal): DownloadError {
		if (this.timer.signal.aborted) return new DownloadError('stopped');
		return end.aborted ? new DownloadError('slow') : networkErrorOf(thrown);
	}

	/** The time limit starts when the task gets its first slot. */
	private async inTime(
		task: Task,
		{ prompt, timeoutMs = 0 }: Wanted,
		{ limitAt, ...before }: FileProgress,
		maxBytes: number,
	): Promise<FileProgress> {
		const { clock } = this.timer;
		const untilAt = limitAt ?? clock.now() + Math.max(timeoutMs, MIN_TIME_MS);
		const end = this.timer.signalAt(untilAt);
		const files = [...before.files];
		let { receivedBytes } = before;
		let error: DownloadError | undefined;
		for (const [index, url] of resultUrls(task.record).entries()) {
			if (files[index]) continue;
			const nameFor = (mediaType: string) => fileNameOf(task.id, index, mediaType, prompt);
			try {
				const leftBytes = maxBytes - receivedBytes;
				const tryOnce = async () => await this.tryOnce(url, nameFor, leftBytes, end);
				const stored = await unlessStopped(end, tryOnce);
				files[index] = stored.file;
				receivedBytes += stored.bytes;
			} catch (thrown) {
				error ??= this.errorOf(thrown, end);
			}
		}
		return { files, receivedBytes, limitAt: untilAt, error };
	}

	/** Destroys the body after each try: newer versions of n8n leave an unread rest open. */
	private async tryOnce(
		url: string,
		nameFor: (mediaType: string) => string,
		leftBytes: number,
		end: AbortSignal,
	): Promise<{ file: IBinaryData; bytes: number }> {
		const answer = await this.access.fetch(url, end);
		const { headers } = answer;
		const body = closedBy(end, answer.body);
		const done = new AbortController();
		const unlink = onAbort(end, () => done.abort(ENDED));
		try {
			this.refuseStatus(answer);
			const { clock } = this.timer;
			const first = await firstBytesOf(body, clock, end);
			const mediaType = typeOfResult(headers['content-type'], url, first);
			const watch = new BodyWatch(answer, leftBytes);
			if (watch.failure?.why === 'tooLarge') throw watch.failure;
			const stored = this.access.store(body, nameFor(mediaType), mediaType);
			const file = await Promise.race([
				stored.catch((thrown: unknown) => {
					throw watch.errorOf(thrown);
				}),
				watch.stall(clock, done.signal),
			]);
			if (watch.failure) throw watch.failure;
			return { file, bytes: watch.receivedBytes };
		} finally {
			unlink();
			done.abort(ENDED);
			body.destroy();
		}
	}

	private refuseStatus({ statusCode: status, headers }: FileAnswer): void {
		if (status >= 200 && status < 300) return;
		const isBusy = status === 408 || status === 429 || status >= 500;
		const askedMs = retryAfterMs(headers['retry-after'], this.timer.clock.date());
		throw new DownloadError(isBusy ? 'busy' : 'link', { status }, askedMs);
	}
}
