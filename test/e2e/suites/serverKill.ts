import { startGate } from '../../programs/realN8n/hosts';
import { fieldsOf, prepared, readExample } from '../../programs/realN8n/examples';
import { startTestbed } from '../../programs/realN8n/testbed';
import type { N8nVersion } from '../../programs/realN8n/versions';
import { requestNode, videogenNode, type ChainNode } from '../../programs/realN8n/workflows';
import type { Execution } from '../../programs/realN8n/api';
import { Suite } from '../beds/suite';
import { SURVIVING } from '../recipes/happyPaths';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	RESTING,
	STARTED_TIMEOUT_MS,
	TWO_NODES,
	WAIT_FOR_HANDED_OVER,
	createAndHandOver,
	isPolled,
	jsonFrom,
	jsonOf,
	resting,
	waiting,
} from '../vocabulary';
import { testScenes, type Scene } from './scenes';

const NEVER = { outcome: 'never' } as const;
const NEXT_NODE = 'Next';
const TOPICS = ['a fox', 'a hen', 'a cow'];

/** One item for each topic. */
const TOPIC_NODES: ChainNode[] = [
	{
		name: 'Topics',
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ topic: TOPICS }) },
	},
	{
		name: 'Split',
		type: 'n8n-nodes-base.splitOut',
		typeVersion: 1,
		parameters: { fieldToSplitOut: 'topic' },
	},
];

/** Resolves when n8n waits for so many tasks. */
const untilPolled = async (n8n: Suite, count: number) => {
	const arePolled = () =>
		n8n.sim.tasks.size === count && n8n.tasks().every((task) => isPolled(n8n.sim, task));
	await n8n.sim.waitForRequest(arePolled, STARTED_TIMEOUT_MS);
};

/** Calls a workflow whose task never ends by itself; resolves when n8n polls for it. */
async function wait(n8n: Suite, nodes: readonly ChainNode[], settings = {}) {
	n8n.sim.planTask(NEVER);
	const workflow = await n8n.publish(nodes, { settings });
	await workflow.call('A fox');
	await untilPolled(n8n, 1);
	return workflow;
}

/** The same with nodes that rest; resolves when they do. */
async function rest(n8n: Suite, nodes: readonly ChainNode[], times = 1) {
	n8n.sim.planTask({ ...NEVER, times });
	const workflow = await n8n.publish(nodes);
	await workflow.call('A fox');
	await workflow.untilFirstIs('waiting');
	return workflow;
}

function expectTheVideo(n8n: Suite, execution: Execution, node = CREATE_NODE) {
	expect(jsonFrom(execution, node)).toEqual([n8n.onlyTask().record()]);
	expect(n8n.sim.creates()).toHaveLength(1);
}

/**
 * *Retry* of what was waiting: whether n8n writes down the outcome of each node as soon as it has run,
 * and in how many tasks it ends, one of which the end of n8n has made useless.
 */
const retried =
	(nodes: readonly ChainNode[], saveExecutionProgress: boolean, creates: number): Scene =>
	async (n8n) => {
		const workflow = await wait(n8n, nodes, { saveExecutionProgress });
		const { id: first } = n8n.onlyTask();
		return async (requestsAtEnd) => {
			const killed = await workflow.firstExecution('crashed');
			expect(killed.error?.message).toMatch(/^Workflow did not finish/);
			expect(n8n.sim.requests).toHaveLength(requestsAtEnd);
			expect(await n8n.bed.log()).toContain(first);

			n8n.sim.finish(first);
			const again = await n8n.retry(killed);
			const ids = n8n.tasks().map(({ id }) => id);
			expect(ids).toHaveLength(creates);
			expect(jsonFrom(again, nodes.at(-1)?.name ?? '')).toMatchObject([
				{ id: ids.at(-1), status: 'completed' },
			]);
			// Whatever pays again could not know better: n8n has not kept the first task's id.
			expect(killed.raw.includes(first)).toBe(creates === 1);
		};
	};

/** Ends while the node behind waits for its answer. */
const inLaterNode =
	(withSavedWorkflow: boolean): Scene =>
	async (n8n) => {
		const gate = n8n.closeAtEnd(await startGate());
		const workflow = await rest(n8n, [RESTING, requestNode(NEXT_NODE, gate.baseUrl)]);
		n8n.sim.finish(n8n.onlyTask().id);
		await gate.untilCalled();
		return async () => {
			const crashed = await workflow.firstExecution('crashed');
			gate.open();
			const again = await n8n.retry(crashed, undefined, withSavedWorkflow);
			expectTheVideo(n8n, again);
			expect(again.raw).not.toContain('Not in the output');
		};
	};

