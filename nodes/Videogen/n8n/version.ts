import type { IExecuteFunctions } from 'n8n-workflow';

/** No n8n tells nodes its version. 1.123, and every n8n 1, has a node that 2.0 removed. */
export const isN8n1 = (context: Pick<IExecuteFunctions, 'getKnownNodeTypes'>): boolean =>
	'n8n-nodes-base.spontit' in context.getKnownNodeTypes();
