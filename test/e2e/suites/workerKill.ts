import type { Worker } from '../beds/queueBed';
import type { PublishedWorkflow, QueueSuite } from '../beds/suite';
import {
	CREATE_NODE,
	CREATE_PAUSE_GET,
	GET_NODE,
	ONE_NODE,
	RESTING,
	STARTED_TIMEOUT_MS,
	TWO_NODES,
	WAIT_FOR_HANDED_OVER,
	createAndBeCalled,
	createAndHandOver,
	isPolled,
	jsonFrom,
} from '../vocabulary';

/**
 * n8n's own values (60, 10 and 30 seconds) let it notice after one to two minutes that a worker is
 * gone. With these it does the same, only sooner.
 */
export const NOTICE_SOONER = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** What n8n says of an execution whose worker is gone. */
const STALLED = 'This execution failed to be processed too many times and will no longer retry.';

/** n8n writes down the outcome of each node as soon as it has run. */
const settings = { saveExecutionProgress: true };

type Way = 'one node' | 'two nodes' | 'pause' | 'handed over' | 'callback' | 'rest';

/** n8n's own value in version 1, which our beds change to what version 2 does. */
const START_AGAIN = { ...NOTICE_SOONER, QUEUE_WORKER_MAX_STALLED_COUNT: '1' };

/**
 * n8n 1 as it is without the setting that the documents ask for, which the worker goes by that notices.
 * @param victim A worker that is there; the only one.
 */
export function testWorkerKillWithoutSetting(n8n: QueueSuite, victim: () => Worker): void {
	it('after the kill of a worker, another starts its execution again by itself, which pays again', async () => {
		n8n.sim.reset();
		n8n.sim.planTask({ outcome: 'never', times: 2 });
		const workflow = await n8n.publish(ONE_NODE);
		await workflow.call('A fox');
		const polled = (count: number) => () =>
			n8n.tasks().length === count && n8n.tasks().every((task) => isPolled(n8n.sim, task));
		await n8n.sim.waitForRequest(polled(1), STARTED_TIMEOUT_MS);
		await n8n.bed.startWorker({ env: START_AGAIN });
		await victim().kill();
		await n8n.sim.waitForRequest(polled(2), STARTED_TIMEOUT_MS);
		const [, second] = n8n.tasks();
		n8n.sim.finish(second?.id ?? '');
		expect(jsonFrom(await workflow.firstExecution(), CREATE_NODE)).toEqual([second?.record()]);
	});
}

/**
 * `kill -9` of the worker that has all executions, while another worker is there.
 * @param workers Two that notice it soon.
 * @returns The worker that is left.
 */
