/* eslint-disable -- Runs in Node.js, not in n8n: eslint.house.config.mjs judges this file. */
/**
 * Aborts after so many milliseconds of real time, or with `signal`. Node 20 forgets the signal of
 * `AbortSignal.timeout` as soon as it cleans up, where only `AbortSignal.any` knows it.
 */
export function withinTime(ms: number, signal: AbortSignal): AbortSignal {
	const limit = new AbortController();
	const reason = new DOMException(`No answer within ${ms} ms`, 'TimeoutError');
	setTimeout(() => limit.abort(reason), ms).unref();
	return AbortSignal.any([limit.signal, signal]);
}
