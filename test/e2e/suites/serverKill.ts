import { fieldsOf, prepared, readExample } from '../../programs/realN8n/examples';
import type { N8nVersion } from '../../programs/realN8n/versions';
import { startSimulator } from '../../programs/simulator';
import { Suite, type PublishedWorkflow } from '../beds/suite';
import { startTestbed, type Testbed } from '../../programs/realN8n/testbed';
import {
	CREATE_NODE,
	GET_NODE,
	ONE_NODE,
	STARTED_TIMEOUT_MS,
	TWO_NODES,
	WAIT_FOR_HANDED_OVER,
	createAndHandOver,
	isPolled,
	jsonFrom,
} from '../vocabulary';
import { expectOnlyOwnHosts } from './contacts';
import { SURVIVING } from '../recipes/happyPaths';
import { practiceTaskOf } from './practice';
import { clickOnceAndAgain } from './reuse';
import { expectNoKeyOnDisk } from './secrets';

/**
 * What n8n is left with: whether it writes down the outcome of each node as soon as it has run, and
 * in how many tasks it ends, one of which the kill has made useless.
 */
const PATTERNS = [
	{
		name: 'Create → Get Task with saved progress: goes on with the same task',
		nodes: TWO_NODES,
		lastNode: GET_NODE,
		saveExecutionProgress: true,
		creates: 1,
	},
	{
		name: 'Create → Get Task without saved progress: starts afresh and pays again',
		nodes: TWO_NODES,
		lastNode: GET_NODE,
		saveExecutionProgress: false,
		creates: 2,
	},
	{
		name: 'one node that creates and waits: starts afresh and pays again',
		nodes: ONE_NODE,
		lastNode: CREATE_NODE,
		saveExecutionProgress: true,
		creates: 2,
	},
];

/** How a single n8n ends while executions wait; then it is started again with its data. */
export const ENDS = [
	{ end: 'kill -9', by: async (bed: Testbed) => await bed.kill() },
	{ end: 'SIGTERM, as by docker restart', by: async (bed: Testbed) => await bed.terminate() },
];

const HANDED_OVER = 'handed over';

