import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { executionTransport } from './client/n8nTransport';
import type { RequestLimits } from './client/serviceClient';
import { ServiceClient } from './client/serviceClient';
import type { Connection } from './connection';
import { connectionFrom, CREDENTIAL_NAME } from './connection';
import { planItems } from './itemPlan';
import { TaskMemory } from './memory';
import { invalidMessage } from './messages';
import { NodeRun } from './nodeRun';
import { operations } from './operations';
import type { Clock } from './waiting/clock';

/** One run of the node: checks all items, runs their tasks together, gives one item for each. */
export async function executeVideogen(
	context: IExecuteFunctions,
	clock: Clock,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	const connection = await connect(context);
	const planned = planItems(context, operationOf(context), connection.modelFamily);
	const send = executionTransport(context, CREDENTIAL_NAME, connection.apiKey);
	const client = new ServiceClient(send, connection.baseUrl, () => Date.now(), limits);
	const memory = new TaskMemory({
		context: context.getContext('node'),
		runIndex: runIndexOf(context),
		baseUrl: connection.baseUrl,
	});
	return await new NodeRun(context, clock, client, memory, planned).run();
}

async function connect(context: IExecuteFunctions): Promise<Connection> {
	const credential = await context.getCredentials(CREDENTIAL_NAME);
	try {
		return connectionFrom(credential);
	} catch (thrown) {
		const { message, description } = invalidMessage(thrown);
		throw new NodeOperationError(context.getNode(), message, { description });
	}
}

function operationOf(context: IExecuteFunctions) {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((one) => one.value === value);
	if (operation) return operation;
	throw new NodeOperationError(context.getNode(), `Operation: "${String(value)}" does not exist.`, {
		description: `Choose one of: ${operations.map(({ name }) => name).join(', ')}.`,
	});
}

/** n8n tells it in expressions only; loops run a node many times within one execution. */
function runIndexOf(context: IExecuteFunctions): number {
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof runIndex === 'number' ? runIndex : 0;
}
