/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { parseArgs } from 'node:util';
import { chainWorkflow, triggerNode, videogenNode } from '../n8n/workflows';
import { ensureCredentials, ensureWorkflow } from './example';
import { runProgram, serveN8n, type Program } from './program';

/** `npm run dev`: a real n8n with the node; after each change, `tsx watch` runs this again. */
async function develop(program: Program): Promise<void> {
	const { values } = parseArgs({ options: { port: { type: 'string', default: '5678' } } });
	await serveN8n(program, {
		kind: 'dev',
		port: values.port,
		prepare: async (api) => {
			const wanted = { videogenApi: { environment: 'practice' } };
			const credentials = await ensureCredentials(api, wanted);
			const parameters = { prompt: 'A paper boat sails across a puddle at sunset' };
			const nodes = [triggerNode(), videogenNode({ parameters })];
			const workflow = chainWorkflow({ name: 'Videogen practice', credentials, nodes });
			return await ensureWorkflow(api, workflow, credentials);
		},
		lines: [
			'A change in nodes/ or credentials/ builds the node and starts n8n again. Ctrl-C ends it.',
		],
	});
}

void runProgram(develop);
