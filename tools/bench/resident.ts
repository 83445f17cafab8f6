import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../n8n/process';

const LOOK_EVERY_MS = 50;
const BYTES_PER_KIB = 1_024;

/** Resident bytes of all processes that began in a process group; Linux only. */
export async function residentBytes(group: number): Promise<number> {
	// Who leads a guarded group leads a session, too.
	const kibibytes = await run('ps', ['-o', 'rss=', '-g', String(group)]);
	return BYTES_PER_KIB * kibibytes.split('\n').reduce((sum, size) => sum + Number(size), 0);
}

/** The most bytes that a process group has resident while the work goes on. */
export async function peakOf(group: number, work: () => Promise<void>): Promise<number> {
	const end = new AbortController();
	let peak = 0;
	const look = async () => {
		while (!end.signal.aborted) {
			peak = Math.max(peak, await residentBytes(group));
			await sleep(LOOK_EVERY_MS, undefined, { signal: end.signal }).catch(() => undefined);
		}
	};
	await Promise.all([work().finally(() => end.abort()), look()]);
	return peak;
}
