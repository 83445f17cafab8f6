import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { type Connection, connect } from '../fields/credential';
import { createSettingsFrom, maxNewTasksIn } from '../fields/options';
import { Downloads } from '../files/download';
import { n8nFiles } from '../files/fetch';
import { operationFrom } from '../operations';
import { ENDED, onAbort, Timer } from '../shared/clock';
import { type Failure, invalidFailure } from '../shared/messages';
import { continuesOnError, isForMcpClient } from '../shared/n8n';
import { Semaphore } from '../shared/semaphore';
import type { RequestLimits } from '../service/client';
import type { Scope } from '../work/choose';
import { Creating } from '../work/creating';
import { type Finished, finishAll } from '../work/finish';
import { Ledger } from '../work/ledger';
import type { CreateSettings, Plan, Session } from '../work/session';
import type { SharedState } from '../work/sharedState';
import { stoppedFailure, thrownError } from './errors';
import { logStopped, showHints, taskLog } from './hints';
import { identityOf, scopeOf } from './identity';
import { outputOf } from './output';
import { planItems, refusedPlan } from './plan';

/** An MCP client gives up after a minute, and may then create again. */
const MCP_CREATE_MS = 40_000;

/** The pause when an item comes back and fails again at once. Otherwise a loop would spin. */
const RETURNED_PAUSE_MS = 5_000;

/** What a run of the node works with from its start on. */
interface Run {
	readonly context: IExecuteFunctions;
	readonly shared: SharedState;
	/** Ends with the execution. */
	readonly timer: Timer;
	readonly limits?: RequestLimits;
}

/** What a run knows once its items are planned. */
interface Planned {
	readonly plans: readonly Plan[];
	readonly connection: Connection;
	readonly scope: Scope;
	/** Those of the first valid create: they apply to the node as a whole. */
	readonly settings: CreateSettings;
}

/** Runs the node once: plans the items, finds their orders, completes them, returns the output. */
export async function executeVideogen(
	context: IExecuteFunctions,
	shared: SharedState,
	limits?: RequestLimits,
): Promise<INodeExecutionData[][]> {
	const ending = new AbortController();
	const end = () => ending.abort(ENDED);
	const stop = context.getExecutionCancelSignal();
	if (stop?.aborted) end();
	const unlink = stop && onAbort(stop, end);
	const run = { context, shared, timer: new Timer(shared.clock, ending.signal), limits };
	try {
		const planned = await plan(run).catch((thrown: unknown) => invalidFailure(thrown));
		if ('kind' in planned) return await report(run, refused(context, planned));
		return await report(run, await complete(run, planned), planned);
	} finally {
		unlink?.();
		end();
	}
}

async function plan({ context, shared, timer, limits }: Run): Promise<Planned> {
	const operation = operationFrom(context.getNodeParameter('operation', 0));
	const connection = await connect(context, shared.clock, limits);
	const identity = identityOf(context.getNode().parameters, connection);
	const end = timer.signal;
	const plans = await planItems({ context, operation, connection, identity, end });
	const scope = scopeOf(context, connection);
	const first = plans.find((one) => one.do === 'create');
	return { plans, connection, scope, settings: first?.settings ?? createSettingsFrom({}) };
}

/** The same failure for all items. */
function refused(context: IExecuteFunctions, failure: Failure): Finished {
	const results = context.getInputData().map(({ json }, index) => {
		const job = refusedPlan(index, json, failure);
		return { job: { ...job, plan: job }, outcome: { failure } };
	});
	return { results, first: results[0] };
}

async function complete(run: Run, planned: Planned): Promise<Finished> {
	const { plans, scope, settings } = planned;
	const ledger = new Ledger(scope, run.shared.memory, run.context.getContext('node'));
	try {
		const maxNewTasks = maxNewTasksIn(settings, scope.isManual);
		return await finishAll(sessionOf(run, planned, ledger), plans, maxNewTasks);
	} finally {
		ledger.close();
	}
}

function sessionOf({ context, shared, timer }: Run, planned: Planned, ledger: Ledger): Session {
	const { connection, plans, scope, settings } = planned;
	return {
		executionId: scope.executionId,
		timer,
		service: connection.service,
		baseUrl: connection.baseUrl,
		gates: shared.gates.of(connection),
		ledger,
		creating: new Creating(timer),
		places: new Semaphore(settings.maxConcurrentTasks),
		downloads: new Downloads(n8nFiles(context, connection.baseUrl), timer),
		log: taskLog(context, plans.length, timer.signal),
		isTool: scope.isTool,
		continues: continuesOnError(context),
		createLimitMs: isForMcpClient(context) ? MCP_CREATE_MS : undefined,
	};
}

/**
 * The output of the node. If the node continues on errors, they are part of it: n8n would pass on
 * the input as a success if anything were thrown.
 * @throws the first failure, unless the node continues on errors
 */
async function report(
	{ context, timer }: Run,
	{ results, first }: Finished,
	planned?: Planned,
): Promise<INodeExecutionData[][]> {
	if (timer.signal.aborted) {
		logStopped(context, results);
		throw thrownError(context, stoppedFailure(results), results);
	}
	const isInVain = results.some(
		({ job, outcome }) =>
			job.plan.returned && outcome.failure && outcome.failure.kind !== 'timeout',
	);
	if (isInVain) await timer.until(timer.clock.now() + RETURNED_PAUSE_MS);
	if (first?.outcome.failure && !continuesOnError(context)) {
		const isNextReusing = planned !== undefined && isReusing(planned);
		throw thrownError(context, first.outcome.failure, results, planned && first, isNextReusing);
	}
	showHints(context, results, planned?.connection.isPractice ?? false);
	return [results.map(outputOf)];
}

/** Whether the next click reuses what this one has created. */
const isReusing = ({ scope: { isManual, isTool }, settings }: Planned): boolean =>
	isManual && !isTool && settings.reuseInEditor;
