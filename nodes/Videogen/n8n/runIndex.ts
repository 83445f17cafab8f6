import type { IExecuteFunctions } from 'n8n-workflow';

/** What this needs of n8n, which gives the index of a run to expressions only, from 1.123 to 2.41. */
export type RunContext = Pick<IExecuteFunctions, 'getWorkflowDataProxy' | 'getNode'>;

const asIndex = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Which run of the node this is in its execution: loops run it many times. */
export const runIndexOf = (context: RunContext): number =>
	asIndex(context.getWorkflowDataProxy(0).$runIndex);

/**
 * The last run of the node that n8n has begun or planned. Agent 3 plans all calls of one turn of its
 * model together, and n8n then runs them one after the other.
 */
export function lastRunOf(context: RunContext): number {
	const nodes: unknown = context.getWorkflowDataProxy(0).$node;
	const own: unknown = Reflect.get(Object(nodes), context.getNode().name);
	return Math.max(asIndex(Reflect.get(Object(own), 'runIndex')), runIndexOf(context));
}
