/* eslint-disable @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ExecutionLifecycleHooks, PackageDirectoryLoader, WorkflowExecute } from 'n8n-core';
import {
	type IBinaryKeyData,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IExecuteContextData,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
	type Logger,
	createRunExecutionData,
	LoggerProxy,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import type { SharedState } from '../../nodes/Videogen/work/sharedState';
import type { Clock } from '../../nodes/Videogen/shared/clock';
import { RAW_OUTPUT } from '../../tools/n8n/workflows';
import { DEFAULT_API_KEY, type Simulator } from '../../tools/simulator';
import { RequestClock } from './requestClock';
import { type Again, againNode, connectionsOf, OTHER_NODES, START_NAME } from './otherNodes';
import { withoutHttp } from './withoutHttp';

/** The package as a user installs it: what `npm run build` wrote, not the sources. */
const PACKAGE_FOLDER = join(__dirname, '..', '..');

const NODE_NAME = 'Videogen';

const noLog = (): void => undefined;

/** A little shorter than the usual ones, so that connections that hang are given up soon. */
const LIMITS = { createMs: 20_000, readMs: 10_000 };

export interface RunRequest {
	parameters: IDataObject;
	/** Input items; one empty item unless given. */
	items?: IDataObject[];
	/** The binary fields of the items, by their indexes. */
	binaries?: IBinaryKeyData[];
	credential?: ICredentialDataDecryptedObject;
	/** The node's own settings: onError, retryOnFail, maxTries… */
	settings?: Partial<INode>;
	/** In place of real time. */
	clock: Clock;
	/** What executions of one n8n remember together; nothing unless given. */
	process?: SharedState;
	/** The node as n8n loads it: in real time, with the memory that all executions here share. */
	isAsLoaded?: true;
	/** Data of an earlier execution, as *Retry execution* starts from it. */
	retryOf?: IRunExecutionData;
	/** Of another workflow than usual. */
	workflowId?: string;
	/** What started the execution; a trigger unless given. */
	mode?: 'manual' | 'trigger' | 'integrated';
	/** How many times the node has run in this execution before; loops run it many times. */
	earlierRuns?: number;
	/** Of an execution in which there was another run; a new one unless given. */
	executionId?: string;
	/** What the node behind the error output gives back into this one. */
	again?: Again;
	/** Where requests go without HTTP, which takes many times as long. */
	direct?: Pick<Simulator, 'answer'>;
}

export interface RunResult {
	status: IRun['status'];
	/** Items of the first output, and of the error output when that is in use. */
	output: INodeExecutionData[];
	errorOutput: INodeExecutionData[];
	error: IRunExecutionData['resultData']['error'];
	data: IRunExecutionData;
	/** What the node has written into n8n's log so far. */
	log: string[];
}

export interface StartedRun {
	result: Promise<RunResult>;
	cancel(): void;
	/** Resolves when the node itself is over, which goes on when n8n has stopped the execution. */
	isOver(): Promise<unknown>;
}

type Package = Awaited<ReturnType<typeof builtPackage>>;

/** The package's two classes, and what its node does with another clock. */
async function builtPackage() {
	const loader = new PackageDirectoryLoader(PACKAGE_FOLDER);
	await loader.loadAll();
	const built = join(PACKAGE_FOLDER, 'dist', 'nodes', 'Videogen');
	const execute: typeof import('../../nodes/Videogen/run/execute') = await import(
		join(built, 'run', 'execute.js')
	);
	const shared: typeof import('../../nodes/Videogen/work/sharedState') = await import(
		join(built, 'work', 'sharedState.js')
	);
	return {
		node: NodeHelpers.getVersionedNodeType(loader.getNode('videogen').type),
		credential: loader.getCredential('videogenApi').type,
		executeVideogen: execute.executeVideogen,
		SharedState: shared.SharedState,
	};
}

/** Applies credentials through the class of the package, as n8n itself does. */
const credentialsHelperOf = (
	{ authenticate }: ICredentialType,
	data: ICredentialDataDecryptedObject,
) => ({
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		request: IHttpRequestOptions,
	) {
		if (typeof authenticate !== 'function') throw new Error('The credential adds no key');
		return await authenticate(credentials, request);
	},
	getDecrypted: async () => await Promise.resolve(data),
	getParentTypes: () => [],
	isCredentialUsableByNode: () => true,
	preAuthentication: async () => await Promise.resolve(undefined),
});

/** Runs the built node through n8n-core, without a server. */
export class Engine {
	private constructor(
		private readonly tested: Package,
		private readonly baseUrl: string,
	) {}

	static async start(baseUrl: string): Promise<Engine> {
		return new Engine(await builtPackage(), baseUrl);
	}

	/** An n8n process that has created nothing so far. */
	newProcess(clock: Clock): SharedState {
		return new this.tested.SharedState(clock);
	}

