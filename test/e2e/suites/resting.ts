import { randomUUID } from 'node:crypto';
import { pollUntil } from '../../programs/realN8n/poll';
import { isN8n1 } from '../../programs/realN8n/versions';
import {
	TRIGGER_NODE,
	VIDEOGEN_NODE,
	callNode,
	to,
	triggerNode,
	videogenNode,
	waitNode,
	webhookNode,
	type ChainNode,
	type VideogenSettings,
} from '../../programs/realN8n/workflows';
import { startSimulator, type SimulatedTask, type TaskPlan } from '../../programs/simulator';
import type { Suite } from '../beds/suite';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	PROMPT_OF_ITEM,
	RESTING,
	itemsOf,
	jsonFrom,
	jsonOf,
	output,
	resting,
	status,
	waiting,
} from '../vocabulary';
import { DONE, LOOP } from './loops';

const NEVER: TaskPlan = { outcome: 'never' };
const TEN = Array.from({ length: 10 }, (_, index) => `Prompt ${index}`);
const PARAMETERS = { ...PROMPT_OF_ITEM, ...resting() };

/** On Error set to something that goes on, without which the node does not rest. */
const restingNode = (settings: Partial<VideogenSettings> = {}): ChainNode =>
	videogenNode({ parameters: PARAMETERS, onError: 'continueRegularOutput', ...settings });

