/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from './poll';
import { spawnGuarded, tail, type GuardedProcess } from './process';

/** A server may take its time on a busy machine; only one that hangs is given up. */
const READY_TIMEOUT_MS = 180_000;
/** A server that is asked to end may first finish what it does; only one that hangs is killed. */
const STOP_TIMEOUT_MS = 60_000;

export interface DaemonOptions {
	/** What messages call it. */
	name: string;
	command: string;
	args: readonly string[];
	cwd: string;
	env?: NodeJS.ProcessEnv;
	/** Gets everything that it prints, after what is there already. */
	logFile: string;
	/** What it prints when it can be used. */
	readyLine: string;
	/** Ends the start when aborted. */
	signal?: AbortSignal;
}

/** A server program that a test started; it cannot outlive the test. */
export type Daemon = Awaited<ReturnType<typeof startDaemon>>;

/**
 * Starts a server program and waits until it is usable.
 * @throws Error with the tail of its output when it ends early or does not become ready.
 */
export async function startDaemon(options: DaemonOptions) {
	const { name, command, args, cwd, env, logFile, readyLine, signal } = options;
	// A server that is started again with the same data keeps what it has said before.
	const output = openSync(logFile, 'a');
	/** What it has printed, also before it was started again with the same log file. */
	const log = async () => await readFile(logFile, 'utf8');
	const { length: before } = await log();
	const child = spawnGuarded(command, args, { cwd, env, output });
	closeSync(output);
	let ending: Promise<void> | undefined;
	/** Asks it to end, as a restart of its container does; resolves when all that it started is gone. */
	const stop = async () => await (ending ??= stopGroup(child));
	/** Ends it and everything it started without asking: `kill -9`. */
	const kill = async () => await (ending ??= killGroup(child));
	const isReady = async () => {
		const code = child.exitCode();
		if (code !== null) throw new Error(`it ended with code ${code}`);
		return (await log()).includes(readyLine, before) || undefined;
	};
	try {
		await pollUntil(isReady, { what: 'its first words', timeoutMs: READY_TIMEOUT_MS, signal });
	} catch (error) {
		await kill();
		signal?.throwIfAborted();
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`${name} did not start: ${reason}. Its log ends with:\n${tail(await log())}`);
	}
	/** Resolves when the log holds something that fits the pattern. */
	const waitForLog = async (wanted: RegExp) => {
		const check = async () => wanted.test(await log()) || undefined;
		await pollUntil(check, { what: `"${wanted}" in a log` });
	};
	return { log, waitForLog, exited: child.exited, stop, kill };
}

async function stopGroup(child: GuardedProcess): Promise<void> {
	child.kill('SIGTERM');
	await Promise.race([child.exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	// What it started is in the same group; when it did end by itself, nobody may be left to kill.
	await killGroup(child);
}

async function killGroup(child: GuardedProcess): Promise<void> {
	child.kill('SIGKILL');
	await child.exited;
}
