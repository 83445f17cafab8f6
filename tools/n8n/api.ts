/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/require-node-api-error -- It runs in Node.js, not in n8n. */
import { setMaxListeners } from 'node:events';
import { ExecutionStatusList } from 'n8n-workflow';
import { parse as parseFlatted } from 'flatted';
import { withinTime } from '../timeLimit';
import { pollUntil } from './poll';
import { VIDEOGEN_TOOL_TYPE, VIDEOGEN_TYPE, type NewNode, type NewWorkflow } from './workflows';

const REQUEST_TIMEOUT_MS = 60_000;
/** n8n may be slow to notice that an execution is over; only one that never ends is given up. */
const EXECUTION_TIMEOUT_MS = 240_000;
/** As many executions as n8n lists at once. */
const LIST_LIMIT = 100;

/** n8n ties a login to the browser; every call of one client must carry the same id. */
export const BROWSER_ID = 'n8n-nodes-videogen-tasks';

/** What it says to a second owner. */
const HAS_OWNER = 'already setup';

/** What n8n 2.41 says where a regular expression takes 250 ms of real time, as on a busy machine. */
const TOO_SLOW = 'Regular expression execution timed out';

/** Triggers that a person can set off in the editor. */
const STARTED_BY_HAND = /\.(?:manual|schedule|chat|executeWorkflow)Trigger$/;

export interface Login {
	email: string;
	password: string;
}

export interface CredentialRef {
	id: string;
	name: string;
}

const CREDENTIAL_TYPE = 'videogenApi';

/** A data table as n8n lists it. */
export type DataTable = Readonly<Record<'id' | 'name' | 'projectId', string>>;
/** What a person writes into a row; n8n adds its own columns. */
export type DataRow = Readonly<Record<string, string>>;

/** A workflow as n8n has it saved. */
export interface SavedWorkflow {
	id: string;
	name: string;
	versionId: string;
	nodes: NewNode[];
}

export interface OutputItem {
	json: Record<string, unknown>;
	pairedItem?: unknown;
	binary?: Record<string, Record<string, unknown>>;
}

interface ExecutionError {
	message: string;
	description?: string | null;
	context?: Record<string, unknown>;
}

/** What n8n keeps of an execution; what a node gives an agent comes out elsewhere than at `main`. */
interface ExecutionData {
	resultData: {
		runData: Record<string, Array<{ data?: { main?: Array<OutputItem[] | null> } }>>;
		error?: ExecutionError;
	};
}

const STATUSES_AT_THE_END = ['success', 'error', 'canceled', 'crashed'] as const;
type Ended = Record<'id' | 'data', string> & { status: (typeof STATUSES_AT_THE_END)[number] };

/** An execution that has ended, with what each node put out. */
export type EndedExecution = ReturnType<typeof readExecution>;

/** The REST interface of an n8n server, as the editor uses it. */
export class N8nApi {
	private cookie = '';

	/** @param signal Ends whatever is under way, and everything to come, when aborted. */
	constructor(
		readonly baseUrl: string,
		private readonly signal = new AbortController().signal,
	) {
		// Every wait listens to it, and there may be many at once.
		setMaxListeners(0, signal);
	}

	/** Logs in; a server that waits for its first user gets this one. */
	async login({ email, password }: Login): Promise<void> {
		const owner = { email, password, firstName: 'Videogen', lastName: 'Demo' };
		const login = { emailOrLdapLoginId: email, password };
		await this.post('/rest/owner/setup', owner).catch(async (error: unknown) => {
			if (!String(error).includes(HAS_OWNER)) throw error;
			await this.post('/rest/login', login);
		});
	}

