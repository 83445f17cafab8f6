import type { IExecuteFunctions } from 'n8n-workflow';

/** How n8n calls an execution that another workflow has started. */
const SUB_WORKFLOW = 'integrated';

/** Whether another workflow has started this one and waits for what it gives. */
export const isSubWorkflow = (context: Pick<IExecuteFunctions, 'getMode'>): boolean =>
	context.getMode() === SUB_WORKFLOW;
