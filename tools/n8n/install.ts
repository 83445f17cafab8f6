import { createHash } from 'node:crypto';
import { copyFile, cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { cachedFolder, ensureInstalled, type InstallOptions } from './cache';
import { ensureNode, headersFolder, NODE_MAJOR, pathWithNode } from './nodeRuntime';
import { run, type RunOptions } from './process';
import { versionFolder, type N8nVersion } from './versions';

export type { InstallOptions } from './cache';

/** The one that is laid out by pnpm, as in n8n's Docker images: a package sees only what it asks for. */
const BY_PNPM: N8nVersion = '2.0.3';
const PNPM = 'pnpm@10.34.9';

/** The only package whose install script n8n needs; the others ship what they need. */
const DRIVER = 'sqlite3';

const folderName = (version: N8nVersion): string =>
	`n8n-${version}-node${NODE_MAJOR}${version === BY_PNPM ? '-pnpm' : ''}`;

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion): string => cachedFolder(folderName(version));

/**
 * Installs a real n8n, and the Node it runs on if the one in use is another, once per user and version.
 *
 * @throws Error with the tail of the installer's output when the install does not succeed.
 */
export async function ensureN8n(version: N8nVersion, options: InstallOptions): Promise<void> {
	await ensureNode(options);
	const { signal } = options;
	await ensureInstalled(
		{
			name: folderName(version),
			title: `n8n ${version}`,
			cost: '2 to 4 minutes, up to 2.5 GB',
			marker: await markerFor(version),
			install: async (folder) => {
				await install(version, { cwd: folder, env: npmEnvironment(), signal });
			},
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

async function install(version: N8nVersion, options: InstallRun): Promise<void> {
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(versionFolder(version), file), path.join(options.cwd, file));
	}
	try {
		const packages = await (version === BY_PNPM ? installWithPnpm : installWithNpm)(options);
		const driver = await ensureDriver(path.join(packages, DRIVER), options);
		await cp(driver, path.join(packages, DRIVER, 'build'), { recursive: true });
		await run('node', ['-e', `require("${DRIVER}")`], { ...options, cwd: packages });
	} catch (error) {
		options.signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed. ${reason}`);
	}
}

type InstallRun = RunOptions & { cwd: string };

/** @returns the folder in which n8n's packages are */
async function installWithNpm(options: InstallRun): Promise<string> {
	await run('npm', [...CI_ARGUMENTS], options);
	return path.join(options.cwd, 'node_modules');
}

/** The same versions of all packages: pnpm's lock file is made of npm's. */
async function installWithPnpm(options: InstallRun): Promise<string> {
	const file = path.join(options.cwd, 'package.json');
	const recipe = recipeSchema.parse(JSON.parse(await readFile(file, 'utf8')));
	await writeFile(file, JSON.stringify({ ...recipe, pnpm: { overrides: recipe.overrides } }));
	const flags = ['--frozen-lockfile', '--ignore-scripts', '--store-dir', '.store'];
	for (const args of [['import'], ['install', ...flags]]) {
		await run('npm', ['exec', '--yes', PNPM, '--', ...args], options);
	}
	return path.join(options.cwd, 'node_modules', '.pnpm', 'node_modules');
}

/**
 * Compiles the driver once for all versions of n8n: that takes longer than all the rest.
 * @param source The package, not compiled yet.
 * @returns the folder that the package needs beside its code
 */
async function ensureDriver(source: string, { env, signal }: InstallRun): Promise<string> {
	const manifest = await readFile(path.join(source, 'package.json'), 'utf8');
	const wanted = `${DRIVER}@${manifestSchema.parse(JSON.parse(manifest)).version}`;
	const name = `${DRIVER}-node${NODE_MAJOR}`;
	await ensureInstalled({
		name,
		title: `${DRIVER} for Node ${NODE_MAJOR}`,
		cost: '1 to 3 minutes, 50 MB',
		marker: `${JSON.stringify({ package: wanted })}\n`,
		install: async (folder) => {
			await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
			const args = ['install', wanted, '--ignore-scripts=false', '--audit=false', '--fund=false'];
			await run('npm', args, { cwd: folder, env, signal });
		},
	});
	return path.join(cachedFolder(name), 'node_modules', DRIVER, 'build');
}

const manifestSchema = z.object({ version: z.string() });
const recipeSchema = z.object({ overrides: z.record(z.unknown()) }).passthrough();

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
function npmEnvironment(): NodeJS.ProcessEnv {
	const headers = headersFolder();
	return {
		...process.env,
		PATH: pathWithNode(),
		...(headers !== undefined && { npm_config_nodedir: headers }),
	};
}