const SCENES: Record<string, Scene> = {
	'Create → Get Task with saved progress: Retry goes on with the same task': retried(
		TWO_NODES,
		true,
		1,
	),
	'Create → Get Task without saved progress: Retry starts afresh and pays again': retried(
		TWO_NODES,
		false,
		2,
	),
	'one node that creates and waits: Retry starts afresh and pays again': retried(ONE_NODE, true, 2),
	'Create → sub-workflow: Retry of the one that waits reads the same task': async (n8n) => {
		const waits = await n8n.publishSubWorkflow(WAIT_FOR_HANDED_OVER);
		await wait(n8n, createAndHandOver(waits.id));
		return async (requestsAtEnd) => {
			const killed = await waits.firstExecution('crashed');
			expect(n8n.sim.requests).toHaveLength(requestsAtEnd);
			n8n.sim.finish(n8n.onlyTask().id);
			expectTheVideo(n8n, await n8n.retry(killed), GET_NODE);
		};
	},
	'a click in the editor orders again, as n8n was started again': async (n8n) => {
		const parameters = { prompt: 'A fox', ...waiting() };
		const workflow = await n8n.api.createWorkflow(n8n.workflow({ parameters }));
		const click = async () => {
			await n8n.ended(await n8n.api.runWorkflow(workflow));
			return n8n.sim.tasks.size;
		};
		expect([await click(), await click()]).toEqual([1, 1]);
		return async () => expect(await click()).toBe(2);
	},
	'Get Task finds a task of a practice credential': async (n8n) => {
		const credential = await n8n.api.createCredential('Practice', { environment: 'practice' });
		const run = async (parameters: object) =>
			jsonOf(await n8n.run({ credential, parameters: { ...parameters } }));
		const [task] = await run({ prompt: 'A fox', waitForCompletion: false });
		const get = { operation: 'getTask', taskId: task?.id, waitForCompletion: true };
		return async () =>
			expect(await run(get)).toMatchObject([{ id: task?.id, status: 'completed' }]);
	},
	'at rest: it goes on with the callback': async (n8n) => {
		const workflow = await rest(n8n, [RESTING]);
		return async () => {
			n8n.sim.finish(n8n.onlyTask().id);
			expectTheVideo(n8n, await workflow.firstExecution());
		};
	},
	'in a node after a rest: Retry gets the same task, and creates none': inLaterNode(false),
	'in a node after a rest: Retry with currently saved workflow gets the same task':
		inLaterNode(true),
	'in a node after a rest, with a failed task and Retry On Fail: Retry pays for nothing': async (
		n8n,
	) => {
		const gate = n8n.closeAtEnd(await startGate());
		const parameters = { prompt: '=Clip of {{ $json.topic }}', ...resting() };
		const onError = 'continueRegularOutput';
		const create = videogenNode({ parameters, onError, maxTries: 2 }, CREATE_NODE);
		const next = { ...requestNode(NEXT_NODE, gate.baseUrl), executeOnce: true };
		const workflow = await rest(n8n, [...TOPIC_NODES, create, next], TOPICS.length);
		const prompts = TOPICS.map((topic) => `Clip of ${topic}`);
		const [first = '', ...others] = prompts.map((prompt) => n8n.taskOf(prompt).id);
		n8n.sim.finish(first, 'failed');
		for (const id of others) n8n.sim.finish(id);
		await gate.untilCalled();
		return async () => {
			const crashed = await workflow.firstExecution('crashed');
			gate.open();
			const again = await n8n.retry(crashed, undefined, true);
			const paid = n8n.tasks().map(({ prompt }) => prompt);
			expect(paid.sort()).toEqual([...prompts].sort());
			expect(jsonFrom(again, CREATE_NODE)).toMatchObject([
				{ error: { taskId: first, status: 'failed' } },
				...others.map((id) => ({ id, status: 'completed' })),
			]);
		};
	},
};

/** Comes last, as what holds it up does not last. */
const LAST: Record<string, Scene> = {
	'while a callback is answered: it still rests, and goes on with the next callback': async (
		n8n,
	) => {
		const workflow = await rest(n8n, [RESTING]);
		const task = n8n.onlyTask();
		n8n.sim.script({ on: 'task', fault: { kind: 'hang' } });
		const reads = n8n.sim.reads().length;
		// The service itself would call again as soon as n8n is there.
		void n8n.sim.forgeCallback(task.id, {}).catch(() => undefined);
		await n8n.sim.waitForRequest(() => n8n.sim.reads().length > reads);
		return async () => {
			await workflow.untilFirstIs('waiting');
			n8n.sim.finish(task.id);
			expectTheVideo(n8n, await workflow.firstExecution());
		};
	},
};

/** How a single n8n ends while executions wait; then it is started again with its data. */
export function testServerKill(version: N8nVersion): void {
	const n8n = new Suite(version, startTestbed);
	let surviving: Awaited<ReturnType<typeof startSurviving>>;

	describe('after kill -9', () => {
		testScenes(n8n, async () => await n8n.bed.kill(), {
			...SCENES,
			// Not before the others: it rests for 66 seconds, and is to be killed in them.
			'Create → Wait of 66 seconds → Get Task: killed in the Wait, goes on by itself': async (
				stage,
			) => {
				surviving = await startSurviving(stage);
				return async (requestsAtEnd) => {
					expect(requestsAtEnd).toBe(surviving.prompts.length);
					await untilPolled(stage, requestsAtEnd);
				};
			},
			...LAST,
		});
	});

	describe('after SIGTERM, as by docker restart', () => {
		testScenes(n8n, async () => await n8n.bed.terminate(), { ...SCENES, ...LAST });

		it('Create → Wait of 66 seconds → Get Task: ended in Get Task, Retry goes on with the same tasks', async () => {
			const { stage, workflow, prompts } = surviving;
			for (const { id } of stage.tasks()) stage.sim.finish(id);
			const again = await n8n.retry(await workflow.firstExecution('crashed'));
			expect(jsonFrom(again, 'Report')).toMatchObject([
				{ videos: prompts.map((prompt) => ({ saved: true, taskId: stage.taskOf(prompt).id })) },
			]);
			expect(stage.sim.creates()).toHaveLength(prompts.length);
		});
	});
}

/** The example as its own trigger starts it, at a service that finishes nothing. */
async function startSurviving(stage: Suite) {
	const example = readExample(SURVIVING);
	const prompts = fieldsOf(example, 'Videos').map(([, prompt]) => prompt);
	stage.sim.planTask({ ...NEVER, times: prompts.length });
	const credentials = { videogenApi: stage.bed.credential };
	const settings = { 'Save to Disk.fileName': stage.bed.filesFolder };
	const workflow = await stage.publishCalled(prepared(example, { credentials, settings }));
	await workflow.call(SURVIVING);
	await workflow.untilFirstIs('waiting');
	return { stage, workflow, prompts };
}
