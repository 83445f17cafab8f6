/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import path from 'node:path';
import { startDaemon, type Daemon, type DaemonOptions } from './daemon';
import { n8nEnvironment } from './environment';
import { n8nFolder } from './install';
import { NODE_BINARY } from './nodeRuntime';
import { LOOPBACK } from './ports';
import type { N8nVersion } from './versions';

export interface StartOptions {
	/** Must be installed already (`ensureN8n`). */
	version: N8nVersion;
	/** Holds the database, the encryption key and the community nodes in `.n8n`. */
	userFolder: string;
	/** Further settings for n8n; they win over the ones set here. */
	env?: Record<string, string>;
	signal?: AbortSignal;
}

/**
 * Boots a real n8n server on this machine's loopback address and waits until it is usable.
 * @throws Error with the tail of n8n's log when it ends early or does not become ready.
 */
export async function startN8n(options: StartOptions, port: number) {
	const env = { N8N_PORT: String(port), ...options.env };
	const ready = { name: 'n8n', readyLine: 'Editor is now accessible' };
	const server = await startCommand(['start'], { ...options, env }, ready);
	return { ...server, baseUrl: `http://${LOOPBACK}:${port}` };
}

/**
 * Starts a process that executes workflows for a server in queue mode; the settings of that mode
 * are in `env`.
 * @throws Error with the tail of n8n's log when it ends early or does not become ready.
 */
export async function startWorker(options: StartOptions, concurrency: number): Promise<Daemon> {
	const ready = { name: 'The n8n worker', readyLine: 'n8n worker is now ready' };
	return await startCommand(['worker', `--concurrency=${concurrency}`], options, ready);
}

async function startCommand(
	args: string[],
	{ version, userFolder, env, signal }: StartOptions,
	ready: Pick<DaemonOptions, 'name' | 'readyLine'>,
): Promise<Daemon> {
	const bin = path.join(n8nFolder(version), 'node_modules', 'n8n', 'bin', 'n8n');
	return await startDaemon({
		...ready,
		command: NODE_BINARY,
		args: [bin, ...args],
		cwd: userFolder,
		env: { ...(await n8nEnvironment(version, userFolder)), ...env },
		logFile: path.join(userFolder, 'n8n.log'),
		signal,
	});
}
