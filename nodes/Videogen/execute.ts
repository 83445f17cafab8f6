import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { executionTransport } from './service/transport';
import type { RequestLimits } from './service/client';
import { ServiceClient } from './service/client';
import type { Connection } from './parameters/connection';
import { connectionFrom, CREDENTIAL_NAME } from './parameters/connection';
import { Downloader } from './downloads/downloader';
import { fileFetcher, fileStore } from './downloads/n8nFiles';
import { continuesOnError, isTool } from './items/errorPolicy';
import { InvalidParameter, notAllowed } from './parameters/invalidParameter';
import type { PlannedItem } from './items/plan';
import { planItems } from './items/plan';
import { outputItem } from './items/result';
import type { MemoryScope } from './tasks/memory';
import { TaskMemory } from './tasks/memory';
import type { Message } from './messages/messages';
import { invalidMessage } from './messages/messages';
import { stopError } from './items/nodeError';
import { NodeRun } from './items/nodeRun';
import { NO_OTHER_ITEMS } from './messages/otherItems';
import { operations } from './operations';
import type { Operation } from './operations/operation';
import type { Clock } from './tasks/clock';

/** One run of the node: checks all items, runs their tasks together, gives one item for each. */
export async function executeVideogen(
	context: IExecuteFunctions,
	clock: Clock,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	let connection: Connection;
	let planned: PlannedItem[];
	try {
		connection = connectionFrom(await context.getCredentials(CREDENTIAL_NAME));
		planned = planItems(context, operationOf(context), connection);
	} catch (thrown) {
		return refuseAll(context, invalidMessage(thrown));
	}
	const send = executionTransport(context, CREDENTIAL_NAME, connection.apiKey);
	const client = new ServiceClient(send, connection.baseUrl, () => Date.now(), limits);
	const memory = new TaskMemory({
		context: context.getContext('node'),
		run: runOf(context),
		baseUrl: connection.baseUrl,
	});
	const downloader = new Downloader({
		fetch: fileFetcher(context),
		store: fileStore(context),
		clock,
		now: () => Date.now(),
	});
	return await new NodeRun({ context, clock, client, downloader, memory, planned }).run();
}

/** What is wrong for every item: n8n would pass on the input as a success if this were thrown. */
function refuseAll(context: IExecuteFunctions, error: Message): INodeExecutionData[][] {
	const items = context.getInputData();
	if (continuesOnError(context)) return [items.map((_, index) => outputItem({ error }, index))];
	throw stopError(context, { itemIndex: 0, itemCount: 1, error, others: NO_OTHER_ITEMS });
}

function operationOf(context: IExecuteFunctions): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((one) => one.value === value);
	if (operation) return operation;
	const names = operations.map(({ name }) => name).join(', ');
	throw new InvalidParameter('Operation', notAllowed(value), `Choose one of: ${names}.`);
}

/** Which run of the node this is. n8n tells it in expressions only. */
function runOf(context: IExecuteFunctions): MemoryScope['run'] {
	if (isTool(context)) return 'tool';
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof runIndex === 'number' ? runIndex : 0;
}
