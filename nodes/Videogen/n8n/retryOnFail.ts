import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Whether n8n may run the node again on its own: with Retry On Fail it looks at the first item of
 * what the node puts out, and runs it again when that has an error; 1.123 and 2.0 also when that is null.
 */
export const mayRunAgain = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	[first]: INodeExecutionData[],
): boolean => context.getNode().retryOnFail === true && first?.json.error !== undefined;
