import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode } from './errorCode';

const GUARD = path.join(__dirname, 'guard.cjs');
const TAIL_LINES = 25;

/** A command in a process group of its own; it cannot outlive the process that started it. */
export interface GuardedProcess {
	stdout: Readable;
	stderr: Readable;
	/** Resolves with the exit code when the command has ended. Never rejects. */
	exited: Promise<number>;
	/** Id of the process group. */
	group: number;
	/** Sends a signal to the command and everything it started. */
	kill(signal: NodeJS.Signals): void;
}

export interface SpawnOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}

/** Starts a command under the guard (see guard.cjs). */
export function spawnGuarded(
	command: string,
	args: readonly string[],
	options: SpawnOptions = {},
): GuardedProcess {
	const child = spawn(process.execPath, [GUARD, command, ...args], {
		...options,
		detached: true,
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	const kill = (signal: NodeJS.Signals) => signalGroup(child.pid, signal);
	const exited = once(child, 'close').then(
		() => child.exitCode ?? 1,
		() => 1,
	);
	const group = child.pid ?? 0;
	return { stdout: child.stdout, stderr: child.stderr, exited, group, kill };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
	if (pid === undefined) return;
	try {
		process.kill(-pid, signal);
	} catch (error) {
		const alreadyGone = errorCode(error) === 'ESRCH';
		if (!alreadyGone) throw error;
	}
}

export interface RunOptions extends SpawnOptions {
	/** Ends the command, and everything it started, when aborted. */
	signal?: AbortSignal;
}

/**
 * Runs a command to its end and returns what it printed on standard output.
 * @throws Error with the last lines of the command's output when it does not succeed.
 */
export async function run(
	command: string,
	args: readonly string[],
	{ signal, ...options }: RunOptions = {},
): Promise<string> {
	signal?.throwIfAborted();
	const child = spawnGuarded(command, args, options);
	const stop = () => child.kill('SIGKILL');
	signal?.addEventListener('abort', stop, { once: true });

	let stdout = '';
	let output = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});

	const code = await child.exited;
	signal?.removeEventListener('abort', stop);
	signal?.throwIfAborted();
	if (code === 0) return stdout;
	throw new Error(`"${[command, ...args].join(' ')}" ended with code ${code}:\n${tail(output)}`);
}

/** The last lines of a long output: where a command says what went wrong. */
export const tail = (text: string): string =>
	text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
