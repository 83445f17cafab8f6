import { isForMcpClient } from '../../../nodes/Videogen/ground/n8n';

const inExecution = (id: string | undefined, more: object = {}) => ({
	// Its type says that there always is one.
	getExecutionId: (): string => Object({ id }).id,
	...more,
});

test.each<[string, boolean, Parameters<typeof isForMcpClient>[0]]>([
	['in no execution', true, inExecution(undefined)],
	['in an execution of its own', false, inExecution('7')],
	[
		'in that of an MCP trigger',
		true,
		inExecution('7', { parentNode: { type: '@n8n/n8n-nodes-langchain.mcpTrigger' } }),
	],
	[
		'in that of an agent',
		false,
		inExecution('7', { parentNode: { type: '@n8n/n8n-nodes-langchain.agent' } }),
	],
])('a tool that runs %s is for an MCP client: %s', (_where, isFor, context) => {
	expect(isForMcpClient(context)).toBe(isFor);
});
