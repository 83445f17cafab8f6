import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import {
	continuesOnError,
	isTool,
	executionIdOf,
	lastRunOf,
	runIndexOf,
	isForMcpClient,
} from '../ground/n8n';
import { type Clock, Timer } from '../ground/clock';
import { sayPractice, showOrphaned } from './log';
import { stopError } from './nodeError';
import { type ItemError, outputItem } from './output';
import { type ItemPlan, planItems } from './plan';
import { invalidMessage } from './outcomeMessage';
import { NodeRun, type RunParts } from './nodeRun';
import { operationMenu, operations } from '../fields';
import type { Operation } from '../fields/operation';
import { connect } from '../fields/credential';
import { InvalidParameter, notAllowed, LABELS } from '../ground/words';
import { interruptedRest } from './rest';
import { Reuse } from './reuse';
import { resumeUrlFor } from './resumeUrl';
import { holdUpReturned } from './returned';
import type { RequestLimits } from '../service/client';
import type { CreateThrottles } from '../work/createThrottles';
import type { Orders } from '../work/orders';
import { type StoreScope, TaskStore, TOOL_RUN } from '../work/taskStore';
import type { Throttle } from '../work/throttle';

/** One run of the node: loads what each item's entry is, advances them together, outputs them. */
export async function executeVideogen(
	context: IExecuteFunctions,
	throttles: CreateThrottles,
	orders: Orders,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	const { clock } = throttles;
	const store = new TaskStore({
		context: context.getContext('node'),
		// Without an execution, each call has a context of its own.
		executionId: executionIdOf(context) ?? '',
		...placeOf(context),
	});
	let parts: Omit<RunParts, 'throttle'>;
	try {
		parts = { context, clock, store, ...(await load(context, clock, store, orders, limits)) };
	} catch (thrown) {
		return await refuseAll(context, { kind: 'invalid', ...invalidMessage(thrown) }, store, clock);
	}
	const run = async (throttle: Throttle) => await new NodeRun({ ...parts, throttle }).run();
	return await throttles.use(parts.connection, run);
}

/** Where the entries of this run are kept. */
function placeOf(context: IExecuteFunctions): Pick<StoreScope, 'run' | 'call'> {
	const run = runIndexOf(context);
	return isTool(context)
		? { run: TOOL_RUN, call: { run, lastRun: lastRunOf(context) } }
		: { run: `run ${run}` };
}

/** The service, and the entries of this run. */
async function load(
	context: IExecuteFunctions,
	clock: Clock,
	store: TaskStore,
	orders: Orders,
	limits?: RequestLimits,
) {
	const connection = await connect(context, clock, limits);
	if (connection.isPractice) sayPractice(context, store.newTasks === 0);
	const reuse = new Reuse(context, orders, connection);
	const resting = interruptedRest(context, store);
	if (resting)
		return { connection, reuse, entries: resting, creates: undefined, resumeUrl: undefined };
	const plans = await planItems(context, operationOf(context), connection);
	if (isForMcpClient(context)) refuseToWait(plans);
	const entries = store.begin(plans.map(({ ask }) => ask));
	const creates = plans.map(({ create }) => create);
	// A task of an earlier try may call another execution back: then all are waited for here.
	const mayRest = () => store.tasks().length === 0;
	const resumeUrl = mayRest() ? resumeUrlFor(context, plans, connection) : undefined;
	// The last step: whoever wants one of these orders waits until it is known what came of it.
	await reuse.begin(entries, creates);
	const rests = { resumeUrl: mayRest() ? resumeUrl : undefined };
	return { connection, reuse, entries, creates, ...rests };
}

/**
 * MCP clients give up before a video is finished, and ask, and pay, again.
 * @throws InvalidParameter
 */
function refuseToWait(plans: ItemPlan[]): void {
	if (!plans.some(({ ask, create }) => create && ask.wait)) return;
	throw new InvalidParameter(
		{ displayName: LABELS.waitForCompletion },
		' is on, but an MCP client does not wait for as long as a video takes.',
		`Switch ${LABELS.waitForCompletion} off, and give the client a second tool with Get Task.`,
	);
}

/** What is wrong for every item: n8n would pass on the input as a success if this were thrown. */
async function refuseAll(
	context: IExecuteFunctions,
	error: ItemError,
	store: TaskStore,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	if (!continuesOnError(context)) {
		const others = { tasks: store.tasks(), unansweredItems: store.unansweredItems() };
		throw stopError(context, error, { itemIndex: 0, entries: [], isOfAll: true, others });
	}
	showOrphaned(context, store.orphanedTasks());
	const output = context.getInputData().map((_, index) => outputItem({ error }, index));
	const { signal: never } = new AbortController();
	const timer = new Timer(clock, context.getExecutionCancelSignal() ?? never);
	await holdUpReturned(context, store, output, timer);
	return [output];
}

function operationOf(context: IExecuteFunctions): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = operations.find((one) => one.value === value);
	if (operation) return operation;
	const names = operations.map(({ name }) => name).join(', ');
	throw notAllowed(operationMenu, value, `Choose one of: ${names}.`);
}
