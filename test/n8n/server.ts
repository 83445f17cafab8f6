import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { READY_TIMEOUT_MS, startDaemon, type Daemon } from './daemon';
import { n8nEnvironment } from './environment';
import { n8nFolder } from './install';
import { nodeFor } from './nodeRuntime';
import { pollUntil } from './poll';
import { LOOPBACK, freePort } from './ports';
import type { N8nVersion } from './recipes';

export interface ProcessOptions {
	/** Must be installed already (`ensureN8n`). */
	version: N8nVersion;
	/** Holds the database, the encryption key and the community nodes in `.n8n`. */
	userFolder: string;
	/** Further settings for n8n; they win over the ones set here. */
	env?: Record<string, string>;
	signal?: AbortSignal;
}

export interface StartOptions extends ProcessOptions {
	/** A free one unless given. */
	port?: number;
}

export interface N8nServer extends Daemon {
	baseUrl: string;
}

/**
 * Boots a real n8n server on this machine's loopback address and waits until it is usable.
 * @throws Error with the tail of n8n's log when it ends early or does not become ready.
 */
export async function startN8n(options: StartOptions): Promise<N8nServer> {
	const port = options.port ?? (await freePort());
	const baseUrl = `http://${LOOPBACK}:${port}`;
	const env = { N8N_PORT: String(port), ...options.env };
	const server = await startCommand('start', { ...options, env }, 'Editor is now accessible', {
		confirm: async (signal) => await untilHealthy(baseUrl, signal),
	});
	return { ...server, baseUrl };
}

/**
 * Starts a process that executes workflows for a server in queue mode; the settings of that mode
 * are in `env`.
 * @throws Error with the tail of n8n's log when it ends early or does not become ready.
 */
export async function startWorker(options: ProcessOptions, concurrency: number): Promise<Daemon> {
	const args = [`--concurrency=${concurrency}`];
	return await startCommand('worker', options, 'n8n worker is now ready', { args });
}

async function startCommand(
	command: 'start' | 'worker',
	{ version, userFolder, env, signal }: ProcessOptions,
	readyLine: string,
	{ args = [], confirm }: { args?: string[]; confirm?: (signal: AbortSignal) => Promise<void> },
): Promise<Daemon> {
	mkdirSync(userFolder, { recursive: true });
	const bin = path.join(n8nFolder(version), 'node_modules', 'n8n', 'bin', 'n8n');
	return await startDaemon({
		name: command === 'start' ? 'n8n' : 'The n8n worker',
		command: nodeFor(version).binary,
		args: [bin, command, ...args],
		cwd: userFolder,
		env: { ...(await n8nEnvironment(version, userFolder)), ...env },
		logFile: path.join(userFolder, 'n8n.log'),
		readyLine,
		confirm,
		signal,
	});
}

async function untilHealthy(baseUrl: string, signal: AbortSignal): Promise<void> {
	const check = async () =>
		(await fetch(`${baseUrl}/healthz/readiness`, { signal })).ok || undefined;
	const what = 'n8n to report that it is ready';
	await pollUntil(check, { what, timeoutMs: READY_TIMEOUT_MS, signal });
}
