import { readFile, readdir } from 'node:fs/promises';

const LOOK_EVERY_MS = 50;
const BYTES_PER_KIB = 1_024;
/** Field of /proc/<pid>/stat, after the command in brackets: state, parent, group (proc(5)). */
const GROUP_FIELD = 2;

/** Resident bytes of all processes of a group together; Linux only. */
export async function residentBytes(group: number): Promise<number> {
	const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const sizes = await Promise.all(pids.map(async (pid) => await residentOf(pid, group)));
	return sizes.reduce((sum, size) => sum + size, 0);
}

/** Nothing for a process of another group, or one that has ended meanwhile. */
async function residentOf(pid: string, group: number): Promise<number> {
	try {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		if (Number(fields[GROUP_FIELD]) !== group) return 0;
		const status = await readFile(`/proc/${pid}/status`, 'utf8');
		return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * BYTES_PER_KIB;
	} catch {
		return 0;
	}
}

/**
 * By how many bytes the memory of a process group rises at most while the work goes on.
 * @param before From how many bytes: those of now, unless given.
 */
export async function riseOf(
	group: number,
	work: () => Promise<unknown>,
	before?: number,
): Promise<number> {
	const start = before ?? (await residentBytes(group));
	let peak = start;
	let looking = Promise.resolve();
	const timer = setInterval(() => {
		looking = looking.then(async () => {
			peak = Math.max(peak, await residentBytes(group));
		});
	}, LOOK_EVERY_MS);
	try {
		await work();
		await looking;
		return peak - start;
	} finally {
		clearInterval(timer);
	}
}
