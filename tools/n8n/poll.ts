import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
	/** What is waited for; named in the message when it does not come. */
	what: string;
	timeoutMs: number;
	intervalMs?: number;
	signal?: AbortSignal;
}

/**
 * Asks until there is an answer: for states of another process that announces no event.
 * @throws Error naming `what` when the time is up.
 */
export async function pollUntil<T>(
	check: () => Promise<T | undefined>,
	{ what, timeoutMs, intervalMs = 100, signal }: PollOptions,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await check();
		if (answer !== undefined) return answer;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${Math.round(timeoutMs / 1000)} s in vain for ${what}`);
		}
		await delay(intervalMs, undefined, { signal });
	}
}
