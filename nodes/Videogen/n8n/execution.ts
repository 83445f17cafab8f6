import type { IExecuteFunctions } from 'n8n-workflow';

/** `undefined` where n8n (1.123 to 2.41) runs a tool for an MCP client, whatever its types say. */
export const executionIdOf = (
	context: Pick<IExecuteFunctions, 'getExecutionId'>,
): string | undefined => context.getExecutionId();

/** Whether another workflow has started this one and waits: n8n (1.123 to 2.41) calls it so. */
export const isSubWorkflow = (context: Pick<IExecuteFunctions, 'getMode'>): boolean =>
	context.getMode() === 'integrated';
