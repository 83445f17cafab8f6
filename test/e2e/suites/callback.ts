import type { Execution } from '../../n8n/api';
import {
	GET_TASK_NODE,
	WAIT_NODE,
	callbackWorkflow,
	type CallbackWorkflow,
} from '../../n8n/callbackWorkflow';
import type { NewWorkflow } from '../../n8n/workflows';
import { triggerNode, webhookNode } from '../../n8n/workflows';
import { DEFAULT_API_KEY, startSimulator, type Simulator } from '../../simulator';
import { startGate } from '../hosts';
import { STANDING_STILL, type Suite } from '../suite';

const CALLBACK_TIMEOUT_MS = 60_000;
/** A service that does not give up before the test does. */
const PATIENT = { callbackRetryDelaysMs: Array.from({ length: 120 }, () => 500) };
const TEST_TIMEOUT_MS = 200_000;
const WEBHOOK_PATH = 'make-a-video';
/** n8n looks once a minute for waits that are over. */
const WAIT_LIMIT_TIMEOUT_MS = 100_000;

type Wanted = Partial<CallbackWorkflow>;

const workflowOf = (n8n: Suite, wanted: Wanted): NewWorkflow =>
	callbackWorkflow({
		name: expect.getState().currentTestName ?? 'Callback',
		credential: n8n.bed.credential,
		trigger: triggerNode(),
		...wanted,
	});

/** What *Execute workflow* does. */
async function startManually(n8n: Suite, wanted: Wanted = {}): Promise<string> {
	return await n8n.api.runWorkflow(await n8n.api.createWorkflow(workflowOf(n8n, wanted)));
}

/** What happens once a workflow is published: its own trigger starts it. */
async function startByTrigger(n8n: Suite): Promise<string> {
	const trigger = webhookNode(WEBHOOK_PATH);
	const saved = await n8n.api.createWorkflow(workflowOf(n8n, { trigger }));
	await n8n.api.publish(saved);
	await n8n.api.callWebhook(WEBHOOK_PATH);
	await n8n.sim.waitForRequest(({ route }) => route === 'create');
	const [id] = await n8n.api.executionsOf(saved);
	if (id === undefined) throw new Error('The trigger started nothing');
	return id;
}

const videoOf = (execution: Execution) => execution.output(GET_TASK_NODE).map(({ json }) => json);

/** A service of its own for what the shared one does not do. */
async function serviceWith(
	n8n: Suite,
	options: Parameters<typeof startSimulator>[0],
): Promise<{ sim: Simulator; credential: { id: string; name: string } }> {
	const sim = await startSimulator(options);
	const data = { apiKey: DEFAULT_API_KEY, baseUrl: sim.baseUrl };
	return { sim, credential: await n8n.api.createCredential({ name: 'Own service', data }) };
}

/** Create → Wait for the service's callback → Get Task: nobody polls, and nothing is kept running. */
export function testCallbacks(n8n: Suite): void {
	describe('waiting by callback', () => {
		it.each([
			['started by hand', startManually],
			['started by the trigger of a published workflow', startByTrigger],
		])('goes on with the finished video, %s', async (_name, start) => {
			const { api, sim } = n8n;
			sim.planTask({ outcome: 'never' });
			const id = await start(n8n);
			await api.waitUntilWaiting(id);
			const task = n8n.onlyTask();
			expect(task.request?.callback_url).toContain(`${api.baseUrl}/webhook-waiting/${id}`);
			expect(sim.reads()).toEqual([]);

			sim.finish(task.id);
			const execution = await n8n.ended(id);
			expect(execution.status).toBe('success');
			expect(videoOf(execution)).toEqual([task.record()]);
			expect(videoOf(execution)).toMatchObject([{ status: 'completed' }]);
			// The address worked as it came from n8n, whose newer versions sign it.
			expect(sim.callbacks).toMatchObject([{ attempt: 1, status: 200, delivered: true }]);
			expect(execution.output(WAIT_NODE)).toMatchObject([{ json: { body: { id: task.id } } }]);
			expect(sim.creates()).toHaveLength(1);
			expect(sim.reads()).toHaveLength(1);
		});

		it(
			'goes on by a repetition of a callback that came before the wait began',
			async () => {
				const gate = await startGate();
				const { sim, credential } = await serviceWith(n8n, PATIENT);
				try {
					sim.planTask({ immediate: true });
					const id = await startManually(n8n, { credential, otherWorkUrl: gate.baseUrl });
					const first = await sim.waitForCallback(() => true, CALLBACK_TIMEOUT_MS);
					gate.open();
					const last = await sim.waitForCallback(({ delivered }) => delivered, CALLBACK_TIMEOUT_MS);

					const execution = await n8n.ended(id);
					expect(execution.status).toBe('success');
					expect(videoOf(execution)).toEqual([...sim.tasks.values()].map((task) => task.record()));
					// n8n does not resume what is running: it answers 500, although it has a 409 for this.
					expect(first).toMatchObject({ attempt: 1, delivered: false });
					expect(first.status).toBeGreaterThanOrEqual(400);
					expect(last.status).toBe(200);
				} finally {
					await Promise.all([gate.close(), sim.close()]);
				}
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'waits for the rest when the service reports every change',
			async () => {
				const options = { callbackOn: 'change', ...PATIENT } as const;
				const { sim, credential } = await serviceWith(n8n, options);
				try {
					sim.planTask(STANDING_STILL);
					const id = await startManually(n8n, { credential });
					await n8n.api.waitUntilWaiting(id);
					const [task] = sim.tasks.values();
					if (task === undefined) throw new Error('No task was created');
					sim.setStatus(task.id, 'processing');
					await sim.waitForRequest(({ route }) => route === 'task', CALLBACK_TIMEOUT_MS);
					sim.finish(task.id);

					const execution = await n8n.ended(id);
					expect(execution.output(WAIT_NODE)).toMatchObject([
						{ json: { body: { status: 'processing' } } },
					]);
					expect(videoOf(execution)).toEqual([task.record()]);
					expect(videoOf(execution)).toMatchObject([{ status: 'completed' }]);
				} finally {
					await sim.close();
				}
			},
			TEST_TIMEOUT_MS,
		);
	});
}

/** The service never says anything: started before the other tests, and looked at after them. */
export class LostCallback {
	private executionId = '';
	private service: Simulator | undefined;

	/** Call inside `describe`, after the server's own `beforeAll`. */
	constructor(private readonly n8n: Suite) {
		beforeAll(async () => {
			const { sim, credential } = await serviceWith(n8n, {});
			this.service = sim;
			this.executionId = await startManually(n8n, {
				name: 'Lost callback',
				credential,
				callbackUrl: `${sim.baseUrl}/nobody/listens/here`,
				waitLimitSeconds: 1,
			});
		});
		afterAll(async () => await this.service?.close());
	}

	test(): void {
		it(
			'goes on without a callback when the time of the Wait node is up',
			async () => {
				const execution = this.n8n.kept(
					await this.n8n.api.waitForExecution(this.executionId, WAIT_LIMIT_TIMEOUT_MS),
				);
				expect(execution.status).toBe('success');
				expect(videoOf(execution)).toMatchObject([{ status: 'completed' }]);
				expect(this.service?.creates()).toHaveLength(1);
				// The service has tried until it gave up.
				const attempts = this.service?.options.callbackRetryDelaysMs.length ?? 0;
				await this.service?.waitForCallback(({ attempt }) => attempt === attempts + 1);
				expect(this.service?.callbacks.filter(({ delivered }) => delivered)).toEqual([]);
			},
			WAIT_LIMIT_TIMEOUT_MS,
		);
	}
}
