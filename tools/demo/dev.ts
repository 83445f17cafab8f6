/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { N8nApi } from '../n8n/api';
import { videogenWorkflow } from '../n8n/workflows';
import ensureFreshBuild from '../n8n/freshBuild';
import { ensureCredential, logIn } from './example';
import {
	DEMO_LOGIN,
	checkPort,
	failOnExit,
	runProgram,
	say,
	startDemo,
	type Program,
} from './program';

const WORKFLOW_NAME = 'Videogen practice';

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

/** `npm run dev`: a real n8n with the node; after each change, `tsx watch` runs this again. */
async function develop(program: Program): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '5678' } } });
	const port = Number(values.port);
	await checkPort(port, 'the editor', '--port');
	ensureFreshBuild();
	const server = await startDemo(program, 'dev', port);
	say(`Editor:   ${await prepare(new N8nApi(server.baseUrl, program.signal))}`);
	say(`Login:    ${DEMO_LOGIN.email} / ${DEMO_LOGIN.password}`);
	say(`Log:      ${server.logFile}`);
	say('A change in nodes/ or credentials/ builds the node and starts n8n again. Ctrl-C ends it.');
	await Promise.race([once(program.signal, 'abort'), failOnExit(server.exited)]);
}

void runProgram(develop);