export function testWorkerKill(n8n: QueueSuite, workers: () => Worker[]): () => Worker {
	let survivor: Worker;
	describe('after the kill of a worker that was waiting', () => {
		let logOfVictim: string;
		/** By name of the workflow: what had been asked for its task when the worker was killed. */
		let readsAtKill: Map<string, number>;
		let workflows: Record<Way, PublishedWorkflow>;
		let waitingForHandedOver: PublishedWorkflow;

		const createsOf = (prompt: string) =>
			n8n.sim.creates().filter((request) => request.prompt === prompt);

		const untilPolled = async (...prompts: string[]) => {
			const polled = () =>
				prompts.every((prompt) =>
					n8n.tasks().some((task) => task.prompt === prompt && isPolled(n8n.sim, task)),
				);
			await n8n.sim.waitForRequest(polled, STARTED_TIMEOUT_MS);
		};

		beforeAll(async () => {
			n8n.sim.reset();
			const [victim, ...others] = workers();
			for (const other of others) await other.stop();
			waitingForHandedOver = await n8n.publishSubWorkflow(WAIT_FOR_HANDED_OVER);
			const handingOver = createAndHandOver(waitingForHandedOver.id);
			workflows = {
				'one node': await n8n.publish(ONE_NODE, { settings }),
				'two nodes': await n8n.publish(TWO_NODES, { settings }),
				pause: await n8n.publish(CREATE_PAUSE_GET),
				rest: await n8n.publish([RESTING]),
				'handed over': await n8n.publish(handingOver),
				callback: await n8n.publish(createAndBeCalled()),
			};
			n8n.sim.planTask({ outcome: 'never', times: Object.keys(workflows).length });
			for (const [name, workflow] of Object.entries(workflows)) await workflow.call(name);
			await untilPolled('one node', 'two nodes', 'handed over', 'pause');
			await n8n.sim.waitForRequest(() => createsOf('callback').length > 0, STARTED_TIMEOUT_MS);
			await workflows.callback.untilFirstIs('waiting');
			await workflows.rest.untilFirstIs('waiting');

			survivor = await n8n.bed.startWorker({ env: NOTICE_SOONER });
			await victim?.kill();
			const readsOf = (name: string) => n8n.sim.reads(n8n.taskOf(name).id).length;
			readsAtKill = new Map(Object.keys(workflows).map((name) => [name, readsOf(name)]));
			logOfVictim = (await victim?.log()) ?? '';
		});

		const expectNothingLeft = async (name: Way) => {
			const { id } = n8n.taskOf(name);
			const killed = await workflows[name].firstExecution('error');
			expect(killed.error?.message).toContain(STALLED);
			expect(killed.raw).not.toContain(id);
			expect(logOfVictim).toContain(id);

			n8n.sim.finish(id);
			const retried = await n8n.retry(killed, 'error');
			expect(retried.error?.message).toContain(STALLED);
			expect(retried.output(CREATE_NODE)).toEqual([]);
			expect(n8n.sim.reads(id)).toHaveLength(readsAtKill.get(name) ?? NaN);
			expect(createsOf(name)).toHaveLength(1);
		};

		it('one node: n8n has lost the task, nobody goes on, and a retry does nothing', async () =>
			await expectNothingLeft('one node'));

		it('Create → Get Task: the same, although the progress was saved', async () =>
			await expectNothingLeft('two nodes'));

		it('Create → Wait of 66 seconds → Get Task: the same, once Get Task waits', async () =>
			await expectNothingLeft('pause'));

		it.each([
			['one node that rests', 'rest', CREATE_NODE],
			['Create → callback', 'callback', GET_NODE],
		] as const)('%s: the other worker goes on with the callback', async (_what, way, node) => {
			const task = n8n.taskOf(way);
			n8n.sim.finish(task.id);
			const execution = await workflows[way].firstExecution();
			expect(jsonFrom(execution, node)).toEqual([task.record()]);
			expect(createsOf(way)).toHaveLength(1);
			expect(await survivor.begun()).toContain(execution.id);
		});

		it('Create → sub-workflow: the task is in the execution that handed it over', async () => {
			const execution = await workflows['handed over'].firstExecution();
			expect(jsonFrom(execution, CREATE_NODE)).toMatchObject([
				{ id: n8n.taskOf('handed over').id },
			]);
			// By then n8n has noticed that the worker is gone, and takes this one for alive.
			await workflows['one node'].untilFirstIs('error');
			const waitingId = await waitingForHandedOver.firstExecutionId();
			expect(await n8n.api.executionStatus(waitingId)).toBe('running');
		});

		describe('and the kill of the main process', () => {
			let running: PublishedWorkflow;
			beforeAll(async () => {
				n8n.sim.planTask({ prompt: 'main', outcome: 'never' });
				running = await n8n.publish(ONE_NODE);
				await running.call('main');
				await untilPolled('main');
				const executionId = await running.firstExecutionId();
				await n8n.bed.kill();
				n8n.sim.finish(n8n.taskOf('main').id);
				await survivor.waitForLog(new RegExp(`Worker finished execution ${executionId}\\b`));
				await n8n.bed.restart();
			});

			it('the worker has brought its execution to its end', async () => {
				const execution = await running.firstExecution();
				expect(jsonFrom(execution, CREATE_NODE)).toEqual([n8n.taskOf('main').record()]);
				expect(createsOf('main')).toHaveLength(1);
			});

			it('the sub-workflow is crashed by then, and its retry reads the same task', async () => {
				const task = n8n.taskOf('handed over');
				const crashed = await waitingForHandedOver.firstExecution('crashed');
				n8n.sim.finish(task.id);
				const retried = await n8n.retry(crashed);
				expect(jsonFrom(retried, GET_NODE)).toEqual([task.record()]);
				expect(createsOf('handed over')).toHaveLength(1);
			});
		});
	});
	return () => survivor;
}