	/**
	 * For each node, the versions in which the server has its type, or that of which it makes the tool.
	 * @throws Error when it does not know a type.
	 */
	async versionsOf(nodes: readonly NewNode[]): Promise<number[][]> {
		const nodeInfos = nodes.map(({ type, typeVersion }) => ({
			name: type === VIDEOGEN_TOOL_TYPE ? VIDEOGEN_TYPE : type,
			version: typeVersion,
		}));
		type Description = { version: number | number[] };
		const known = await this.post<Description[]>('/rest/node-types', { nodeInfos });
		return known.map(({ version }) => [version].flat());
	}

	/** @param type Of the service unless given. */
	async createCredential(name: string, data: object, type = CREDENTIAL_TYPE) {
		return await this.post<CredentialRef>('/rest/credentials', { name, type, data });
	}

	async updateCredential({ id, name }: CredentialRef, data: object, type: string) {
		const body = { name, type, data };
		return await this.request<CredentialRef>('PATCH', `/rest/credentials/${id}`, body);
	}

	/** The credential of that name, if there is one. */
	async findCredential(name: string, type = CREDENTIAL_TYPE): Promise<CredentialRef | undefined> {
		const all = await this.get<Array<CredentialRef & { type: string }>>('/rest/credentials');
		return all.find((found) => found.name === name && found.type === type);
	}

	/** What pressing *Test* in the editor says about the data, saved or not. */
	async testCredential({ id, name }: CredentialRef, data: object) {
		const credentials = { id, name, type: CREDENTIAL_TYPE, data };
		type ProviderMessage = Record<'status' | 'message', string>;
		return await this.post<ProviderMessage>('/rest/credentials/test', { credentials });
	}

	async createWorkflow(workflow: NewWorkflow): Promise<SavedWorkflow> {
		return await this.post('/rest/workflows', workflow);
	}

	/** The saved workflow of that name, if there is one that is not archived. */
	async findWorkflow(name: string): Promise<SavedWorkflow | undefined> {
		type Listed = { id: string; name: string; isArchived?: boolean };
		const all = await this.get<Listed[]>('/rest/workflows');
		const found = all.find((workflow) => workflow.name === name && !workflow.isArchived);
		return found && (await this.get(`/rest/workflows/${found.id}`));
	}

	async updateNodes({ id, nodes }: SavedWorkflow): Promise<SavedWorkflow> {
		const path = `/rest/workflows/${id}?forceSave=true`;
		return await this.request('PATCH', path, { nodes });
	}

	/**
	 * Starts a workflow as the editor's *Execute workflow* does, or its chat when there is a message.
	 * @param input What the trigger gives; without it, whatever the trigger makes itself.
	 * @param triggerName Which trigger, when there are several; the first unless given.
	 * @returns Id of the execution, which is running by then.
	 */
	async runWorkflow(
		workflow: SavedWorkflow,
		input?: Record<string, unknown>,
		triggerName?: string,
	): Promise<string> {
		const trigger = workflow.nodes.find(
			({ name, type }) => STARTED_BY_HAND.test(type) && name === (triggerName ?? name),
		);
		if (trigger === undefined) throw new Error(`Workflow ${workflow.name} has no such trigger`);
		const triggerToStartFrom = { name: trigger.name, ...(input && { data: ranWith(input) }) };
		const body = { workflowData: workflow, triggerToStartFrom };
		return await this.started(workflow, body);
	}

	/** A person who reads that n8n was too slow presses again; nothing has been executed then. */
	private async started({ id }: SavedWorkflow, body: object): Promise<string> {
		const start = async () =>
			await this.post<{ executionId: string }>(`/rest/workflows/${id}/run`, body);
		const answer = await start().catch(async (error: unknown) => {
			if (!String(error).includes(TOO_SLOW)) throw error;
			return await start();
		});
		return answer.executionId;
	}

	/** Makes a workflow react to its own triggers, with the nodes as they are saved. */
	async publish({ id, versionId }: SavedWorkflow): Promise<void> {
		await this.post(`/rest/workflows/${id}/activate`, { versionId });
	}

