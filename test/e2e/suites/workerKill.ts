import type { Execution } from '../../n8n/api';
import type { Worker } from '../../n8n/queue';
import {
	CREATE_AND_BE_CALLED,
	CREATE_AND_HAND_OVER,
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	TWO_NODES,
	WAIT_FOR_HANDED_OVER,
} from '../chains';
import { TESTBED_TIMEOUT_MS } from '../harness';
import type { PublishedWorkflow } from '../published';
import type { QueueBed } from '../queueBed';

const STARTED_TIMEOUT_MS = 120_000;
const TEST_TIMEOUT_MS = 400_000;

/**
 * n8n's own values (60, 10 and 30 seconds) let it notice after one to two minutes that a worker is
 * gone. With these it does the same, only sooner.
 */
const NOTICE_SOONER = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What n8n says of an execution whose worker is gone. */
const STALLED = 'This execution failed to be processed too many times and will no longer retry.';

/** n8n writes down the outcome of each node as soon as it has run. */
const settings = { saveExecutionProgress: true };

/** `kill -9` of the worker that has all executions, while another worker is there. */
export function testWorkerKill(bed: QueueBed): void {
	describe('after the kill of a worker that was waiting', () => {
		let survivor: Worker | undefined;
		let logOfVictim: string;
		/** By name of the workflow: what had been asked for its task when the worker was killed. */
		let readsAtKill: Map<string, number>;
		let workflows: Record<'one node' | 'two nodes' | 'handed over' | 'callback', PublishedWorkflow>;
		let waitingForHandedOver: PublishedWorkflow;

		const taskOf = (prompt: string) => {
			const task = [...bed.sim.tasks.values()].find((one) => one.prompt === prompt);
			if (task === undefined) throw new Error(`There is no task for ${prompt}`);
			return task;
		};
		const createsOf = (prompt: string) =>
			bed.sim.creates().filter((request) => request.prompt === prompt);

		beforeAll(async () => {
			bed.sim.reset();
			const victim = await bed.startWorker({ env: NOTICE_SOONER });
			waitingForHandedOver = await bed.publishSubWorkflow({ chain: WAIT_FOR_HANDED_OVER });
			const handingOver = CREATE_AND_HAND_OVER(waitingForHandedOver.id);
			workflows = {
				'one node': await bed.publish({ chain: ONE_NODE, settings }),
				'two nodes': await bed.publish({ chain: TWO_NODES, settings }),
				'handed over': await bed.publish({ chain: handingOver }),
				callback: await bed.publish({ chain: CREATE_AND_BE_CALLED }),
			};
			bed.sim.planTask({ outcome: 'never', times: Object.keys(workflows).length });
			for (const [name, workflow] of Object.entries(workflows)) await workflow.call(name);
			const polled = () =>
				['one node', 'two nodes', 'handed over'].every((name) =>
					[...bed.sim.tasks.values()].some(
						({ id, prompt }) => prompt === name && bed.sim.reads(id).length >= 2,
					),
				);
			await bed.sim.waitForRequest(polled, STARTED_TIMEOUT_MS);
			await bed.sim.waitForRequest(() => createsOf('callback').length > 0, STARTED_TIMEOUT_MS);
			await workflows.callback.untilFirstIs('waiting');

			survivor = await bed.startWorker({ env: NOTICE_SOONER });
			await victim.kill();
			const readsOf = (name: string) => bed.sim.reads(taskOf(name).id).length;
			readsAtKill = new Map(Object.keys(workflows).map((name) => [name, readsOf(name)]));
			logOfVictim = await victim.log();
		}, TESTBED_TIMEOUT_MS);
		afterAll(async () => await survivor?.stop());

		const expectNothingLeft = async (name: 'one node' | 'two nodes') => {
			const { id } = taskOf(name);
			const killed = await workflows[name].firstExecution();
			expect(killed.status).toBe('error');
			expect(killed.error?.message).toContain(STALLED);
			expect(killed.raw).not.toContain(id);
			expect(logOfVictim).toContain(id);

			bed.sim.finish(id);
			const retried = await bed.api.retryExecution(killed.id);
			expect(retried.status).toBe('error');
			expect(retried.error?.message).toContain(STALLED);
			expect(retried.output(CREATE_NODE)).toEqual([]);
			expect(bed.sim.reads(id)).toHaveLength(readsAtKill.get(name) ?? NaN);
			expect(createsOf(name)).toHaveLength(1);
		};

		it(
			'one node: n8n has lost the task, nobody goes on, and a retry does nothing',
			async () => await expectNothingLeft('one node'),
			TEST_TIMEOUT_MS,
		);

		it(
			'Create → Get Task: the same, although the progress was saved',
			async () => await expectNothingLeft('two nodes'),
			TEST_TIMEOUT_MS,
		);

		it(
			'Create → callback: the other worker goes on with the same task',
			async () => {
				const task = taskOf('callback');
				bed.sim.finish(task.id);
				const execution = await workflows.callback.firstExecution();
				expect(execution.status).toBe('success');
				expect(jsonOf(execution, GET_NODE)).toEqual([task.record()]);
				expect(createsOf('callback')).toHaveLength(1);
				expect(await survivor?.begun()).toContain(execution.id);
			},
			TEST_TIMEOUT_MS,
		);

		it(
			'Create → sub-workflow: the task is in the execution that handed it over',
			async () => {
				const execution = await workflows['handed over'].firstExecution();
				expect(execution.status).toBe('success');
				expect(jsonOf(execution, CREATE_NODE)).toMatchObject([{ id: taskOf('handed over').id }]);
				// By then n8n has noticed that the worker is gone, and takes this one for alive.
				await workflows['one node'].untilFirstIs('error');
				const waitingId = await waitingForHandedOver.firstExecutionId();
				expect(await bed.api.executionStatus(waitingId)).toBe('running');
			},
			TEST_TIMEOUT_MS,
		);

		describe('and the kill of the main process', () => {
			let running: PublishedWorkflow;
			beforeAll(async () => {
				bed.sim.planTask({ prompt: 'main', outcome: 'never' });
				running = await bed.publish({ chain: ONE_NODE });
				await running.call('main');
				const polled = () =>
					[...bed.sim.tasks.values()].some(
						({ id, prompt }) => prompt === 'main' && bed.sim.reads(id).length >= 2,
					);
				await bed.sim.waitForRequest(polled, STARTED_TIMEOUT_MS);
				const executionId = await running.firstExecutionId();
				await bed.killMain();
				bed.sim.finish(taskOf('main').id);
				await survivor?.waitForLog(`Worker finished execution ${executionId}`);
				await bed.restartMain();
			}, TESTBED_TIMEOUT_MS);

			it('the worker has brought its execution to its end', async () => {
				const execution = await running.firstExecution();
				expect(execution.status).toBe('success');
				expect(jsonOf(execution, CREATE_NODE)).toEqual([taskOf('main').record()]);
				expect(createsOf('main')).toHaveLength(1);
			});

			it(
				'the sub-workflow is crashed by then, and its retry reads the same task',
				async () => {
					const task = taskOf('handed over');
					await waitingForHandedOver.untilFirstIs('crashed');
					bed.sim.finish(task.id);
					const id = await waitingForHandedOver.firstExecutionId();
					const retried = await bed.api.retryExecution(id);
					expect(retried.status).toBe('success');
					expect(jsonOf(retried, GET_NODE)).toEqual([task.record()]);
					expect(createsOf('handed over')).toHaveLength(1);
				},
				TEST_TIMEOUT_MS,
			);
		});
	});
}

const jsonOf = (execution: Execution, node: string) =>
	execution.output(node).map(({ json }) => json);
