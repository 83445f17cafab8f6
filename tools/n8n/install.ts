import { createHash } from 'node:crypto';
import { copyFile, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, ensureInstalled, type InstallOptions } from './cache';
import { ensureNode, headersFolder, installPackage, NODE_MAJOR, pathWithNode } from './nodeRuntime';
import { run, type RunOptions } from './process';
import { versionFolder, type N8nVersion } from './versions';

/** As in n8n's Docker images: a package sees only what it asks for. */
const PNPM = 'pnpm@10.34.9';
const LOCK_FILE = 'pnpm-lock.yaml';
/** Beside the installs, which share its files by hard links. */
const STORE = 'pnpm-store';

/** The only package whose install script n8n needs; the others ship what they need. */
const DRIVER = 'sqlite3';
const DRIVER_IN_LOCK = /^ {2}(sqlite3@[\d.]+):$/m;

/** The databases of tests are small: to compile quickly matters more than a fast driver. */
const QUICKLY = { CFLAGS: '-O0', CXXFLAGS: '-O0' };

const folderName = (version: N8nVersion): string => `n8n-${version}-node${NODE_MAJOR}-pnpm`;

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion): string => cachedFolder(folderName(version));

/**
 * Installs a real n8n, and the Node it runs on if the one in use is another, once per user and version.
 *
 * @throws Error with the tail of the installer's output when the install does not succeed.
 */
export async function ensureN8n(version: N8nVersion, options: InstallOptions): Promise<void> {
	await ensureNode(options);
	// Another lock file means an install from an older recipe.
	const lock = await readFile(path.join(versionFolder(version), LOCK_FILE), 'utf8');
	const lockSha256 = createHash('sha256').update(lock).digest('hex');
	await ensureInstalled(
		{
			name: folderName(version),
			title: `n8n ${version}`,
			cost: '1 to 3 minutes, up to 2.5 GB',
			marker: `${JSON.stringify({ lockSha256 })}\n`,
			install: async (cwd) => await install(version, { cwd, signal: options.signal }),
		},
		options,
	);
}

type InstallRun = RunOptions & { cwd: string };

async function install(version: N8nVersion, given: InstallRun): Promise<void> {
	// npm and pnpm have to run on the Node that n8n will run on.
	const options = { ...given, env: { ...process.env, PATH: pathWithNode() } };
	for (const file of ['package.json', LOCK_FILE]) {
		await copyFile(path.join(versionFolder(version), file), path.join(options.cwd, file));
	}
	const flags = ['--frozen-lockfile', '--ignore-scripts', '--store-dir', cachedFolder(STORE)];
	const packages = path.join(options.cwd, 'node_modules', '.pnpm', 'node_modules');
	// One computes while the other waits for the network.
	const driver = ensureDriver(version, options);
	driver.catch(() => undefined);
	try {
		await run('npm', ['exec', '--yes', PNPM, '--', 'install', ...flags], options);
		await cp(await driver, path.join(packages, DRIVER, 'build'), { recursive: true });
		await run('node', ['-e', `require("${DRIVER}")`], { ...options, cwd: packages });
	} catch (error) {
		options.signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed. ${reason}`);
	}
}

/**
 * Compiles the driver once for all versions of n8n: that takes longer than all the rest. node-gyp
 * needs Node's headers: when they lie beside it, as in the official builds, it downloads nothing.
 * @returns the folder that the package needs beside its code
 */
async function ensureDriver(version: N8nVersion, { env, signal }: InstallRun): Promise<string> {
	const lock = await readFile(path.join(versionFolder(version), LOCK_FILE), 'utf8');
	const [, wanted = DRIVER] = DRIVER_IN_LOCK.exec(lock) ?? [];
	const name = `${DRIVER}-node${NODE_MAJOR}`;
	const nodedir = headersFolder();
	await ensureInstalled({
		name,
		title: `${DRIVER} for Node ${NODE_MAJOR}`,
		cost: '1 to 3 minutes, 50 MB',
		marker: `${JSON.stringify({ package: wanted })}\n`,
		install: async (cwd) => {
			const withHeaders = { ...env, ...QUICKLY, ...(nodedir && { npm_config_nodedir: nodedir }) };
			await installPackage([wanted, '--ignore-scripts=false'], { cwd, env: withHeaders, signal });
		},
	});
	return path.join(cachedFolder(name), 'node_modules', DRIVER, 'build');
}
