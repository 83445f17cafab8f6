import path from 'node:path';
import { parseArgs } from 'node:util';
import { N8nApi } from '../n8n/api';
import { pollUntil } from '../n8n/poll';
import { run } from '../n8n/process';
import { videogenWorkflow } from '../n8n/workflows';
import ensureFreshBuild, { sourcesChangedAtMs } from '../n8n/freshBuild';
import { ensureCredential, logIn } from './example';
import {
	DEMO_LOGIN,
	checkPort,
	failOnExit,
	messageOf,
	runProgram,
	say,
	startDemo,
	type Program,
} from './program';

const REPOSITORY = path.resolve(__dirname, '../..');
const WORKFLOW_NAME = 'Videogen practice';
const CHANGES_CHECK_MS = 500;

/** A credential that costs nothing, and a workflow with it; gives the workflow's address. */
async function prepare(api: N8nApi): Promise<string> {
	await logIn(api);
	const data = { environment: 'practice' };
	const credential = await ensureCredential(api, 'videogenApi', 'Practice', data);
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
	say('Building the node.');
	try {
		await run('npm', ['run', '--silent', 'build'], { cwd: REPOSITORY, signal });
		return true;
	} catch (error) {
		signal.throwIfAborted();
		say(messageOf(error));
		return false;
	}
}

/** `npm run dev`: a real n8n with the node, which is built and started again after each change. */
async function develop(program: Program): Promise<void> {
	const { signal } = program;
	const { values } = parseArgs({ options: { port: { type: 'string', default: '5678' } } });
	const port = Number(values.port);
	await checkPort(port, 'the editor', '--port');
	let builtMs = sourcesChangedAtMs();
	ensureFreshBuild();
	let server = await startDemo(program, 'dev', port);
	say(`Editor:   ${await prepare(new N8nApi(server.baseUrl, signal))}`);
	say(`Login:    ${DEMO_LOGIN.email} / ${DEMO_LOGIN.password}`);
	say(`Log:      ${server.logFile}`);
	say('A change in nodes/ or credentials/ builds the node and starts n8n again. Ctrl-C ends it.');
	for (;;) {
		builtMs = await Promise.race([nextChange(builtMs, signal), failOnExit(server.exited)]);
		if (!(await builds(program))) continue;
		await server.stop();
		server = await startDemo(program, 'dev', port);
		say('n8n runs the node as it is now; reload the editor.');
	}
}

void runProgram(develop);
