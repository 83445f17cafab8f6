import { Cleanups } from '../realN8n/cleanups';
import { isPortFree } from '../realN8n/ports';

const OLDEST_NODE = { major: 20, minor: 19 };
const INTERRUPTED_EXIT_CODE = 130;
const LAUNCHER_CHECK_MS = 500;

export const say = (line: string) => console.log(line);

/** What a program runs until it ends or a person ends it. */
export interface Program {
	/** Aborted when a person ends it. */
	signal: AbortSignal;
	cleanups: Cleanups;
}

/** Does the work, cleans up in whatever way it goes, and ends the process. */
export async function runProgram(work: (program: Program) => Promise<void>): Promise<void> {
	const signal = endSignal();
	const cleanups = new Cleanups();
	const code = await exitCodeOf(async () => {
		checkNode();
		await work({ signal, cleanups });
	}, signal).finally(async () => await cleanups.run());
	process.exit(code);
}

async function exitCodeOf(work: () => Promise<void>, signal: AbortSignal): Promise<number> {
	try {
		await work();
		return 0;
	} catch (error) {
		if (signal.aborted) return INTERRUPTED_EXIT_CODE;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		return 1;
	}
}

function checkNode(): void {
	const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
	const oldest = OLDEST_NODE;
	if (major > oldest.major || (major === oldest.major && minor >= oldest.minor)) return;
	throw new Error(
		`Node ${oldest.major}.${oldest.minor} or newer is needed; this is ${process.version}.`,
	);
}

/** @throws Error that says how to choose another port, when this one is taken. */
export async function checkPort(port: number, owner: string, option: string): Promise<void> {
	if (await isPortFree(port)) return;
	throw new Error(
		`Port ${port}, meant for ${owner}, is taken by another program. ` +
			`Stop that program or choose another port with ${option} <number>`,
	);
}

/** Never resolves; rejects when n8n ends without being asked. */
export async function failOnExit(exited: Promise<number>): Promise<never> {
	throw new Error(`n8n ended by itself with code ${await exited}.`);
}

/** Aborts on the first request to end; the second one does not wait for the cleaning up. */
function endSignal(): AbortSignal {
	const end = new AbortController();
	const askedToEnd = () => {
		if (end.signal.aborted) process.exit(INTERRUPTED_EXIT_CODE);
		say('\nEnding.');
		end.abort();
	};
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, askedToEnd);
	if (process.env.npm_lifecycle_event) onLauncherGone(askedToEnd);
	return end.signal;
}

/** A killed npm cannot pass anything on; all that its child sees is that it has another parent. */
function onLauncherGone(callback: () => void): void {
	const launcher = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid === launcher) return;
		clearInterval(watch);
		callback();
	}, LAUNCHER_CHECK_MS).unref();
}
