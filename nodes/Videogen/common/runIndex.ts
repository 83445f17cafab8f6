import type { IExecuteFunctions } from 'n8n-workflow';

/** Which run of the node in its execution this is; loops run it many times. */
export function runIndexOf(context: Pick<IExecuteFunctions, 'getWorkflowDataProxy'>): number {
	// n8n tells it in expressions only.
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof runIndex === 'number' ? runIndex : 0;
}
