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