	start(request: RunRequest): StartedRun {
		const { mode = 'trigger' } = request;
		// What n8n's engine says to its own log takes longer than most tests; the node's log stays.
		// Before each run, because n8n sets its own logger when it first needs one.
		LoggerProxy.init({ debug: noLog, info: noLog, warn: noLog, error: noLog });
		const log: string[] = [];
		const runs: Array<Promise<unknown>> = [];
		const own = request.isAsLoaded
			? this.tested.node
			: builtNode(this.tested, request, { log, runs });
		const workflow = workflowOf(request, own);
		const hooks = new ExecutionLifecycleHooks(mode, '1', Object.create(null));
		const execution = new WorkflowExecute(
			this.additionalData(hooks, request),
			mode,
			startData(workflow, request),
		).processRunExecutionData(workflow);
		// It rejects without telling the hooks only when the engine itself breaks.
		const finished = new Promise<IRun>((resolve, reject) => {
			hooks.addHandler('workflowExecuteAfter', resolve);
			execution.catch(reject);
		});
		return {
			result: finished.then((run) => resultOf(run, log)),
			cancel: () => execution.cancel(),
			isOver: async () => await Promise.allSettled(runs),
		};
	}

	private additionalData(
		hooks: ExecutionLifecycleHooks,
		{ credential, executionId = randomUUID() }: RunRequest,
	): IWorkflowExecuteAdditionalData {
		// What n8n-core uses of it.
		return Object.assign(Object.create(null), {
			hooks,
			credentialsHelper: credentialsHelperOf(this.tested.credential, {
				apiKey: DEFAULT_API_KEY,
				baseUrl: this.baseUrl,
				modelFamily: 'videogen-2.5',
				...credential,
			}),
			executionId,
			currentNodeExecutionIndex: 0,
			restApiUrl: 'http://localhost:5678/rest',
			formWaitingBaseUrl: 'http://localhost/form-waiting',
			webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		});
	}
}

function workflowOf(request: RunRequest, tested: INodeType): Workflow {
	const { parameters, settings, again, workflowId = 'engine-test' } = request;
	const node: INode = {
		id: '1',
		name: NODE_NAME,
		type: 'n8n-nodes-videogen-tasks.videogen',
		typeVersion: 1,
		position: [0, 0],
		parameters: JSON.parse(JSON.stringify({ ...RAW_OUTPUT, ...parameters })),
		credentials: { videogenApi: { id: '1', name: 'Videogen' } },
		...settings,
	};
	const other = againNode(again);
	const byName = (type: string) => (type === other.description.name ? other : tested);
	return new Workflow({
		id: workflowId,
		active: false,
		nodes: [node, ...OTHER_NODES],
		connections: connectionsOf(NODE_NAME),
		nodeTypes: { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) },
		settings: { timezone: 'UTC' },
	});
}

/** The package's node with another clock; what it does is the package's code. */
function builtNode(
	{ node, credential, executeVideogen, SharedState }: Package,
	{ clock, process, direct }: RunRequest,
	{ log, runs }: { log: string[]; runs: Array<Promise<unknown>> },
): INodeType {
	return {
		description: node.description,
		async execute() {
			const write = (line: string) => void log.push(line);
			const logger: Logger = Object.assign(Object.create(this.logger), {
				warn: write,
				info: write,
			});
			const own = { ...this.helpers, ...(direct && withoutHttp(credential, direct)) };
			const helpers = clock instanceof RequestClock ? clock.around(own) : own;
			// A context of its own: n8n runs a node with Retry On Fail once more after a stop, when
			// another test has begun.
			const context: IExecuteFunctions = Object.create(this, {
				logger: { value: logger },
				helpers: { value: helpers },
			});
			const work = executeVideogen(context, process ?? new SharedState(clock), LIMITS);
			runs.push(work);
			return await work;
		},
	};
}

function startData(
	workflow: Workflow,
	{ items = [{}], binaries = [], retryOf, earlierRuns = 0 }: RunRequest,
): IRunExecutionData {
	const node = workflow.getNode(NODE_NAME);
	if (node === null) throw new Error('The node is missing in the workflow');
	const input = items.map((json, item) => ({ json, binary: binaries[item], pairedItem: { item } }));
	const run: ITaskData = { startTime: 0, executionTime: 0, executionIndex: 0, source: [] };
	return createRunExecutionData({
		resultData: {
			runData: {
				...(earlierRuns > 0 && { [NODE_NAME]: Array<ITaskData>(earlierRuns).fill(run) }),
				[START_NAME]: [{ ...run, data: { main: [input] } }],
			},
		},
		executionData: {
			contextData: structuredClone(retryOf?.executionData?.contextData ?? {}),
			nodeExecutionStack: [
				{ node, data: { main: [input] }, source: { main: [{ previousNode: START_NAME }] } },
			],
		},
	});
}

/** What n8n saves at the end: what the node learns later, or in a retry, is not in it. */
function withSavedContext({ data }: IRun): IRunExecutionData {
	const { executionData } = data;
	if (!executionData) return data;
	const contextData: IExecuteContextData = JSON.parse(JSON.stringify(executionData.contextData));
	return { ...data, executionData: { ...executionData, contextData } };
}

function resultOf(run: IRun, log: string[]): RunResult {
	const main = run.data.resultData.runData[NODE_NAME]?.at(-1)?.data?.main ?? [];
	return {
		status: run.status,
		output: main[0] ?? [],
		errorOutput: main[1] ?? [],
		error: run.data.resultData.error,
		data: withSavedContext(run),
		log,
	};
}

/** The error of a run that must have one. */
export function errorOf({ error }: RunResult): NonNullable<RunResult['error']> {
	if (error === undefined) throw new Error('The run has no error');
	return error;
}
