/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorCode } from './errorCode';

const MARKER = 'installed.json';

/** Something large that never changes, of which all checkouts of this user share one copy. */
export interface CachedInstall {
	/** Name of its folder in the cache. */
	name: string;
	/** What is being installed, how long it takes and how much room it needs, in words. */
	what: string;
	/** Identifies the content; what was installed under another marker is replaced. */
	marker: string;
	/** Fills an empty folder, or throws. */
	install(folder: string): Promise<void>;
}

/** Where a cached install ends up. */
export function cachedFolder(name: string): string {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-videogen', name);
}

/**
 * Installs something once per user.
 *
 * The work happens in a folder beside the final one, which is renamed as the last step: another
 * process sees a complete install or none. It waits for one that is under way; two that begin at the
 * same moment merely do the work twice.
 */
export async function ensureInstalled(wanted: CachedInstall): Promise<void> {
	while (!(await isComplete(wanted))) {
		if (!(await isUnderWay(wanted.name))) return await install(wanted);
		await setTimeout(1_000);
	}
}

async function install(wanted: CachedInstall): Promise<void> {
	const workFolder = `${cachedFolder(wanted.name)}.installing-${process.pid}`;
	process.stderr.write(`Installing once for this user: ${wanted.what}\n`);
	try {
		await rm(workFolder, { recursive: true, force: true });
		await mkdir(workFolder, { recursive: true });
		await wanted.install(workFolder);
		await writeFile(path.join(workFolder, MARKER), wanted.marker);
		await publish(wanted, workFolder);
	} finally {
		await rm(workFolder, { recursive: true, force: true });
	}
}

/** The marker is written last: without it, or with another, the install is of no use. */
async function isComplete({ name, marker }: CachedInstall): Promise<boolean> {
	try {
		return (await readFile(path.join(cachedFolder(name), MARKER), 'utf8')) === marker;
	} catch {
		return false;
	}
}

/** Moves a finished install to its place, unless another process was faster. */
async function publish(wanted: CachedInstall, workFolder: string): Promise<void> {
	if (await isComplete(wanted)) return;
	const folder = cachedFolder(wanted.name);
	await rm(folder, { recursive: true, force: true });
	await rename(workFolder, folder).catch(async (error: unknown) => {
		if (!(await isComplete(wanted))) throw error;
	});
}

/**
 * Whether another process installs it now. Deletes what killed installs left behind: it is of no use
 * and takes gigabytes.
 */
async function isUnderWay(name: string): Promise<boolean> {
	const parent = path.dirname(cachedFolder(name));
	await mkdir(parent, { recursive: true });
	const prefix = `${name}.installing-`;
	let isFound = false;
	for (const found of await readdir(parent)) {
		if (!found.startsWith(prefix)) continue;
		const pid = Number.parseInt(found.slice(prefix.length), 10);
		if (pid !== process.pid && isRunning(pid)) isFound = true;
		else await rm(path.join(parent, found), { recursive: true, force: true });
	}
	return isFound;
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}
