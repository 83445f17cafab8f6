import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { executionTransport } from './service/transport';
import { type RequestLimits, ServiceClient } from './service/client';
import { type Connection, connectionFrom, CREDENTIAL_NAME } from './parameters/connection';
import { Downloader } from './downloads/downloader';
import { n8nFiles } from './downloads/n8nFiles';
import { continuesOnError, isTool } from './common/onError';
import { InvalidParameter, notAllowed } from './parameters/invalidParameter';
import { planItems } from './items/plan';
import { type ItemState, outputItem } from './items/result';
import { type StoreScope, TaskStore } from './tasks/taskStore';
import type { Message } from './messages/message';
import { invalidMessage } from './messages/outcomeMessage';
import { stopError } from './items/nodeError';
import { NodeRun } from './nodeRun';
import { NO_OTHER_ITEMS } from './messages/otherItems';
import { operations } from './operations';
import { interruptedRest } from './resting/rest';
import { resumeUrlFor } from './resting/resumeUrl';
import type { Operation } from './operations/operation';
import type { Clock } from './common/timer';

/** One run of the node: checks all items, runs their tasks together, gives one item for each. */
export async function executeVideogen(
	context: IExecuteFunctions,
	clock: Clock,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	const store = new TaskStore({
		context: context.getContext('node'),
		run: runOf(context),
		executionId: context.getExecutionId(),
	});
	let connection: Connection;
	let planned: ItemState[];
	let resumeUrl: string | undefined;
	try {
		connection = connectionFrom(await context.getCredentials(CREDENTIAL_NAME));
		const interrupted = interruptedRest(context);
		planned = interrupted ?? planItems(context, operationOf(context), connection);
		// A task of an earlier try may call another execution back: then all are waited for here.
		if (store.tasks().length === 0) resumeUrl = resumeUrlFor(context, planned, connection.baseUrl);
	} catch (thrown) {
		return refuseAll(context, invalidMessage(thrown));
	}
	const ending = new AbortController();
	const { signal } = ending;
	const { apiKey, baseUrl } = connection;
	const send = executionTransport(context, CREDENTIAL_NAME, apiKey);
	const client = new ServiceClient(send, baseUrl, () => Date.now(), limits);
	const files = n8nFiles(context);
	const downloader = new Downloader({ ...files, clock, now: () => Date.now(), signal });
	const parts = { context, clock, client, downloader, store, planned, baseUrl, resumeUrl, ending };
	return await new NodeRun(parts).run();
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
function runOf(context: IExecuteFunctions): StoreScope['run'] {
	if (isTool(context)) return 'tool';
	const runIndex: unknown = context.getWorkflowDataProxy(0).$runIndex;
	return typeof runIndex === 'number' ? runIndex : 0;
}
