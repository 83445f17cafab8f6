/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { createHash } from 'node:crypto';
import { copyFile, cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, ensureInstalled } from './cache';
import { ensureNode, headersFolder, installPackage, NODE_MAJOR, pathWithNode } from './nodeRuntime';
import { run } from './process';
import { versionFolder, type N8nVersion } from './versions';

/** As in n8n's Docker images: a package sees only what it asks for. */
const PNPM = 'pnpm@10.34.9';
const LOCK_FILE = 'pnpm-lock.yaml';
/** Beside the installs, which share its files by hard links. */
const STORE = 'pnpm-store';

/** The only package whose install script n8n needs; the others ship what they need. */
const DRIVER = 'sqlite3';
const DRIVER_IN_LOCK = /^ {2}(sqlite3@[\d.]+):$/m;

/**
 * The databases of tests are small: to compile quickly matters more than a fast driver. The check of
 * indentation takes gcc longer than all the rest.
 */
const FLAGS = '-O0 -Wno-misleading-indentation';
const QUICKLY = { CFLAGS: FLAGS, CXXFLAGS: FLAGS };

const folderName = (version: N8nVersion): string => `n8n-${version}-node${NODE_MAJOR}-pnpm`;

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion): string => cachedFolder(folderName(version));

/**
 * Installs a real n8n, and the Node it runs on if the one in use is another, once per user and version.
 *
 * @throws Error with the tail of the installer's output when the install does not succeed.
 */
export async function ensureN8n(version: N8nVersion): Promise<void> {
	await ensureNode();
	// Another lock file means an install from an older recipe.
	const lock = await readFile(path.join(versionFolder(version), LOCK_FILE), 'utf8');
	const lockSha256 = createHash('sha256').update(lock).digest('hex');
	await ensureInstalled({
		name: folderName(version),
		what: `n8n ${version}, 1 to 3 minutes, up to 2.5 GB`,
		marker: `${JSON.stringify({ lockSha256 })}\n`,
		install: async (folder) => await install(version, folder),
	});
}

async function install(version: N8nVersion, cwd: string): Promise<void> {
	// npm and pnpm have to run on the Node that n8n will run on.
	const env = { ...process.env, PATH: pathWithNode() };
	for (const file of ['package.json', LOCK_FILE]) {
		await copyFile(path.join(versionFolder(version), file), path.join(cwd, file));
	}
	const flags = ['--frozen-lockfile', '--ignore-scripts', '--store-dir', cachedFolder(STORE)];
	const packages = path.join(cwd, 'node_modules', '.pnpm', 'node_modules');
	// One computes while the other waits for the network.
	const pnpm = run('npm', ['exec', '--yes', PNPM, '--', 'install', ...flags], { cwd, env });
	const [driver] = await Promise.all([ensureDriver(version, env), pnpm]);
	await cp(driver, path.join(packages, DRIVER, 'build'), { recursive: true });
	await run('node', ['-e', `require("${DRIVER}")`], { cwd: packages, env });
}

/**
 * Compiles the driver once for all versions of n8n: that takes longer than all the rest. node-gyp
 * needs Node's headers: when they lie beside it, as in the official builds, it downloads nothing.
 * @returns the folder that the package needs beside its code
 */
async function ensureDriver(version: N8nVersion, env: NodeJS.ProcessEnv): Promise<string> {
	const lock = await readFile(path.join(versionFolder(version), LOCK_FILE), 'utf8');
	const [, wanted = DRIVER] = DRIVER_IN_LOCK.exec(lock) ?? [];
	const name = `${DRIVER}-node${NODE_MAJOR}`;
	const nodedir = headersFolder();
	await ensureInstalled({
		name,
		what: `${DRIVER} for Node ${NODE_MAJOR}, 1 to 3 minutes, 50 MB`,
		marker: `${JSON.stringify({ package: wanted })}\n`,
		install: async (cwd) => {
			const withHeaders = { ...env, ...QUICKLY, ...(nodedir && { npm_config_nodedir: nodedir }) };
			await installPackage([wanted, '--ignore-scripts=false'], cwd, withHeaders);
		},
	});
	return path.join(cachedFolder(name), 'node_modules', DRIVER, 'build');
}
