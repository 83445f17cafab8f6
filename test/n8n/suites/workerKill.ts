import type { Worker } from '../support/queueEnvironment';
import type { PublishedWorkflow, QueueSuite } from '../support/suite';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	WAIT_FOR_HANDED_OVER,
	createAndHandOver,
	createWaitGet,
	isPolled,
	jsonFrom,
} from '../support/workflows';

/**
 * n8n's own values (60, 10 and 30 seconds) let it notice after one to two minutes that a worker is
 * gone. With these it does the same, only sooner.
 */
const NOTICE_SOONER = {
	QUEUE_WORKER_LOCK_DURATION: '20000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** Of each worker, for other tests. */
export const FREE_PLACES = 20;
/** What the one that is killed runs meanwhile; what rests takes no place, nor does a sub-workflow. */
const TAKEN_PLACES = 2;

/** What n8n says of an execution whose worker is gone. */
const STALLED = 'This execution failed to be processed too many times and will no longer retry.';

/**
 * `kill -9` of the worker that has all these executions, while another worker is there. They begin
 * before all other tests, which both workers are there for.
 */
export function testWorkerKill(n8n: QueueSuite): void {
	let stage: QueueSuite;
	let victim: Worker;
	let survivor: Worker;
	let oneNode: PublishedWorkflow;
	let called: PublishedWorkflow;
	let inWait: PublishedWorkflow;
	let handingOver: PublishedWorkflow;
	let waitingForHandedOver: PublishedWorkflow;

	const createsOf = (prompt: string) =>
		stage.sim.creates().filter((request) => request.prompt === prompt);
	const readsOf = (prompt: string) => stage.sim.reads(stage.taskOf(prompt).id).length;

	/** Publishes and calls a workflow; the prompt says what it is. */
	const begin = async (prompt: string, ...wanted: Parameters<QueueSuite['publish']>) => {
		stage.sim.planTask({ prompt, outcome: 'never' });
		const workflow = await stage.publish(...wanted);
		await workflow.call(prompt);
		return workflow;
	};
	const untilPolledFor = async (...prompts: string[]) => {
		const isDone = (prompt: string) =>
			stage.tasks().some((task) => task.prompt === prompt && isPolled(stage.sim, task));
		await stage.sim.waitForRequest(() => prompts.every(isDone));
	};

	beforeAll(async () => {
		stage = await n8n.aside();
		victim = await n8n.environment.startWorker(FREE_PLACES + TAKEN_PLACES, NOTICE_SOONER);
		waitingForHandedOver = await stage.publishSubWorkflow(WAIT_FOR_HANDED_OVER);
		oneNode = await begin('one node', ONE_NODE);
		inWait = await begin('in wait', createWaitGet());
		handingOver = await begin('handed over', createAndHandOver(waitingForHandedOver.id));
		// n8n writes down what each node gives, and everything at the Wait.
		const settings = { saveExecutionProgress: true };
		called = await begin('called', createWaitGet(), { settings });
		await called.untilFirstIs('waiting');
		await stage.sim.forgeCallback(stage.taskOf('called').id, {});
		await inWait.untilFirstIs('waiting');
		await untilPolledFor('one node', 'handed over', 'called');
		survivor = await n8n.environment.startWorker(FREE_PLACES, NOTICE_SOONER);
	});

	describe('after the kill of a worker that was waiting', () => {
		/** By prompt: what had been asked for its task when the worker was killed. */
		let readsAtKill: Map<string, number>;

		beforeAll(async () => {
			await victim.kill();
			readsAtKill = new Map(stage.tasks().map(({ prompt = '' }) => [prompt, readsOf(prompt)]));
		});

		it.each([
			['one node', 'one node', () => oneNode],
			['Create → Wait → Get Task, once Get Task waits', 'called', () => called],
		])('%s: n8n has lost the task, nobody goes on, and a retry does nothing', async (...given) => {
			const [, prompt, workflow] = given;
			const { id } = stage.taskOf(prompt);
			const killed = await workflow().firstExecution('error');
			expect(killed.error?.message).toContain(STALLED);
			expect(killed.raw).not.toContain(id);
			expect(await victim.log()).toContain(id);

			stage.sim.finish(id);
			const retried = await stage.retry(killed, 'error');
			expect(retried.error?.message).toContain(STALLED);
			expect(retried.output(CREATE_NODE)).toEqual([]);
			expect(readsOf(prompt)).toBe(readsAtKill.get(prompt));
			expect(createsOf(prompt)).toHaveLength(1);
		});

		it('Create → Wait → Get Task, in the Wait: the other worker goes on with the call', async () => {
			const task = stage.taskOf('in wait');
			stage.sim.finish(task.id);
			const execution = await inWait.firstExecution();
			expect(jsonFrom(execution, GET_NODE)).toEqual([task.record()]);
			expect(createsOf('in wait')).toHaveLength(1);
			expect(await survivor.begun()).toContain(execution.id);
		});

		it('Create → sub-workflow: the task is in the execution that handed it over', async () => {
			const execution = await handingOver.firstExecution();
			const { id } = stage.taskOf('handed over');
			expect(jsonFrom(execution, CREATE_NODE)).toMatchObject([{ id }]);
			// By then n8n has noticed that the worker is gone, and takes this one for alive.
			await oneNode.untilFirstIs('error');
			await waitingForHandedOver.untilFirstIs('running');
		});

		describe('and the kill of the main process', () => {
			let running: PublishedWorkflow;
			beforeAll(async () => {
				running = await begin('main', ONE_NODE);
				await untilPolledFor('main');
				const executionId = await running.firstExecutionId();
				await n8n.environment.kill();
				stage.sim.finish(stage.taskOf('main').id);
				await survivor.waitForLog(new RegExp(`Worker finished execution ${executionId}\\b`));
				await n8n.environment.restart();
			});

			it('the worker has brought its execution to its end', async () => {
				const execution = await running.firstExecution();
				expect(jsonFrom(execution, CREATE_NODE)).toEqual([stage.taskOf('main').record()]);
				expect(createsOf('main')).toHaveLength(1);
				// The log, in which secrets are looked for, has what came before the kill, too.
				expect((await n8n.environment.log()).match(/Editor is now accessible/g)).toHaveLength(2);
			});

			it('the sub-workflow is crashed by then, and its retry reads the same task', async () => {
				const task = stage.taskOf('handed over');
				const crashed = await waitingForHandedOver.firstExecution('crashed');
				stage.sim.finish(task.id);
				const retried = await stage.retry(crashed);
				expect(jsonFrom(retried, GET_NODE)).toEqual([task.record()]);
				expect(createsOf('handed over')).toHaveLength(1);
			});
		});
	});
}
