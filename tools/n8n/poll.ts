/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
	/** What is waited for; named in the message when it does not come. */
	what: string;
	/** How long to wait, if it is not `PATIENCE_MS`. */
	timeoutMs?: number;
	signal?: AbortSignal;
}

/** How long n8n may take for what it does at once, on a machine that is busy with other tests. */
export const PATIENCE_MS = 120_000;

/** Each question costs n8n time: the longer something takes, the less often it is asked for. */
const FIRST_GAP_MS = 100;
const GROWTH = 1.3;
const LAST_GAP_MS = 500;

/**
 * Asks until there is an answer: for states of another process that announces no event.
 * @throws Error naming `what` when the time is up.
 */
export async function pollUntil<T>(
	check: () => Promise<T | undefined>,
	{ what, timeoutMs = PATIENCE_MS, signal }: PollOptions,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (let gapMs = FIRST_GAP_MS; ; gapMs = Math.min(gapMs * GROWTH, LAST_GAP_MS)) {
		const answer = await check();
		if (answer !== undefined) return answer;
		if (Date.now() >= deadline) {
			throw new Error(`Waited ${Math.round(timeoutMs / 1000)} s in vain for ${what}`);
		}
		await delay(gapMs, undefined, { signal });
	}
}
