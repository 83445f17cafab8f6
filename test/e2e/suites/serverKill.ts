import type { Execution } from '../../programs/realN8n/api';
import { startTestbed } from '../../programs/realN8n/testbed';
import { NEWEST, type N8nVersion } from '../../programs/realN8n/versions';
import { requestNode, videogenNode, type ChainNode } from '../../programs/realN8n/workflows';
import { Suite } from '../beds/suite';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	RESTING,
	WAIT_FOR_HANDED_OVER,
	createAndHandOver,
	jsonFrom,
	resting,
	untilPolled,
	waiting,
} from '../vocabulary';
import { testScenes, type Scene } from './scenes';

const NEVER = { outcome: 'never' } as const;
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

/** Calls a workflow whose task never ends by itself; resolves when n8n polls for it. */
async function wait(n8n: Suite, nodes: readonly ChainNode[]) {
	n8n.sim.planTask(NEVER);
	const workflow = await n8n.publish(nodes);
	await workflow.call('A fox');
	await untilPolled(n8n);
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

/** A node behind, whose first request gets no answer, so that n8n ends in it. */
const nextNode = ({ sim }: Suite): ChainNode => {
	sim.script({ on: 'file', fault: { kind: 'hang' } });
	return { ...requestNode('Next', sim.serve('/next')), executeOnce: true };
};
const untilInNextNode = async ({ sim }: Suite) =>
	await sim.waitForRequest(({ route }) => route === 'file');

const SCENES: Record<string, Scene> = {
	'one node that creates and waits: Retry starts afresh and pays again': async (n8n) => {
		const workflow = await wait(n8n, ONE_NODE);
		const { id: first } = n8n.onlyTask();
		return async (requestsAtEnd) => {
			const killed = await workflow.firstExecution('crashed');
			expect(killed.error?.message).toMatch(/^Workflow did not finish/);
			expect(n8n.sim.requests).toHaveLength(requestsAtEnd);
			expect(await n8n.bed.log()).toContain(first);
			// It could not know better: n8n has not kept the first task's ID.
			expect(killed.raw).not.toContain(first);

			n8n.sim.finish(first);
			const again = await n8n.retry(killed);
			expect(n8n.sim.tasks.size).toBe(2);
			expect(jsonFrom(again, CREATE_NODE)).toEqual([n8n.tasks().at(-1)?.record()]);
		};
	},
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
	'at rest: it goes on with the callback': async (n8n) => {
		const workflow = await rest(n8n, [RESTING]);
		return async () => {
			n8n.sim.finish(n8n.onlyTask().id);
			expectTheVideo(n8n, await workflow.firstExecution());
		};
	},
	'in a node after a rest: Retry gets the same task, and creates none': async (n8n) => {
		const workflow = await rest(n8n, [RESTING, nextNode(n8n)]);
		n8n.sim.finish(n8n.onlyTask().id);
		await untilInNextNode(n8n);
		return async () => {
			const again = await n8n.retry(await workflow.firstExecution('crashed'));
			expectTheVideo(n8n, again);
			expect(again.raw).not.toContain('Not in the output');
		};
	},
	'in a node after a rest, with a failed task and Retry On Fail: Retry with the saved workflow pays for nothing':
		async (n8n) => {
			const parameters = { prompt: '=Clip of {{ $json.topic }}', ...resting() };
			const onError = 'continueRegularOutput';
			const create = videogenNode({ parameters, onError, maxTries: 2 }, CREATE_NODE);
			const workflow = await rest(n8n, [...TOPIC_NODES, create, nextNode(n8n)], TOPICS.length);
			const prompts = TOPICS.map((topic) => `Clip of ${topic}`);
			const [first = '', ...others] = prompts.map((prompt) => n8n.taskOf(prompt).id);
			n8n.sim.finish(first, 'failed');
			for (const id of others) n8n.sim.finish(id);
			await untilInNextNode(n8n);
			return async () => {
				const crashed = await workflow.firstExecution('crashed');
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

	describe('after kill -9', () => {
		testScenes(n8n, async () => await n8n.bed.kill(), { ...SCENES, ...LAST });
	});

	if (version !== NEWEST) return;
	describe('after SIGTERM, as by docker restart', () => {
		testScenes(n8n, async () => await n8n.bed.terminate(), { ...SCENES, ...LAST });
	});
}
