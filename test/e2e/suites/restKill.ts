import type { N8nVersion } from '../../programs/realN8n/versions';
import { requestNode, videogenNode, type ChainNode } from '../../programs/realN8n/workflows';
import { Suite, type PublishedWorkflow } from '../beds/suite';
import { startTestbed } from '../../programs/realN8n/testbed';
import { startGate, type Gate } from '../../programs/realN8n/hosts';
import { CREATE_NODE, RESTING, jsonFrom, resting } from '../vocabulary';
import { ENDS } from './serverKill';

const NEXT_NODE = 'Next';

const TOPICS = ['a fox', 'a hen', 'a cow'];

/** One item for each topic. */
const topicNodes: ChainNode[] = [
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

/** One execution after the other lives through the end of n8n at its three moments. */
export function testRestKill(version: N8nVersion): void {
	describe.each(ENDS)('$end while a node rests, and n8n started again', ({ by }) => {
		const n8n = new Suite(version, startTestbed);
		beforeEach(() => n8n.sim.reset());

		const restart = async () => {
			await by(n8n.bed);
			await n8n.bed.restart();
		};
		const rest = async (...next: Parameters<Suite['publish']>[0]): Promise<PublishedWorkflow> => {
			n8n.sim.planTask({ outcome: 'never' });
			const workflow = await n8n.publish([RESTING, ...next]);
			await workflow.call('A fox');
			await workflow.untilFirstIs('waiting');
			return workflow;
		};
		const expectTheVideo = (records: unknown[]) => {
			expect(records).toEqual([n8n.onlyTask().record()]);
			expect(n8n.sim.creates()).toHaveLength(1);
		};

		it('at rest: it goes on with the callback', async () => {
			const workflow = await rest();
			await restart();
			n8n.sim.finish(n8n.onlyTask().id);
			expectTheVideo(jsonFrom(await workflow.firstExecution(), CREATE_NODE));
		});

		it('while a callback is answered: it still rests, and goes on with the next callback', async () => {
			const workflow = await rest();
			const task = n8n.onlyTask();
			n8n.sim.script({ on: 'task', fault: { kind: 'hang' } });
			const reads = n8n.sim.reads().length;
			// The service itself would call again as soon as n8n is there.
			const callback = n8n.sim.forgeCallback(task.id, {}).catch(() => undefined);
			await n8n.sim.waitForRequest(() => n8n.sim.reads().length > reads);
			await restart();
			await callback;
			await workflow.untilFirstIs('waiting');
			n8n.sim.finish(task.id);
			expectTheVideo(jsonFrom(await workflow.firstExecution(), CREATE_NODE));
		});

		it.each([
			['Retry', false],
			['Retry with currently saved workflow', true],
		])('in a later node: %s gets the same task again, and creates none', async (_, asSaved) => {
			const gate: Gate = n8n.closeAtEnd(await startGate());
			const workflow = await rest(requestNode(NEXT_NODE, gate.baseUrl));
			const arrived = gate.untilCalled();
			n8n.sim.finish(n8n.onlyTask().id);
			await arrived;
			await restart();
			await workflow.untilFirstIs('crashed');
			gate.open();
			const crashed = await workflow.firstExecution('crashed');
			const retried = await n8n.retry(crashed, undefined, asSaved);
			expectTheVideo(jsonFrom(retried, CREATE_NODE));
			expect(retried.raw).not.toContain('Not in the output');
		});

		it('in a later node, with a failed task and Retry On Fail: its retry pays for nothing', async () => {
			const gate: Gate = n8n.closeAtEnd(await startGate());
			n8n.sim.planTask({ outcome: 'never', times: TOPICS.length });
			const parameters = { prompt: '=Clip of {{ $json.topic }}', ...resting() };
			const create: ChainNode = {
				...videogenNode({ parameters, onError: 'continueRegularOutput', maxTries: 2 }, CREATE_NODE),
			};
			const next = { ...requestNode(NEXT_NODE, gate.baseUrl), executeOnce: true };
			const workflow = await n8n.publish([...topicNodes, create, next]);
			await workflow.call('A fox');
			await workflow.untilFirstIs('waiting');
			const [first = '', ...others] = TOPICS.map((topic) => n8n.taskOf(`Clip of ${topic}`).id);
			const arrived = gate.untilCalled();
			n8n.sim.finish(first, 'failed');
			for (const id of others) n8n.sim.finish(id);
			await arrived;
			await restart();
			await workflow.untilFirstIs('crashed');
			gate.open();
			const retried = await n8n.retry(await workflow.firstExecution('crashed'), undefined, true);
			const paid = n8n.tasks().map(({ prompt }) => prompt);
			expect(paid.sort()).toEqual(TOPICS.map((topic) => `Clip of ${topic}`).sort());
			expect(jsonFrom(retried, CREATE_NODE)).toMatchObject([
				{ error: { taskId: first, status: 'failed' } },
				...others.map((id) => ({ id, status: 'completed' })),
			]);
		});
	});
}
