import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal';
import { type SimulatedTask, isFinal } from './tasks';

/** How often a task that someone waits for is looked at; real time, whatever clock it follows. */
const LOOK_EVERY_MS = 20;

/** How long a receiver may take to answer. */
const TIMEOUT_MS = 10_000;

/** Pauses before a callback is sent again. */
const RETRY_DELAYS_MS = [1_000, 2_000, 4_000];

/** One attempt to deliver a callback, written down when it is over. */
export interface DeliveredCallback {
	taskId: string;
	url: string;
	/** The task's record, or what was forged in its place. */
	body: unknown;
	/** 1 for the first. */
	attempt: number;
	/** What the receiver answered; absent when it did not. */
	status?: number;
	/** True for a 2xx answer; anything else is sent again. */
	delivered: boolean;
}

type Message = Pick<DeliveredCallback, 'taskId' | 'url' | 'body'>;

/** Posts JSON and gives the answer's status; every post has a connection of its own. */
async function post({ url, body }: Message, signal: AbortSignal): Promise<number> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', connection: 'close' },
		body: JSON.stringify(body),
		redirect: 'manual',
		signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
	});
	await response.body?.cancel();
	return response.status;
}

/** Tells callback addresses about their tasks. */
export class CallbackSender {
	readonly attempts = new Journal<DeliveredCallback>();

	readonly watched = new Set<SimulatedTask>();

	/** Follows a task until it is final. */
	watch(task: SimulatedTask, signal: AbortSignal): void {
		if (task.request?.callback_url === undefined) return;
		this.watched.add(task);
		// It ends with an error when the signal does.
		if (this.watched.size === 1) this.look(signal).catch(() => undefined);
	}

	/**
	 * Posts once what somebody else makes up, and gives the answer's status. Nothing but a read of the
	 * task tells it from a true callback. Rejects when there is no answer.
	 */
	async forge(message: Message, signal: AbortSignal): Promise<number> {
		const status = await post(message, signal);
		this.attempts.add({ ...message, attempt: 1, status, delivered: status < 300 });
		return status;
	}

	/**
	 * Task states follow the simulator's clock, which a test may move by hand, so nothing can be
	 * scheduled ahead.
	 */
	private async look(signal: AbortSignal): Promise<void> {
		while (this.watched.size > 0) {
			await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
			for (const task of [...this.watched].filter((one) => isFinal(one.status()))) {
				this.watched.delete(task);
				// What cannot be made into a record is answered 500 on a read, which tells more.
				this.tell(task, signal).catch(() => undefined);
			}
		}
	}

	/** Sends the record as of now, and again after each pause until someone takes it. */
	private async tell(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		const url = task.request?.callback_url ?? '';
		const message = { taskId: task.id, url, body: task.record() };
		for (const [index, pauseMs] of [0, ...RETRY_DELAYS_MS].entries()) {
			if (task.plan.loseCallback) return;
			await sleep(pauseMs, undefined, { signal, ref: false });
			const status = await post(message, signal).catch(() => undefined);
			signal.throwIfAborted();
			const delivered = status !== undefined && status >= 200 && status < 300;
			this.attempts.add({ ...message, attempt: index + 1, status, delivered });
			if (delivered) return;
		}
	}
}
