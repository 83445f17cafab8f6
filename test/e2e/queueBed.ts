import { N8nApi, type CredentialRef } from '../n8n/api';
import { Cleanups } from '../n8n/cleanups';
import { connectionTo, type Contact } from '../n8n/contacts';
import { ensureN8n } from '../n8n/install';
import { startQueueSetup, type QueueSetup, type Worker, type WorkerOptions } from '../n8n/queue';
import type { N8nVersion } from '../n8n/recipes';
import type { ChainWorkflow } from '../n8n/webhookWorkflow';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../simulator';
import { OWNER, TESTBED_TIMEOUT_MS } from './harness';
import { PublishedWorkflow } from './published';

const TASK_DURATION_MS = 300;
/** What n8n allows for a workflow. */
const MAX_NAME_LENGTH = 128;

export type WantedWorkflow = Omit<ChainWorkflow, 'name' | 'credential'> & { name?: string };

/** n8n in queue mode, without workers at first, and a simulated service that it can reach. */
export class QueueBed {
	private parts:
		{ setup: QueueSetup; sim: Simulator; api: N8nApi; credential: CredentialRef } | undefined;
	private readonly cleanups = new Cleanups();
	private starts = 0;

	/**
	 * Call inside `describe`.
	 * @param env Further settings of n8n, for all processes.
	 */
	constructor(version: N8nVersion, env?: Record<string, string>) {
		beforeAll(async () => await this.start(version, env), TESTBED_TIMEOUT_MS);
		afterAll(async () => await this.cleanups.run(), TESTBED_TIMEOUT_MS);
	}

	get api(): N8nApi {
		return this.started.api;
	}

	/** Of the service. */
	get credential(): CredentialRef {
		return this.started.credential;
	}

	get sim(): Simulator {
		return this.started.sim;
	}

	async startWorker(options?: WorkerOptions): Promise<Worker> {
		return await this.started.setup.startWorker(options);
	}

	/** Workers for the tests of a `describe`, in which this is called. */
	workers(count: number, options?: WorkerOptions): () => Worker[] {
		let workers: Worker[] = [];
		beforeAll(async () => {
			const start = async () => await this.startWorker(options);
			workers = await Promise.all(Array.from({ length: count }, start));
		}, TESTBED_TIMEOUT_MS);
		afterAll(
			async () => await Promise.all(workers.map(async (worker) => await worker.stop())),
			TESTBED_TIMEOUT_MS,
		);
		return () => workers;
	}

	/** A workflow behind a webhook, named as the test unless told. */
	async publish(wanted: WantedWorkflow): Promise<PublishedWorkflow> {
		return await PublishedWorkflow.withWebhook(this.api, this.named(wanted));
	}

	/** A workflow that others call. */
	async publishSubWorkflow(wanted: WantedWorkflow): Promise<PublishedWorkflow> {
		return await PublishedWorkflow.asSubWorkflow(this.api, this.named(wanted));
	}

	/** Every row of n8n's database, as SQL. */
	async dumpDatabase(): Promise<string> {
		return await this.started.setup.dumpDatabase();
	}

	/** Writes all that Redis holds at this moment into a file in the folder. */
	async saveRedis(): Promise<void> {
		await this.started.setup.saveRedis();
	}

	/** Everything that the main process and the workers have contacted so far. */
	async contacts(): Promise<Contact[]> {
		return await this.started.setup.contacts();
	}

	/** What they need to do their work: Redis, PostgreSQL and the service. */
	get neededContacts(): Contact[] {
		const { setup, sim } = this.started;
		return [...setup.ports, sim.port].map(connectionTo);
	}

	/** How often the main process was started. */
	get mainStarts(): number {
		return this.starts;
	}

	/** Where all processes keep their settings and logs. */
	get folder(): string {
		return this.started.setup.folder;
	}

	/** Ends the main process as `kill -9` does; the workers go on. */
	async killMain(): Promise<void> {
		await this.started.setup.main.kill();
	}

	/** Starts it again at the same address and with the same data. */
	async restartMain(): Promise<void> {
		await this.started.setup.startMain();
		this.starts += 1;
	}

	private named(wanted: WantedWorkflow): ChainWorkflow {
		const test = expect.getState().currentTestName ?? 'Test';
		const name = test.slice(-MAX_NAME_LENGTH);
		return { name, credential: this.started.credential, ...wanted };
	}

	private get started() {
		if (this.parts === undefined) throw new Error('n8n was not started');
		return this.parts;
	}

	private async start(version: N8nVersion, env?: Record<string, string>): Promise<void> {
		await ensureN8n(version, { onProgress: (line) => process.stderr.write(`${line}\n`) });
		const sim = await startSimulator({ taskDurationMs: TASK_DURATION_MS });
		this.cleanups.add(async () => await sim.close());
		const setup = await startQueueSetup(version, env);
		this.cleanups.add(setup.stop);
		this.starts = 1;
		const api = new N8nApi(setup.main.baseUrl);
		await api.setupOwner(OWNER);
		const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
		const credential = await api.createCredential({ name: 'Videogen', data });
		this.parts = { setup, sim, api, credential };
	}
}
