import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TaskRecord, TaskStatus } from '../../nodes/Videogen/contract/task';
import { Journal } from './journal';
import { isFinal } from './lifecycle';
import type { ResolvedOptions } from './options';
import type { SimulatedTask } from './tasks';

/** How often tasks that someone waits for are looked at; real time, whatever clock they follow. */
const LOOK_EVERY_MS = 20;

/** One attempt to deliver a callback, written down when it is over. */
export interface DeliveredCallback {
	/** Milliseconds of the simulator's clock, when the attempt began. */
	at: number;
	taskId: string;
	url: string;
	/** 1 for the first. */
	attempt: number;
	body: TaskRecord;
	/** What the receiver answered; absent when it did not. */
	status?: number;
	/** Why there was no answer. */
	reason?: string;
	/** True for a 2xx answer; anything else is sent again. */
	delivered: boolean;
}

/** Posts JSON and gives the answer's status; every post has a connection of its own. */
function post(url: string, body: string, signal: AbortSignal): Promise<number> {
	const send = url.startsWith('https:') ? httpsRequest : httpRequest;
	const headers = {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(body),
	};
	return new Promise((resolve, reject) => {
		const request = send(url, { method: 'POST', headers, agent: false, signal }, (response) => {
			response.resume();
			response.on('error', () => undefined);
			resolve(response.statusCode ?? 0);
		});
		request.on('error', reject);
		request.end(body);
	});
}

/**
 * Tells callback addresses about their tasks. Task states follow the simulator's clock, which a
 * test may move by hand, so nothing can be scheduled ahead: the tasks in question are looked at
 * in short turns, and at once when a test steers one.
 */
export class CallbackSender {
	readonly attempts = new Journal<DeliveredCallback>();
	private readonly watched = new Map<SimulatedTask, TaskStatus>();
	private lifetime = new AbortController();
	private isLooking = false;

	constructor(private readonly options: ResolvedOptions) {}

	/** Follows a task until it is final; `reported` is the status its create was answered. */
	watch(task: SimulatedTask, reported: TaskStatus): void {
		if (task.request?.callback_url === undefined) return;
		this.watched.set(task, reported);
		if (!this.isLooking) void this.keepLooking(this.lifetime.signal);
	}

	/** Sends what is due at this moment. */
	look(): void {
		for (const [task, last] of [...this.watched]) {
			const status = task.status();
			if (isFinal(status)) this.watched.delete(task);
			else this.watched.set(task, status);
			const isNews = status !== last && this.options.callbackOn === 'change';
			// What cannot be made into a record is answered 500 on a read, which tells more.
			if (isFinal(status) || isNews)
				this.deliver(task, this.lifetime.signal).catch(() => undefined);
		}
	}

	/** Drops every watched task and every delivery under way. */
	stop(): void {
		this.lifetime.abort();
		this.lifetime = new AbortController();
		this.watched.clear();
		this.isLooking = false;
	}

	private async keepLooking(signal: AbortSignal): Promise<void> {
		this.isLooking = true;
		while (this.watched.size > 0) {
			await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
			if (signal.aborted) return;
			this.look();
		}
		this.isLooking = false;
	}

	/** The record as of now, sent again after each pause until someone takes it. */
	private async deliver(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		const url = task.request?.callback_url;
		if (url === undefined) return;
		const body = task.record();
		const pausesMs = [0, ...this.options.callbackRetryDelaysMs];
		for (const [index, pauseMs] of pausesMs.entries()) {
			if (index > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
			if (signal.aborted) return;
			const parts = { taskId: task.id, url, attempt: index + 1, body };
			if (await this.attempt(parts, signal)) return;
		}
	}

	private explain(reason: unknown, limit: AbortSignal): string {
		return limit.aborted ? `No answer within ${this.options.callbackTimeoutMs} ms` : String(reason);
	}

	private async attempt(
		parts: Pick<DeliveredCallback, 'taskId' | 'url' | 'attempt' | 'body'>,
		signal: AbortSignal,
	): Promise<boolean> {
		const at = this.options.now();
		const limit = AbortSignal.any([signal, AbortSignal.timeout(this.options.callbackTimeoutMs)]);
		const outcome = await post(parts.url, JSON.stringify(parts.body), limit).then(
			(status) => ({ status, delivered: status >= 200 && status < 300 }),
			(reason: unknown) => ({ reason: this.explain(reason, limit), delivered: false }),
		);
		if (!signal.aborted) this.attempts.add({ at, ...parts, ...outcome });
		return outcome.delivered;
	}
}
