import 'reflect-metadata';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	type IBinaryKeyData,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IDataObject,
	type IHttpRequestOptions,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IRun,
	type IRunExecutionData,
	type ITaskData,
	type IWorkflowExecuteAdditionalData,
	type Logger,
	createRunExecutionData,
	ICredentialsHelper,
	LoggerProxy,
	NodeApiError,
	NodeHelpers,
	randomString,
	Workflow,
} from 'n8n-workflow';
import type { RequestLimits } from '../../nodes/Videogen/service/client';
import type { Process } from '../../nodes/Videogen/work/memory';
import type { Clock } from '../../nodes/Videogen/shared/clock';
import { RAW_OUTPUT } from '../../tools/n8n/workflows';
import { DEFAULT_API_KEY } from '../../tools/simulator';
import { RequestClock } from './requestClock';
import { type Again, againNode, LOOP_NODES, LOOP_TYPE, loopAround, START_NAME } from './loop';
import { BEHIND_SHEET_NAME, behindSheet, SHEET_NODES, sheetData } from './sheet';

/** The package as a user installs it: what `npm run build` wrote, not the sources. */
const PACKAGE_FOLDER = join(__dirname, '..', '..');

const NODE_NAME = 'Videogen';

const noLog = (): void => undefined;

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
	clock?: Clock;
	/** What executions of one n8n remember together; nothing unless given, and only with a clock. */
	process?: Process;
	/** In place of the usual time limits of requests; only together with a clock. */
	limits?: RequestLimits;
	/** Another node in the place of the built one, to be compared with it. */
	nodeType?: INodeType;
	/** Data of an earlier execution, as *Retry execution* starts from it. */
	retryOf?: IRunExecutionData;
	/** Of another workflow than usual. */
	workflowId?: string;
	/** What started the execution; a trigger unless given. */
	mode?: 'manual' | 'trigger' | 'integrated';
	/** How many times the node has run in this execution before; loops run it many times. */
	earlierRuns?: number;
	/** Whether there is no execution, as behind n8n's MCP Server Trigger. */
	withoutExecution?: boolean;
	/** Of an execution in which there was another run; a new one unless given. */
	executionId?: string;
	/** Wires the error output back into the node, through a node that does this with the items. */
	again?: Again;
	/** What a node `Sheet` has put out, item by item; another node has given the items their JSON since. */
	sheet?: IDataObject[];
	/** Gets what the node writes into n8n's log as a warning; only together with a clock. */
	onWarning?: (text: string) => void;
	/** The same for what it writes as information. */
	onInfo?: (text: string) => void;
	/** In place of HTTP, what n8n sends for the node with the key on it; only together with a clock. */
	send?: Send;
	/** Gets every run of the node itself, which goes on when n8n has stopped the execution. */
	onNode?: (work: Promise<unknown>) => void;
}

/** Gives the answer as n8n's helper does with the full response, or rejects as HTTP does. */
type Send = (request: IHttpRequestOptions, end: AbortSignal | undefined) => Promise<object>;

export interface RunResult {
	status: IRun['status'];
	/** Items of the first output, and of the error output when that is in use. */
	output: INodeExecutionData[];
	errorOutput: INodeExecutionData[];
	error: IRunExecutionData['resultData']['error'];
	data: IRunExecutionData;
}

export interface StartedRun {
	result: Promise<RunResult>;
	cancel(): void;
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
	const process: typeof import('../../nodes/Videogen/work/memory') = await import(
		join(built, 'work', 'memory.js')
	);
	return {
		node: NodeHelpers.getVersionedNodeType(loader.getNode('videogen').type),
		credential: loader.getCredential('videogenApi').type,
		executeVideogen: execute.executeVideogen,
		Process: process.Process,
	};
}

/** Applies credentials through the class of the package, as n8n itself does. */
class PackageCredentials extends ICredentialsHelper {
	constructor(
		private readonly type: ICredentialType,
		private readonly data: ICredentialDataDecryptedObject,
	) {
		super();
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function' || !('url' in requestOptions)) {
			throw new Error('The credential has no authenticate function or the request no url');
		}
		return await authenticate(credentials, requestOptions);
	}

	async getDecrypted(): Promise<ICredentialDataDecryptedObject> {
		return await Promise.resolve(this.data);
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	getCredentialsProperties = () => [];
	preAuthentication = async () => await Promise.resolve(undefined);
	runPreAuthentication = async () => await Promise.resolve(undefined);
	updateCredentials = async () => await Promise.resolve();
	updateCredentialsOauthTokenData = async () => await Promise.resolve();
	async getCredentials(): Promise<never> {
		return await Promise.reject(new Error('Stored credentials are not needed here'));
	}
}

