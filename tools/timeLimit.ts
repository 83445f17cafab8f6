/**
 * Aborts after so many milliseconds, or with `signal`. Node 20 forgets a time limit that only
 * `AbortSignal.any` knows as soon as it cleans up: one to which somebody listens, it keeps.
 */
export function withinTime(ms: number, signal: AbortSignal): AbortSignal {
	const limit = AbortSignal.timeout(ms);
	limit.addEventListener('abort', () => undefined);
	return AbortSignal.any([limit, signal]);
}
