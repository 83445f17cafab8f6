import path from 'node:path';
import { parseArgs } from 'node:util';
import { N8nApi } from '../realN8n/api';
import { ensureN8n } from '../realN8n/install';
import { copyNode } from '../realN8n/package';
import { pollUntil } from '../realN8n/poll';
import { run } from '../realN8n/process';
import { versionForThisNode } from '../realN8n/versions';
import { startN8n } from '../realN8n/server';
import { videogenWorkflow } from '../realN8n/workflows';
import ensureFreshBuild, { sourcesChangedAtMs } from '../support/freshBuild';
import { DEMO_LOGIN, ensureCredential, logIn } from './example';
import { portOf } from './options';
import { checkPort, failOnExit, runProgram, say, type Program } from './program';

const REPOSITORY = path.resolve(__dirname, '../../..');
const WORKFLOW_NAME = 'Videogen practice';
const CHANGES_CHECK_MS = 500;

const port = portOf('--port', readPort());
const version = versionForThisNode();
/** Kept, so that the second start finds what a person has made in the first. */
const userFolder = path.join(REPOSITORY, '.demo', `dev-n8n-${version}`);

function readPort(): string {
	try {
		return parseArgs({ options: { port: { type: 'string', default: '5678' } } }).values.port;
	} catch (error) {
		say(error instanceof Error ? error.message : String(error));
		say('Options: --port <number>');
		process.exit(1);
	}
}

/** n8n with the node as it is built now. */
async function start({ signal, cleanups }: Program) {
	await copyNode(userFolder);
	const server = await startN8n({ version, userFolder, signal }, port);
	cleanups.add(server.stop);
	return server;
}

/** A credential that costs nothing, and a workflow with it; gives the workflow's address. */
async function prepare(api: N8nApi): Promise<string> {
	await logIn(api);
	const credential = await ensureCredential(api, {
		name: 'Practice',
		type: 'videogenApi',
		data: { environment: 'practice' },
	});
	const made = videogenWorkflow({
		name: WORKFLOW_NAME,
		credential,
		parameters: { prompt: 'A paper boat sails across a puddle at sunset' },
	});
	const { id } = (await api.findWorkflow(WORKFLOW_NAME)) ?? (await api.createWorkflow(made));
	return `${api.baseUrl}/workflow/${id}`;
}

/** Resolves with the time of a change that is newer than the build of `builtMs`. */
const nextChange = async (builtMs: number, signal: AbortSignal): Promise<number> =>
	await pollUntil(
		async () => {
			const changedMs = sourcesChangedAtMs();
			return await Promise.resolve(changedMs > builtMs ? changedMs : undefined);
		},
		{ what: 'a change', timeoutMs: Infinity, intervalMs: CHANGES_CHECK_MS, signal },
	);

/** Whether the node compiles; if not, what the compiler says is printed. */
async function builds({ signal }: Program): Promise<boolean> {
	try {
		await run('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY, signal });
		return true;
	} catch (error) {
		signal.throwIfAborted();
		say(error instanceof Error ? error.message : String(error));
		return false;
	}
}

/** `npm run dev`: a real n8n with the node, which is built and started again after each change. */
async function develop(program: Program): Promise<void> {
	const { signal } = program;
	await checkPort(port, 'the editor', '--port');
	await ensureN8n(version, { onProgress: say, signal });
	let builtMs = sourcesChangedAtMs();
	ensureFreshBuild();
	say(`Starting n8n ${version}.`);
	let server = await start(program);
	say(`Editor:   ${await prepare(new N8nApi(server.baseUrl, signal))}`);
	say(`Login:    ${DEMO_LOGIN.email} / ${DEMO_LOGIN.password}`);
	say(`Log:      ${path.join(userFolder, 'n8n.log')}`);
	say('A change in nodes/ or credentials/ builds the node and starts n8n again. Ctrl-C ends it.');
	for (;;) {
		builtMs = await Promise.race([nextChange(builtMs, signal), failOnExit(server.exited)]);
		say('Building the node.');
		if (!(await builds(program))) continue;
		await server.stop();
		server = await start(program);
		say('n8n runs the node as it is now; reload the editor.');
	}
}

void runProgram(develop);
