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
const TIMES_ITS_SHARE = 4;

/** What the work takes here and now, and the limit of a busy machine, where all work takes longer. */
async function measuredAgain(work: (size: number) => unknown, size: number) {
	const shorterMs = await cpuMsOf(() => work(size / SHORTER));
	return {
		spentMs: await cpuMsOf(() => work(size)),
		limitMs: shorterMs * SHORTER * TIMES_ITS_SHARE,
	};
}

/** Expects work to take less than a limit, or else, of two times, little more than its share of a shorter one. */
export async function expectInTime(
	work: (size: number) => unknown,
	size: number,
	limitMs: number,
): Promise<void> {
	const first = { spentMs: await cpuMsOf(() => work(size)), limitMs };
	const isInTime = first.spentMs < limitMs;
	const { spentMs, limitMs: allowedMs } = isInTime ? first : await measuredAgain(work, size);
	expect(spentMs).toBeLessThan(allowedMs);
}
