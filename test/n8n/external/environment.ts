import { z } from 'zod';
import { N8nApi } from '../../../tools/n8n/api';
import { startWithCleanups, type Cleanups } from '../../../tools/n8n/cleanups';
import { pollUntil } from '../../../tools/n8n/poll';
import { DEFAULT_API_KEY, startSimulator } from '../../../tools/simulator';

/** Where n8n is, who owns it, and where n8n reaches the service that is simulated here. */
const settingsSchema = z.object({
	N8N_URL: z.string().url().default('http://127.0.0.1:5678'),
	N8N_EMAIL: z.string(),
	N8N_PASSWORD: z.string(),
	SERVICE_URL: z.string().url().default('http://127.0.0.1:4010'),
});

const READY_TIMEOUT_MS = 120_000;
const TASK_DURATION_MS = 1_000;

/** Deletes at the end what it has created. */
class TidyApi extends N8nApi {
	constructor(
		baseUrl: string,
		private readonly cleanups: Cleanups,
	) {
		super(baseUrl);
	}

	override async createCredential(...given: Parameters<N8nApi['createCredential']>) {
		const created = await super.createCredential(...given);
		this.cleanups.add(async () => await this.deleteCredential(created));
		return created;
	}

	override async createWorkflow(...given: Parameters<N8nApi['createWorkflow']>) {
		const created = await super.createWorkflow(...given);
		this.cleanups.add(async () => await this.deleteWorkflow(created));
		return created;
	}

	override async createDataTable(...given: Parameters<N8nApi['createDataTable']>) {
		const created = await super.createDataTable(...given);
		this.cleanups.add(async () => await this.deleteDataTable(created));
		return created;
	}
}

/** An n8n that somebody else has started, whose first user this may be, and the service. */
export const openExternal = async () =>
	await startWithCleanups(async (cleanups) => {
		const { N8N_URL, N8N_EMAIL, N8N_PASSWORD, SERVICE_URL } = settingsSchema.parse(process.env);
		const url = N8N_URL.replace(/\/$/, '');
		// While n8n brings its database up to date, it answers everything with a sentence.
		const isReady = async () =>
			await fetch(`${url}/rest/settings`).then(
				({ headers }) => headers.get('content-type')?.includes('json') || undefined,
				() => undefined,
			);
		await pollUntil(isReady, { what: `an n8n at ${url}`, timeoutMs: READY_TIMEOUT_MS });
		const { origin, port, hostname } = new URL(SERVICE_URL);
		const options = { port: Number(port || 80), origin: hostname === '127.0.0.1' ? '' : origin };
		const sim = await startSimulator({ ...options, taskDurationMs: TASK_DURATION_MS });
		cleanups.add(sim.close);
		const api = new TidyApi(url, cleanups);
		await api.login({ email: N8N_EMAIL, password: N8N_PASSWORD });
		const service = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
		return { api, sim, credential: await api.createCredential('Videogen test', service) };
	});
