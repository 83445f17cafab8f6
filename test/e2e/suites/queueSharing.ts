import type { Execution } from '../../programs/realN8n/api';
import type { Worker } from '../beds/queueBed';
import type { QueueSuite } from '../beds/suite';
import { CREATE_NODE, ONE_NODE, STARTED_TIMEOUT_MS, jsonFrom } from '../vocabulary';
import { expectSilenceAfterStop } from './stopping';

const WORKERS = 2;
const EXECUTIONS = 40;
/** Half of them: no worker can take more, so that all at once need both. */
const CONCURRENCY = EXECUTIONS / WORKERS;
export const SHARING = { count: WORKERS, concurrency: CONCURRENCY };
const PROMPTS = Array.from({ length: EXECUTIONS }, (_, index) => `number ${index}`);

/** Two workers share the executions of one main process. */
export function testSharing(n8n: QueueSuite, workers: () => Worker[]): void {
	describe('many executions', () => {
		beforeEach(() => n8n.sim.reset());

		it('completes 40 executions, half of them in each, with one create for each', async () => {
			const { sim } = n8n;
			sim.planTask({ outcome: 'never', times: EXECUTIONS });
			const workflow = await n8n.publish(ONE_NODE);
			await Promise.all(PROMPTS.map(async (prompt) => await workflow.call(prompt)));
			await sim.waitForRequest(() => sim.tasks.size === EXECUTIONS, STARTED_TIMEOUT_MS);
			for (const id of sim.tasks.keys()) sim.finish(id);

			const ids = await workflow.executionIds();
			const executions: Execution[] = [];
			for (const id of ids) executions.push(await n8n.ended(id));
			expect(executions.map(({ status }) => status)).toEqual(PROMPTS.map(() => 'success'));
			const outputs = executions.flatMap((one) => jsonFrom(one, CREATE_NODE));
			expect(byId(outputs)).toEqual(byId(n8n.tasks().map((task) => task.record())));
			const created = sim.creates().map(({ prompt }) => prompt);
			expect(created.sort()).toEqual([...PROMPTS].sort());

			const begun = await Promise.all(workers().map(async (worker) => await worker.begun()));
			expect(begun.map(({ length }) => length)).toEqual([CONCURRENCY, CONCURRENCY]);
			expect(begun.flat().sort()).toEqual([...ids].sort());
		});

		it('ends the polls in the worker when an execution is stopped on the main server', async () => {
			const { sim } = n8n;
			sim.planTask({ outcome: 'never' });
			const workflow = await n8n.publish(ONE_NODE);
			await workflow.call('A fox');
			await sim.waitForRequest(() => sim.reads().length >= 2, STARTED_TIMEOUT_MS);
			const id = await workflow.firstExecutionId();

			await expectSilenceAfterStop(n8n, id, await workerOf(workers(), id));
			expect(sim.creates()).toHaveLength(1);
		});
	});
}

const byId = (records: Array<{ id?: unknown }>) =>
	[...records].sort((a, b) => String(a.id).localeCompare(String(b.id)));

async function workerOf(workers: Worker[], executionId: string): Promise<Worker> {
	for (const worker of workers) {
		if ((await worker.begun()).includes(executionId)) return worker;
	}
	throw new Error(`No worker has begun execution ${executionId}`);
}
