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
import type { SimulatedTask } from '../../programs/simulator';
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

const LOOP: ChainNode = {
	name: 'Loop Over Items',
	type: 'n8n-nodes-base.splitInBatches',
	typeVersion: 3,
	parameters: { batchSize: 1 },
};
const DONE: ChainNode = {
	name: 'Done',
	type: 'n8n-nodes-base.noOp',
	typeVersion: 1,
	parameters: {},
};
const NEVER = { outcome: 'never' } as const;
const PROMPTS = ['first', 'second', 'third', 'bad', 'last'];
const PARAMETERS = { ...PROMPT_OF_ITEM, ...resting() };

/** On Error set to something that goes on, without which the node does not rest. */
const restingNode = (settings: Partial<VideogenSettings> = {}): ChainNode =>
	videogenNode({ parameters: PARAMETERS, onError: 'continueRegularOutput', ...settings });

/** The node gives its place to others while the service works, and goes on when it calls back. */
export function testResting(n8n: Suite): void {
	describe('resting until the service calls back', () => {
		/** Starts *Execute workflow* with unfinished tasks; resolves when n8n has put it to rest. */
		const rest = async (prompts: readonly string[], node = restingNode()) => {
			n8n.sim.planTask({ ...NEVER, times: prompts.length });
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
			const id = await rest(PROMPTS, restingNode({ parameters, onError: 'continueErrorOutput' }));
			expect(n8n.createdBodies()).toEqual(
				PROMPTS.map(() => expect.objectContaining({ callback_url: expect.stringContaining(id) })),
			);
			expect(n8n.sim.reads()).toHaveLength(PROMPTS.length);
			const outOfOrder = ['bad', 'second', 'last', 'first', 'third'];
			for (const [count, prompt] of outOfOrder.entries()) {
				expect(await n8n.api.executionStatus(id)).toBe('waiting');
				finish(n8n.taskOf(prompt), prompt === 'bad' ? 'failed' : 'completed');
				await answered(count + 1);
			}
			const execution = await n8n.ended(id);

			const good = PROMPTS.filter((prompt) => prompt !== 'bad');
			expect(jsonOf(execution, 0)).toEqual(n8n.recordsOf(good));
			expect(output(execution, 0)).toMatchObject(
				good.map((prompt) => ({
					pairedItem: { item: PROMPTS.indexOf(prompt) },
					binary: { data: { mimeType: 'video/mp4' } },
				})),
			);
			const error = { taskId: n8n.taskOf('bad').id, status: 'failed' };
			expect(jsonOf(execution, 1)).toMatchObject([{ prompt: 'bad', error }]);
			expect(jsonFrom(execution, TRIGGER_NODE)).toEqual(itemsOf(PROMPTS));
			expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
			expect(n8n.sim.reads().length).toBeLessThan(5 * PROMPTS.length);
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
			const call = async () => await n8n.sim.forgeCallback(task.id, forged);
			expect(await Promise.all([call(), call(), call()])).toEqual([503, 503, 503]);
			expect(n8n.sim.reads().length - readsBefore).toBeLessThanOrEqual(3);

			finish(task);
			const execution = await n8n.ended(id);
			expect(jsonOf(execution)).toEqual([task.record()]);
			expect(execution.raw).not.toContain('evil');
		});

		it('is ended by a callback, however odd the name of the node and its Timeout', async () => {
			const name = `V]) .constructor "Say" 'it' {{ $json }} \\ \`🎬\` })`;
			const parameters = { ...PROMPT_OF_ITEM, ...resting({ timeoutMinutes: '={{ 37 / 11 }}' }) };
			const id = await rest(['one'], { ...restingNode({ parameters }), name });
			finish(n8n.onlyTask());
			const execution = await n8n.ended(id);
			expect(jsonFrom(execution, name)).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.callbacks.map((callback) => callback.status)).toEqual([200]);
		});

		it('lets a webhook that waits for the last node answer 200 meanwhile', async () => {
			n8n.sim.planTask(NEVER);
			const path = randomUUID();
			const saved = await n8n.api.createWorkflow(
				n8n.chain([webhookNode(path, 'lastNode'), { ...RESTING, maxTries: 2, retryOnFail: true }]),
			);
			await n8n.api.publish(saved);
			const response = await n8n.api.callWebhook(path, { prompt: 'one' });
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
	let stage: Suite;
	let executionId: string;
	beforeAll(async () => {
		stage = await n8n.aside();
		stage.sim.planTask({ durationMs: 8_000, callback: { lost: true } });
		const node = videogenNode({
			parameters: { prompt: 'lost', ...resting({ timeoutMinutes: 0.1 }) },
			onError: 'continueErrorOutput',
		});
		const parameters = { operation: 'getTask', taskId: '={{ $json.error.taskId }}', ...waiting() };
		const nodes = [triggerNode(), node, DONE, videogenNode({ parameters }, GET_NODE)];
		const chain = stage.chain(nodes, { name: 'Lost callback', items: [{}] });
		const connections = {
			[TRIGGER_NODE]: to(VIDEOGEN_NODE),
			[VIDEOGEN_NODE]: to(DONE.name, GET_NODE),
		};
		executionId = await stage.start({ ...chain, connections });
		await stage.api.waitForStatus(executionId, 'waiting');
	});

	return () =>
		it('goes on without a callback when the time is up: Get Task completes the task', async () => {
			const execution = await stage.ended(executionId);
			const { id } = stage.onlyTask();
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
