import type { IExecuteFunctions } from 'n8n-workflow';

/** Whether this is n8n 1. No n8n tells nodes its version; 2.0 removed a node that all before it have. */
export const isN8n1 = (context: Pick<IExecuteFunctions, 'getKnownNodeTypes'>): boolean =>
	'n8n-nodes-base.spontit' in context.getKnownNodeTypes();
