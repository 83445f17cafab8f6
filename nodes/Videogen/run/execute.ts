import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { operationMenu, operations } from '../fields';
import { connect, type Connection } from '../fields/credential';
import type { Operation } from '../fields/operation';
import { Timer } from '../ground/clock';
import { continuesOnError, executionIdOf, isForMcpClient, isTool, runIndexOf } from '../ground/n8n';
import { InvalidParameter, LABELS, notAllowed } from '../ground/words';
import type { RequestLimits } from '../service/client';
import { Ledger } from '../work/ledger';
import { type Fault, TOOL_RUN } from '../work/order';
import { invalidMessage } from '../work/orderWords';
import type { Process } from '../work/process';
import { Identity } from './identity';
import { Log } from './log';
import { type PlannedItem, planItems } from './plan';
import { slowDownReturned } from './returned';
import { NodeRun, type RunParts } from './run';
import { stopError } from './stopError';

/** One run of the node: plans its items, finds their orders, brings them to their ends, outputs them. */
export async function executeVideogen(
	context: IExecuteFunctions,
	process: Process,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	let parts: Omit<RunParts, 'throttle'>;
	try {
		const connection = await connect(context, process.clock, limits);
		const identity = new Identity(context, connection);
		const ledger = ledgerOf(context, process, identity);
		const items = await itemsOf(context, connection, identity, ledger);
		parts = { context, process, connection, identity, ledger, items };
	} catch (thrown) {
		return await refuseAll(context, process, { kind: 'invalid', ...invalidMessage(thrown) });
	}
	return await process.throttles.use(parts.connection, async (throttle) =>
		new NodeRun({ ...parts, throttle }).run(),
	);
}

function ledgerOf(context: IExecuteFunctions, { memory }: Process, identity: Identity): Ledger {
	const ledger = new Ledger({
		context: context.getContext('node'),
		run: isTool(context) ? TOOL_RUN : `run ${runIndexOf(context)}`,
		// Without an execution, each call has a context of its own.
		executionId: executionIdOf(context) ?? '',
		memory,
		node: identity.memoryNode,
	});
	if (ledger.isForgetful) new Log(context).forgetful();
	return ledger;
}

async function itemsOf(
	context: IExecuteFunctions,
	connection: Connection,
	identity: Identity,
	ledger: Ledger,
): Promise<PlannedItem[]> {
	if (connection.isPractice) new Log(context).practice(ledger.newTasks === 0);
	const items = await planItems(context, operationOf(context), connection, identity);
	if (isForMcpClient(context)) refuseToWait(items);
	return items;
}

/**
 * MCP clients give up before a video is finished, and ask, and pay, again.
 * @throws InvalidParameter
 */
function refuseToWait(items: PlannedItem[]): void {
	if (!items.some(({ create, wait }) => create && wait)) return;
	throw new InvalidParameter(
		{ displayName: LABELS.waitForCompletion },
		' is on, but an MCP client does not wait for as long as a video takes.',
		`Switch '${LABELS.waitForCompletion}' off, and give the client a second tool with ${LABELS.getTask}.`,
	);
}

/** What is wrong for every item: n8n would pass on the input as a success if this were thrown. */
async function refuseAll(
	context: IExecuteFunctions,
	{ clock }: Process,
	fault: Fault,
): Promise<INodeExecutionData[][]> {
	const inputs = context.getInputData();
	if (!continuesOnError(context)) {
		const nothing = { isOfAll: true, isReused: false, tasks: [], unansweredItems: [] };
		throw stopError(context, fault, { ...nothing, total: inputs.length });
	}
	const output = inputs.map((_, item) => ({ json: { error: { ...fault } }, pairedItem: { item } }));
	const { signal: never } = new AbortController();
	const timer = new Timer(clock, context.getExecutionCancelSignal() ?? never);
	await slowDownReturned(context, output, timer);
	return [output];
}

function operationOf(context: IExecuteFunctions): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((one) => one.value === value);
	if (operation) return operation;
	const names = operations.map(({ name }) => name).join(', ');
	throw notAllowed(operationMenu, value, `Choose one of: ${names}.`);
}
