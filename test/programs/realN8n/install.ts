import { createHash } from 'node:crypto';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { cachedFolder, ensureInstalled, type InstallOptions } from './cache';
import { ensureNode, headersOf, nodeFor, pathWith } from './nodeRuntime';
import { run, type RunOptions } from './process';
import { versionFolder, type N8nVersion } from './versions';

export type { InstallOptions } from './cache';

/** Who lays out n8n's packages; the Docker images of n8n have pnpm do it. */
export type Installer = 'npm' | 'pnpm';
const PNPM = 'pnpm@10.34.9';

/**
 * n8n's database driver is compiled for one Node and crashes another one, so that each major
 * version of Node has an install of its own.
 */
const folderName = (version: N8nVersion, installer: Installer): string => {
	const name = `n8n-${version}-node${nodeFor(version).major}`;
	return installer === 'npm' ? name : `${name}-${installer}`;
};

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion, installer: Installer = 'npm'): string =>
	cachedFolder(folderName(version, installer));

/**
 * Installs a real n8n, and the Node it runs on if the one in use does not do, once per user,
 * version and installer.
 *
 * @throws Error with the tail of the installer's output when the install does not succeed.
 */
export async function ensureN8n(
	version: N8nVersion,
	options: InstallOptions = {},
	installer: Installer = 'npm',
): Promise<void> {
	await ensureNode(version, options);
	const { signal } = options;
	await ensureInstalled(
		{
			name: folderName(version, installer),
			title: `n8n ${version}`,
			cost: '2 to 4 minutes, up to 2.5 GB',
			marker: await markerFor(version),
			install: async (folder) => await install(version, installer, folder, signal),
		},
		options,
	);
}

/** Another lock file means an install from an older recipe. */
async function markerFor(version: N8nVersion): Promise<string> {
	const lock = await readFile(path.join(versionFolder(version), 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${JSON.stringify({ lockSha256: hash })}\n`;
}

async function install(
	version: N8nVersion,
	installer: Installer,
	folder: string,
	signal?: AbortSignal,
): Promise<void> {
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(versionFolder(version), file), path.join(folder, file));
	}
	const options = { cwd: folder, env: npmEnvironment(version), signal };
	try {
		await (installer === 'npm' ? installWithNpm : installWithPnpm)(options);
	} catch (error) {
		signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed. ${reason}`);
	}
}

type InstallRun = RunOptions & { cwd: string };

async function installWithNpm(options: InstallRun): Promise<void> {
	await run('npm', [...CI_ARGUMENTS], options);
	await run('npm', ['rebuild', NEEDS_ITS_SCRIPT, '--ignore-scripts=false'], options);
	await check(options);
}

/** The same versions of all packages: pnpm's lock file is made of npm's. */
async function installWithPnpm(options: InstallRun): Promise<void> {
	const file = path.join(options.cwd, 'package.json');
	const recipe = recipeSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	const pnpm = { overrides: recipe.overrides, onlyBuiltDependencies: [NEEDS_ITS_SCRIPT] };
	await writeFile(file, JSON.stringify({ ...recipe, pnpm }));
	const flags = ['--frozen-lockfile', '--ignore-scripts=false', '--store-dir', '.store'];
	for (const args of [['import'], ['install', ...flags]]) {
		await run('npm', ['exec', '--yes', PNPM, '--', ...args], options);
	}
	await check({ ...options, cwd: path.join(options.cwd, 'node_modules', '.pnpm') });
}

const check = async (options: InstallRun) =>
	await run('node', ['-e', `require("${NEEDS_ITS_SCRIPT}")`], options);

const recipeSchema = z.object({ overrides: z.record(z.unknown()) }).passthrough();
/** The only package whose install script n8n needs; the others ship what they need. */
const NEEDS_ITS_SCRIPT = 'sqlite3';

const CI_ARGUMENTS = [
	'ci',
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--omit=dev',
	'--audit=false',
	'--fund=false',
] as const;

/**
 * npm has to run on the Node that n8n will run on. Compiling sqlite3 needs that Node's headers:
 * when they lie beside it, as in the official builds, node-gyp is told so and downloads nothing.
 */
function npmEnvironment(version: N8nVersion): NodeJS.ProcessEnv {
	const runtime = nodeFor(version);
	const headers = headersOf(runtime);
	return {
		...process.env,
		PATH: pathWith(runtime),
		...(headers !== undefined && { npm_config_nodedir: headers }),
	};
}
