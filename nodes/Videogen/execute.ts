import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { RequestLimits } from './service/client';
import { serviceOf } from './parameters/connection';
import { continuesOnError, isTool } from './common/onError';
import { runIndexOf } from './common/runIndex';
import { InvalidParameter, notAllowed } from './parameters/invalidParameter';
import { showOrphaned } from './items/log';
import { planItems } from './items/plan';
import { outputItem } from './items/result';
import { TaskStore } from './tasks/taskStore';
import type { Message } from './messages/message';
import { invalidMessage } from './messages/outcomeMessage';
import { stopError } from './items/nodeError';
import type { RunParts } from './itemJob';
import { NodeRun } from './nodeRun';
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
	const runIndex = runIndexOf(context);
	const store = new TaskStore({
		context: context.getContext('node'),
		run: isTool(context) ? 'tool' : runIndex,
		executionId: context.getExecutionId(),
	});
	let parts: RunParts;
	try {
		const service = await serviceOf(context, clock, limits);
		const planned =
			interruptedRest(context, runIndex) ?? planItems(context, operationOf(context), service);
		// A task of an earlier try may call another execution back: then all are waited for here.
		const mayRest = store.tasks().length === 0;
		const resumeUrl = mayRest ? resumeUrlFor(context, planned, service.baseUrl) : undefined;
		parts = { context, clock, runIndex, service, store, planned, resumeUrl };
	} catch (thrown) {
		return refuseAll(context, invalidMessage(thrown), store);
	}
	return await new NodeRun(parts).run();
}

/** What is wrong for every item: n8n would pass on the input as a success if this were thrown. */
function refuseAll(
	context: IExecuteFunctions,
	error: Message,
	store: TaskStore,
): INodeExecutionData[][] {
	const items = context.getInputData();
	if (!continuesOnError(context)) {
		const others = { tasks: store.tasks(), unansweredItems: store.unansweredItems() };
		throw stopError(context, error, { itemIndex: 0, items: [], others });
	}
	showOrphaned(context, store.orphanedTasks());
	return [items.map((_, index) => outputItem({ error }, index))];
}

function operationOf(context: IExecuteFunctions): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((one) => one.value === value);
	if (operation) return operation;
	const names = operations.map(({ name }) => name).join(', ');
	throw new InvalidParameter('Operation', notAllowed(value), `Choose one of: ${names}.`);
}
