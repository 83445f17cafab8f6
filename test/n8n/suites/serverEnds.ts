import type { EndedExecution } from '../../../tools/n8n/api';
import type { ChainNode } from '../../../tools/n8n/workflows';
import type { Suite } from '../support/suite';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	PROMPT_OF_ITEM,
	WAIT_FOR_HANDED_OVER,
	createAndHandOver,
	createWaitGet,
	jsonFrom,
	promptNodes,
	untilPolled,
} from '../support/workflows';
import { testScenes, type Scene } from './scenes';

const NEVER = { outcome: 'never' } as const;
const PROMPTS = ['a fox', 'a hen', 'a cow'];

/** Calls a workflow whose task never ends by itself; resolves when n8n polls for it. */
async function wait(n8n: Suite, nodes: readonly ChainNode[]) {
	n8n.sim.planTask(NEVER);
	const workflow = await n8n.publish(nodes);
	await workflow.call('A fox');
	await untilPolled(n8n);
	return workflow;
}

function expectTheVideo(n8n: Suite, execution: EndedExecution, node = CREATE_NODE) {
	expect(jsonFrom(execution, node)).toEqual([n8n.onlyTask().record()]);
	expect(n8n.sim.creates()).toHaveLength(1);
}

const SCENES: Record<string, Scene> = {
	'one node that creates and waits: Retry starts afresh and pays again': async (n8n) => {
		const workflow = await wait(n8n, ONE_NODE);
		const { id: first } = n8n.onlyTask();
		return async (requestsAtEnd) => {
			const killed = await workflow.firstExecution('crashed');
			expect(killed.error?.message).toMatch(/^Workflow did not finish/);
			expect(n8n.sim.requests).toHaveLength(requestsAtEnd);
			expect(await n8n.environment.log()).toContain(first);
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
	'in the Wait node of three videos: it goes on with the call of the service': async (n8n) => {
		n8n.sim.planTask({ ...NEVER, times: PROMPTS.length });
		const nodes = [...promptNodes(PROMPTS), ...createWaitGet(PROMPT_OF_ITEM)];
		const workflow = await n8n.publish(nodes);
		await workflow.call('');
		await workflow.untilFirstIs('waiting');
		return async (requestsAtEnd) => {
			expect(n8n.sim.requests).toHaveLength(requestsAtEnd);
			const [first = '', ...others] = PROMPTS.map((prompt) => n8n.taskOf(prompt).id);
			n8n.sim.finish(first);
			const called = await n8n.sim.waitForCallback(({ taskId }) => taskId === first);
			expect(called).toMatchObject({ status: 200 });
			for (const id of others) n8n.sim.finish(id);
			const execution = await workflow.firstExecution();
			expect(jsonFrom(execution, GET_NODE)).toEqual(n8n.recordsOf(PROMPTS));
			expect(n8n.sim.creates()).toHaveLength(PROMPTS.length);
			expect(await workflow.executionIds()).toHaveLength(1);
		};
	},
};

/** A single n8n ends while executions wait; then it is started again with its data. */
export function testServerKill(n8n: Suite, settings: Record<string, string>): void {
	describe('after kill -9', () => testScenes(n8n, 'kill', SCENES, settings));
}

/** As `docker restart` does it. */
export function testServerStop(n8n: Suite): void {
	describe('after SIGTERM', () => testScenes(n8n, 'terminate', SCENES));
}
