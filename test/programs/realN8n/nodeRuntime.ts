import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { cachedFolder, ensureInstalled, type InstallOptions } from './cache';
import { run } from './process';
import { NODE_MAJOR, NODE_RANGES, type N8nVersion } from './versions';

/** A Node that n8n is installed with and runs on. */
export interface NodeRuntime {
	major: number;
	binary: string;
}

const IN_USE: NodeRuntime = { major: NODE_MAJOR, binary: process.execPath };

/** The one that every n8n here runs on; it stands in when the Node in use is too old or too new. */
const PACKAGED_MAJOR = 24;
/** Platforms for which npm has that Node, its headers included, as a package. */
const PACKAGED_PLATFORMS = ['linux-x64', 'linux-arm64'];
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `node-${PLATFORM}`;
const PACKAGED_FOLDER = `node-${PACKAGED_MAJOR}-${PLATFORM}`;

const PACKAGED: NodeRuntime = {
	major: PACKAGED_MAJOR,
	binary: path.join(cachedFolder(PACKAGED_FOLDER), 'node_modules', PACKAGE, 'bin', 'node'),
};

/** The Node in use if that n8n runs on it, otherwise the one that `ensureNode` installs. */
export function nodeFor(version: N8nVersion): NodeRuntime {
	const { from, to } = NODE_RANGES[version];
	return IN_USE.major >= from && IN_USE.major <= to ? IN_USE : PACKAGED;
}

/**
 * Makes sure that there is a Node for that n8n.
 * @throws Error that says which Node is needed, when npm has none for this machine.
 */
export async function ensureNode(version: N8nVersion, options: InstallOptions = {}) {
	if (nodeFor(version) === IN_USE) return;
	const { from, to } = NODE_RANGES[version];
	const needed = to === Infinity ? `${from} or newer` : `${from} to ${to}`;
	const reason = `n8n ${version} needs Node ${needed}; this is Node ${process.versions.node} on ${PLATFORM}`;
	if (!PACKAGED_PLATFORMS.includes(PLATFORM)) {
		throw new Error(`${reason}. Install Node ${PACKAGED_MAJOR} and run this again with it.`);
	}
	try {
		await installPackaged(options);
	} catch (error) {
		options.signal?.throwIfAborted();
		const cause = error instanceof Error ? error.message : String(error);
		throw new Error(`${reason}. Node ${PACKAGED_MAJOR} could not be installed from npm. ${cause}`);
	}
}

async function installPackaged(options: InstallOptions): Promise<void> {
	const wanted = `${PACKAGE}@${PACKAGED_MAJOR}`;
	const install = async (folder: string) => {
		// Without a project of its own, npm would look for one further up.
		await writeFile(path.join(folder, 'package.json'), JSON.stringify({ private: true }));
		const args = ['install', wanted, '--ignore-scripts', '--audit=false', '--fund=false'];
		await run('npm', args, { cwd: folder, signal: options.signal });
		const binary = path.join(folder, 'node_modules', PACKAGE, 'bin', 'node');
		await run(binary, ['--version'], { signal: options.signal });
	};
	await ensureInstalled(
		{
			name: PACKAGED_FOLDER,
			title: `Node ${PACKAGED_MAJOR}`,
			cost: 'half a minute, 200 MB',
			marker: `${JSON.stringify({ package: wanted })}\n`,
			install,
		},
		options,
	);
}

/** The search path with this Node first, for programs that start `node` by its name. */
export const pathWith = ({ binary }: NodeRuntime): string =>
	[path.dirname(binary), process.env.PATH].join(path.delimiter);

/** The folder in which node-gyp finds this Node's headers, when they are beside it. */
export function headersOf({ binary }: NodeRuntime): string | undefined {
	const prefix = path.resolve(path.dirname(binary), '../..');
	return existsSync(path.join(prefix, 'include', 'node', 'node_version.h')) ? prefix : undefined;
}
