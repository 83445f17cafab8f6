import { createHash } from 'node:crypto';
import { copyFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, ensureInstalled, type InstallOptions } from './cache';
import { ensureNode, headersOf, nodeFor, pathWith } from './nodeRuntime';
import { run } from './process';
import { recipeFolder, type N8nVersion } from './recipes';

export type { InstallOptions } from './cache';

/**
 * n8n's database driver is compiled for one Node and crashes another one, so that each major
 * version of Node has an install of its own.
 */
const folderName = (version: N8nVersion): string => `n8n-${version}-node${nodeFor(version).major}`;

/** The folder of an installed n8n; `ensureN8n` makes it. */
export const n8nFolder = (version: N8nVersion): string => cachedFolder(folderName(version));

/**
 * Installs a real n8n, and the Node it runs on if the one in use does not do, once per user and
 * version.
 *
 * @throws Error with the tail of npm's output when the install does not succeed.
 */
export async function ensureN8n(version: N8nVersion, options: InstallOptions = {}): Promise<void> {
	await ensureNode(version, options);
	const { signal } = options;
	await ensureInstalled(
		{
			name: folderName(version),
			title: `n8n ${version}`,
			cost: '2 to 4 minutes, up to 2.5 GB',
			marker: await markerFor(version),
			install: async (folder) => await install(version, folder, signal),
		},
		options,
	);
}

/** Another lock file means an install from an older recipe. */
async function markerFor(version: N8nVersion): Promise<string> {
	const lock = await readFile(path.join(recipeFolder(version), 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${JSON.stringify({ lockSha256: hash })}\n`;
}

async function install(version: N8nVersion, folder: string, signal?: AbortSignal): Promise<void> {
	for (const file of ['package.json', 'package-lock.json']) {
		await copyFile(path.join(recipeFolder(version), file), path.join(folder, file));
	}
	const options = { cwd: folder, env: npmEnvironment(version), signal };
	try {
		await run('npm', [...CI_ARGUMENTS], options);
		// The only package whose install script n8n needs; the others ship what they need.
		await run('npm', ['rebuild', 'sqlite3', '--ignore-scripts=false'], options);
		await run(nodeFor(version).binary, ['-e', 'require("sqlite3")'], options);
	} catch (error) {
		signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n ${version} could not be installed. ${reason}`);
	}
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