	/** Ends what `publish` began. */
	async unpublish({ id }: SavedWorkflow): Promise<void> {
		await this.post(`/rest/workflows/${id}/deactivate`, {});
	}

	/** Calls a published workflow; n8n listens some time after it was published. */
	async callWebhook(path: string, json: Record<string, unknown> = {}): Promise<Response> {
		const answered = async () => {
			const response = await this.fetch('POST', `/webhook/${path}`, json);
			if (response.status === 200) return response;
			if (response.status !== 404) throw new Error(`/webhook answered ${response.status}`);
			await response.body?.cancel();
			return undefined;
		};
		return await this.until(answered, `n8n to listen at /webhook/${path}`);
	}

	/** Ids of a workflow's executions, the newest first. */
	async executionsOf({ id }: SavedWorkflow): Promise<string[]> {
		return (await this.listExecutions({ workflowId: id })).map((execution) => execution.id);
	}

	/**
	 * The newest first. Unless a list of statuses is given, n8n asks its database for those that run
	 * and for the others apart, and one that goes from the ones to the others meanwhile is in both
	 * or in neither.
	 */
	private async listExecutions(wanted: { workflowId?: string }) {
		const filter = encodeURIComponent(JSON.stringify({ ...wanted, status: ExecutionStatusList }));
		const path = `/rest/executions?limit=${LIST_LIMIT}&filter=${filter}`;
		type Listed = { id: string; retryOf?: string | null };
		return (await this.get<{ results: Listed[] }>(path)).results;
	}

	/** The first execution of a workflow that has been started, once n8n lists it. */
	async firstExecutionOf(workflow: SavedWorkflow): Promise<string> {
		const first = async () => (await this.executionsOf(workflow)).at(-1);
		const what = `an execution of "${workflow.name}" in the list`;
		return await this.until(first, what);
	}

	/** Makes a data table of text columns, as a person does in the overview. */
	async createDataTable(name: string, columnNames: readonly string[]): Promise<DataTable> {
		const columns = columnNames.map((column) => ({ name: column, type: 'string' }));
		return await this.post(await this.dataTablesPath(), { name, columns });
	}

	/** The data table of that name, if there is one. */
	async findDataTable(name: string): Promise<DataTable | undefined> {
		const filter = encodeURIComponent(JSON.stringify({ name }));
		const path = `${await this.dataTablesPath()}?filter=${filter}`;
		const found = await this.get<{ data: DataTable[] }>(path);
		return found.data.find((table) => table.name === name);
	}