/** The node gives its place to others while the service works, and goes on when it calls back. */
export function testResting(n8n: Suite): void {
	describe('resting until the service calls back', () => {
		/** Starts *Execute workflow* with unfinished tasks; resolves when n8n has put it to rest. */
		const rest = async (prompts: readonly string[], node = restingNode(), plan = NEVER) => {
			n8n.sim.planTask({ ...plan, times: prompts.length });
			const items = itemsOf(prompts);
			const id = await n8n.start(n8n.chain([triggerNode(), node], { items }));
			await n8n.api.waitForStatus(id, 'waiting');
			return id;
		};
		const finish = (task: SimulatedTask, outcome?: 'completed' | 'failed') =>
			n8n.sim.finish(task.id, outcome);
		/** One that is not taken yet comes again, so that there may be more. */
		const answered = async (count: number) =>
			await n8n.sim.waitForCallback(() => n8n.sim.callbacks.length >= count);

		it('gives all results at once, in order, files and errors included', async () => {
			const parameters = { ...PARAMETERS, downloadResults: true };
			const node = restingNode({ parameters, onError: 'continueErrorOutput' });
			const id = await rest(TEN, node);
			expect(n8n.createdBodies()).toEqual(
				TEN.map(() => expect.objectContaining({ callback_url: expect.stringContaining(id) })),
			);
			const tasks = TEN.map((prompt) => n8n.taskOf(prompt));
			const readsBefore = n8n.sim.reads().length;
			// Out of order, the one that failed somewhere in between.
			const order = [7, 2, 9, 0, 5, 4, 8, 1, 3, 6].flatMap((at) => tasks[at] ?? []);
			for (const [count, task] of order.entries()) {
				expect(await n8n.api.executionStatus(id)).toBe('waiting');
				finish(task, task.prompt === 'Prompt 5' ? 'failed' : 'completed');
				await answered(count + 1);
			}
			const lastCallbackMs = Date.now();
			const execution = await n8n.ended(id);
			const reads = n8n.sim.reads().length;
			process.stderr.write(
				`Rested ${TEN.length} tasks: ${reads} reads, ${readsBefore} of them before the rest; ended ${Date.now() - lastCallbackMs} ms after the last answer\n`,
			);

			const good = TEN.filter((prompt) => prompt !== 'Prompt 5');
			expect(jsonOf(execution, 0)).toEqual(n8n.recordsOf(good));
			expect(output(execution, 0).map(({ pairedItem }) => pairedItem)).toEqual(
				good.map((prompt) => ({ item: TEN.indexOf(prompt) })),
			);
			for (const item of output(execution, 0)) {
				expect(item.binary?.data).toMatchObject({ mimeType: 'video/mp4' });
			}
			const { id: taskId } = n8n.taskOf('Prompt 5');
			expect(jsonOf(execution, 1)).toEqual([
				{
					prompt: 'Prompt 5',
					error: expect.objectContaining({ taskId, status: 'failed' }),
				},
			]);
			expect(jsonFrom(execution, TRIGGER_NODE)).toEqual(itemsOf(TEN));
			expect(n8n.sim.creates()).toHaveLength(TEN.length);
			expect(readsBefore).toBe(TEN.length);
			expect(reads).toBeLessThan(5 * TEN.length);
		});

		it('leaves the only place for executions to others, also after two callbacks at once', async () => {
			n8n.sim.planTask({ ...NEVER, prompt: 'rests', callback: { doubled: true } });
			const first = await n8n.publish([RESTING]);
			const other = await n8n.publish(ONE_NODE);
			await first.call('rests');
			await first.untilFirstIs('waiting');
			await other.call('meanwhile');
			await other.firstExecution();
			expect(await n8n.api.executionStatus(await first.firstExecutionId())).toBe('waiting');

			finish(n8n.taskOf('rests'));
			const execution = await first.firstExecution();
			expect(jsonFrom(execution, CREATE_NODE)).toEqual([n8n.taskOf('rests').record()]);
			await answered(2);
			const last = await n8n.publish(ONE_NODE);
			await last.call('afterwards');
			await last.firstExecution();
			expect(n8n.sim.creates()).toHaveLength(3);
		});

		n8n.itOnNewest('believes nothing that a callback says, and checks once for many', async () => {
			const id = await rest(['one']);
			const task = n8n.onlyTask();
			const readsBefore = n8n.sim.reads().length;
			const forged = { ...task.record(), status: 'completed', results: ['https://e.com/evil.mp4'] };
			const answers = await Promise.all(
				Array.from({ length: 5 }, async () => await n8n.sim.forgeCallback(task.id, forged)),
			);
			expect(answers).toEqual([503, 503, 503, 503, 503]);
			expect(n8n.sim.reads().length - readsBefore).toBeLessThanOrEqual(3);
			expect(await n8n.api.executionStatus(id)).toBe('waiting');

			finish(task);
			const execution = await n8n.ended(id);
			expect(jsonOf(execution)).toEqual([task.record()]);
			expect(execution.raw).not.toContain('evil');
		});

		n8n.itOnNewest('asks for the callback again while the service cannot be read', async () => {
			const id = await rest(['one']);
			n8n.sim.script({ on: 'task', times: 3, fault: status(503) });
			finish(n8n.onlyTask());
			const execution = await n8n.ended(id);
			expect(jsonOf(execution)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.callbacks[0]?.status).toBe(503);
		});

		it('is ended by a callback, however odd the name of the node and its Timeout', async () => {
			const name = `V]) .constructor "Say" 'it' {{ $json }} \\ \`🎬\` })`;
			const parameters = { ...PROMPT_OF_ITEM, ...resting({ timeoutMinutes: '={{ 37 / 11 }}' }) };
			const id = await rest(['one'], { ...restingNode({ parameters }), name });
			finish(n8n.onlyTask());
			const execution = await n8n.ended(id, 'success', 20_000);
			expect(jsonFrom(execution, name)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.callbacks.map((callback) => callback.status)).toEqual([200]);
		});

		it('lets a webhook that waits for the last node answer 200 meanwhile', async () => {
			n8n.sim.planTask(NEVER);
			const path = randomUUID();
			const trigger = webhookNode(path);
			const parameters = { ...trigger.parameters, responseMode: 'lastNode' };
			const saved = await n8n.api.createWorkflow(
				n8n.chain([
					{ ...trigger, parameters },
					{ ...RESTING, maxTries: 2, retryOnFail: true },
				]),
			);
			await n8n.api.publish(saved);
			const call = async () => {
				const response = await fetch(`${n8n.api.baseUrl}/webhook/${path}`, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify({ prompt: 'one' }),
				});
				return response.status === 404 ? undefined : response;
			};
			const response = await pollUntil(call, { what: 'the webhook', timeoutMs: 20_000 });
			expect(response.status).toBe(200);
			expect(await response.json()).toMatchObject({ id: n8n.onlyTask().id });
			const id = await n8n.api.firstExecutionOf(saved);
			expect(await n8n.api.executionStatus(id)).toBe('waiting');
			finish(n8n.onlyTask());
			expect(jsonFrom(await n8n.ended(id), CREATE_NODE)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.creates()).toHaveLength(1);
		});

		it('creates nothing again with Retry On Fail, although the first item has an error', async () => {
			n8n.sim.script({ on: 'create', prompt: 'refused', times: Infinity, fault: status(400) });
			const id = await rest(['refused', 'one'], restingNode({ maxTries: 3 }));
			finish(n8n.onlyTask());
			const execution = await n8n.ended(id);
			expect(jsonOf(execution)[0]).toMatchObject({
				error: { message: 'Request not accepted (400)' },
			});
			expect(jsonOf(execution)[1]).toEqual(n8n.onlyTask().record());
			expect(n8n.sim.creates()).toHaveLength(2);
		});

		/** Resolves when the node rests for this task, which it has read once; then the service calls. */
		const endRest = async (id: string, prompt: string) => {
			await n8n.sim.waitForRequest(
				(request) => request.route === 'task' && request.prompt === prompt,
			);
			await n8n.api.waitForStatus(id, 'waiting');
			const task = n8n.taskOf(prompt);
			expect(n8n.sim.reads(task.id)).toHaveLength(1);
			finish(task);
			const called = await n8n.sim.waitForCallback(({ taskId }) => taskId === task.id);
			expect(called).toMatchObject({ attempt: 1, status: 200 });
		};

		it('rests once in each round of Loop Over Items, until its callback', async () => {
			const prompts = ['one', 'two', 'three'];
			n8n.sim.planTask({ ...NEVER, times: prompts.length });
			const chain = n8n.chain([triggerNode(), LOOP, restingNode(), DONE], {
				items: itemsOf(prompts),
			});
			const connections = {
				[TRIGGER_NODE]: to(LOOP.name),
				[LOOP.name]: to(DONE.name, VIDEOGEN_NODE),
				[VIDEOGEN_NODE]: to(LOOP.name),
			};
			const id = await n8n.start({ ...chain, connections });
			for (const prompt of prompts) await endRest(id, prompt);
			expect(jsonFrom(await n8n.ended(id), DONE.name)).toEqual(n8n.recordsOf(prompts));
			expect(n8n.sim.creates()).toHaveLength(prompts.length);
		});

		const startInSubWorkflow = async () => {
			const child = await n8n.publishSubWorkflow([restingNode()]);
			const call = callNode(child.id);
			const items = itemsOf(['one']);
			return { child, id: await n8n.start(n8n.chain([triggerNode(), call], { items })) };
		};

		if (isN8n1(n8n.version)) {
			it('does not rest in a sub-workflow, and says why', async () => {
				const message = expect.stringContaining(
					'n8n 1 gives a workflow that calls this one its own',
				);
				const description = expect.stringContaining('Update n8n to version 2.');
				const { id } = await startInSubWorkflow();
				expect(jsonFrom(await n8n.ended(id), 'Call')).toEqual([
					{ error: { kind: 'invalid', message, description } },
				]);
				expect(n8n.sim.requests).toEqual([]);
			});
		} else {
			it('rests in a sub-workflow while the one that called it waits for it', async () => {
				n8n.sim.planTask(NEVER);
				const { child, id } = await startInSubWorkflow();
				await child.untilFirstIs('waiting');
				await endRest(id, 'one');
				expect(jsonFrom(await n8n.ended(id), 'Call')).toEqual([n8n.onlyTask().record()]);
				expect(n8n.sim.creates()).toHaveLength(1);
			});
		}

		n8n.itOnNewest(
			'ends an item whose task the service no longer knows, and the others with it',
			async () => {
				const id = await rest(['good', 'gone']);
				n8n.sim.script({ on: 'task', prompt: 'gone', times: Infinity, fault: status(410) });
				finish(n8n.taskOf('good'));
				const execution = await n8n.ended(id);
				expect(jsonOf(execution)).toEqual([
					n8n.taskOf('good').record(),
					{ error: expect.objectContaining({ taskId: n8n.taskOf('gone').id }) },
				]);
			},
		);

		it('resumes no other node that waits in the execution', async () => {
			n8n.sim.planTask(NEVER);
			const approval = waitNode('Approval', 3_600);
			const items = itemsOf(['one']);
			const id = await n8n.start(n8n.chain([triggerNode(), restingNode(), approval], { items }));
			await n8n.api.waitForStatus(id, 'waiting');
			finish(n8n.onlyTask());
			await n8n.sim.waitForCallback(({ delivered }) => delivered);
			const untilApproval = async () =>
				(await n8n.sim.forgeCallback(n8n.onlyTask().id, {})) === 404 || undefined;
			await pollUntil(untilApproval, { what: 'the other node to wait', timeoutMs: 20_000 });
			expect(await n8n.api.executionStatus(id)).toBe('waiting');
			await n8n.api.stopExecution(id);
		});
	});
}

