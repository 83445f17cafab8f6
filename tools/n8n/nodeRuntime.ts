/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, ensureInstalled } from './cache';
import { run } from './process';

/** The one that every n8n here is installed with and runs on. */
export const NODE_MAJOR = 24;
const isInUse = Number.parseInt(process.versions.node, 10) === NODE_MAJOR;

/** npm has it for Linux, its headers included, as a package. */
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `node-${PLATFORM}`;
const PACKAGED_FOLDER = `node-${NODE_MAJOR}-${PLATFORM}`;
const packagedBinaryIn = (folder: string): string =>
	path.join(folder, 'node_modules', PACKAGE, 'bin', 'node');

/** The Node in use if it is of that version, otherwise the one that `ensureNode` installs. */
export const NODE_BINARY = isInUse
	? process.execPath
	: packagedBinaryIn(cachedFolder(PACKAGED_FOLDER));

/** @throws Error when npm has none for this machine: then it has to be the one in use. */
export async function ensureNode(): Promise<void> {
	if (isInUse) return;
	const wanted = `${PACKAGE}@${NODE_MAJOR}`;
	await ensureInstalled({
		name: PACKAGED_FOLDER,
		what: `Node ${NODE_MAJOR}, half a minute, 200 MB`,
		marker: `${JSON.stringify({ package: wanted })}\n`,
		install: async (folder) => {
			await installPackage([wanted, '--ignore-scripts'], folder);
			await run(packagedBinaryIn(folder), ['--version']);
		},
	});
}

/** Installs a package into an empty folder, which has to be a project, or npm looks for one further up. */
export async function installPackage(args: string[], cwd: string, env = process.env) {
	await writeFile(path.join(cwd, 'package.json'), JSON.stringify({ private: true }));
	await run('npm', ['install', ...args, '--audit=false', '--fund=false'], { cwd, env });
}

/** The search path with this Node first, for programs that start `node` by its name. */
export const pathWithNode = (): string =>
	[path.dirname(NODE_BINARY), process.env.PATH].join(path.delimiter);

/** The folder in which node-gyp finds this Node's headers, when they are beside it. */
export function headersFolder(): string | undefined {
	const prefix = path.resolve(path.dirname(NODE_BINARY), '..');
	return existsSync(path.join(prefix, 'include', 'node', 'node_version.h')) ? prefix : undefined;
}
