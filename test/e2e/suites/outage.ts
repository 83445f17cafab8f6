import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../../simulator';
import { PROMPT_OF_ITEM, itemsOf, jsonOf, waiting, type Suite } from '../suite';

const PROMPTS = ['first', 'second', 'third'];
const OUTAGE_MS = 4 * 60_000;
const TIMEOUT_MINUTES = 10;
/** It has run for a while when its test comes. */
const TEST_TIMEOUT_MS = TIMEOUT_MINUTES * 60_000;

/** A service that is down for minutes: started before the other tests, and looked at after them. */
export class LongOutage {
	private executionId = '';
	private service: Simulator | undefined;

	/** Call inside `describe`, after the server's own `beforeAll`. */
	constructor(private readonly n8n: Suite) {
		beforeAll(async () => {
			const { api } = n8n;
			const sim = await startSimulator();
			this.service = sim;
			const fault = { kind: 'status', status: 503 } as const;
			sim.script({ on: 'task', times: Infinity, untilMs: Date.now() + OUTAGE_MS, fault });
			const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
			const workflow = n8n.workflow({
				credential: await api.createCredential({ name: 'Down for minutes', data }),
				parameters: { ...PROMPT_OF_ITEM, ...waiting({ timeoutMinutes: TIMEOUT_MINUTES }) },
				items: itemsOf(PROMPTS),
			});
			this.executionId = await api.runWorkflow(await api.createWorkflow(workflow));
		});
		afterAll(async () => await this.service?.close());
	}

	test(): void {
		it(
			'gets every video after an outage of four minutes, within the Timeout of ten',
			async () => {
				const { n8n, service } = this;
				const execution = await n8n.api.waitForExecution(this.executionId, TEST_TIMEOUT_MS);
				expect(n8n.kept(execution).status).toBe('success');
				expect(jsonOf(execution)).toMatchObject(PROMPTS.map(() => ({ status: 'completed' })));
				expect(service?.creates()).toHaveLength(PROMPTS.length);
				const failed = service?.reads().filter(({ status }) => status === 503) ?? [];
				const [first, last] = [failed.at(0)?.at ?? 0, failed.at(-1)?.at ?? 0];
				expect(last - first).toBeGreaterThan(OUTAGE_MS / 2);
			},
			TEST_TIMEOUT_MS,
		);
	}
}
