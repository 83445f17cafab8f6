/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- It runs in Node.js, not in n8n. */
import path from 'node:path';
import type { Login } from '../n8n/api';
import { Cleanups } from '../n8n/cleanups';
import { ensureN8n } from '../n8n/install';
import { copyNode } from '../n8n/package';
import { isPortFree } from '../n8n/ports';
import { startN8n } from '../n8n/server';
import { NEWEST } from '../n8n/versions';

/** Kept, so that a second start finds what a person has made in the first. */
export const DEMO_FOLDER = path.resolve(__dirname, '../../.demo');
/** n8n listens on this machine only, so its login may be printed. */
export const DEMO_LOGIN: Login = { email: 'demo@example.com', password: 'Videogen-demo-1' };

const INTERRUPTED_EXIT_CODE = 130;

export const say = (line: string) => console.log(line);

/** What a program runs until it ends or a person ends it. */
export interface Program {
	/** Aborted when a person ends it. */
	signal: AbortSignal;
	cleanups: Cleanups;
}

/** Does the work, cleans up in whatever way it goes, and ends the process. */
export async function runProgram(work: (program: Program) => Promise<void>): Promise<void> {
	const end = new AbortController();
	const cleanups = new Cleanups();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			// The second one does not wait for the cleaning up.
			if (end.signal.aborted) process.exit(INTERRUPTED_EXIT_CODE);
			say('\nEnding.');
			end.abort();
		});
	}
	try {
		await work({ signal: end.signal, cleanups });
	} catch (error) {
		process.exitCode = end.signal.aborted ? INTERRUPTED_EXIT_CODE : 1;
		const message = error instanceof Error ? error.message : String(error);
		if (!end.signal.aborted) console.error(`\n${message}`);
	} finally {
		await cleanups.run();
	}
	process.exit();
}

/** @throws Error that says how to choose another port, when this one cannot be had. */
export async function checkPort(port: number, owner: string, option: string): Promise<void> {
	if (await isPortFree(port)) return;
	throw new Error(
		`Port ${port}, meant for ${owner}, is taken by another program, or there is none such. ` +
			`Stop that program or choose another port with ${option} <number>`,
	);
}

/** Starts an n8n that has the node as it is built now. */
export async function startDemo(
	{ signal, cleanups }: Program,
	kind: 'demo' | 'dev',
	port: number,
	env: Record<string, string> = {},
) {
	const version = NEWEST;
	await ensureN8n(version);
	// A database that a newer n8n has touched is of no use to an older one.
	const userFolder = path.join(DEMO_FOLDER, `${kind}-n8n-${version}`);
	await copyNode(userFolder);
	say(`Starting n8n ${version}.`);
	const server = await startN8n({ version, userFolder, env, signal }, port);
	cleanups.add(server.stop);
	return { ...server, logFile: path.join(userFolder, 'n8n.log') };
}

/** Never resolves; rejects when n8n ends without being asked. */
export async function failOnExit(exited: Promise<number>): Promise<never> {
	throw new Error(`n8n ended by itself with code ${await exited}.`);
}
