import { requestNode, triggerNode } from '../../n8n/workflows';
import { startSimulator, type Simulator } from '../../simulator';
import type { Suite } from '../beds/suite';
import { startGate } from '../hosts';
import {
	GET_NODE,
	STANDING_STILL,
	WAIT_NODE,
	createAndBeCalled,
	jsonFrom,
	type CallbackOptions,
} from '../vocabulary';

const CALLBACK_TIMEOUT_MS = 60_000;
/** A service that does not give up before the test does. */
const PATIENT = { callbackRetryDelaysMs: Array.from({ length: 120 }, () => 500) };

/** What *Execute workflow* does, at the bed's own service unless given. */
async function startManually(n8n: Suite, service?: Simulator, options?: CallbackOptions) {
	const nodes = [triggerNode(), ...createAndBeCalled({ prompt: 'A fox', ...options })];
	const { baseUrl } = service ?? n8n.sim;
	const credentials = { videogenApi: await n8n.credential({ baseUrl }) };
	return await n8n.start(n8n.chain(nodes, { credentials }));
}

/** What happens once a workflow is published: its own trigger starts it. */
async function startByTrigger(n8n: Suite): Promise<string> {
	const workflow = await n8n.publish(createAndBeCalled());
	await workflow.call('A fox');
	return await workflow.firstExecutionId();
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
			await api.waitForStatus(id, 'waiting');
			const task = n8n.onlyTask();
			expect(task.request?.callback_url).toContain(`${api.baseUrl}/webhook-waiting/${id}`);
			expect(sim.reads()).toEqual([]);

			sim.finish(task.id);
			const execution = await n8n.ended(id);
			expect(jsonFrom(execution, GET_NODE)).toEqual([task.record()]);
			expect(task.record()).toMatchObject({ status: 'completed' });
			// The address worked as it came from n8n, whose newer versions sign it.
			expect(sim.callbacks).toMatchObject([{ attempt: 1, status: 200, delivered: true }]);
			expect(jsonFrom(execution, WAIT_NODE)).toMatchObject([{ body: { id: task.id } }]);
			expect(sim.creates()).toHaveLength(1);
			expect(sim.reads()).toHaveLength(1);
		});

		it('goes on by a repetition of a callback that came before the wait began', async () => {
			const gate = n8n.closeAtEnd(await startGate());
			const service = n8n.closeAtEnd(await startSimulator(PATIENT));
			service.planTask({ immediate: true });
			const meanwhile = [requestNode('Other Work', gate.baseUrl)];
			const id = await startManually(n8n, service, { meanwhile });
			const first = await service.waitForCallback(() => true, CALLBACK_TIMEOUT_MS);
			gate.open();
			const last = await service.waitForCallback(({ delivered }) => delivered, CALLBACK_TIMEOUT_MS);

			const execution = await n8n.ended(id);
			const records = [...service.tasks.values()].map((task) => task.record());
			expect(jsonFrom(execution, GET_NODE)).toEqual(records);
			// n8n does not resume what is running: it answers 500, although it has a 409 for this.
			expect(first).toMatchObject({ attempt: 1, delivered: false });
			expect(first.status).toBeGreaterThanOrEqual(400);
			expect(last.status).toBe(200);
		});

		it('waits for the rest when the service reports every change', async () => {
			const options = { callbackOn: 'change', ...PATIENT } as const;
			const service = n8n.closeAtEnd(await startSimulator(options));
			service.planTask(STANDING_STILL);
			const id = await startManually(n8n, service);
			await n8n.api.waitForStatus(id, 'waiting');
			const [task] = service.tasks.values();
			if (task === undefined) throw new Error('No task was created');
			service.setStatus(task.id, 'processing');
			await service.waitForRequest(({ route }) => route === 'task', CALLBACK_TIMEOUT_MS);
			service.finish(task.id);

			const execution = await n8n.ended(id);
			expect(jsonFrom(execution, WAIT_NODE)).toMatchObject([{ body: { status: 'processing' } }]);
			expect(jsonFrom(execution, GET_NODE)).toEqual([task.record()]);
			expect(task.record()).toMatchObject({ status: 'completed' });
		});
	});
}

/**
 * A service that never says anything. Call before the other tests, inside `describe` and after the
 * server's own `beforeAll`.
 * @returns Registers the test; call it after the other tests, as n8n looks only once a minute for
 * waits that are over.
 */
export function startLostCallback(n8n: Suite): () => void {
	let executionId: string;
	let service: Simulator;
	beforeAll(async () => {
		service = n8n.closeAtEnd(await startSimulator());
		const callbackUrl = `${service.baseUrl}/nobody/listens/here`;
		executionId = await startManually(n8n, service, { callbackUrl, waitLimitSeconds: 1 });
	});

	return () =>
		it('goes on without a callback when the time of the Wait node is up', async () => {
			const execution = await n8n.ended(executionId);
			expect(jsonFrom(execution, GET_NODE)).toMatchObject([{ status: 'completed' }]);
			expect(service.creates()).toHaveLength(1);
			// The service has tried until it gave up.
			const attempts = service.options.callbackRetryDelaysMs.length;
			await service.waitForCallback(({ attempt }) => attempt === attempts + 1);
			expect(service.callbacks.filter(({ delivered }) => delivered)).toEqual([]);
		});
}