/** Runs the built node through n8n-core, without a server. */
export class Engine {
	private constructor(
		private readonly tested: Package,
		private readonly baseUrl: string,
	) {}

	static async start(baseUrl: string): Promise<Engine> {
		// What n8n's engine says to its own log takes longer than most tests; the node's log stays.
		LoggerProxy.init({ debug: noLog, info: noLog, warn: noLog, error: noLog });
		return new Engine(await builtPackage(), baseUrl);
	}

	/** An n8n process that has created nothing so far. */
	newProcess(clock: Clock): Process {
		return new this.tested.Process(clock);
	}

	async run(request: RunRequest): Promise<RunResult> {
		return await this.start(request).result;
	}

	start(request: RunRequest): StartedRun {
		const { mode = 'trigger' } = request;
		const workflow = this.workflow(request);
		const hooks = new ExecutionLifecycleHooks(mode, '1', {
			id: 'engine-test',
			name: 'engine test',
			nodes: [],
			connections: {},
			active: false,
			isArchived: false,
			createdAt: new Date(),
			updatedAt: new Date(),
			versionId: '1',
			activeVersionId: null,
		});
		const finished = new Promise<IRun>((resolve) =>
			hooks.addHandler('workflowExecuteAfter', (run) => resolve(run)),
		);
		const execution = new WorkflowExecute(
			this.additionalData(hooks, request),
			mode,
			startData(workflow, request),
		).processRunExecutionData(workflow);
		execution.catch(() => undefined);
		return {
			result: Promise.race([finished, rejectionOf(execution)]).then(resultOf),
			cancel: () => execution.cancel(),
		};
	}

	private workflow(request: RunRequest): Workflow {
		const { parameters, settings, again, sheet, workflowId = 'engine-test' } = request;
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
		return new Workflow({
			id: workflowId,
			active: false,
			nodes: [node, ...(again ? LOOP_NODES : []), ...(sheet ? SHEET_NODES : [])],
			connections: { ...(again && loopAround(NODE_NAME)), ...(sheet && behindSheet(NODE_NAME)) },
			nodeTypes: this.nodeTypes(request),
			settings: { timezone: 'UTC' },
		});
	}

	private nodeTypes(request: RunRequest): INodeTypes {
		const { nodeType: used = withTime(this.tested, request) } = request;
		const loop = againNode(request.again);
		const byName = (type: string) => (type === LOOP_TYPE ? loop : used);
		return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
	}

	private additionalData(
		hooks: ExecutionLifecycleHooks,
		{ credential, withoutExecution, executionId = randomString(8) }: RunRequest,
	): IWorkflowExecuteAdditionalData {
		const unused = async () => await Promise.reject(new Error('Not part of these tests'));
		return {
			hooks,
			credentialsHelper: new PackageCredentials(this.tested.credential, {
				apiKey: DEFAULT_API_KEY,
				baseUrl: this.baseUrl,
				modelFamily: 'videogen-2.5',
				...credential,
			}),
			executionId: withoutExecution ? undefined : executionId,
			currentNodeExecutionIndex: 0,
			variables: {},
			externalSecretsProxy: new ExternalSecretsProxy(),
			restApiUrl: 'http://localhost:5678/rest',
			instanceBaseUrl: '',
			formBaseUrl: '',
			formWaitingBaseUrl: 'http://localhost/form-waiting',
			formTestBaseUrl: '',
			webhookBaseUrl: '',
			webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
			webhookTestBaseUrl: '',
			mcpBaseUrl: '',
			mcpTestBaseUrl: '',
			setExecutionStatus: () => undefined,
			logAiEvent: () => undefined,
			executeWorkflow: unused,
			getRunExecutionData: unused,
			getRuntimeCredential: unused,
			startRunnerTask: unused,
		};
	}
}

/** The package's node, with another clock if there is one; what it does is the package's code. */
function withTime(
	{ node, credential, executeVideogen, Process }: Package,
	{ clock, limits, process, onWarning, onInfo, onNode, send }: RunRequest,
): INodeType {
	if (clock === undefined) return node;
	return {
		description: node.description,
		async execute() {
			const logger: Logger = Object.assign(Object.create(this.logger), {
				...(onWarning && { warn: onWarning }),
				...(onInfo && { info: onInfo }),
			});
			const own = send ? { ...this.helpers, ...withoutHttp(credential, send) } : this.helpers;
			const helpers = clock instanceof RequestClock ? followed(own, clock) : own;
			// A context of its own: n8n runs a node with Retry On Fail once more after a stop, when
			// another test has begun.
			const context: IExecuteFunctions = Object.create(this, {
				logger: { value: logger },
				helpers: { value: helpers },
			});
			const work = executeVideogen(context, process ?? new Process(clock), limits);
			onNode?.(work);
			return await work;
		},
	};
}