export function testServerKill(version: N8nVersion): void {
	describe.each(ENDS)('retry after $end and the restart of a server that was waiting', ({ by }) => {
		const n8n = new Suite(version, startTestbed);
		const workflows = new Map<string, PublishedWorkflow>();
		let surviving: Awaited<ReturnType<typeof startSurviving>>;
		let waitsForHandedOver: PublishedWorkflow;
		let practised: Awaited<ReturnType<typeof practiceTaskOf>>;
		let clicked: Awaited<ReturnType<typeof clickOnceAndAgain>>;
		let readsBeforeKill: number;
		let requestsAfterKill: number;
		let logOfKilled: string;

		const taskIdsOf = (prompt: string) =>
			n8n.tasks().flatMap((task) => (task.prompt === prompt ? [task.id] : []));

		beforeAll(async () => {
			const { bed, sim } = n8n;
			sim.planTask({ outcome: 'never', times: PATTERNS.length });
			for (const { name, nodes, saveExecutionProgress } of PATTERNS) {
				const workflow = await n8n.publish(nodes, { name, settings: { saveExecutionProgress } });
				workflows.set(name, workflow);
				await workflow.call(name);
			}
			const allWait = () =>
				sim.tasks.size === PATTERNS.length && n8n.tasks().every((task) => isPolled(sim, task));
			await sim.waitForRequest(allWait, STARTED_TIMEOUT_MS);

			waitsForHandedOver = await n8n.publishSubWorkflow(WAIT_FOR_HANDED_OVER);
			sim.planTask({ outcome: 'never', prompt: HANDED_OVER });
			await (await n8n.publish(createAndHandOver(waitsForHandedOver.id))).call(HANDED_OVER);
			const handedOver = () =>
				n8n.tasks().some((task) => task.prompt === HANDED_OVER && isPolled(sim, task));
			await sim.waitForRequest(handedOver, STARTED_TIMEOUT_MS);

			clicked = await clickOnceAndAgain(n8n, 'in the editor');
			// The last to begin: it rests for 66 seconds, and is to be killed in them.
			surviving = await startSurviving(n8n);
			practised = await practiceTaskOf(n8n);
			await by(bed);
			readsBeforeKill = surviving.service.reads().length;
			logOfKilled = await bed.log();
			const requestsBefore = sim.requests.length;
			for (const id of sim.tasks.keys()) sim.finish(id);
			await bed.restart();
			for (const workflow of workflows.values()) await workflow.untilFirstIs('crashed');
			requestsAfterKill = sim.requests.length - requestsBefore;
		});

		it.each(PATTERNS)('$name', async ({ name, lastNode, creates }) => {
			const [first] = taskIdsOf(name);
			const killed = await workflows.get(name)?.firstExecution('crashed');
			if (killed === undefined) throw new Error('It was not executed');
			expect(killed.error?.message).toMatch(/^Workflow did not finish/);

			const retried = await n8n.retry(killed);
			const taskIds = taskIdsOf(name);
			expect(n8n.sim.creates().filter(({ prompt }) => prompt === name)).toHaveLength(creates);
			expect(taskIds[0]).toBe(first);
			expect(jsonFrom(retried, lastNode)).toMatchObject([
				{ id: taskIds.at(-1), status: 'completed' },
			]);
			// Whatever pays again could not know better: n8n has not kept the first task's id.
			expect(killed.raw.includes(first ?? '')).toBe(creates === 1);
			expect(logOfKilled).toContain(first);
		});

		it('Create → sub-workflow: the retry of the one that waits reads the same task', async () => {
			const retried = await n8n.retry(await waitsForHandedOver.firstExecution('crashed'));
			expect(jsonFrom(retried, GET_NODE)).toEqual([n8n.taskOf(HANDED_OVER).record()]);
			expect(n8n.sim.creates().filter(({ prompt }) => prompt === HANDED_OVER)).toHaveLength(1);
		});

		it('Get Task finds a task of a practice credential', async () => {
			expect(await practised.read()).toMatchObject([
				{ id: practised.task?.id, status: 'completed' },
			]);
		});

		it('a click in the editor orders again, as n8n was started again', async () => {
			expect(clicked.before).toEqual([1, 1]);
			expect(await clicked.click()).toBe(2);
		});

		it('nothing was asked for or created until somebody pressed Retry', () => {
			expect(requestsAfterKill).toBe(0);
		});

		it('Create → Wait of 66 seconds → Get Task: killed in both waits, goes on with the same tasks', async () => {
			const { service, workflow, prompts } = surviving;
			const tasks = [...service.tasks.values()];
			expect(readsBeforeKill).toBe(0);
			const allPolled = () => tasks.every((task) => isPolled(service, task));
			await service.waitForRequest(allPolled, STARTED_TIMEOUT_MS);

			await by(n8n.bed);
			for (const { id } of tasks) service.finish(id);
			await n8n.bed.restart();
			const retried = await n8n.retry(await workflow.firstExecution('crashed'));

			const idOf = (wanted: string) => tasks.find(({ prompt }) => prompt === wanted)?.id;
			expect(jsonFrom(retried, 'Report')).toMatchObject([
				{ videos: prompts.map((prompt) => ({ saved: true, taskId: idOf(prompt) })) },
			]);
			expect(service.creates()).toHaveLength(prompts.length);
		});

		it('there is no API key on the disk, and nobody else was contacted', async () => {
			await expectNoKeyOnDisk(n8n.bed);
			await expectOnlyOwnHosts(n8n.bed);
		});
	});
}

/** The example as its own trigger starts it, at a service of its own that finishes nothing. */
async function startSurviving(n8n: Suite) {
	const example = readExample(SURVIVING);
	const prompts = fieldsOf(example, 'Videos').map(([, prompt]) => prompt);
	const service = n8n.closeAtEnd(await startSimulator());
	service.planTask({ outcome: 'never', times: prompts.length });
	const credentials = { videogenApi: await n8n.credential({ baseUrl: service.baseUrl }) };
	const settings = { 'Save to Disk.fileName': n8n.bed.filesFolder };
	const workflow = await n8n.publishCalled(prepared(example, { credentials, settings }));
	await workflow.call(SURVIVING);
	await workflow.untilFirstIs('waiting');
	return { service, workflow, prompts };
}
