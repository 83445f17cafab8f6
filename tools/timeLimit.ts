/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */
/**
 * Aborts after so many milliseconds of real time, or with `signal`, if there is one. Node 20 forgets
 * the signal of `AbortSignal.timeout` as soon as it cleans up, where only `AbortSignal.any` knows it.
 */
export function withinTime(ms: number, signal?: AbortSignal): AbortSignal {
	const limit = new AbortController();
	const reason = new DOMException(`No answer within ${ms} ms`, 'TimeoutError');
	setTimeout(() => limit.abort(reason), ms).unref();
	return signal ? AbortSignal.any([limit.signal, signal]) : limit.signal;
}
