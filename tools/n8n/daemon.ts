/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pollUntil } from './poll';
import { spawnGuarded, tail, type GuardedProcess } from './process';

/** A server may take its time on a busy machine; only one that hangs is given up. */
export const READY_TIMEOUT_MS = 180_000;
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
	/** Asked after that line; resolves when it can really be used. */
	confirm?: (signal: AbortSignal) => Promise<void>;
	/** By which it is asked to end; SIGTERM unless given. */
	stopSignal?: NodeJS.Signals;
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
	const { name, command, args, cwd, env, logFile, stopSignal = 'SIGTERM' } = options;
	mkdirSync(path.dirname(logFile), { recursive: true });
	// A server that is started again with the same data keeps what it has said before.
	const output = openSync(logFile, 'a');
	/** What it has printed, also before it was started again with the same log file. */
	const log = async () => await readFile(logFile, 'utf8');
	const { length: before } = await log();
	const child = spawnGuarded(command, args, { cwd, env, output });
	closeSync(output);
	let ending: Promise<void> | undefined;
	/** Asks it to end, as a restart of its container does; resolves when all that it started is gone. */
	const stop = async () => await (ending ??= stopGroup(child, stopSignal));
	/** Ends it and everything it started without asking: `kill -9`. */
	const kill = async () => await (ending ??= killGroup(child));
	try {
		await untilReady(child, async () => (await log()).slice(before), options);
	} catch (error) {
		await stop();
		options.signal?.throwIfAborted();
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

/** The log line comes first, the check confirms it. Rejects when the program ends before. */
async function untilReady(
	child: GuardedProcess,
	said: () => Promise<string>,
	options: DaemonOptions,
): Promise<void> {
	const settled = new AbortController();
	const signal = AbortSignal.any([settled.signal, ...(options.signal ? [options.signal] : [])]);
	const endedEarly = child.exited.then((code) => {
		throw new Error(`it ended with code ${code}`);
	});
	const becomesReady = async () => {
		const saysSo = async () => (await said()).includes(options.readyLine) || undefined;
		await pollUntil(saysSo, { what: 'its first words', timeoutMs: READY_TIMEOUT_MS, signal });
		await options.confirm?.(signal);
	};
	const usable = becomesReady();
	try {
		await Promise.race([usable, endedEarly]);
	} finally {
		for (const pending of [usable, endedEarly]) pending.catch(() => undefined);
		settled.abort();
	}
}

async function stopGroup(child: GuardedProcess, stopSignal: NodeJS.Signals): Promise<void> {
	child.kill(stopSignal);
	await Promise.race([child.exited, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
	// What it started is in the same group; when it did end by itself, nobody may be left to kill.
	await killGroup(child);
}

async function killGroup(child: GuardedProcess): Promise<void> {
	child.kill('SIGKILL');
	await child.exited;
}