	private async dataTablesPath(): Promise<string> {
		const { id } = await this.get<{ id: string }>('/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	async addRows(table: DataTable, rows: readonly DataRow[]): Promise<void> {
		await this.post(`${pathOf(table)}/insert`, { data: rows, returnType: 'count' });
	}

	/** Changes all rows that have this value in a column. */
	async updateRows(
		table: DataTable,
		{ column, value }: { column: string; value: string },
		data: DataRow,
	): Promise<void> {
		const filters = [{ columnName: column, condition: 'eq', value }];
		const body = { filter: { type: 'and', filters }, data };
		await this.request('PATCH', `${pathOf(table)}/rows`, body);
	}

	/** All rows of a small data table. */
	async rowsOf(table: DataTable): Promise<Array<Record<string, unknown>>> {
		const path = `${pathOf(table)}/rows?take=${LIST_LIMIT}`;
		return (await this.get<{ data: Array<Record<string, unknown>> }>(path)).data;
	}

	/** Waits until n8n says this about an execution, whether it has ended or not. */
	async waitForStatus(id: string, status: string): Promise<void> {
		const hasCome = async () =>
			(await this.get<{ status: string }>(`/rest/executions/${id}`)).status === status || undefined;
		await this.until(hasCome, `execution ${id} to be ${status}`, EXECUTION_TIMEOUT_MS);
	}

	/** Waits until an execution has ended, whatever its outcome. */
	async waitForExecution(id: string): Promise<EndedExecution> {
		const ended = async () => {
			const answer = await this.get<Ended>(`/rest/executions/${id}`);
			return STATUSES_AT_THE_END.includes(answer.status) ? readExecution(answer) : undefined;
		};
		return await this.until(ended, `execution ${id} to end`, EXECUTION_TIMEOUT_MS);
	}

	/** The bytes of a file in n8n's storage, as the editor downloads it. */
	async binaryData(id: string): Promise<Buffer> {
		const query = new URLSearchParams({ id, action: 'download' });
		const response = await this.fetch('GET', `/rest/binary-data?${query}`);
		if (!response.ok) throw new Error(`File ${id} answered ${response.status}`);
		return Buffer.from(await response.arrayBuffer());
	}

	async stopExecution(id: string): Promise<void> {
		await this.post(`/rest/executions/${id}/stop`, {});
	}

	/**
	 * What *Retry execution* does: continues at the node that failed, with the workflow as it was
	 * then, or as it is saved now. Gives the ID of the new execution. In queue mode n8n does not see
	 * the end of a job that is over before n8n listens for it, and then never answers: the list has
	 * its ID.
	 */
	async startRetry(id: string, withSavedWorkflow: boolean): Promise<string> {
		try {
			const body = { loadWorkflow: withSavedWorkflow };
			return (await this.post<{ id: string }>(`/rest/executions/${id}/retry`, body)).id;
		} catch (error) {
			const newest = (await this.listExecutions({})).find(({ retryOf }) => retryOf === id);
			if (newest === undefined || !isTimeout(error)) throw error;
			return newest.id;
		}
	}

	private async until<T>(check: () => Promise<T | undefined>, what: string, timeoutMs?: number) {
		return await pollUntil(check, { what, timeoutMs, signal: this.signal });
	}

	private async get<Answer>(path: string): Promise<Answer> {
		return await this.request('GET', path);
	}

	private async post<Answer>(path: string, body: unknown): Promise<Answer> {
		return await this.request('POST', path, body);
	}

	/** A test that uses what n8n does not send fails by that: nothing is checked here. */
	private async request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
		const response = await this.fetch(method, path, body);
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
		const [cookie] = response.headers.getSetCookie();
		if (cookie !== undefined) this.cookie = cookie.slice(0, cookie.indexOf(';'));
		const answer: { data?: Answer } & Answer = JSON.parse(text || '{}');
		// n8n puts most answers under `data`; lists of types come bare.
		return answer.data ?? answer;
	}

	private async fetch(method: string, path: string, body?: unknown): Promise<Response> {
		return await fetch(`${this.baseUrl}${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': BROWSER_ID,
				// n8n closes one that was quiet for a moment, maybe while the next request is on its way.
				connection: 'close',
				cookie: this.cookie,
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: withinTime(REQUEST_TIMEOUT_MS, this.signal),
		});
	}
}

const pathOf = ({ id, projectId }: DataTable): string =>
	`/rest/projects/${projectId}/data-tables/${id}`;

const isTimeout = (error: unknown): boolean =>
	error instanceof DOMException && error.name === 'TimeoutError';

/** A trigger's run as the editor reports it. */
const ranWith = (json: Record<string, unknown>) => ({
	startTime: Date.now(),
	executionTime: 0,
	executionIndex: 0,
	executionStatus: 'success',
	source: [],
	data: { main: [[{ json }]] },
});

function readExecution(answer: Ended) {
	const { id, status, data } = answer;
	const { resultData }: ExecutionData = parseFlatted(data);
	const { runData, error } = resultData;
	/** Items of one output of a node's last run; empty when the node did not run. */
	const output = (node: string, index = 0) => runData[node]?.at(-1)?.data?.main?.[index] ?? [];
	/** Everything that n8n saved of this execution, as it sent it. */
	const raw = JSON.stringify(answer);
	return { id, status, error, output, raw };
}
