/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { VideogenApi } from '../../../credentials/VideogenApi.credentials';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';

const PROJECT = path.join(__dirname, '..', '..', '..');
const NODE = 'nodes/Videogen/Videogen.node.ts';
const CREDENTIAL = 'credentials/VideogenApi.credentials.ts';

const reportSchema = z.array(
	z.object({
		messages: z.array(
			z.object({ ruleId: z.string().nullable(), line: z.number(), message: z.string() }),
		),
	}),
);

/** What n8n's rules say of a source text, as if it were that file. */
async function objections(source: string, file: string): Promise<string[]> {
	const eslint = path.join(PROJECT, 'node_modules/eslint/bin/eslint.js');
	const child = spawn(
		process.execPath,
		[eslint, '--format', 'json', '--stdin', '--stdin-filename', file],
		{ cwd: PROJECT, env: { ...process.env, NODE_ENV: 'production' } },
	);
	child.stdin.end(source);
	const [report, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
	if (report === '') throw new Error(errors);
	const lines = source.split('\n');
	return reportSchema
		.parse(JSON.parse(report))
		.flatMap(({ messages }) => messages)
		.filter(({ ruleId }) => ruleId === null || /^(?:n8n-nodes-base|@n8n)\//.test(ruleId))
		.map(({ ruleId, line, message }) => `${ruleId}: ${message}: ${lines[line - 1]?.trim()}`);
}

/** Formatted like a source text: a property a line. */
const literal = (value: unknown): string =>
	JSON.stringify(value, null, '\t').replace(/"(\w+)":/g, '$1:');

const nodeSource = (description: object): string => `
import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';
export class Videogen implements INodeType {
	description: INodeTypeDescription = ${literal(description).replace(
		/(inputs|outputs): \[\s*"main"\s*\]/g,
		'$1: [NodeConnectionTypes.Main]',
	)};
	methods = { credentialTest: { videogenCredentialTest: testCredential } };
}
`;

const credentialSource = (credential: VideogenApi): string => {
	const fields = Object.entries(credential).map(
		([name, value]) => `\t${name} = ${literal(value)};`,
	);
	return `
import type { ICredentialType, INodeProperties } from 'n8n-workflow';
export class VideogenApi implements ICredentialType {
${fields.join('\n').replace('properties =', 'properties: INodeProperties[] =')}
	test = { request: { url: '' } };
}
`;
};

/**
 * n8n's rules read literals. Helpers put the description together, so that the rules see little of
 * it in the sources: here they see all of it.
 */
test.each([
	['node', nodeSource(new Videogen().description), NODE],
	['credential', credentialSource(new VideogenApi()), CREDENTIAL],
])("n8n's rules accept the finished description of the %s", async (_, source, file) => {
	expect(await objections(source, file)).toEqual([]);
});
