import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/**
 * Whether n8n may run the node again by itself: with Retry On Fail, it does when the first item of the
 * output has an error; in 1.123 and 2.0 also when that error is null.
 */
export const mayRunAgain = (
	context: Pick<IExecuteFunctions, 'getNode'>,
	[first]: INodeExecutionData[],
): boolean => context.getNode().retryOnFail === true && first?.json.error !== undefined;
