import type { IExecuteFunctions } from 'n8n-workflow';

/** The execution's ID; `undefined`, against its type, where n8n (1.123 to 2.41) serves an MCP client. */
export const executionIdOf = (
	context: Pick<IExecuteFunctions, 'getExecutionId'>,
): string | undefined => context.getExecutionId();

/** Whether another workflow has started this one and waits, in the words of n8n (1.123 to 2.41). */
export const isSubWorkflow = (context: Pick<IExecuteFunctions, 'getMode'>): boolean =>
	context.getMode() === 'integrated';
