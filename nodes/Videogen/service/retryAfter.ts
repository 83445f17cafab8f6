const SECONDS = /^\d+(?:\.\d+)?$/;

/**
 * Milliseconds that a `Retry-After` header asks to wait, from its seconds or its HTTP date;
 * `undefined` when it says neither. A date in the past asks for no wait.
 */
export function retryAfterMs(header: unknown, nowMs: number): number | undefined {
	const text = String(Array.isArray(header) ? header[0] : (header ?? '')).trim();
	if (SECONDS.test(text)) return Math.round(Number(text) * 1000);
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
