import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { run } from './process';

const REPOSITORY = path.resolve(__dirname, '../..');
/** What n8n itself writes into the folder; without it npm would look for a project further up. */
const EMPTY_PROJECT = { name: 'installed-nodes', private: true, dependencies: {} };

const INSTALL_FLAGS = [
	'--legacy-peer-deps',
	'--bin-links=false',
	'--install-strategy=shallow',
	'--ignore-scripts=true',
	'--package-lock=false',
	'--audit=false',
	'--fund=false',
] as const;

const namedSchema = z.object({ name: z.string() });
const packedSchema = z.array(z.object({ filename: z.string() })).length(1);

/**
 * Packs the built node as it would be published (the caller builds it before).
 * @returns Path of the tarball inside `folder`.
 */
export async function packNode(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
	const [packed] = packedSchema.parse(JSON.parse(await run('npm', args, { cwd: REPOSITORY })));
	if (packed === undefined) throw new Error('npm pack named no file');
	return path.join(folder, packed.filename);
}

/**
 * Installs a packed node into an n8n user folder with npm, as a self-hosting user does.
 *
 * The flags are those of n8n's own community-package installer, which also leaves peer
 * dependencies out: n8n provides them. A version installed before is removed first, because npm
 * takes the same version number for the same content.
 */
export async function installNode(userFolder: string, tarball: string): Promise<void> {
	const nodesFolder = path.join(userFolder, '.n8n', 'nodes');
	await rm(await installedFolder(userFolder), { recursive: true, force: true });
	await mkdir(nodesFolder, { recursive: true });
	const project = path.join(nodesFolder, 'package.json');
	if (!existsSync(project)) await writeFile(project, JSON.stringify(EMPTY_PROJECT));
	await run('npm', ['install', tarball, ...INSTALL_FLAGS], { cwd: nodesFolder });
}

/** Puts the build where installing would put it, at once and without npm: it depends on nothing. */
export async function copyNode(userFolder: string): Promise<void> {
	const installed = await installedFolder(userFolder);
	await rm(installed, { recursive: true, force: true });
	for (const part of ['package.json', 'dist']) {
		await cp(path.join(REPOSITORY, part), path.join(installed, part), { recursive: true });
	}
}

const installedFolder = async (userFolder: string): Promise<string> =>
	path.join(userFolder, '.n8n', 'nodes', 'node_modules', await packageName());

async function packageName(): Promise<string> {
	const text = await readFile(path.join(REPOSITORY, 'package.json'), 'utf8');
	return namedSchema.parse(JSON.parse(text)).name;
}
