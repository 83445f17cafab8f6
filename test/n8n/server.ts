import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { n8nFolder } from './install';
import { nodeFor, pathWith } from './nodeRuntime';
import { pollUntil } from './poll';
import { LOOPBACK, freePort } from './ports';
import { spawnGuarded, tail, type GuardedProcess } from './process';
import { NEWEST, type N8nVersion } from './recipes';

const READY_LINE = 'Editor is now accessible';
const READY_TIMEOUT_MS = 180_000;
/** n8n is asked to end within the first; the second is where patience ends. */
const SHUTDOWN_TIMEOUT_SECONDS = 5;
const STOP_TIMEOUT_MS = 15_000;

export interface StartOptions {
	/** Must be installed already (`ensureN8n`). */
	version: N8nVersion;
	/** Holds the database, the encryption key and the community nodes in `.n8n`. */
	userFolder: string;
	/** A free one unless given. */
	port?: number;
	/** Further settings for n8n; they win over the ones set here. */
	env?: Record<string, string>;
	/** Where n8n's output goes; `n8n.log` in the user folder unless given. */
	logFile?: string;
	signal?: AbortSignal;
}

export interface N8nServer {
	baseUrl: string;
	port: number;
	logFile: string;
	/** Id of the process group: n8n and its task runners. */
	processGroup: number;
	/** Resolves with the exit code when n8n ends, asked or not. */
	exited: Promise<number>;
	/** Ends n8n and its task runners; resolves when they are gone. */
	stop(): Promise<void>;
}

/**
 * Boots a real n8n server on this machine's loopback address and waits until it is usable.
 * @throws Error with the tail of n8n's log when it ends early or does not become ready.
 */
export async function startN8n(options: StartOptions): Promise<N8nServer> {
	const port = options.port ?? (await freePort());
	const baseUrl = `http://${LOOPBACK}:${port}`;
	const logFile = options.logFile ?? path.join(options.userFolder, 'n8n.log');
	mkdirSync(options.userFolder, { recursive: true });
	const bin = path.join(n8nFolder(options.version), 'node_modules', 'n8n', 'bin', 'n8n');
	const env = { ...(await environment(options, port)), ...options.env };
	const server = spawnGuarded(nodeFor(options.version).binary, [bin, 'start'], {
		cwd: options.userFolder,
		env,
	});
	const log = collectLog(server, logFile);
	const stop = () => stopGroup(server);
	try {
		await untilReady(server, log, baseUrl, options.signal);
	} catch (error) {
		await stop();
		options.signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`n8n did not start: ${reason}. Its log ends with:\n${tail(log.text())}`);
	}
	const { exited, group: processGroup } = server;
	return { baseUrl, port, logFile, processGroup, exited, stop };
}

/** Only what is listed here reaches n8n, so that a person's own settings cannot change a test. */
async function environment(
	{ version, userFolder }: StartOptions,
	port: number,
): Promise<NodeJS.ProcessEnv> {
	const { HOME, LANG, TMPDIR } = process.env;
	return {
		...{ HOME, LANG, TMPDIR },
		// n8n starts its task runners by the name of `node`.
		PATH: pathWith(nodeFor(version)),
		NODE_ENV: 'production',
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		// Part of the addresses that n8n gives others to call; by name it may mean another interface.
		N8N_HOST: LOOPBACK,
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_SECURE_COOKIE: 'false',
		N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'true',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(SHUTDOWN_TIMEOUT_SECONDS),
		...NO_OUTSIDE_CALLS,
		// Fetches a list from n8n's makers; older versions refuse to start when they read its name.
		...(version === NEWEST && { N8N_DISABLED_MODULES: 'mcp-registry' }),
	};
}

/** The server must not depend on, or tell anything to, hosts other than the simulator. */
const NO_OUTSIDE_CALLS = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_LICENSE_DETACH_FLOATING_ON_SHUTDOWN: 'false',
} as const;

interface Log {
	text(): string;
	/** Resolves when n8n says that the editor can be used. */
	ready: Promise<void>;
}

function collectLog(server: GuardedProcess, logFile: string): Log {
	mkdirSync(path.dirname(logFile), { recursive: true });
	const file = openSync(logFile, 'w');
	void server.exited.then(() => closeSync(file));
	let text = '';
	const ready = new Promise<void>((resolve) => {
		const take = (chunk: string) => {
			text += chunk;
			writeSync(file, chunk);
			if (text.includes(READY_LINE)) resolve();
		};
		server.stdout.setEncoding('utf8').on('data', take);
		server.stderr.setEncoding('utf8').on('data', take);
	});
	return { text: () => text, ready };
}

/** The log line comes first, the health check confirms it. Rejects when n8n ends before. */
async function untilReady(
	server: GuardedProcess,
	log: Log,
	baseUrl: string,
	signal?: AbortSignal,
): Promise<void> {
	const patience = new AbortController();
	const limits = signal ? AbortSignal.any([patience.signal, signal]) : patience.signal;
	const tooLate = delay(READY_TIMEOUT_MS, undefined, { signal: limits }).then(() => {
		throw new Error(`it was not ready after ${READY_TIMEOUT_MS / 1000} s`);
	});
	const endedEarly = server.exited.then((code) => {
		throw new Error(`it ended with code ${code}`);
	});
	const healthy = log.ready.then(async () => await untilHealthy(baseUrl, limits));
	try {
		await Promise.race([healthy, endedEarly, tooLate]);
	} finally {
		for (const pending of [healthy, endedEarly, tooLate]) pending.catch(() => undefined);
		patience.abort();
	}
}

async function untilHealthy(baseUrl: string, signal: AbortSignal): Promise<void> {
	await pollUntil(
		async () => {
			const response = await fetch(`${baseUrl}/healthz/readiness`, { signal });
			return response.ok ? true : undefined;
		},
		{ what: 'n8n to report that it is ready', timeoutMs: READY_TIMEOUT_MS, signal },
	);
}

async function stopGroup(server: GuardedProcess): Promise<void> {
	server.kill('SIGTERM');
	const patience = new AbortController();
	const tooLate = delay(STOP_TIMEOUT_MS, 'late', { signal: patience.signal }).catch(() => 'early');
	await Promise.race([server.exited, tooLate]);
	patience.abort();
	// The task runners are in the same group; when n8n did end by itself, nobody is left to kill.
	server.kill('SIGKILL');
	await server.exited;
}
