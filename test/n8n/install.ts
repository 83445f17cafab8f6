import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorCode } from './errorCode';
import { run } from './process';
import { recipeFolder, type N8nVersion } from './recipes';

const MARKER = 'installed.json';
const PROGRESS_INTERVAL_MS = 10_000;

export interface InstallOptions {
	/** Receives one line about every ten seconds while an install is running. */
	onProgress?: (line: string) => void;
	/** Ends the install; what is half done is never used. */
	signal?: AbortSignal;
}

/** Where installs are kept for all checkouts of this user: they are large and never change. */
function cacheFolder(): string {
	const base = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache');
	return path.join(base, 'n8n-nodes-videogen');
}

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion): string =>
	path.join(cacheFolder(), `n8n-${version}`);

/**
 * Installs a real n8n once per user and version.
 *
 * The work happens in a folder beside the final one, which is renamed as the last step: another
 * process sees a complete install or none, and two at once merely do the work twice.
 *
 * @throws Error with the tail of npm's output when the install does not succeed.
 */
export async function ensureN8n(
	version: N8nVersion,
	{ onProgress = () => {}, signal }: InstallOptions = {},
): Promise<void> {
	if (await isComplete(version)) return;
	await removeAbandonedInstalls(version);
	const workFolder = `${n8nFolder(version)}.installing-${process.pid}`;
	const startedAt = Date.now();
	onProgress(`Installing n8n ${version}, once for this user: 2 to 4 minutes, up to 2.5 GB.`);
	const timer = setInterval(() => {
		const seconds = Math.round((Date.now() - startedAt) / 1000);
		onProgress(`Still installing n8n ${version} (${seconds} s so far).`);
	}, PROGRESS_INTERVAL_MS);
	try {
		await install(version, workFolder, signal);
		await publish(version, workFolder);
	} finally {
		clearInterval(timer);
		await rm(workFolder, { recursive: true, force: true });
	}
	onProgress(`n8n ${version} is installed.`);
}

/**
 * A marker, written last, holds the lock file's hash. A missing or a different one means an
 * interrupted install or one from an older recipe.
 */
async function isComplete(version: N8nVersion): Promise<boolean> {
	try {
		const found = await readFile(path.join(n8nFolder(version), MARKER), 'utf8');
		return found === (await markerFor(version));
	} catch {
		return false;
	}
}

async function markerFor(version: N8nVersion): Promise<string> {
	const lock = await readFile(path.join(recipeFolder(version), 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${JSON.stringify({ lockSha256: hash })}\n`;
}

async function install(version: N8nVersion, folder: string, signal?: AbortSignal): Promise<void> {
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(recipeFolder(version), file), path.join(folder, file));
	}
	const options = { cwd: folder, env: npmEnvironment(), signal };
	try {
		await run('npm', [...CI_ARGUMENTS], options);
		// The only package whose install script n8n needs; the others ship what they need.
		await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], options);
		await run(process.execPath, ['-e', 'require("sqlite3")'], options);
	} catch (error) {
		signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed. ${reason}`);
	}
	await writeFile(path.join(folder, MARKER), await markerFor(version));
}

const CI_ARGUMENTS = [
	'ci',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--omit=dev',
	'--audit=false',
	'--fund=false',
] as const;

/**
 * Compiling sqlite3 needs Node's headers. When they lie beside the Node in use, as in the official
 * builds, node-gyp is told so and downloads nothing.
 */
function npmEnvironment(): NodeJS.ProcessEnv {
	const prefix = path.resolve(path.dirname(process.execPath), '..');
	const hasHeaders = existsSync(path.join(prefix, 'include', 'node', 'node_version.h'));
	return hasHeaders ? { ...process.env, npm_config_nodedir: prefix } : process.env;
}

/** Moves a finished install to its place, unless another process was faster. */
async function publish(version: N8nVersion, workFolder: string): Promise<void> {
	if (await isComplete(version)) return;
	const discarded = `${workFolder}-discarded`;
	await rename(n8nFolder(version), discarded).catch(() => undefined);
	try {
		await rename(workFolder, n8nFolder(version));
	} catch (error) {
		if (!(await isComplete(version))) throw error;
	}
	await rm(discarded, { recursive: true, force: true });
}

/** Deletes what killed installs left behind: it is of no use and takes gigabytes. */
async function removeAbandonedInstalls(version: N8nVersion): Promise<void> {
	await mkdir(cacheFolder(), { recursive: true });
	const prefix = `n8n-${version}.installing-`;
	for (const name of await readdir(cacheFolder())) {
		if (!name.startsWith(prefix)) continue;
		if (isRunning(Number.parseInt(name.slice(prefix.length), 10))) continue;
		await rm(path.join(cacheFolder(), name), { recursive: true, force: true });
	}
}

function isRunning(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return errorCode(error) === 'EPERM';
	}
}
