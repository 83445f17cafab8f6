/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { errorCode } from './errorCode';

const GUARD = path.join(__dirname, 'guard.cjs');
const TAIL_LINES = 25;

/** A command in a process group of its own; it cannot outlive the process that started it. */
export type GuardedProcess = ReturnType<typeof spawnGuarded>;

interface SpawnOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
}

/**
 * Starts a command under the guard (see guard.cjs).
 * @param output An open file that gets all that it prints; nobody unless given.
 */
export function spawnGuarded(
	command: string,
	args: readonly string[],
	{ output = 'ignore', ...options }: SpawnOptions & { output?: number | 'ignore' },
) {
	const child = spawn(process.execPath, [GUARD, command, ...args], {
		...options,
		detached: true,
		stdio: ['pipe', output, output],
	});
	/** Sends a signal to the command and everything it started. */
	const kill = (signal: NodeJS.Signals) => signalGroup(child.pid, signal);
	/** Resolves with the exit code when the command has ended. Never rejects. */
	const exited = once(child, 'close').then(
		() => child.exitCode ?? 1,
		() => 1,
	);
	return { exited, exitCode: () => child.exitCode, kill };
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

/**
 * Runs a command to its end and returns what it printed on standard output.
 * @throws Error with the last lines of the command's output when it does not succeed.
 */
export async function run(
	command: string,
	args: readonly string[],
	options: SpawnOptions = {},
): Promise<string> {
	return await new Promise((resolve, reject) => {
		execFile(command, args, { ...options, maxBuffer: Infinity }, (error, stdout, stderr) => {
			if (error === null) resolve(stdout);
			else reject(new Error(`${error.message}\n${tail(stdout + stderr)}`));
		});
	});
}

/** The last lines of a long output: where a command says what went wrong. */
export const tail = (text: string): string =>
	text.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
