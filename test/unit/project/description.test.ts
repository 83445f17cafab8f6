/* eslint-disable @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { VideogenApi } from '../../../credentials/VideogenApi.credentials';
import { Videogen } from '../../../nodes/Videogen/Videogen.node';

const PROJECT = path.join(__dirname, '..', '..', '..');

/** What n8n's rules say of a source text, as if it were that file. */
function objections(input: string, file: string): string[] {
	const eslint = path.join(PROJECT, 'node_modules/eslint/bin/eslint.js');
	const args = [eslint, '--no-color', '--stdin', '--stdin-filename', file];
	const env = { ...process.env, NODE_ENV: 'production' };
	const options = { cwd: PROJECT, env, input, encoding: 'utf8' } as const;
	const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
	if (status === 2) throw new Error(stderr);
	return stdout.match(/^.*(?:Parsing error|\sn8n-nodes-base\/|\s@n8n\/).*$/gm) ?? [];
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
	['nodes/Videogen/Videogen.node.ts', nodeSource(new Videogen().description)],
	['credentials/VideogenApi.credentials.ts', credentialSource(new VideogenApi())],
])("n8n's rules accept the finished description in %s", (file, source) =>
	expect(objections(source, file)).toEqual([]),
);