type Helpers = IExecuteFunctions['helpers'];

/** n8n's helpers, whose requests with the key take the time of the clock. */
const followed = (helpers: Helpers, clock: RequestClock): Helpers => ({
	...helpers,
	async httpRequestWithAuthentication(...request) {
		return await clock.follow(
			async () => await helpers.httpRequestWithAuthentication.apply(this, request),
		);
	},
});

/** As long as the node gives the host of a file. */
const FILE_LIMIT_MS = 60_000;

/**
 * n8n's helpers without its HTTP client and its storage: one adds the key and wraps what went wrong, as
 * n8n does; a file is under way, for clocks too, until it is read or dropped.
 */
function withoutHttp(
	{ authenticate }: ICredentialType,
	send: Send,
): Pick<Helpers, 'httpRequestWithAuthentication' | 'httpRequest' | 'prepareBinaryData'> {
	return {
		async httpRequest({ abortSignal, ...options }) {
			const limit = AbortSignal.timeout(FILE_LIMIT_MS);
			const isUnderWay = () => undefined;
			limit.addEventListener('abort', isUnderWay);
			const end = () => limit.removeEventListener('abort', isUnderWay);
			try {
				const stop = abortSignal instanceof AbortSignal ? abortSignal : undefined;
				const answer = await send(options, stop);
				const body = Readable.from([Buffer.from(String(Reflect.get(answer, 'body')))]);
				return { ...answer, body: body.once('close', end) };
			} catch (error) {
				end();
				throw error;
			}
		},
		async prepareBinaryData(body, fileName, mimeType = '') {
			const bytes = Buffer.isBuffer(body) ? body : await buffer(body);
			const id = `filesystem-v2:${randomString(8)}`;
			return { id, fileName, mimeType, data: bytes.toString('base64') };
		},
		async httpRequestWithAuthentication(type, options) {
			if (typeof authenticate !== 'function') throw new Error('The credential adds no key');
			const signed = await authenticate(await this.getCredentials(type), options);
			const end = 'getExecutionCancelSignal' in this ? this.getExecutionCancelSignal() : undefined;
			return await send(signed, end).catch((error: { message: string; code: string }) => {
				throw new NodeApiError(this.getNode(), error);
			});
		},
	};
}

function startData(
	workflow: Workflow,
	{ items = [{}], binaries = [], retryOf, earlierRuns = 0, again, sheet }: RunRequest,
): IRunExecutionData {
	const node = workflow.getNode(NODE_NAME);
	if (node === null) throw new Error('The node is missing in the workflow');
	const main = [
		items.map((json, item) => ({ json, binary: binaries[item], pairedItem: { item } })),
	];
	const run: ITaskData = { startTime: 0, executionTime: 0, executionIndex: 0, source: [] };
	const previousNode = (again && START_NAME) ?? (sheet && BEHIND_SHEET_NAME);
	return createRunExecutionData({
		resultData: {
			runData: {
				...(earlierRuns > 0 && { [NODE_NAME]: Array<ITaskData>(earlierRuns).fill(run) }),
				...(again && { [START_NAME]: [{ ...run, data: { main } }] }),
				...(sheet && sheetData(sheet, main.flat())),
			},
		},
		executionData: {
			contextData: structuredClone(retryOf?.executionData?.contextData ?? {}),
			nodeExecutionStack: [
				{ node, data: { main }, source: previousNode ? { main: [{ previousNode }] } : null },
			],
		},
	});
}

/** n8n's promise rejects without telling the hooks only when the engine itself breaks. */
const rejectionOf = async (execution: Promise<IRun>): Promise<IRun> =>
	await new Promise((_, reject) => execution.catch(reject));

function resultOf(run: IRun): RunResult {
	const main = run.data.resultData.runData[NODE_NAME]?.at(-1)?.data?.main ?? [];
	return {
		status: run.status,
		output: main[0] ?? [],
		errorOutput: main[1] ?? [],
		error: run.data.resultData.error,
		data: run.data,
	};
}

/** The error of a run that must have one. */
export function errorOf({ error }: RunResult): NonNullable<RunResult['error']> {
	if (error === undefined) throw new Error('The run has no error');
	return error;
}