/**
 * A callback that never comes. Call before the other tests, inside `describe`.
 * @returns Registers the test; call it last, as n8n looks only once a minute for what is due.
 */
export function startRestWithoutCallback(n8n: Suite): () => void {
	let executionId: string;
	let task: SimulatedTask | undefined;
	beforeAll(async () => {
		const service = n8n.closeAtEnd(await startSimulator());
		service.planTask({ durationMs: 8_000, callback: { lost: true } });
		const node = videogenNode({
			parameters: { prompt: 'lost', ...resting({ timeoutMinutes: 0.1 }) },
			onError: 'continueErrorOutput',
		});
		const parameters = { operation: 'getTask', taskId: '={{ $json.error.taskId }}', ...waiting() };
		const nodes = [triggerNode(), node, DONE, videogenNode({ parameters }, GET_NODE)];
		const connections = {
			[TRIGGER_NODE]: to(VIDEOGEN_NODE),
			[VIDEOGEN_NODE]: to(DONE.name, GET_NODE),
		};
		const credentials = { videogenApi: await n8n.credential({ baseUrl: service.baseUrl }) };
		const chain = n8n.chain(nodes, { name: 'Lost callback', items: [{}], credentials });
		executionId = await n8n.start({ ...chain, connections });
		await n8n.api.waitForStatus(executionId, 'waiting');
		[task] = service.tasks.values();
	});

	return () =>
		it('goes on without a callback when the time is up: Get Task completes the task', async () => {
			const { id } = task ?? { id: 'none' };
			const execution = await n8n.ended(executionId);
			expect(jsonOf(execution, 0)).toEqual([]);
			expect(jsonOf(execution, 1)).toEqual([
				{
					error: {
						kind: 'timeout',
						message: expect.stringContaining(`No callback came in time for task ${id} (`),
						description: expect.stringContaining(`Get Task with ID ${id}`),
						taskId: id,
						status: expect.stringMatching(/^(?:pending|processing)$/),
						task: expect.objectContaining({ id }),
					},
				},
			]);
			expect(jsonFrom(execution, GET_NODE)).toMatchObject([{ id, status: 'completed' }]);
		});
}
