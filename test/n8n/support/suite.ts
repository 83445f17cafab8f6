/* eslint-disable @n8n/community-nodes/no-restricted-imports -- It runs in Node.js, not in n8n. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { EndedExecution, N8nApi, OutputItem, SavedWorkflow } from '../../../tools/n8n/api';
import { Cleanups } from '../../../tools/n8n/cleanups';
import { connectionTo } from '../../../tools/n8n/contacts';
import { NEWEST, isN8n1, type N8nVersion } from '../../../tools/n8n/versions';
import {
	calledNode,
	chainWorkflow,
	triggerNode,
	videogenNode,
	webhookNode,
	type Chain,
	type ChainNode,
	type NewWorkflow,
	type VideogenSettings,
} from '../../../tools/n8n/workflows';
import {
	DEFAULT_API_KEY,
	startSimulator,
	type SimulatedTask,
	type Simulator,
} from '../../../tools/simulator';
import type { QueueEnvironment } from './queueEnvironment';
import { TASK_DURATION_MS, type Testbed } from '../../../tools/n8n/testbed';

/** What n8n allows for the name of a workflow. */
const MAX_NAME_LENGTH = 128;

/** What differs between workflows; unless given, the name is the test's, the credential the environment's. */
type ChainOptions = Partial<Omit<Chain, 'nodes'>>;
/** Manual trigger → Videogen. */
type Wanted = VideogenSettings & Pick<ChainOptions, 'items'>;

/** How an execution has to end; with success unless given. */
type Ending = EndedExecution['status'];

/** A workflow that works in production, and its executions. */
export type PublishedWorkflow = Awaited<ReturnType<Suite['publish']>>;

/** One n8n for a group of tests, and what they all do with it. */
export class Suite<
	Environment extends Pick<Testbed, 'api' | 'sim' | 'credential' | 'stop'> = Testbed,
