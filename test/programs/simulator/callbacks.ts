import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal';
import { newLifetime } from './lifetime';
import type { ResolvedOptions } from './options';
import { type SimulatedTask, isFinal } from './tasks';

/** How often tasks that someone waits for are looked at; real time, whatever clock they follow. */
const LOOK_EVERY_MS = 20;

/** How long a receiver may take to answer. */
const TIMEOUT_MS = 10_000;

/** One attempt to deliver a callback, written down when it is over. */
export interface DeliveredCallback {
	/** Milliseconds of the simulator's clock, when the attempt began. */
	at: number;
	/** Absent when it was forged for a URL. */
	taskId?: string;
	url: string;
	/** 1 for the first. */
	attempt: number;
	/** The task's record, or what was forged in its place. */
	body: unknown;
	/** What the receiver answered; absent when it did not. */
	status?: number;
	/** Why there was no answer. */
	reason?: string;
	/** True for a 2xx answer; anything else is sent again. */
	delivered: boolean;
}

type Message = Pick<DeliveredCallback, 'taskId' | 'url' | 'body'>;

/** Posts JSON and gives the answer's status; every post has a connection of its own. */
async function post(url: string, body: unknown, signal: AbortSignal): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: JSON.stringify(body),
		redirect: 'manual',
		signal,
	});
	await response.body?.cancel();
	return response.status;
}

/**
 * Tells callback addresses about their tasks. Task states follow the simulator's clock, which a
 * test may move by hand, so nothing can be scheduled ahead: the tasks in question are looked at
 * in short turns, and at once when a test steers one.
 */
export class CallbackSender {
	readonly attempts = new Journal<DeliveredCallback>();
	private readonly watched = new Set<SimulatedTask>();
	private lifetime = newLifetime();
	private isLooking = false;

	constructor(private readonly options: ResolvedOptions) {}

	/** Follows a task until it is final. */
	watch(task: SimulatedTask): void {
		if (task.request?.callback_url === undefined) return;
		this.watched.add(task);
		if (!this.isLooking) void this.keepLooking(this.lifetime.signal);
	}

	/** Sends what is due at this moment. */
	look(): void {
		for (const task of [...this.watched].filter((one) => isFinal(one.status()))) {
			this.watched.delete(task);
			// What cannot be made into a record is answered 500 on a read, which tells more.
			this.tell(task, this.lifetime.signal).catch(() => undefined);
		}
	}

	/**
	 * Posts once what somebody else makes up, and gives the answer's status. Nothing but a read of the
	 * task tells it from a true callback.
	 * @throws Error when there is no answer.
	 */
	async forge(message: Message): Promise<number> {
		const { status, reason } = await this.attempt(message, 1, this.lifetime.signal);
		if (status === undefined) throw new Error(reason);
		return status;
	}

	/** Drops every watched task and every callback under way. */
	stop(): void {
		this.lifetime.abort();
		this.lifetime = newLifetime();
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

	/** The record as of now, delivered as the task's plan has it. */
	private async tell(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		const { lost, doubled } = task.plan.callback ?? {};
		const url = task.request?.callback_url ?? '';
		const message = { taskId: task.id, url, body: task.record() };
		if (lost) {
			const at = this.options.now();
			this.attempts.add({ at, ...message, attempt: 1, reason: 'It was lost', delivered: false });
			return;
		}
		const copies = doubled ? [message, message] : [message];
		await Promise.all(copies.map(async (copy) => await this.deliver(copy, signal)));
	}

	/** Sends a message again after each pause until someone takes it. */
	private async deliver(message: Message, signal: AbortSignal): Promise<void> {
		const pausesMs = [0, ...this.options.callbackRetryDelaysMs];
		for (const [index, pauseMs] of pausesMs.entries()) {
			if (index > 0) await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
			if (signal.aborted) return;
			if ((await this.attempt(message, index + 1, signal)).delivered) return;
		}
	}

	private async attempt(
		message: Message,
		attempt: number,
		signal: AbortSignal,
	): Promise<DeliveredCallback> {
		const at = this.options.now();
		const limit = AbortSignal.timeout(TIMEOUT_MS);
		const outcome: Pick<DeliveredCallback, 'status' | 'reason' | 'delivered'> = await post(
			message.url,
			message.body,
			AbortSignal.any([signal, limit]),
		).then(
			(status) => ({ status, delivered: status >= 200 && status < 300 }),
			(reason: unknown) => ({
				reason: limit.aborted ? `No answer within ${TIMEOUT_MS} ms` : String(reason),
				delivered: false,
			}),
		);
		const made = { at, ...message, attempt, ...outcome };
		if (!signal.aborted) this.attempts.add(made);
		return made;
	}
}
