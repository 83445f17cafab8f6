/* eslint-disable @n8n/community-nodes/no-restricted-globals -- It runs in Node.js, not in n8n. */

/** Of the processor, because other programs are no part of it. */
async function cpuMsOf(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}

const SHORTER = 8;
/** What takes the square of its size takes `SHORTER` times its share. */
const TIMES_ITS_SHARE = 2.5;
/** However busy the machine is. */
const TIMES_THE_LIMIT = 5;

/** Measures anew; work that is late may take a few times its share of a shorter one, within bounds. */
async function measuredAgain(work: (size: number) => unknown, size: number, limitMs: number) {
	const shareMs = SHORTER * (await cpuMsOf(() => work(size / SHORTER)));
	const allowedMs = Math.min(shareMs * TIMES_ITS_SHARE, limitMs * TIMES_THE_LIMIT);
	return { spentMs: await cpuMsOf(() => work(size)), limitMs: Math.max(limitMs, allowedMs) };
}

/** Expects work to stay within a limit, or else to grow about in proportion to its size. */
export async function expectInTime(
	work: (size: number) => unknown,
	size: number,
	limitMs: number,
): Promise<void> {
	const first = { spentMs: await cpuMsOf(() => work(size)), limitMs };
	const isInTime = first.spentMs < limitMs;
	const judged = isInTime ? first : await measuredAgain(work, size, limitMs);
	expect(judged.spentMs).toBeLessThan(judged.limitMs);
}