> {
	private started: Environment | undefined;
	private cleanups = new Cleanups();

	/** @param environment One that runs, or how it is started: then call it inside `describe`. */
	constructor(
		readonly version: N8nVersion,
		environment: Environment | ((version: N8nVersion) => Promise<Environment>),
	) {
		if (typeof environment !== 'function') {
			this.started = environment;
			return;
		}
		beforeAll(async () => {
			this.started = await environment(version);
			this.cleanups.add(this.started.stop);
		});
		afterAll(async () => await this.cleanups.run());
	}

	/** The same n8n with a service of its own, whose tasks and requests nobody else has. */
	async aside(): Promise<Suite<Environment>> {
		const sim = this.closeAtEnd(await startSimulator({ taskDurationMs: TASK_DURATION_MS }));
		const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
		const credential = await this.api.createCredential('Another one', data);
		const neededContacts = [connectionTo(sim.port)];
		const aside = new Suite(this.version, { ...this.environment, sim, credential, neededContacts });
		aside.cleanups = this.cleanups;
		return aside;
	}

	get environment(): Environment {
		if (this.started === undefined) throw new Error('n8n was not started');
		return this.started;
	}

	get api(): N8nApi {
		return this.environment.api;
	}

	get sim(): Simulator {
		return this.environment.sim;
	}

	/** Registers what shows an example or the editor, and not how n8n differs: on one n8n alone. */
	itOnNewest(name: string, test: () => Promise<void>): void {
		if (this.version === NEWEST) it(name, test);
	}

	/** Another server of a test; it is closed at the end. */
	closeAtEnd<Server extends { close(): Promise<void> }>(server: Server): Server {
		this.cleanups.add(async () => await server.close());
		return server;
	}

	chain(nodes: readonly ChainNode[], options?: ChainOptions): NewWorkflow {
		const name = (expect.getState().currentTestName ?? 'Test').slice(-MAX_NAME_LENGTH);
		const credentials = { videogenApi: this.environment.credential };
		return chainWorkflow({ name, credentials, nodes, ...options });
	}

	workflow({ items, ...settings }: Wanted): NewWorkflow {
		return this.chain([triggerNode(), videogenNode(settings)], { items });
	}

	/** Saves a workflow and starts it as *Execute workflow* does; gives the ID of the execution. */
	async start(workflow: NewWorkflow): Promise<string> {
		return await this.api.runWorkflow(await this.api.createWorkflow(workflow));
	}

	async run(wanted: Wanted, ends?: Ending): Promise<EndedExecution> {
		return await this.execute(this.workflow(wanted), ends);
	}

	async execute(workflow: NewWorkflow, ends?: Ending): Promise<EndedExecution> {
		return await this.ended(await this.start(workflow), ends);
	}

	/** Presses *Retry execution*; with the workflow as it was then unless told. */
	async retry(
		{ id }: EndedExecution,
		ends?: Ending,
		withSavedWorkflow = false,
	): Promise<EndedExecution> {
		return await this.ended(await this.api.startRetry(id, withSavedWorkflow), ends);
	}

	/** Resolves with an execution that has ended. Fails unless it ended so. */
	async ended(executionId: string, ends: Ending = 'success'): Promise<EndedExecution> {
		const execution = await this.api.waitForExecution(executionId);
		const { status, error } = execution;
		if (status === ends) return execution;
		throw new Error(`It ended with ${status}, not with ${ends}. ${error?.message ?? ''}`);
	}

	/** Webhook → these nodes: what runs for users, in production and with nobody watching. */
	async publish(nodes: readonly ChainNode[], options?: ChainOptions) {
		const urlPath = randomUUID();
		const saved = await this.api.createWorkflow(
			this.chain([webhookNode(urlPath), ...nodes], options),
		);
		return await this.published(saved, urlPath);
	}

	/** The same nodes behind a trigger that other workflows call; n8n 1 runs it unpublished. */
	async publishSubWorkflow(nodes: readonly ChainNode[]) {
		const saved = await this.api.createWorkflow(this.chain([calledNode, ...nodes]));
		return isN8n1(this.version) ? this.executionsOf(saved) : await this.published(saved);
	}

	/** Publishes these nodes and calls them once. */
	async runPublished(nodes: readonly ChainNode[], ends?: Ending): Promise<EndedExecution> {
		const workflow = await this.publish(nodes);
		await workflow.call('A fox');
		return await workflow.firstExecution(ends);
	}

	/** Publishes the workflow with a webhook in place of its schedule, or else its manual trigger. */
	async publishCalled(workflow: NewWorkflow) {
		const urlPath = randomUUID();
		const triggerOf = (kind: string) => workflow.nodes.find(({ type }) => type.endsWith(kind));
		const trigger = triggerOf('.scheduleTrigger') ?? triggerOf('.manualTrigger');
		const nodes = workflow.nodes.map((node) =>
			node === trigger ? { ...node, ...webhookNode(urlPath), name: node.name } : node,
		);
		return await this.published(await this.api.createWorkflow({ ...workflow, nodes }), urlPath);
	}

	private async published(saved: SavedWorkflow, urlPath = '') {
		await this.api.publish(saved);
		return this.executionsOf(saved, urlPath);
	}

	private executionsOf(saved: SavedWorkflow, urlPath = '') {
		const { api } = this;
		const firstExecutionId = async () => await api.firstExecutionOf(saved);
		return {
			id: saved.id,
			/** Calls its webhook; each call is one execution. */
			call: async (prompt: string) => await (await api.callWebhook(urlPath, { prompt })).text(),
			/** IDs of all executions so far, the oldest first. */
			executionIds: async () => (await api.executionsOf(saved)).reverse(),
			firstExecutionId,
			/** The first execution, once it has ended. */
			firstExecution: async (ends?: Ending) => await this.ended(await firstExecutionId(), ends),
			/** Resolves when n8n says this about the first execution. */
			untilFirstIs: async (status: string) =>
				await api.waitForStatus(await firstExecutionId(), status),
		};
	}

	tasks(): SimulatedTask[] {
		return [...this.sim.tasks.values()];
	}

	/** What the service was asked to create, in order of arrival. */
	createdBodies(): unknown[] {
		return this.sim.creates().map(({ json }) => json);
	}

	onlyTask(): SimulatedTask {
		return only(this.tasks(), 'task');
	}

	/** The one task that was made for a prompt. */
	taskOf(prompt = ''): SimulatedTask {
		return only(
			this.tasks().filter((task) => task.prompt === prompt),
			`task for "${prompt}"`,
		);
	}

	/** The tasks' records as the service gives them now, in the order of these prompts. */
	recordsOf(prompts: readonly string[]) {
		return prompts.map((prompt) => this.taskOf(prompt).record());
	}

	/** The bytes of the file in an item's field `data`: n8n 1 keeps them in the item, unless told. */
	async fileOf(item: OutputItem | undefined): Promise<Buffer> {
		const { id, data } = item?.binary?.data ?? {};
		return id === undefined
			? Buffer.from(String(data), 'base64')
			: await this.api.binaryData(String(id));
	}
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
	'.mp4': 'video/mp4',
	'.png': 'image/png',
	'.wav': 'audio/wav',
};

/** Lets a simulator serve a file, whose type follows from its name; gives its URL. */
export const served = (host: Simulator, name: string, body: Buffer): string =>
	host.serve(`/${name}`, { body, contentType: CONTENT_TYPES[path.extname(name)] });

/** A suite in queue mode. */
export type QueueSuite = Suite<QueueEnvironment>;

function only<T>(all: readonly T[], what: string): T {
	const [first] = all;
	if (first === undefined || all.length > 1) {
		throw new Error(`Expected exactly one ${what}, not ${all.length}`);
	}
	return first;
}
