/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

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
 * Installs something once per user, one process at a time.
 *
 * The work happens in a folder beside the final one, which is renamed as the last step: another
 * process sees a complete install or none. What a killed one left behind goes with the next.
 */
export async function ensureInstalled(wanted: CachedInstall): Promise<void> {
	if (await isComplete(wanted)) return;
	const folder = cachedFolder(wanted.name);
	const workFolder = `${folder}.installing`;
	process.stderr.write(`Installing once for this user: ${wanted.what}\n`);
	for (const former of [folder, workFolder]) await rm(former, { recursive: true, force: true });
	await mkdir(workFolder, { recursive: true });
	await wanted.install(workFolder);
	await writeFile(path.join(workFolder, MARKER), wanted.marker);
	await rename(workFolder, folder);
}

/** The marker is written last: without it, or with another, the install is of no use. */
async function isComplete({ name, marker }: CachedInstall): Promise<boolean> {
	try {
		return (await readFile(path.join(cachedFolder(name), MARKER), 'utf8')) === marker;
	} catch {
		return false;
	}
}
