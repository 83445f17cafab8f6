import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '../../n8n/queue';
import type { Execution } from '../../n8n/api';
import { CREATE_NODE, ONE_NODE } from '../chains';
import type { QueueBed } from '../queueBed';
import { SILENCE_MS, STOP_BOUND_MS, lastWordOn } from '../stops';

const WORKERS = 2;
const EXECUTIONS = 40;
/** Half of them: no worker can take more, so that all at once need both. */
const CONCURRENCY = EXECUTIONS / WORKERS;
export const SHARING = { count: WORKERS, concurrency: CONCURRENCY };
const PROMPTS = Array.from({ length: EXECUTIONS }, (_, index) => `number ${index}`);

/** On a busy machine, 40 executions take their time to start. */
const ALL_BEGUN_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 400_000;

/** Two workers share the executions of one main process. */
export function testSharing(bed: QueueBed, workers: () => Worker[]): void {
	describe('many executions', () => {
		beforeEach(() => bed.sim.reset());

		it(
			'completes 40 executions, half of them in each, with one create for each',
			async () => {
				const { sim } = bed;
				sim.planTask({ outcome: 'never', times: EXECUTIONS });
				const workflow = await bed.publish({ chain: ONE_NODE });
				await Promise.all(PROMPTS.map(async (prompt) => await workflow.call(prompt)));
				await sim.waitForRequest(() => sim.tasks.size === EXECUTIONS, ALL_BEGUN_TIMEOUT_MS);
				for (const id of sim.tasks.keys()) sim.finish(id);

				const ids = await workflow.executionIds();
				const executions: Execution[] = [];
				for (const id of ids) executions.push(await bed.api.waitForExecution(id));
				expect(executions.map(({ status }) => status)).toEqual(PROMPTS.map(() => 'success'));
				const outputs = executions.flatMap((one) =>
					one.output(CREATE_NODE).map(({ json }) => json),
				);
				expect(byId(outputs)).toEqual(byId([...sim.tasks.values()].map((one) => one.record())));
				expect(
					sim
						.creates()
						.map(({ prompt }) => prompt)
						.sort(),
				).toEqual([...PROMPTS].sort());

				const begun = await Promise.all(workers().map(async (worker) => await worker.begun()));
				expect(begun.map(({ length }) => length)).toEqual([CONCURRENCY, CONCURRENCY]);
				expect(begun.flat().sort()).toEqual([...ids].sort());
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'ends the polls in the worker when an execution is stopped on the main server',
			async () => {
				const { api, sim } = bed;
				sim.planTask({ outcome: 'never' });
				const workflow = await bed.publish({ chain: ONE_NODE });
				await workflow.call('A fox');
				await sim.waitForRequest(() => sim.reads().length >= 2, ALL_BEGUN_TIMEOUT_MS);
				const id = await workflow.firstExecutionId();
				const [taskId = ''] = sim.tasks.keys();
				const worker = await workerOf(workers(), id);

				const stoppedAt = Date.now();
				await api.stopExecution(id);
				expect((await api.waitForExecution(id)).status).toBe('canceled');
				await worker.waitForLog(lastWordOn(taskId));
				const sent = sim.requests.length;
				expect(sim.requests.at(-1)?.at).toBeLessThan(stoppedAt + STOP_BOUND_MS);
				await delay(SILENCE_MS);
				expect(sim.requests).toHaveLength(sent);
				expect(sim.creates()).toHaveLength(1);
			},
			TEST_TIMEOUT_MS,
		);
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
