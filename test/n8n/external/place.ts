import { z } from 'zod';
import {
	N8nApi,
	type CredentialRef,
	type DataTable,
	type Execution,
	type OutputItem,
	type SavedWorkflow,
} from '../../../tools/n8n/api';
import { Cleanups } from '../../../tools/n8n/cleanups';
import { pollUntil } from '../../../tools/n8n/poll';
import type { NewWorkflow } from '../../../tools/n8n/workflows';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../../../tools/simulator';

/** Where n8n is, who owns it, and where n8n reaches the service that is simulated here. */
const settingsSchema = z.object({
	N8N_URL: z.string().url().default('http://127.0.0.1:5678'),
	N8N_EMAIL: z.string(),
	N8N_PASSWORD: z.string(),
	SERVICE_URL: z.string().url().default('http://127.0.0.1:4010'),
});

const READY_TIMEOUT_MS = 120_000;
const TASK_DURATION_MS = 1_000;

/** A running n8n that somebody else has started; what is made in it is deleted at the end. */
export class Place {
	/** A key that the service accepts. */
	readonly apiKey = DEFAULT_API_KEY;
	private readonly cleanups = new Cleanups();

	private constructor(
		readonly api: N8nApi,
		readonly sim: Simulator,
	) {}

	/** Logs in, as the first user of an n8n that has none yet, and starts the service. */
	static async open(): Promise<Place> {
		const { N8N_URL, N8N_EMAIL, N8N_PASSWORD, SERVICE_URL } = settingsSchema.parse(process.env);
		const url = N8N_URL.replace(/\/$/, '');
		// While n8n brings its database up to date, it answers everything with a sentence.
		const isReady = async () =>
			await fetch(`${url}/rest/settings`).then(
				({ headers }) => headers.get('content-type')?.includes('json') || undefined,
				() => undefined,
			);
		await pollUntil(isReady, { what: `an n8n at ${url}`, timeoutMs: READY_TIMEOUT_MS });
		const api = new N8nApi(url);
		const login = { email: N8N_EMAIL, password: N8N_PASSWORD };
		await ((await api.needsOwner()) ? api.setupOwner(login) : api.login(login));
		const { origin, port, hostname } = new URL(SERVICE_URL);
		const isHere = hostname === '127.0.0.1';
		const options = { port: Number(port || 80), origin: isHere ? '' : origin };
		return new Place(api, await startSimulator({ ...options, taskDurationMs: TASK_DURATION_MS }));
	}

	/** The address from this machine of what n8n reaches at a URL of the service. */
	hereOf(url: string): string {
		return url.replace(this.sim.origin, `http://127.0.0.1:${this.sim.port}`);
	}

	/** A credential of the simulated service, unless other data is given. */
	async credential(data: object = {}): Promise<CredentialRef> {
		const service = { apiKey: this.apiKey, baseUrl: this.sim.baseUrl, ...data };
		const made = await this.api.createCredential('Videogen test', service);
		this.cleanups.add(async () => await this.api.deleteCredential(made));
		return made;
	}

	async save(workflow: NewWorkflow): Promise<SavedWorkflow> {
		const saved = await this.api.createWorkflow({ ...workflow, name: `Test: ${workflow.name}` });
		this.cleanups.add(async () => await this.api.deleteWorkflow(saved));
		return saved;
	}

	/** A data table of text columns; older n8n does not find one by its name. */
	async table(columns: readonly string[]): Promise<DataTable> {
		const made = await this.api.createDataTable(`Videogen test ${Date.now()}`, columns);
		this.cleanups.add(async () => await this.api.deleteDataTable(made));
		return made;
	}

	/** *Execute workflow*, until its end. */
	async click(workflow: SavedWorkflow): Promise<Execution> {
		return await this.api.waitForExecution(await this.api.runWorkflow(workflow));
	}

	/** The bytes of the file in an item's field `data`: an n8n 1 that nobody told to keeps them in the item. */
	async fileOf(item: OutputItem): Promise<Buffer> {
		const { id, data } = item.binary?.data ?? {};
		return id === undefined
			? Buffer.from(String(data), 'base64')
			: await this.api.binaryData(String(id));
	}

	async close(): Promise<void> {
		await this.cleanups.run();
		await this.sim.close();
	}
}
