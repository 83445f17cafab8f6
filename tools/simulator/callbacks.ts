/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal } from './journal';
import { type SimulatedTask, isFinal } from './tasks';
import { withinTime } from '../timeLimit';

/** How often a task that someone waits for is looked at; real time, whatever clock it follows. */
const LOOK_EVERY_MS = 20;

/** How long a receiver may take to answer. */
const TIMEOUT_MS = 10_000;

/** Pauses before a callback is sent, and sent again. */
const PAUSES_MS = [0, 1_000, 2_000, 4_000];

/** One attempt to deliver a callback, written down when it is over. */
interface DeliveredCallback {
	taskId: string;
	/** What the receiver answered; absent when it did not. */
	status?: number;
	/** True for a 2xx answer; anything else is sent again. */
	delivered: boolean;
}

/** Tells callback addresses about their tasks. */
export class CallbackSender {
	readonly attempts = new Journal<DeliveredCallback>();

	/**
	 * Follows a task until it is final, and sends its record until someone takes it. Task states follow
	 * the simulator's clock, which a test may move by hand, so nothing can be scheduled ahead.
	 */
	async follow(task: SimulatedTask, signal: AbortSignal): Promise<void> {
		if (task.request?.callback_url === undefined || task.plan.loseCallback) return;
		while (!isFinal(task.status())) await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false });
		for (const pauseMs of PAUSES_MS) {
			await sleep(pauseMs, undefined, { signal, ref: false });
			if ((await this.post(task, task.record(), signal)).delivered) return;
		}
	}

	/**
	 * Posts JSON to the task's address, over a connection of its own: its record, or what somebody else
	 * makes up. Nothing but a read of the task tells the one from the other.
	 */
	async post(task: SimulatedTask, body: unknown, signal: AbortSignal): Promise<DeliveredCallback> {
		const response = await fetch(task.request?.callback_url ?? '', {
			method: 'POST',
			headers: { 'content-type': 'application/json', connection: 'close' },
			body: JSON.stringify(body),
			redirect: 'manual',
			signal: withinTime(TIMEOUT_MS, signal),
		}).catch(() => undefined);
		signal.throwIfAborted();
		await response?.body?.cancel();
		const { status, ok: delivered = false } = response ?? {};
		const attempt = { taskId: task.id, status, delivered };
		this.attempts.add(attempt);
		return attempt;
	}
}
