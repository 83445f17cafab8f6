import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { operationFrom } from '../operations';
import { connect } from '../fields/credential';
import { Timer } from '../shared/clock';
import { type Failure, invalidFailure } from '../shared/messages';
import { continuesOnError } from '../shared/n8n';
import type { RequestLimits } from '../service/client';
import type { Process } from '../work/memory';
import { STOPPED, thrownError } from './errors';
import { Identity } from './identity';
import { errorOfNode, planItems } from './plan';
import { NodeRun, pauseInLoop, type RunParts } from './run';

/** Runs the node once: plans the items, finds their orders, completes them, returns the output. */
export async function executeVideogen(
	context: IExecuteFunctions,
	process: Process,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	const ending = new AbortController();
	const stop = context.getExecutionCancelSignal() ?? ending.signal;
	const timer = new Timer(process.clock, AbortSignal.any([stop, ending.signal]));
	try {
		const parts = await partsOf(context, process, timer, limits).catch((thrown: unknown) => ({
			failure: stop.aborted ? STOPPED : invalidFailure(thrown),
		}));
		if ('failure' in parts) return await refuseAll(context, parts.failure, timer);
		return await new NodeRun(parts).run();
	} finally {
		ending.abort();
	}
}

async function partsOf(
	context: IExecuteFunctions,
	process: Process,
	timer: Timer,
	limits?: RequestLimits,
): Promise<RunParts> {
	const operation = operationFrom(context.getNodeParameter('operation', 0));
	const connection = await connect(context, process.clock, limits);
	const identity = new Identity(context, connection);
	const end = timer.signal;
	const items = await planItems({ context, operation, connection, identity, end });
	return { context, process, connection, identity, items, timer };
}

/**
 * Reports a failure that concerns all items. If the node continues on errors and this were thrown,
 * n8n would pass on the input as a success.
 */
async function refuseAll(
	context: IExecuteFunctions,
	failure: Failure,
	timer: Timer,
): Promise<INodeExecutionData[][]> {
	if (!continuesOnError(context)) {
		throw thrownError(context, failure, undefined, { items: [], isReused: false });
	}
	const inputs = context.getInputData();
	if (inputs.some(({ json }) => errorOfNode(json))) await pauseInLoop(timer);
	return [inputs.map((_, item) => ({ json: { error: { ...failure } }, pairedItem: { item } }))];
}
