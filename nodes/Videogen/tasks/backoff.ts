/**
 * How long to wait before the next try: doubling from `firstMs` up to `maxMs`, and somewhere in
 * the upper half of that, so that many clients do not come back at the same moment.
 */
export function backoffMs(
	tries: number,
	{ firstMs, maxMs }: { firstMs: number; maxMs: number },
	random: () => number,
): number {
	const full = Math.min(maxMs, firstMs * 2 ** Math.max(0, tries - 1));
	return full * (0.5 + random() / 2);
}

/** A shorter wait than this, or a date in the past, asks for no wait that would help anybody. */
const LEAST_ASKED_MS = 500;

/** How long to wait after 429: as long as the service asks for, if it asks for a wait at all. */
export const pauseMs = (
	askedMs: number | undefined,
	...backoff: Parameters<typeof backoffMs>
): number => (askedMs !== undefined && askedMs >= LEAST_ASKED_MS ? askedMs : backoffMs(...backoff));
