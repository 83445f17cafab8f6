/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { run } from './process';

const REPOSITORY = path.resolve(__dirname, '../..');
const PACKAGE_NAME = 'n8n-nodes-videogen-tasks';
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

const nodesFolder = (userFolder: string): string => path.join(userFolder, '.n8n', 'nodes');

/**
 * Packs the built node as it would be published (the caller builds it before).
 * @returns Path of the tarball inside `folder`.
 */
export async function packNode(folder: string): Promise<string> {
	await mkdir(folder, { recursive: true });
	const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const fileName = await run('npm', args, { cwd: REPOSITORY });
	return path.join(folder, fileName.trim());
}

/**
 * Installs a packed node into a new n8n user folder with npm, as a self-hosting user does. The flags
 * are those of n8n's own community-package installer, which also leaves peer dependencies out: n8n
 * provides them.
 */
export async function installNode(userFolder: string, tarball: string): Promise<void> {
	const cwd = nodesFolder(userFolder);
	await mkdir(cwd, { recursive: true });
	await writeFile(path.join(cwd, 'package.json'), JSON.stringify(EMPTY_PROJECT));
	await run('npm', ['install', tarball, ...INSTALL_FLAGS], { cwd });
}

/** Puts the build where installing would put it, at once and without npm: it depends on nothing. */
export async function copyNode(userFolder: string): Promise<void> {
	const installed = path.join(nodesFolder(userFolder), 'node_modules', PACKAGE_NAME);
	await rm(installed, { recursive: true, force: true });
	for (const part of ['package.json', 'dist']) {
		await cp(path.join(REPOSITORY, part), path.join(installed, part), { recursive: true });
	}
}
