/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { run } from './process';

const REPOSITORY = path.resolve(__dirname, '../..');
const PACKAGE_NAME = 'n8n-nodes-videogen-tasks';
/**
 * Packs the built node as it would be published (the caller builds it before).
 * @param folder It exists.
 * @returns Path of the tarball inside it.
 */
export async function packNode(folder: string): Promise<string> {
	const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
	const fileName = await run('npm', args, { cwd: REPOSITORY });
	return path.join(folder, fileName.trim());
}

/** Puts the build where installing would put it, at once and without npm: it depends on nothing. */
export async function copyNode(userFolder: string): Promise<void> {
	const installed = path.join(userFolder, '.n8n', 'nodes', 'node_modules', PACKAGE_NAME);
	await rm(installed, { recursive: true, force: true });
	for (const part of ['package.json', 'dist']) {
		await cp(path.join(REPOSITORY, part), path.join(installed, part), { recursive: true });
	}
}
