/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports, no-console -- It runs in Node.js, not in n8n. */
import { once } from 'node:events';
import path from 'node:path';
import { N8nApi, type Login, type SavedWorkflow } from '../n8n/api';
import { Cleanups } from '../n8n/cleanups';
import ensureFreshBuild from '../n8n/freshBuild';
import { ensureN8n } from '../n8n/install';
import { copyNode } from '../n8n/package';
import { isPortFree } from '../n8n/ports';
import { startN8n } from '../n8n/server';
import { NEWEST } from '../n8n/versions';

/** Kept, so that a second start finds what a person has made in the first. */
const DEMO_FOLDER = path.resolve(__dirname, '../../.demo');
/** n8n listens on this machine only, so its login may be printed. */
const LOGIN: Login = { email: 'demo@example.com', password: 'Videogen-demo-1' };

const INTERRUPTED_EXIT_CODE = 130;

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
			console.log('\nEnding.');
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
export async function checkPort(port: number, option: string): Promise<void> {
	if (await isPortFree(port)) return;
	throw new Error(
		`Port ${port} is taken by another program, or there is none such. ` +
			`Stop that program or choose another port with ${option} <number>`,
	);
}

/** An n8n that has the node as it is built now. */
interface Served {
	kind: 'demo' | 'dev';
	/** As `--port` names it. */
	port: string;
	env?: Record<string, string>;
	/** Fills n8n; gives the workflow to look at first. */
	prepare: (api: N8nApi) => Promise<SavedWorkflow>;
	/** Told to the person besides how to open the editor. */
	lines: readonly string[];
}

/** Runs n8n until a person ends it. */
export async function serveN8n({ signal, cleanups }: Program, served: Served): Promise<void> {
	const port = Number(served.port);
	await checkPort(port, '--port');
	ensureFreshBuild();
	await ensureN8n(NEWEST);
	// A database that a newer n8n has touched is of no use to an older one.
	const userFolder = path.join(DEMO_FOLDER, `${served.kind}-n8n-${NEWEST}`);
	await copyNode(userFolder);
	console.log(`Starting n8n ${NEWEST}.`);
	const server = await startN8n({ version: NEWEST, userFolder, env: served.env, signal }, port);
	cleanups.add(server.stop);
	const api = new N8nApi(server.baseUrl, signal);
	await api.login(LOGIN);
	const { id } = await served.prepare(api);
	for (const line of [
		`Editor:   ${server.baseUrl}/workflow/${id}`,
		`Login:    ${LOGIN.email} / ${LOGIN.password}`,
		`Log:      ${path.join(userFolder, 'n8n.log')}`,
		...served.lines,
	]) {
		console.log(line);
	}
	await Promise.race([once(signal, 'abort'), server.exited]);
	if (!signal.aborted) throw new Error(`n8n ended by itself with code ${await server.exited}.`);
}
